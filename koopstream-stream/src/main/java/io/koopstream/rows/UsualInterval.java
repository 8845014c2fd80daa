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

    /** Relation of an observation to the one before it; without times every one follows. */
    Succession succession(double before, double time) {
        double passed = time - before;
        // Clocks jitter; half an interval is the most that cannot be a missing row.
        boolean follows = passed > 0.5 * get() && (passed < 1.5 * get() || passed <= maxGap.time());
        return Succession.of(passed, follows || (Double.isNaN(before) && Double.isNaN(time)));
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
