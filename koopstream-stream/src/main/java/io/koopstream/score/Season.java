package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Autocorrelation;
import io.koopstream.internal.parts.StateParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Distance of an observation from those one period before: in the spread of the values at the same phase of the last cycles,
 * one step sooner and later included. The period is found in the past {@value #MAX_HISTORY} observations, from their autocorrelation; without
 * a clear one there is no answer. A learner whose state is the present observation cannot see that nothing happened when something usually does.
 *
 * <p>One writer. O(1) per observation but for the search of a period, O(n log n) after every 8n of them.
 */
final class Season {

    /** Observations that are remembered: three weeks of quarter hours. */
    static final int MAX_HISTORY = 2048;

    /** Numbers that are remembered at most: of wide observations fewer. */
    static final int MAX_NUMBERS = 16_384;

    /** From fewer observations no period is found. */
    static final int MIN_HISTORY = 512;

    /** Shorter periods are within reach of a state with a few delays. */
    private static final int MIN_PERIOD = 8;

    /** A value that came back less often may have done so by chance. */
    private static final int MIN_CYCLES = 3;

    /** Cycles with which a value is compared: a week of days. */
    private static final int MAX_CYCLES = 7;

    /** At a lower correlation too little of a value comes back for its absence to be odd. */
    private static final double MIN_CORRELATION = 0.4;
    /** The correlation must have been lower by as much at shorter lags: what fades slowly has no period. */
    private static final double MIN_RISE = 0.3;

    /** Two cycles with their neighbours: fewer values show no spread. */
    private static final int MIN_VALUES = 6;

    /** Standard deviation of a Gaussian, in median absolute deviations. */
    private static final double MAD_OF_GAUSSIAN = 1.4826;
    /** Below this share of the standard deviation a difference is none. */
    private static final double NEGLIGIBLE = 0.1;

    private final int width;
    /** Observations that are remembered; 0 where they are too wide. */
    private final int capacity;
    /** The observation at position p begins at (p mod capacity) width; NaN where there was none. */
    private final double[] ring;

    private long last;
    private int filled;
    private int period;
    private double[] units;
    private int untilSearch = MIN_HISTORY;

    Season(int width) {
        this.width = width;
        int most = Math.min(MAX_HISTORY, MAX_NUMBERS / width);
        this.capacity = most < MIN_HISTORY ? 0 : most;
        this.ring = new double[capacity * width];
        this.units = new double[width];
    }

    /** The history, oldest first, with what was found in it. */
    void parts(StateParts parts) {
        double[] history = parts.numbers("history", history());
        last = parts.count("last", last);
        period = parts.size("period", period);
        units = parts.numbers("units", units);
        untilSearch = parts.size("untilSearch", untilSearch);
        if (!parts.restores()) {
            return;
        }
        InvalidStateException.require(
                history.length <= ring.length
                        && history.length % width == 0
                        && Arrays.stream(history).noneMatch(Double::isInfinite)
                        && period <= capacity
                        && Scorer.requireSizes(units).length == width
                        && untilSearch > 0
                        && untilSearch <= 8 * MAX_HISTORY,
                "scores",
                "a season that cannot be");
        filled = history.length / width;
        for (int i = 0; i < filled; i++) {
            System.arraycopy(history, i * width, ring, at(last - filled + 1 + i), width);
        }
    }

    private double[] history() {
        double[] history = new double[filled * width];
        for (int i = 0; i < filled; i++) {
            System.arraycopy(ring, at(last - filled + 1 + i), history, i * width, width);
        }
        return history;
    }

    private int at(long position) {
        return (int) Math.floorMod(position, (long) capacity) * width;
    }

    /** Position of the newest observation. */
    long last() {
        return last;
    }

    /** Distance of the observation at a position from those at the same phase, in their spread; NaN where that is not known. */
    double excess(long position, double[] x) {
        if (period == 0 || position <= last || position - last > period) {
            return Double.NaN;
        }
        double largest = 0;
        double[] values = new double[3 * MAX_CYCLES];
        for (int c = 0; c < width; c++) {
            int n = 0;
            for (int k = 1; k <= MAX_CYCLES; k++) {
                for (int off = -1; off <= 1; off++) {
                    long then = position - (long) k * period + off;
                    if (then <= last && then > last - filled && !Double.isNaN(ring[at(then) + c])) {
                        values[n++] = ring[at(then) + c];
                    }
                }
            }
            if (n < MIN_VALUES) {
                return Double.NaN;
            }
            double middle = median(values, n);
            for (int i = 0; i < n; i++) {
                values[i] = Math.abs(values[i] - middle);
            }
            double spread = MAD_OF_GAUSSIAN * median(values, n) + NEGLIGIBLE * units[c];
            largest = spread > 0 ? Math.max(largest, Math.abs(x[c] - middle) / spread) : largest;
        }
        return largest;
    }

    private static double median(double[] values, int n) {
        Arrays.sort(values, 0, n);
        return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
    }

    /**
     * Remembers the observation at a position; one that is not after the last begins anew.
     *
     * @param before observations before it
     */
    void add(long position, double[] x, long before) {
        if (capacity == 0) {
            return;
        }
        if (filled > 0 && (position <= last || position - last >= capacity)) {
            filled = 0;
            period = 0;
            untilSearch = MIN_HISTORY;
        }
        long missing = filled == 0 ? 0 : position - last - 1;
        for (long skipped = position - missing; skipped < position; skipped++) {
            Arrays.fill(ring, at(skipped), at(skipped) + width, Double.NaN);
        }
        System.arraycopy(x, 0, ring, at(position), width);
        filled = (int) Math.min(capacity, filled + missing + 1);
        last = position;
        untilSearch--;
        if (untilSearch <= 0) {
            search();
            // After 512, and then whenever twice as many have come, up to eight times as many as are remembered.
            untilSearch = (int) Math.min(8L * capacity, Math.max(filled, before));
        }
    }

    private void search() {
        int most = filled / MIN_CYCLES;
        List<double[]> values = new ArrayList<>(width);
        List<double[]> present = new ArrayList<>(width);
        for (int c = 0; c < width; c++) {
            addSeries(c, values, present);
        }
        if (present.stream().noneMatch(one -> Arrays.stream(one).anyMatch(there -> there == 0))) {
            present.clear();
        }
        double[] correlation = Autocorrelation.sums(values, most + 1);
        double[] counts = present.isEmpty() ? null : Autocorrelation.sums(present, most + 1);
        for (int lag = 1; lag < correlation.length; lag++) {
            double count = counts == null ? (double) values.size() * (filled - lag) : counts[lag];
            correlation[lag] = count > 0.5 ? correlation[lag] / count : 0;
        }
        double highest = 0;
        double lowest = 1;
        int best = 0;
        for (int lag = 2; lag <= most; lag++) {
            lowest = Math.min(lowest, correlation[lag]);
            boolean clear = correlation[lag] > MIN_CORRELATION && correlation[lag] > lowest + MIN_RISE;
            // The first of peaks that are nearly as high: two periods are as good as one.
            if (Autocorrelation.isPeak(correlation, lag)
                    && clear
                    && lag >= MIN_PERIOD
                    && correlation[lag] > 1.1 * highest) {
                highest = correlation[lag];
                best = lag;
            }
        }
        period = best;
    }

    /** Adds a coordinate, standardised, zero where it is missing, and where it is present; nothing of one that stands still. */
    private void addSeries(int c, List<double[]> series, List<double[]> presence) {
        double[] values = new double[filled];
        double[] present = new double[filled];
        double mean = 0;
        double squares = 0;
        int n = 0;
        for (int i = 0; i < filled; i++) {
            values[i] = ring[at(last - filled + 1 + i) + c];
            if (!Double.isNaN(values[i])) {
                n++;
                present[i] = 1;
                double delta = values[i] - mean;
                mean += delta / n;
                squares += delta * (values[i] - mean);
            }
        }
        units[c] = Math.sqrt(squares / Math.max(1, n));
        if (!(units[c] > 0)) {
            return;
        }
        for (int i = 0; i < filled; i++) {
            values[i] = present[i] > 0 ? (values[i] - mean) / units[c] : 0;
        }
        series.add(values);
        presence.add(present);
    }
}
