package io.koopstream.lab.accuracy;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Triangular;
import java.util.Arrays;
import java.util.List;

/**
 * The linear rival of a forecast: ridge regression of the next observation's increment on the last ones, all standardised, iterated. The ridge is the
 * best of a grid on the last fifth of the data. Immutable.
 */
final class RidgeAutoregression {

    private static final double[] RIDGES = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1};

    private final Features features;
    /** Features and the constant by coordinates. */
    private final Matrix weights;

    private RidgeAutoregression(Features features, Matrix weights) {
        this.features = features;
        this.weights = weights;
    }

    /**
     * What increments are regressed on: the standardised delay vector and one.
     */
    private static final class Features {
        private final DelayLayout layout;
        private final double[] means;
        private final double[] units;

        /** @param series observations that are fitted, in the order in which they came */
        Features(DelayLayout layout, List<double[][]> series) {
            this.layout = layout;
            double[][] rows = series.stream().flatMap(Arrays::stream).toArray(double[][]::new);
            means = means(rows);
            units = deviations(rows);
        }

        int count() {
            return layout.dimension() + 1;
        }

        /** Those of the delay vector that ends with row t. */
        double[] at(double[][] rows, int t) {
            int d = layout.observed();
            double[] result = new double[count()];
            for (int k = 0; k <= layout.delays(); k++) {
                for (int c = 0; c < d; c++) {
                    result[k * d + c] = (rows[t - k][c] - means[c]) / units[c];
                }
            }
            result[result.length - 1] = 1;
            return result;
        }
    }

    /**
     * Fitted to a series.
     *
     * @param rows successive observations, more than {@code delays} + 20 of them
     * @param delays how many earlier observations are looked at beside the newest
     */
    static RidgeAutoregression fit(double[][] rows, int delays) {
        return fit(List.<double[][]>of(rows), delays);
    }

    /** Fitted to several series; those with too few observations for a step add nothing. */
    static RidgeAutoregression fit(List<double[][]> series, int delays) {
        List<double[][]> used =
                series.stream().filter(rows -> rows.length > delays + 1).toList();
        int d = used.get(0)[0].length;
        DelayLayout layout = new DelayLayout(d, delays, 1);
        Features features = new Features(layout, used);
        Sums part = new Sums(features);
        used.forEach(rows -> part.add(rows, delays, fitted(rows, delays)));
        double least = Double.POSITIVE_INFINITY;
        double chosen = RIDGES[0];
        for (double ridge : RIDGES) {
            RidgeAutoregression one = new RidgeAutoregression(features, part.solve(ridge));
            double error = used.stream()
                    .mapToDouble(rows -> one.squaredError(rows, fitted(rows, delays), rows.length))
                    .sum();
            if (error < least) {
                least = error;
                chosen = ridge;
            }
        }
        Sums all = new Sums(features);
        used.forEach(rows -> all.add(rows, delays, rows.length));
        return new RidgeAutoregression(features, all.solve(chosen));
    }

    /** The end of those rows by which the ridge is not chosen. */
    private static int fitted(double[][] rows, int delays) {
        return delays + 1 + (rows.length - delays - 1) * 4 / 5;
    }

    /** Normal equations. */
    private static final class Sums {
        private final Features features;
        private final Matrix gram;
        private final Matrix right;
        private final Products products = new Products();
        private int count;

        Sums(Features features) {
            this.features = features;
            gram = new Matrix(features.count(), features.count());
            right = new Matrix(features.count(), features.layout.observed());
        }

        /** The steps to rows from + 1 up to, but without, an end. */
        void add(double[][] rows, int from, int end) {
            Matrix x = new Matrix(Math.max(0, end - 1 - from), features.count());
            Matrix y = new Matrix(x.rows(), right.columns());
            for (int t = from; t + 1 < end; t++) {
                double[] row = features.at(rows, t);
                for (int f = 0; f < row.length; f++) {
                    x.set(t - from, f, row[f]);
                }
                for (int c = 0; c < y.columns(); c++) {
                    double increment = (rows[t + 1][c] - rows[t][c]) / features.units[c];
                    y.set(t - from, c, increment);
                }
            }
            if (x.rows() > 0) {
                products.gram(1, gram, x, x);
                products.gram(1, right, x, y);
                count += x.rows();
            }
        }

        Matrix solve(double ridge) {
            Matrix system = gram.copy();
            system.scale(1.0 / Math.max(1, count));
            for (int i = 0; i < system.rows(); i++) {
                system.set(i, i, system.get(i, i) + ridge);
            }
            Matrix factor = Triangular.cholesky(system);
            Matrix solution = right.copy();
            solution.scale(1.0 / Math.max(1, count));
            for (int c = 0; c < solution.columns(); c++) {
                Triangular.solve(factor, solution.column(c));
                Triangular.solveTransposed(factor, solution.column(c));
            }
            return solution;
        }
    }

    /** Number of observations up to a start that are looked at. */
    int history() {
        return features.layout.history();
    }

    /** The expected observation after row t. */
    double[] next(double[][] rows, int t) {
        double[] increment = new double[features.layout.observed()];
        weights.multiplyTransposed(features.at(rows, t), increment);
        for (int c = 0; c < increment.length; c++) {
            increment[c] = rows[t][c] + features.units[c] * increment[c];
        }
        return increment;
    }

    private static double[] means(double[][] rows) {
        double[] result = new double[rows[0].length];
        Arrays.setAll(
                result,
                c -> Arrays.stream(rows).mapToDouble(row -> row[c]).average().orElseThrow());
        return result;
    }

    /** Standard deviation of each column; 1 for one that does not vary. */
    private static double[] deviations(double[][] rows) {
        double[] means = means(rows);
        double[] result = new double[means.length];
        for (double[] row : rows) {
            for (int c = 0; c < result.length; c++) {
                result[c] += (row[c] - means[c]) * (row[c] - means[c]) / rows.length;
            }
        }
        return Arrays.stream(result)
                .map(square -> square > 0 ? Math.sqrt(square) : 1)
                .toArray();
    }

    private double squaredError(double[][] rows, int from, int end) {
        double sum = 0;
        for (int t = from; t + 1 < end; t++) {
            double[] forecast = next(rows, t);
            for (int c = 0; c < forecast.length; c++) {
                double off = (forecast[c] - rows[t + 1][c]) / features.units[c];
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
    double[][] forecast(double[][] rows, int steps) {
        int before = history();
        double[][] path = Arrays.copyOf(Arrays.copyOfRange(rows, rows.length - before, rows.length), before + steps);
        for (int s = 0; s < steps; s++) {
            path[before + s] = next(path, before + s - 1);
        }
        return Arrays.copyOfRange(path, before, before + steps);
    }
}
