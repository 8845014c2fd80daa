package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import java.util.Arrays;
import java.util.List;

/**
 * Usual sizes of residuals: each coordinate's everywhere, a mean over about {@value #MEMORY}, and in units of these near to each kept state, so that
 * noise that depends on the state is told from an oddity. One writer.
 */
final class UsualSizes {

    /** Residuals over which a usual size is a mean: enough for a few percent, few enough to follow noise that changes. */
    static final int MEMORY = 1000;

    /** A residual counts as this many usual sizes at most, so that one odd row does not make itself usual. */
    private static final double MAX_EXCESS = 5;

    /** The usual size near to a kept state begins as if this many observations there had had the size everywhere: fewer would say little by themselves. */
    private static final double PRIOR = 20;

    private double[] sizes;
    /** For each kept state the sum of residuals near to it, in usual sizes, and their number. */
    private double[] nearSums = new double[0];

    private double[] nearCounts = new double[0];

    UsualSizes(int observed) {
        sizes = new double[observed];
    }

    /** @param kept number of kept states */
    void parts(StateParts parts, int kept) {
        sizes = parts.numbers("sizes", sizes);
        nearSums = parts.numbers("nearSums", nearSums);
        nearCounts = parts.numbers("nearCounts", nearCounts);
        if (parts.restores()) {
            for (double[] all : List.of(sizes, nearSums, nearCounts)) {
                Scorer.requireSizes(all);
            }
            InvalidStateException.require(
                    nearSums.length == kept && nearCounts.length == kept, "scores", "sizes of other states");
        }
    }

    int observed() {
        return sizes.length;
    }

    /** Kept states stay in their places while a dictionary grows; one that took another's place begins anew. */
    void move(OneStep before, OneStep now) {
        int known = nearSums.length;
        int kept = now.kept();
        nearSums = Arrays.copyOf(nearSums, kept);
        nearCounts = Arrays.copyOf(nearCounts, kept);
        for (int i = 0; i < Math.min(known, kept); i++) {
            if (!Arrays.equals(now.keptState(i), before.keptState(i))) {
                nearSums[i] = 0;
                nearCounts[i] = 0;
            }
        }
    }

    /** The largest coordinate of a residual, in its usual size. */
    double largest(double[] residual) {
        double largest = 0;
        for (int c = 0; c < sizes.length; c++) {
            largest = Math.max(largest, Math.abs(in(c, residual[c])));
        }
        return largest;
    }

    /** A number in the usual size of a coordinate. */
    double in(int c, double number) {
        return sizes[c] > 0 ? number / sizes[c] : Math.signum(number) * MAX_EXCESS;
    }

    /** Usual size of the largest coordinate near a kept state. */
    double near(int kept) {
        return (nearSums[kept] + PRIOR) / (nearCounts[kept] + PRIOR);
    }

    /** The usual sizes of all coordinates times a factor. */
    double[] times(double factor) {
        double[] product = new double[sizes.length];
        for (int c = 0; c < sizes.length; c++) {
            product[c] = factor * sizes[c];
        }
        return product;
    }

    /**
     * Adds a residual.
     *
     * @param before number of residuals before it
     */
    void add(double[] residual, long before) {
        double share = 1.0 / Math.min(before + 1, MEMORY);
        for (int c = 0; c < sizes.length; c++) {
            sizes[c] += share * (cut(c, Math.abs(residual[c])) - sizes[c]);
        }
    }

    /** A number cut to the most that counts of it; a coordinate that stood still until now has no size to cut at, so that only what is summed stays finite. */
    double cut(int c, double number) {
        double most = Math.min(Double.MAX_VALUE / 4, sizes[c] > 0 ? MAX_EXCESS * sizes[c] : Double.MAX_VALUE);
        return Math.max(-most, Math.min(most, number));
    }

    /** Adds the largest coordinate of a residual near to a kept state. */
    void addNear(int kept, double largest) {
        nearSums[kept] += Math.min(largest, MAX_EXCESS);
        nearCounts[kept]++;
    }
}
