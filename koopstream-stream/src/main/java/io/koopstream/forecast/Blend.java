package io.koopstream.forecast;

import io.koopstream.internal.linalg.SmallSystem;
import java.util.Arrays;

/**
 * Weights, none negative and of sum 1, with which forecasts of several kinds have the least squared error together (stacking, Breiman, Machine
 * Learning 24, 1996), drawn towards weights that need no evidence (Diebold and Pauly, International Journal of Forecasting 6, 1990).
 */
final class Blend {

    private Blend() {}

    /**
     * The minimiser of wᵀ E w + p e ‖w − v‖², where e is the least squared error of a single kind.
     *
     * @param products E, means over all cases of the products of the errors of kinds i and j
     * @param prior v, none negative and of sum 1
     * @param pull p > 0
     */
    static double[] weights(double[][] products, double[] prior, double pull) {
        double single = Double.POSITIVE_INFINITY;
        for (int i = 0; i < products.length; i++) {
            single = Math.min(single, products[i][i]);
        }
        double ridge = pull * single;
        double[] best = prior;
        double least = Double.POSITIVE_INFINITY;
        for (int set = 1; set < 1 << products.length; set++) {
            double[] weights = solve(products, prior, ridge, set);
            if (weights != null) {
                double value = value(products, weights);
                for (int i = 0; i < weights.length; i++) {
                    value += ridge * (weights[i] - prior[i]) * (weights[i] - prior[i]);
                }
                if (value < least) {
                    least = value;
                    best = weights;
                }
            }
        }
        return best;
    }

    /** The squared error of a mixture. */
    static double value(double[][] products, double[] weights) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            for (int j = 0; j < weights.length; j++) {
                sum += weights[i] * weights[j] * products[i][j];
            }
        }
        return sum;
    }

    /** The minimiser on the kinds of a set, (E + r)⁻¹ (r v + μ 1) with μ such that the sum is 1, when none of its weights is negative; null otherwise. */
    private static double[] solve(double[][] products, double[] prior, double ridge, int set) {
        int[] members = java.util.stream.IntStream.range(0, products.length)
                .filter(i -> (set >> i & 1) == 1)
                .toArray();
        double[][] part = new double[members.length][members.length];
        double[][] right = new double[members.length][2];
        for (int i = 0; i < members.length; i++) {
            right[i][0] = ridge * prior[members[i]];
            right[i][1] = 1;
            for (int j = 0; j < members.length; j++) {
                part[i][j] = products[members[i]][members[j]] + (i == j ? ridge : 0);
            }
        }
        double[][] solution = SmallSystem.solve(part, right);
        if (solution == null) {
            return null;
        }
        double given = Arrays.stream(solution).mapToDouble(row -> row[0]).sum();
        double each = Arrays.stream(solution).mapToDouble(row -> row[1]).sum();
        double[] weights = new double[products.length];
        for (int i = 0; i < members.length; i++) {
            double weight = solution[i][0] + (1 - given) / each * solution[i][1];
            if (!(weight >= 0)) {
                return null;
            }
            weights[members[i]] = weight;
        }
        return weights;
    }
}
