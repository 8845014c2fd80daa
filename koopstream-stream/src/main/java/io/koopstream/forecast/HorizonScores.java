package io.koopstream.forecast;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.internal.parts.StateParts;
import java.util.Arrays;

/** The judgement of one horizon: discounted squared errors of the members, and the last errors of the announced mixture. One thread. */
final class HorizonScores {

    /** Central probabilities whose bands adapt. */
    static final double[] LEVELS = {0.8, 0.95};

    /** Errors kept per coordinate: enough that a dozen lie beyond the 95 % quantile. */
    private static final int KEPT = 256;

    /** Step of the adaptive level (Gibbs and Candès, NeurIPS 2021): a band that fails for ten targets in a row is half as bold again. */
    private static final double STEP = 0.05;

    /** A target counts by this factor less than the next: about five hundred of them decide, so that a member that became bad loses its share. */
    private static final double DISCOUNT = 0.998;

    /** By coordinate the discounted squared errors of the members, then of their mixture. */
    private final double[][] losses;

    private double weight;
    /** The same of all targets, each counting in proportion to its number: means, so that nothing is divided by their weight. */
    private final double[][] means;

    /** By level the number of targets that bands held, then of those that had bands, summed over the coordinates and weighted like the means. */
    private final double[] held = new double[2 * LEVELS.length];

    /** The last errors of the mixture, in units of the spread at their starts. */
    private final double[][] errors;

    private long judged;
    private final double[][] miss;
    /** The kept errors ascending, by coordinate; null until they are asked for. */
    private volatile double[][] ascending;

    HorizonScores(int members, int coordinates) {
        losses = new double[coordinates][members + 1];
        means = new double[coordinates][members + 1];
        errors = new double[coordinates][KEPT];
        miss = new double[LEVELS.length][coordinates];
        for (int l = 0; l < LEVELS.length; l++) {
            Arrays.fill(miss[l], 1 - LEVELS[l]);
        }
    }

    /**
     * Adds a target. Members learn as they go, so that early targets count less: weights grow in proportion to a target's number until the discount
     * sets in (polynomial decay, Shamir and Zhang, ICML 2013).
     *
     * @param announced the forecasts of the members, then their mixture, then the half widths announced with it by level, NaN where none was, then the
     *     spread that they are in units of; of each one number per coordinate
     */
    void add(double[] announced, double[] truth) {
        double growth = judged / (judged + 1.0);
        double discount = Math.min(DISCOUNT, growth);
        weight = discount * weight + 1;
        int d = losses.length;
        int members = losses[0].length - 1;
        Vectors.scale(growth, held, held.length);
        for (int c = 0; c < d; c++) {
            for (int k = 0; k <= members; k++) {
                double off = truth[c] - announced[k * d + c];
                losses[c][k] = discount * losses[c][k] + off * off;
                // Target n has weight n of n (n + 1) / 2.
                means[c][k] += (off * off - means[c][k]) * 2 / (judged + 2);
            }
            double error = Math.abs(truth[c] - announced[members * d + c]);
            for (int l = 0; l < LEVELS.length; l++) {
                double width = announced[(members + 1 + l) * d + c];
                if (!Double.isNaN(width)) {
                    double missed = error > width ? 1 : 0;
                    miss[l][c] = Math.min(1, Math.max(0, miss[l][c] + STEP * (1 - LEVELS[l] - missed)));
                    held[l] += 1 - missed;
                    held[LEVELS.length + l]++;
                }
            }
            int slot = (int) (judged % KEPT);
            double before = errors[c][slot];
            errors[c][slot] = error / announced[(members + 1 + LEVELS.length) * d + c];
            if (ascending != null && judged >= KEPT) {
                replace(ascending[c], before, errors[c][slot]);
            }
        }
        // Sorting takes most of a row's time, so a full ring is kept sorted.
        ascending = judged >= KEPT ? ascending : null;
        judged++;
    }

    /** Puts a value in the place of another, in order. */
    private static void replace(double[] ascending, double before, double value) {
        int from = Arrays.binarySearch(ascending, before);
        int found = Arrays.binarySearch(ascending, value);
        int to = found >= 0 ? found : -found - 1;
        if (to > from) {
            to--;
            System.arraycopy(ascending, from + 1, ascending, from, to - from);
        } else {
            System.arraycopy(ascending, to, ascending, to + 1, from - to);
        }
        ascending[to] = value;
    }

    void discount(double factor) {
        weight *= factor;
        for (double[] ofCoordinate : losses) {
            Vectors.scale(factor, ofCoordinate, ofCoordinate.length);
        }
    }

    long judged() {
        return judged;
    }

    double weight() {
        return weight;
    }

    /** Discounted sum of the squared errors of a member, or of the mixture, which is the one after the last. */
    double loss(int member, int coordinate) {
        return losses[coordinate][member];
    }

    /** Mean square of the errors of a member, or of the mixture, over all targets, later ones counting more. */
    double meanSquare(int member, int coordinate) {
        return means[coordinate][member];
    }

    /** Share of the targets that the bands of a level held; NaN where none had bands. */
    double coverage(int l) {
        return held[l] / held[LEVELS.length + l];
    }

    /**
     * Half width of a band of central probability p in units of the spread, at its adapted level; NaN while too few errors are kept for it.
     *
     * @param p in [0, 1)
     */
    double width(double p, int c) {
        int kept = (int) Math.min(judged, KEPT);
        if (kept * (1 - p) < 1) {
            return Double.NaN;
        }
        double[] sorted = ascending(kept)[c];
        double place = (kept + 1) * (1 - adapted(1 - p, c)) - 1;
        int below = (int) Math.max(0, Math.min(kept - 1.0, Math.floor(place)));
        double share = Math.max(0, Math.min(1, place - below));
        return sorted[below] + share * (sorted[Math.min(kept - 1, below + 1)] - sorted[below]);
    }

    private double[][] ascending(int kept) {
        double[][] known = ascending;
        if (known == null) {
            known = new double[errors.length][];
            for (int c = 0; c < known.length; c++) {
                known[c] = Arrays.copyOf(errors[c], kept);
                Arrays.sort(known[c]);
            }
            ascending = known;
        }
        return known;
    }

    /** Probability of a miss that has to be aimed at for one wanted, on lines between those that adapt. */
    private double adapted(double wanted, int c) {
        double from = 0;
        double value = 0;
        for (int l = LEVELS.length - 1; l >= 0; l--) {
            double to = 1 - LEVELS[l];
            if (wanted <= to) {
                return value + (wanted - from) / (to - from) * (miss[l][c] - value);
            }
            from = to;
            value = miss[l][c];
        }
        return value + (wanted - from) / (1 - from) * (1 - value);
    }

    /** @param first true for the first version of records, which had no means */
    void parts(StateParts parts, boolean first) {
        weight = parts.number("weight", weight);
        LinearSums.numbers(parts, "held", held, held.length);
        judged = parts.count("judged", judged);
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY) || judged < 0) {
            throw new InvalidStateException("record", "counts fewer than no targets");
        }
        for (int c = 0; c < losses.length; c++) {
            LinearSums.numbers(parts, "losses", losses[c], losses[c].length);
            if (!first) {
                LinearSums.numbers(parts, "means", means[c], means[c].length);
            }
            LinearSums.numbers(parts, "errors", errors[c], (int) Math.min(judged, KEPT));
        }
        for (double[] one : miss) {
            LinearSums.numbers(parts, "miss", one, one.length);
        }
    }
}
