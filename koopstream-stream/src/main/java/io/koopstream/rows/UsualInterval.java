package io.koopstream.rows;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import java.util.Arrays;

/**
 * The usual time between two observations: as configured, or the median of the first differences; and how far apart they may be at most. One writer.
 *
 * <p>A few differences are remembered because the first one may be a gap itself.
 */
final class UsualInterval {

    /** Differences that are looked at. */
    private static final int MAX_DIFFERENCES = 32;

    /** NaN while it is not fixed. */
    private double fixed;

    private final MaxGap maxGap;
    /** Those that decide while it is not fixed, sorted. */
    private double[] differences = {};

    /** @param fixed as configured; NaN to find it */
    UsualInterval(double fixed, MaxGap maxGap) {
        this.fixed = fixed;
        this.maxGap = maxGap;
    }

    /**
     * Relation of an observation to the one before it; without times every one follows. Clocks jitter, so it follows if it is one step either from when that one
     * came or from its {@linkplain #place place}.
     */
    Succession succession(double before, double place, double time) {
        double passed = time - before;
        boolean follows = isStep(before, time)
                || (passed > 0 && isStep(place, time))
                || (passed > 0.5 * get() && passed <= maxGap.time());
        return Succession.of(passed, follows || (Double.isNaN(before) && Double.isNaN(time)));
    }

    /** True if 1 is the nearest whole number of intervals between two times: half an interval is the most that cannot be a missing row. */
    private boolean isStep(double before, double time) {
        double passed = time - before;
        return passed > 0.5 * get() && passed < 1.5 * get();
    }

    /**
     * Place of an observation on the grid that its clock jitters around: halfway between where it was expected and where it came, so that rows that come early and
     * late by turns do not move it far; or where it came, if it is not one step from the place before it.
     */
    double place(double before, double time) {
        return isStep(before, time) ? 0.5 * (before + get() + time) : time;
    }

    /** The interval, or NaN while nothing is known. */
    double get() {
        return differences.length > 0 ? differences[(differences.length - 1) / 2] : fixed;
    }

    /** Two observations of one trajectory had these times. */
    void saw(double before, double time) {
        double difference = MaxGap.between(before, time);
        if (Double.isNaN(fixed) && difference > 0 && difference < Double.POSITIVE_INFINITY) {
            differences = Arrays.copyOf(differences, differences.length + 1);
            differences[differences.length - 1] = difference;
            Arrays.sort(differences);
            if (differences.length == MAX_DIFFERENCES) {
                fixed = get();
                differences = new double[0];
            }
        }
    }

    void parts(StateParts parts) {
        fixed = parts.number("interval", fixed);
        differences = parts.numbers("differences", differences);
        boolean sound = differences.length < MAX_DIFFERENCES && (differences.length == 0 || Double.isNaN(fixed));
        for (int i = 0; sound && i < differences.length; i++) {
            sound = differences[i] > (i == 0 ? 0 : Math.nextDown(differences[i - 1]))
                    && differences[i] < Double.POSITIVE_INFINITY;
        }
        InvalidStateException.require(
                sound && !(fixed <= 0) && !Double.isInfinite(fixed), "trajectories", "an interval of " + fixed);
    }
}
