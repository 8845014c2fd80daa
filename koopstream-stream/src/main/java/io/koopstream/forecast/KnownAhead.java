package io.koopstream.forecast;

/** Coordinates of coming observations that are known before they come, the calendar and inputs. */
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
}
