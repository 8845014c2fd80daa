package io.koopstream.score;

import io.koopstream.InvalidConfigException;
import java.util.function.DoubleSupplier;

/**
 * Score of an observation, computed before it was learned. Its arrays are not to be changed.
 *
 * @param score from 0 to 1, a tenth for every factor of ten by which news as unusual as this observation is rare: while nothing changes, 0.4 or more comes
 *     once in 10,000 observations; 0 where one of the last was as unusual, NaN while that is unknown
 * @param p the share of observations whose residual is as large or larger, uniform from 0 to 1 while nothing changes; NaN while unknown
 * @param cause the most unusual sign where an alarm begins; null elsewhere
 * @param coordinate in which that is the largest, from 1; 0 where it is not one alone, and without an alarm
 * @param outlies true if it is rarer than one in a thousand, new or not, and has not been for long
 * @param residual the observation less its expected value, per coordinate of the prepared observation; empty when nothing was expected
 * @param spread half the width of the band around what was expected, in which 95 % of all observations lie with all their coordinates; NaN while unknown
 * @param knownness computes {@link #known}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too many to be wrapped
public record Score(
        double score,
        double p,
        Sign cause,
        int coordinate,
        boolean outlies,
        double[] residual,
        double[] spread,
        DoubleSupplier knownness) {

    /**
     * Default share of observations that raise an alarm while nothing changes: one in 5,000. Real streams have events that nobody asks about, several for each
     * false alarm; a rarer alarm would be quieter there, but miss more of what somebody does ask about.
     */
    public static final double DEFAULT_ALARM_RATE = 2e-4;

    private static final double[] NOTHING = {};

    /** An observation of which nothing could be expected, though its state may be known and its level be unusual. */
    static Score withoutPrediction(Evidence.Finding finding, DoubleSupplier knownness) {
        return of(finding, NOTHING, NOTHING, knownness);
    }

    static Score of(Evidence.Finding finding, double[] residual, double[] spread, DoubleSupplier knownness) {
        return new Score(
                finding.score(),
                finding.p(),
                finding.cause(),
                finding.coordinate(),
                finding.outlies(),
                residual,
                spread,
                knownness);
    }

    /** The score of an observation as rare as this. */
    static double of(double rate) {
        double score = Math.min(1, -StrictMath.log10(rate) / 10);
        // Not −0.0.
        return score == 0 ? 0 : score;
    }

    /** True if an alarm begins here. */
    public boolean alarm() {
        return cause != null;
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
                    "must be from 1e-9 to 0.1: alarms per observation while nothing changes; try 2e-4");
        }
        return rate;
    }

    /** True if anything was expected. */
    public boolean isJudged() {
        return residual.length > 0;
    }
}
