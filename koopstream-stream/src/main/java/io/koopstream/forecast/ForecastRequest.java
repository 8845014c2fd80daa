package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;

/**
 * A request for a forecast.
 *
 * @param steps how far, >= 1
 * @param mode where the expected path comes from
 * @param paths how many paths are simulated for bands; 0 for none
 * @param seed of the simulation
 * @param anyway whether to answer also from starts where nothing was learned
 * @param known what is known of the coming observations
 * @param inputs the inputs of the coming rows, a row per step; null where they are not known, so that they are forecast
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record ForecastRequest(
        int steps, Mode mode, int paths, long seed, boolean anyway, KnownAhead known, double[][] inputs) {

    /** The longest forecast. */
    public static final int MAX_STEPS = 100_000;

    /** Paths behind a band when nothing else is said. */
    public static final int DEFAULT_PATHS = 200;

    /** The most paths behind a band. */
    public static final int MAX_PATHS = 100_000;

    /** Refuses numbers out of range. */
    public ForecastRequest {
        if (steps < 1 || steps > MAX_STEPS) {
            throw new InvalidQueryException("steps = " + steps + ": must be from 1 to " + MAX_STEPS);
        }
        if (paths < 0 || paths == 1 || paths > MAX_PATHS) {
            throw new InvalidQueryException("paths = " + paths + ": must be 0 for no band, or from 2 to " + MAX_PATHS);
        }
    }

    /** A request for this number of steps with the usual bands. */
    public static ForecastRequest of(int steps) {
        return new ForecastRequest(steps, Mode.AUTO, DEFAULT_PATHS, 1, false, KnownAhead.NOTHING, null);
    }

    /** This request in another mode. */
    public ForecastRequest mode(Mode other) {
        return new ForecastRequest(steps, other, paths, seed, anyway, known, inputs);
    }

    /** This request with this number of simulated paths. */
    public ForecastRequest paths(int count, long newSeed) {
        return new ForecastRequest(steps, mode, count, newSeed, anyway, known, inputs);
    }

    /** This request from any start. */
    public ForecastRequest fromAnywhere() {
        return new ForecastRequest(steps, mode, paths, seed, true, known, inputs);
    }

    /** This request with something known of the coming observations. */
    ForecastRequest knowing(KnownAhead other) {
        return new ForecastRequest(steps, mode, paths, seed, anyway, other, inputs);
    }

    /**
     * This request with the inputs of the coming rows.
     *
     * @param rows at least as many as steps; null where they are not known
     */
    public ForecastRequest given(double[][] rows) {
        return new ForecastRequest(steps, mode, paths, seed, anyway, known, rows);
    }

    /** What is known of the coming observations, inputs among it; refuses inputs that do not reach, or are none of the model's. */
    KnownAhead knownAhead(DelayLayout layout) {
        if (inputs == null) {
            return known;
        }
        if (layout.inputs() == 0) {
            throw new InvalidQueryException(
                    "future inputs are given, and the model has no inputs: learn it with inputs, or leave them out");
        }
        if (inputs.length < steps) {
            throw new InvalidQueryException("future inputs of " + inputs.length + " rows are given, and " + steps
                    + " steps are asked for: give more rows, or ask for fewer steps");
        }
        for (int s = 0; s < steps; s++) {
            if (inputs[s].length != layout.inputs()) {
                throw new InvalidQueryException("row " + (s + 1) + " of the future inputs has " + inputs[s].length
                        + " numbers, and the model has " + layout.inputs() + " inputs");
            }
            for (double value : inputs[s]) {
                if (!Double.isFinite(value)) {
                    throw new InvalidQueryException("row " + (s + 1) + " of the future inputs has " + value
                            + ": give all of them, or ask for fewer steps");
                }
            }
        }
        return (step, observation) -> {
            System.arraycopy(inputs[step - 1], 0, observation, layout.driven(), layout.inputs());
            known.fill(step, observation);
        };
    }
}
