package io.koopstream.forecast;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What forecasts of all kinds of a {@link Mixture} missed at a horizon and those near to it. Immutable. */
final class Evidence {

    /** In standard deviations: a forecast that is off by more follows the truth no longer. */
    private static final double NEAR = 0.4;

    final HeldOutStarts starts;
    private final double[][][][] forecasts;
    final int h;
    private final int from;
    private final int to;
    /** Means of the products of the errors of two kinds. */
    final double[][] products = new double[Mixture.KINDS][Mixture.KINDS];
    /**
     * What a squared error counts at most: while most paths stay near to the truth, that is what counts, and the few that part from it must not ask for
     * a mixture that is worse for all others. Later it is the mean square that counts.
     */
    final double limit;

    Evidence(HeldOutStarts starts, double[][][][] forecasts, int h) {
        this.starts = starts;
        this.forecasts = forecasts;
        this.h = h;
        int first = Mixture.nearestFrom(h);
        int last = Mixture.nearestTo(h, forecasts.length);
        while (starts.isWithin(first) != starts.isWithin(h)) {
            first++;
        }
        while (starts.isWithin(last) != starts.isWithin(h)) {
            last--;
        }
        from = first;
        to = last;
        double near = NEAR * NEAR * starts.deviations().length;
        int[] count = new int[2];
        forEach((i, step, kinds) -> {
            addProducts(kinds, starts.truth(i, step), starts.deviations(), products);
            count[
                    Mixture.squaredError(kinds[Mixture.PATH], starts.truth(i, step), starts.deviations()) < near
                            ? 0
                            : 1]++;
        });
        limit = count[0] > count[1] ? near : Double.POSITIVE_INFINITY;
        for (double[] row : products) {
            Arrays.setAll(row, b -> row[b] / Math.max(1, count[0] + count[1]));
        }
    }

    /** A forecast of all kinds from a start that judges it. */
    private interface Judged {
        void see(int start, int step, double[][] kinds);
    }

    private void forEach(Judged judged) {
        for (int step = from; step <= to; step++) {
            for (int i = 0; i < forecasts[step - 1].length; i++) {
                if (starts.judges(i, step)) {
                    judged.see(i, step, forecasts[step - 1][i]);
                }
            }
        }
    }

    /** Number of independent starts. */
    int blocks() {
        return Math.max(1, gains(Mixture.ONLY_LAST, null).length);
    }

    /**
     * By how much a mixture has a smaller squared error than another, on average over each block of held-out pairs.
     *
     * @param rival null for the truth
     */
    double[] gains(double[] weights, double[] rival) {
        Map<Integer, double[]> gains = new TreeMap<>();
        forEach((i, step, kinds) -> {
            double[] truth = starts.truth(i, step);
            double[] sum = gains.computeIfAbsent(starts.block(i, h), key -> new double[2]);
            double other =
                    rival == null ? 0 : Mixture.squaredError(Mixture.mixed(rival, kinds), truth, starts.deviations());
            double own = Mixture.squaredError(Mixture.mixed(weights, kinds), truth, starts.deviations());
            sum[0] += Math.min(limit, other) - Math.min(limit, own);
            sum[1]++;
        });
        return gains.values().stream().mapToDouble(sum -> sum[0] / sum[1]).toArray();
    }

    /** The gain of a mixture over another in standard errors, 0 for a loss. */
    double certainty(double[] weights, double[] rival) {
        double[] gains = gains(weights, rival);
        double mean = Arrays.stream(gains).average().orElse(0);
        double squares = Arrays.stream(gains).map(m -> (m - mean) * (m - mean)).sum();
        double error = Math.sqrt(squares / Math.max(1, gains.length - 1) / Math.max(1, gains.length));
        // Few blocks may agree by chance, as Student's distribution says.
        double freedom = gains.length - 1.0;
        return mean > 0 ? Math.min(mean / error, 1e6) * Math.sqrt(freedom / (freedom + 3)) : 0;
    }

    private static void addProducts(double[][] forecasts, double[] truth, double[] units, double[][] sums) {
        for (int a = 0; a < Mixture.KINDS; a++) {
            for (int b = 0; b < Mixture.KINDS; b++) {
                for (int c = 0; c < units.length; c++) {
                    if (units[c] > 0) {
                        double left = (truth[c] - forecasts[a][c]) / units[c];
                        double right = (truth[c] - forecasts[b][c]) / units[c];
                        sums[a][b] += left * right;
                    }
                }
            }
        }
    }
}
