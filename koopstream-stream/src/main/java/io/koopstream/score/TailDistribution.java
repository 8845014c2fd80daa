package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import java.util.Arrays;

/**
 * Rarity of a number among about {@value #CAPACITY} before: its rank, and beyond the largest tenth a generalised Pareto tail fitted to it, so that
 * a number larger than all before is told from one that is much larger (peaks over a threshold; probability-weighted moments of Hosking and Wallis,
 * Technometrics 29, 1987). The tail is never taken for bounded: nothing has probability zero.
 *
 * <p>Numbers wait until there are {@value #BATCH}, at first an eighth of those before, and are ranked together: one pass over all for many of them.
 *
 * <p>One writer. O(log n) per question, O(n / {@value #BATCH}) per number added.
 */
final class TailDistribution {

    /** Numbers among which others are ranked: a tail of two hundred is fitted to the largest tenth, and few enough remain to follow what changes. */
    static final int CAPACITY = 2048;

    /** Fewer numbers have no rank worth the name. */
    static final int MIN_SIZE = 50;

    /** Fewer numbers show no tail: the rank serves alone. */
    private static final int MIN_FITTED = 200;

    /** The tail is the largest of every this many numbers: the usual tenth, far enough out for its limiting form. */
    private static final int TAIL_SHARE = 10;

    /** Numbers that wait to be ranked at most; the tail is fitted anew with them. */
    static final int BATCH = 128;

    /** From this shape on a tail has no mean, and moments say nothing about it. */
    private static final double MAX_SHAPE = 1;

    /** Numbers count usual sizes or natural logarithms; closer ones differ by the rounding of what they were computed from. */
    private static final double ROUNDING = 1e-9;

    /** Those that are ranked, as they came, together by size, as a ring; and all by size. */
    private final double[] ring = new double[CAPACITY];

    private double[] sorted = new double[CAPACITY];
    private double[] spare = new double[CAPACITY];
    private int size;
    private int next;
    private final double[] waiting = new double[BATCH];
    private int waits;
    /** The tail begins at the threshold; its scale is NaN before it is fitted. */
    private double threshold = Double.NaN;

    private double scale = Double.NaN;
    private double shape = Double.NaN;

    /** The numbers, oldest first, with the tail that was fitted to them. */
    TailDistribution parts(StateParts parts) {
        double[] values = parts.numbers("values", values());
        threshold = parts.number("threshold", threshold);
        scale = parts.number("scale", scale);
        shape = parts.number("shape", shape);
        int sinceFit = parts.size("sinceFit", waits);
        if (parts.restores()) {
            InvalidStateException.require(
                    Scorer.requireSizes(values).length < CAPACITY + BATCH && isPossible(),
                    "scores",
                    "a distribution that cannot be");
            fill(values, sinceFit);
        }
        return this;
    }

    /** The parts as versions before 0.3 wrote them. */
    void olderParts(StateParts parts, boolean withAlarms) {
        parts(parts);
        if (withAlarms) {
            parts.numbers("peaks", new double[0]);
            parts.number("peak", 0);
        }
    }

    private double[] values() {
        double[] values = new double[size + waits];
        for (int i = 0; i < size; i++) {
            values[i] = ring[(next - size + i + CAPACITY) % CAPACITY];
        }
        System.arraycopy(waiting, 0, values, size, waits);
        return values;
    }

    private boolean isPossible() {
        boolean fitted = scale >= 0 && threshold >= 0 && shape >= 0 && shape <= MAX_SHAPE;
        boolean unfitted = Double.isNaN(scale) && Double.isNaN(threshold) && Double.isNaN(shape);
        return fitted || unfitted;
    }

    private void fill(double[] values, int sinceFit) {
        int n = values.length;
        // Once numbers were ranked at once, and waited for the fit alone: there may be more, or all places taken.
        waits = Math.max(n - CAPACITY, Math.min(Math.min(sinceFit, BATCH - 1), n));
        size = n - waits;
        System.arraycopy(values, 0, ring, 0, size);
        System.arraycopy(values, size, waiting, 0, waits);
        next = size % CAPACITY;
        System.arraycopy(ring, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
    }

    /** Numbers among which others are ranked now. */
    int size() {
        return size;
    }

    /** The probability of a number as large as this one or larger; NaN while there are too few to tell. */
    double tail(double value) {
        if (size < MIN_SIZE) {
            return Double.NaN;
        }
        if (!Double.isNaN(scale) && value > threshold + ROUNDING) {
            double excess = value - threshold;
            double share = 1.0 / TAIL_SHARE;
            if (!(scale > 0)) {
                return share / size;
            }
            return share
                    * (shape < 1e-9
                            ? StrictMath.exp(-excess / scale)
                            : StrictMath.pow(1 + shape * excess / scale, -1 / shape));
        }
        return (size - firstAtLeast(value - ROUNDING) + 1.0) / (size + 1.0);
    }

    /** The number that a share of those remembered does not exceed; NaN when there are none. */
    double quantile(double level) {
        return size == 0 ? Double.NaN : sorted[Math.min(size - 1, (int) (level * size))];
    }

    /** Remembers a number, finite and not negative. */
    void add(double value) {
        waiting[waits++] = value;
        if (waits >= Math.min(BATCH, size / 8)) {
            rank();
            if (size >= MIN_FITTED) {
                fit();
            }
        }
    }

    /** Those that wait take the places of the oldest. */
    private void rank() {
        double[] gone = new double[Math.max(0, size + waits - CAPACITY)];
        for (int i = 0; i < gone.length; i++) {
            gone[i] = ring[(next - size + i + CAPACITY) % CAPACITY];
        }
        // The ring keeps them in the order in which they leave together, so that these are sorted already.
        Arrays.sort(waiting, 0, waits);
        for (int i = 0; i < waits; i++) {
            ring[next] = waiting[i];
            next = (next + 1) % CAPACITY;
        }
        Arrays.sort(gone);
        int n = 0;
        int left = 0;
        int come = 0;
        for (int i = 0; i < size; i++) {
            double value = sorted[i];
            if (left < gone.length && value == gone[left]) {
                left++;
                continue;
            }
            while (come < waits && waiting[come] < value) {
                spare[n++] = waiting[come++];
            }
            spare[n++] = value;
        }
        System.arraycopy(waiting, come, spare, n, waits - come);
        double[] old = sorted;
        sorted = spare;
        spare = old;
        size += waits - gone.length;
        waits = 0;
    }

    /** The place of the first that is not smaller; no branch to guess wrong but the end of the loop. */
    private int firstAtLeast(double value) {
        int low = 0;
        int length = size;
        while (length > 0) {
            int half = (length + 1) >>> 1;
            low = sorted[low + half - 1] < value ? low + half : low;
            length -= half;
        }
        return low;
    }

    private void fit() {
        int count = size / TAIL_SHARE;
        threshold = sorted[size - count - 1];
        double mean = 0;
        double weighted = 0;
        for (int j = 0; j < count; j++) {
            double excess = sorted[size - count + j] - threshold;
            mean += excess / count;
            weighted += (1 - (j + 0.65) / count) * excess / count;
        }
        double denominator = mean - 2 * weighted;
        // Equal numbers have no moments to tell a shape by: as heavy as can be, of the mean's scale, which may be zero.
        double fitted = denominator > 0 ? 2 - mean / denominator : Double.POSITIVE_INFINITY;
        shape = Math.max(0, Math.min(MAX_SHAPE, fitted));
        // Of a shape that was cut the scale keeps the mean where there is one.
        scale = shape == fitted ? 2 * mean * weighted / denominator : mean * Math.max(1 - shape, 0.5);
    }
}
