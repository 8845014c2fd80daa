package io.koopstream.io;

import io.koopstream.rows.MaxGap;

/**
 * How the times of a model's observations are counted and written.
 *
 * @param interval usual time between two observations, in seconds where they are dated; NaN when unknown
 * @param maxGap observations that are at most so far apart followed each other too
 * @param style how times are written, as {@link io.koopstream.io.samples.TimeStyle#text} says it; empty when observations have no times
 */
public record TimeAxis(double interval, MaxGap maxGap, String style) {

    /** Nothing is known. */
    public static final TimeAxis NONE = new TimeAxis(Double.NaN, MaxGap.NONE, "");

    private static final int MAX_STYLE = 100;

    /** Refuses what no times can be. */
    public TimeAxis {
        if (interval <= 0 || Double.isInfinite(interval)) {
            throw new IllegalArgumentException("an interval of " + interval);
        }
        if (style.length() > MAX_STYLE) {
            throw new IllegalArgumentException("times are written in a style of " + style.length() + " characters");
        }
    }
}
