package io.koopstream.rows;

import io.koopstream.InvalidStateException;
import java.util.Arrays;
import java.util.List;

/**
 * The usual time between two observations: what was said, or the median of the first differences; and how far apart they may be at most. One writer.
 *
 * <p>A few differences are remembered because the first one may be a gap itself.
 */
public final class UsualInterval {

    /** Differences that are looked at. */
    public static final int MAX_DIFFERENCES = 32;

    /** NaN while it is not fixed. */
    private double fixed;

    private final MaxGap maxGap;
    /** Sorted. */
    private final double[] differences = new double[MAX_DIFFERENCES];

    private int count;

    /** @param fixed what was said; NaN to find it */
    public UsualInterval(double fixed, MaxGap maxGap) {
        this.fixed = fixed;
        this.maxGap = maxGap;
    }

    /** Relation of an observation to the one before it; without times every one follows. */
    public Succession succession(double before, double time) {
        return Double.isNaN(before) && Double.isNaN(time)
                ? Succession.FOLLOWS
                : Succession.ofTimes(before, time, get(), maxGap);
    }

    /** The interval, or NaN while nothing is known. */
    public double get() {
        return count > 0 ? differences[(count - 1) / 2] : fixed;
    }

    /** Two observations of one trajectory had these times. */
    public void saw(double before, double time) {
        double difference = MaxGap.between(before, time);
        if (Double.isNaN(fixed) && difference > 0 && difference < Double.POSITIVE_INFINITY) {
            differences[count++] = difference;
            Arrays.sort(differences, 0, count);
            if (count == MAX_DIFFERENCES) {
                fixed = get();
                count = 0;
            }
        }
    }

    /** The differences while they decide; empty once the interval is fixed. */
    public List<Double> differences() {
        return Arrays.stream(differences, 0, count).boxed().toList();
    }

    public double fixed() {
        return fixed;
    }

    public void resume(double storedInterval, List<Double> stored) {
        fixed = storedInterval;
        count = stored.size();
        Arrays.setAll(differences, i -> i < count ? stored.get(i) : 0);
    }

    /** Refuses what no interval can be. */
    public static void require(double interval, List<Double> differences) {
        boolean sound = differences.size() < MAX_DIFFERENCES && (differences.isEmpty() || Double.isNaN(interval));
        for (int i = 0; sound && i < differences.size(); i++) {
            sound = differences.get(i) > (i == 0 ? 0 : Math.nextDown(differences.get(i - 1)))
                    && differences.get(i) < Double.POSITIVE_INFINITY;
        }
        if (!sound || interval <= 0 || Double.isInfinite(interval)) {
            throw new InvalidStateException("trajectories", "an interval of " + interval);
        }
    }
}
