package io.koopstream.forecast;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Triangular;
import java.util.Arrays;

/**
 * The linear rival of a forecast: ridge regression of the next observation's increment on the last ones, all standardised, iterated. The ridge is the
 * best of a grid on the last fifth of the data. Immutable.
 */
public final class RidgeAutoregression {

    private static final double[] RIDGES = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1};

    private final DelayLayout layout;
    private final double[] means;
    private final double[] deviations;
    /** Features and the constant by coordinates. */
    private final Matrix weights;

    private RidgeAutoregression(DelayLayout layout, double[] means, double[] deviations, Matrix weights) {
        this.layout = layout;
        this.means = means;
        this.deviations = deviations;
        this.weights = weights;
    }

    /**
     * Fitted to a series.
     *
     * @param rows successive observations, more than {@code delays} + 20 of them
     * @param delays how many earlier observations are looked at beside the newest
     */
    public static RidgeAutoregression fit(double[][] rows, int delays) {
        int d = rows[0].length;
        DelayLayout layout = new DelayLayout(d, delays, 1);
        double[] means = new double[d];
        double[] deviations = new double[d];
        for (int c = 0; c < d; c++) {
            int column = c;
            double mean = Arrays.stream(rows)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            double square = Arrays.stream(rows)
                    .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
                    .average()
                    .orElseThrow();
            means[c] = mean;
            deviations[c] = square > 0 ? Math.sqrt(square) : 1;
        }
        int fitted = delays + 1 + (rows.length - delays - 1) * 4 / 5;
        RidgeAutoregression best = null;
        double least = Double.POSITIVE_INFINITY;
        Sums part = new Sums(layout, means, deviations, rows, delays, fitted);
        double chosen = RIDGES[0];
        for (double ridge : RIDGES) {
            best = new RidgeAutoregression(layout, means, deviations, part.solve(ridge));
            double error = best.squaredError(rows, fitted);
            if (error < least) {
                least = error;
                chosen = ridge;
            }
        }
        Sums all = new Sums(layout, means, deviations, rows, delays, rows.length);
        return new RidgeAutoregression(layout, means, deviations, all.solve(chosen));
    }

    /** Normal equations of the steps to rows from + 1 up to, but without, an end. */
    private static final class Sums {
        private final Matrix gram;
        private final Matrix right;

        Sums(DelayLayout layout, double[] means, double[] deviations, double[][] rows, int from, int end) {
            int features = layout.dimension() + 1;
            Matrix x = new Matrix(end - 1 - from, features);
            Matrix y = new Matrix(end - 1 - from, layout.observed());
            for (int t = from; t + 1 < end; t++) {
                double[] row = features(layout, means, deviations, rows, t);
                for (int f = 0; f < features; f++) {
                    x.set(t - from, f, row[f]);
                }
                for (int c = 0; c < layout.observed(); c++) {
                    y.set(t - from, c, (rows[t + 1][c] - rows[t][c]) / deviations[c]);
                }
            }
            gram = new Matrix(features, features);
            right = new Matrix(features, layout.observed());
            Products products = new Products();
            products.gram(0, gram, x, x);
            products.gram(0, right, x, y);
            gram.scale(1.0 / x.rows());
            right.scale(1.0 / x.rows());
        }

        Matrix solve(double ridge) {
            Matrix system = gram.copy();
            for (int i = 0; i < system.rows(); i++) {
                system.set(i, i, system.get(i, i) + ridge);
            }
            Matrix factor = Triangular.cholesky(system);
            Matrix solution = right.copy();
            for (int c = 0; c < solution.columns(); c++) {
                Triangular.solve(factor, solution.column(c));
                Triangular.solveTransposed(factor, solution.column(c));
            }
            return solution;
        }
    }

    /** The standardised delay vector that ends with row t, and one. */
    private static double[] features(DelayLayout layout, double[] means, double[] deviations, double[][] rows, int t) {
        int d = layout.observed();
        double[] result = new double[layout.dimension() + 1];
        for (int k = 0; k <= layout.delays(); k++) {
            for (int c = 0; c < d; c++) {
                result[k * d + c] = (rows[t - k][c] - means[c]) / deviations[c];
            }
        }
        result[result.length - 1] = 1;
        return result;
    }

    private double[] next(double[][] rows, int t) {
        double[] increment = new double[layout.observed()];
        weights.multiplyTransposed(features(layout, means, deviations, rows, t), increment);
        for (int c = 0; c < increment.length; c++) {
            increment[c] = rows[t][c] + deviations[c] * increment[c];
        }
        return increment;
    }

    private double squaredError(double[][] rows, int from) {
        double sum = 0;
        for (int t = from; t + 1 < rows.length; t++) {
            double[] forecast = next(rows, t);
            for (int c = 0; c < forecast.length; c++) {
                double off = (forecast[c] - rows[t + 1][c]) / deviations[c];
                sum += off * off;
            }
        }
        return sum;
    }

    /**
     * The expected observations after a series.
     *
     * @param rows at least the delays and the newest, oldest first
     */
    public double[][] forecast(double[][] rows, int steps) {
        int before = layout.history();
        double[][] path = Arrays.copyOf(Arrays.copyOfRange(rows, rows.length - before, rows.length), before + steps);
        for (int s = 0; s < steps; s++) {
            path[before + s] = next(path, before + s - 1);
        }
        return Arrays.copyOfRange(path, before, before + steps);
    }
}
