package io.koopstream.forecast;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.rows.Preparation;
import java.util.Arrays;
import java.util.List;

/**
 * Layout of a state made of observations: (o_t, o_{t−s}, …, o_{t−ks}), newest first.
 *
 * @param observed d, coordinates of an observation, >= 1
 * @param delays k, earlier observations in a state, >= 0
 * @param stride s, steps between them, >= 1
 * @param inputs how many of an observation's coordinates drive the others and may be known before it comes; they stand before those of the calendar
 * @param ahead how many of an observation's coordinates, its last ones, are always known before it comes, as a calendar is
 * @param differences coordinates of an observation that are differences of successive levels; forecasts add them up again
 */
public record DelayLayout(int observed, int delays, int stride, int inputs, int ahead, List<Integer> differences) {

    /** Refuses numbers out of range. */
    public DelayLayout {
        if (observed < 1 || delays < 0 || stride < 1 || inputs < 0 || ahead < 0 || inputs + ahead >= observed) {
            throw new InvalidConfigException(
                    "delays",
                    delays,
                    "of " + observed + " coordinates, " + inputs + " of them inputs and " + ahead + " known ahead, "
                            + stride + " apart: must be >= 0, 1, 0, 0 and 1");
        }
        differences = List.copyOf(differences);
    }

    /** Nothing is known ahead, and nothing is a difference. */
    public DelayLayout(int observed, int delays, int stride) {
        this(observed, delays, stride, 0, 0, List.of());
    }

    /**
     * States of prepared observations.
     *
     * @param observed coordinates of an observation as it came
     */
    public static DelayLayout of(Preparation preparation, int observed, int delays, int stride) {
        int prepared = preparation.dimension(observed);
        List<Integer> differences =
                Arrays.stream(preparation.differences(observed)).boxed().toList();
        return new DelayLayout(prepared, delays, stride, preparation.inputs(), prepared - observed, differences);
    }

    /** A state is an observation. */
    public static DelayLayout none(int observed) {
        return new DelayLayout(observed, 0, 1);
    }

    /** Coordinates of an observation that are forecast where nothing but the calendar is known ahead: inputs too. */
    public int forecast() {
        return observed - ahead;
    }

    /** Coordinates of an observation that are forecast where inputs are known ahead: its first ones. */
    public int driven() {
        return observed - ahead - inputs;
    }

    /** Coordinates of a state. */
    public int dimension() {
        return observed * (delays + 1);
    }

    /** Successive observations that make up a state: k s + 1. */
    public int history() {
        return delays * stride + 1;
    }

    /** Successive rows of levels that make up a state: {@link #history}, and one more where there are differences. */
    public int levels() {
        return history() + (differences.isEmpty() ? 0 : 1);
    }

    /** The newest observations of a state, oldest first, from {@link #levels} rows of levels. */
    double[][] differenced(double[][] levels) {
        if (differences.isEmpty()) {
            return levels;
        }
        double[][] rows = new double[levels.length - 1][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = levels[i + 1].clone();
            for (int c : differences) {
                rows[i][c] = levels[i + 1][c] - levels[i][c];
            }
        }
        return rows;
    }

    /**
     * Rows of levels up to the newest one, one more than observations: the inverse of {@link #differenced} up to rounding.
     *
     * @param newest levels of the coordinates; null where they count from the newest observation on
     */
    double[][] summed(double[][] observations, double[] newest) {
        if (differences.isEmpty()) {
            return observations;
        }
        int n = observations.length;
        double[][] rows = new double[n + 1][];
        rows[n] = observations[n - 1].clone();
        for (int c : differences) {
            rows[n][c] = newest == null ? 0 : newest[c];
        }
        for (int i = n - 1; i >= 0; i--) {
            rows[i] = observations[Math.max(0, i - 1)].clone();
            for (int c : differences) {
                rows[i][c] = rows[i + 1][c] - observations[i][c];
            }
        }
        return rows;
    }

    /** Adds the differences of an observation to the levels before it, in place. */
    void sum(double[] observation, double[] before) {
        for (int c : differences) {
            observation[c] += before[c];
        }
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
