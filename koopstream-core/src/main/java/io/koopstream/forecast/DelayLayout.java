package io.koopstream.forecast;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;

/**
 * How a state is made of observations: (o_t, o_{t−s}, …, o_{t−ks}), newest first.
 *
 * @param observed d, coordinates of an observation, >= 1
 * @param delays k, earlier observations in a state, >= 0
 * @param stride s, steps between them, >= 1
 */
public record DelayLayout(int observed, int delays, int stride) {

    /** Refuses numbers out of range. */
    public DelayLayout {
        if (observed < 1 || delays < 0 || stride < 1) {
            throw new InvalidConfigException(
                    "delays", delays, "of " + observed + " coordinates, " + stride + " apart: must be >= 0, 1 and 1");
        }
    }

    /** A state is an observation. */
    public static DelayLayout none(int observed) {
        return new DelayLayout(observed, 0, 1);
    }

    /** Coordinates of a state. */
    public int dimension() {
        return observed * (delays + 1);
    }

    /** Successive observations that make up a state: k s + 1. */
    public int history() {
        return delays * stride + 1;
    }

    /**
     * The observations behind a state, oldest first. Those that a stride above 1 leaves out lie on the line between their neighbours.
     *
     * @param state a delay vector
     */
    public double[][] history(double[] state) {
        double[][] rows = new double[history()][observed];
        for (int back = 0; back < rows.length; back++) {
            int newer = back / stride;
            int older = Math.min(delays, newer + 1);
            double share = (double) (back - newer * stride) / stride;
            for (int c = 0; c < observed; c++) {
                double value = state[newer * observed + c];
                rows[rows.length - 1 - back][c] =
                        share == 0 ? value : value + share * (state[older * observed + c] - value);
            }
        }
        return rows;
    }

    /**
     * The state after the last of successive observations.
     *
     * @param rows oldest first, at least {@link #history()} of them
     */
    public double[] state(double[][] rows) {
        if (rows.length < history()) {
            throw new InvalidQueryException(
                    rows.length + " observations: a state of this model needs " + history() + " successive ones");
        }
        double[] state = new double[dimension()];
        for (int k = 0; k <= delays; k++) {
            System.arraycopy(rows[rows.length - 1 - k * stride], 0, state, k * observed, observed);
        }
        return state;
    }
}
