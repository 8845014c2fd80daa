package io.koopstream.score;

import io.koopstream.InvalidConfigException;
import java.util.function.DoubleSupplier;

/**
 * Score of an observation, computed before it was learned. Its arrays are not to be changed.
 *
 * @param score from 0 to 1, a tenth for every factor of ten by which an observation as odd as this one is rare: 0.4 is one in 10,000; NaN while that is
 *     unknown
 * @param p the share of observations whose residual is as large or larger, uniform from 0 to 1 while nothing changes; NaN while unknown
 * @param alarm true if an alarm begins here
 * @param residual the observation less its expected value, per coordinate of the prepared observation; empty when nothing was expected
 * @param spread half the width of the band around what was expected, in which 95 % of all observations lie with all their coordinates; NaN while unknown
 * @param knownness computes {@link #known}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too many to be wrapped
public record Score(
        double score, double p, boolean alarm, double[] residual, double[] spread, DoubleSupplier knownness) {

    /** Default share of observations that raise an alarm while nothing changes. */
    public static final double DEFAULT_ALARM_RATE = 1e-4;

    private static final double[] NOTHING = {};

    /** An observation of which nothing could be expected, though its state may be known. */
    static Score unknown(DoubleSupplier knownness) {
        return new Score(Double.NaN, Double.NaN, false, NOTHING, NOTHING, knownness);
    }

    /** Knownness of the state, ‖β‖²/κ from 0 to 1; NaN before anything was learned. Computed when it is asked for, O(m² / 2). */
    public double known() {
        return knownness.getAsDouble();
    }

    /** Refuses a rate that is none. */
    public static double requireRate(double rate) {
        if (!(rate >= 1e-9 && rate <= 0.1)) {
            throw new InvalidConfigException(
                    "alarmRate",
                    rate,
                    "must be from 1e-9 to 0.1: alarms per observation while nothing changes; try 1e-4");
        }
        return rate;
    }

    /** True if anything was expected. */
    public boolean isJudged() {
        return residual.length > 0;
    }
}
