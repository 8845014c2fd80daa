package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;

/** Coordinates of coming observations that are known before they come, such as a calendar, inputs, or actions that were decided on. */
@FunctionalInterface
public interface KnownAhead {

    /** Nothing is known. */
    KnownAhead NOTHING = (step, observation) -> {};

    /**
     * Overwrites what is known of the observation at a step.
     *
     * @param step 1 for the first step of the forecast
     * @param observation as forecast, to be changed in place
     */
    void fill(int step, double[] observation);

    /**
     * Some coordinates are known at every step.
     *
     * @param coordinates which ones
     * @param values a row per step, an entry per coordinate
     */
    static KnownAhead columns(int[] coordinates, double[][] values) {
        int[] which = coordinates.clone();
        return (step, observation) -> {
            if (step > values.length) {
                throw new InvalidQueryException("known inputs end after " + values.length + " steps: give all of them");
            }
            for (int i = 0; i < which.length; i++) {
                observation[which[i]] = values[step - 1][i];
            }
        };
    }
}
