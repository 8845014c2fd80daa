package io.koopstream.forecast;

import io.koopstream.linalg.SmallSystem;
import java.util.Arrays;

/**
 * Weights, none negative and of sum 1, with which forecasts of several kinds have the least squared error together (stacking, Breiman, Machine
 * Learning 24, 1996). One kind alone is preferred unless a mixture is clearly better.
 */
final class Blend {

    /** A mixture must lower the squared error by this share. */
    private static final double MIN_GAIN = 0.03;

    private Blend() {}

    /**
     * @param products sums over all cases of the products of the errors of kinds i and j
     * @param preferred the kind that is taken when others are hardly better
     */
    static double[] weights(double[][] products, int preferred) {
        int n = products.length;
        int single = preferred;
        for (int i = 0; i < n; i++) {
            if (products[i][i] < (1 - MIN_GAIN) * products[single][single]) {
                single = i;
            }
        }
        double[] best = new double[n];
        best[single] = 1;
        double least = (1 - MIN_GAIN) * products[single][single];
        for (int set = 1; set < 1 << n; set++) {
            double[] weights = Integer.bitCount(set) < 2 ? null : solve(products, set);
            if (weights != null) {
                double value = value(products, weights);
                if (value < least) {
                    least = value;
                    best = weights;
                }
            }
        }
        return best;
    }

    /** The sum of the squared errors of a mixture. */
    static double value(double[][] products, double[] weights) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            for (int j = 0; j < weights.length; j++) {
                sum += weights[i] * weights[j] * products[i][j];
            }
        }
        return sum;
    }

    /** The minimiser on the kinds of a set when none of its weights is negative: E⁻¹ 1 / (1ᵀ E⁻¹ 1); null otherwise. */
    private static double[] solve(double[][] products, int set) {
        int[] members = java.util.stream.IntStream.range(0, products.length)
                .filter(i -> (set >> i & 1) == 1)
                .toArray();
        double[][] part = new double[members.length][members.length];
        double[][] ones = new double[members.length][1];
        for (int i = 0; i < members.length; i++) {
            ones[i][0] = 1;
            for (int j = 0; j < members.length; j++) {
                part[i][j] = products[members[i]][members[j]];
            }
        }
        double[][] solution = SmallSystem.solve(part, ones);
        if (solution == null || Arrays.stream(solution).anyMatch(row -> !(row[0] >= 0))) {
            return null;
        }
        double sum = Arrays.stream(solution).mapToDouble(row -> row[0]).sum();
        double[] weights = new double[products.length];
        for (int i = 0; i < members.length; i++) {
            weights[members[i]] = solution[i][0] / sum;
        }
        return weights;
    }
}
