package io.koopstream.score;

import io.koopstream.InvalidConfigException;

/** Score of an observation, computed before it was learned. Immutable: its arrays are not to be changed. */
public final class Score {

    /** Default share of observations that raise an alarm while nothing changes. */
    public static final double DEFAULT_ALARM_RATE = 1e-4;

    private static final double[] NOTHING = {};

    private final double score;
    private final double p;
    private final boolean alarm;
    private final double[] residual;
    private final double[] spread;
    /** Predictor that computes the knownness; null before anything was learned. */
    private final OneStep predictor;

    private final double[] state;

    /** Takes over its arguments. */
    Score(
            double score,
            double p,
            boolean alarm,
            double[] residual,
            double[] spread,
            OneStep predictor,
            double[] state) {
        this.score = score;
        this.p = p;
        this.alarm = alarm;
        this.residual = residual;
        this.spread = spread;
        this.predictor = predictor;
        this.state = state;
    }

    /** An observation of which nothing could be expected, though its state may be known. */
    static Score unknown(OneStep predictor, double[] state) {
        return new Score(Double.NaN, Double.NaN, false, NOTHING, NOTHING, predictor, state);
    }

    /**
     * From 0 to 1, a tenth for every factor of ten by which an observation as odd as this one is rare: 0.4 is one in 10,000; NaN while that is
     * unknown.
     */
    public double score() {
        return score;
    }

    /** The share of observations whose residual is as large or larger, uniform from 0 to 1 while nothing changes; NaN while unknown. */
    public double p() {
        return p;
    }

    /** Knownness of the state, ‖β‖²/κ from 0 to 1; NaN before anything was learned. Computed when it is asked for, O(m² / 2). */
    public double known() {
        return predictor == null ? Double.NaN : predictor.known(state);
    }

    /** True if an alarm begins here. */
    public boolean alarm() {
        return alarm;
    }

    /** The observation less its expected value, per coordinate of the prepared observation; empty when nothing was. */
    public double[] residual() {
        return residual;
    }

    /** Half the width of the band around what was expected, in which 95 % of all observations lie with all their coordinates; NaN while unknown. */
    public double[] spread() {
        return spread;
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
