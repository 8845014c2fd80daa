package io.koopstream.forecast;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Triangular;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The linear rival of a forecast: ridge regression of the next observation's increment on the last ones, all standardised, iterated. The ridge is the
 * best of a grid on the last fifth of the data. Immutable.
 */
public final class RidgeAutoregression {

    private static final double[] RIDGES = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1};

    private static final int MAX_FEATURES = 500;
    private static final int MIN_STEPS_PER_FEATURE = 5;

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
        double[] means = BacktestReport.means(rows);
        double[] deviations = BacktestReport.deviations(rows);
        int fitted = delays + 1 + (rows.length - delays - 1) * 4 / 5;
        RidgeAutoregression best = null;
        double least = Double.POSITIVE_INFINITY;
        Sums part = new Sums(layout);
        part.add(means, deviations, rows, delays, fitted);
        double chosen = RIDGES[0];
        for (double ridge : RIDGES) {
            best = new RidgeAutoregression(layout, means, deviations, part.solve(ridge));
            double error = best.squaredError(rows, fitted);
            if (error < least) {
                least = error;
                chosen = ridge;
            }
        }
        Sums all = new Sums(layout);
        all.add(means, deviations, rows, delays, rows.length);
        return new RidgeAutoregression(layout, means, deviations, all.solve(chosen));
    }

    /**
     * Fitted to several series, and once more for each part of them to the parts before it, the first one to those after it: with these, what was not
     * fitted can be judged. The ridge is the best of the grid on that.
     *
     * @param series successive observations each, all of one kind, in the order in which they came
     * @param most parts; fewer where there are fewer series; see {@link #part}
     * @return those fits, and last the one to all; empty where there are too few steps for so many coefficients
     */
    static Optional<RidgeAutoregression[]> inTurn(List<double[][]> series, DelayLayout layout, int most) {
        double[][] rows = series.stream().flatMap(Arrays::stream).toArray(double[][]::new);
        int features = layout.dimension() + 1;
        int steps = rows.length - series.size() * layout.history();
        int parts = Math.min(most, series.size());
        if (features > MAX_FEATURES || parts < 2 || steps < MIN_STEPS_PER_FEATURE * features) {
            return Optional.empty();
        }
        double[] means = BacktestReport.means(rows);
        double[] deviations = BacktestReport.deviations(rows);
        Sums[] sums = new Sums[parts + 1];
        for (int p = 0; p <= parts; p++) {
            sums[p] = new Sums(layout);
            for (int i = 0; i < series.size(); i++) {
                int own = part(i, series.size(), parts);
                if (p == 0 ? own > 0 : own < p) {
                    sums[p].add(means, deviations, series.get(i), layout.delays(), series.get(i).length);
                }
            }
        }
        RidgeAutoregression[] best = null;
        double least = Double.POSITIVE_INFINITY;
        for (double ridge : RIDGES) {
            RidgeAutoregression[] fits = new RidgeAutoregression[parts + 1];
            double error = 0;
            for (int p = 0; p <= parts; p++) {
                fits[p] = new RidgeAutoregression(layout, means, deviations, sums[p].solve(ridge));
            }
            for (int i = 0; i < series.size(); i++) {
                error += fits[part(i, series.size(), parts)].squaredError(series.get(i), layout.delays());
            }
            if (error < least) {
                least = error;
                best = fits;
            }
        }
        return Optional.ofNullable(best);
    }

    /** In which part of equal size the series with an index is, from 0. */
    static int part(int index, int all, int parts) {
        return (int) ((long) index * parts / all);
    }

    /** Normal equations. */
    private static final class Sums {
        private final DelayLayout layout;
        private final Matrix gram;
        private final Matrix right;
        private final Products products = new Products();
        private int count;

        Sums(DelayLayout layout) {
            this.layout = layout;
            int features = layout.dimension() + 1;
            gram = new Matrix(features, features);
            right = new Matrix(features, layout.observed());
        }

        /** The steps to rows from + 1 up to, but without, an end. */
        void add(double[] means, double[] deviations, double[][] rows, int from, int end) {
            int features = layout.dimension() + 1;
            Matrix x = new Matrix(Math.max(0, end - 1 - from), features);
            Matrix y = new Matrix(x.rows(), layout.observed());
            for (int t = from; t + 1 < end; t++) {
                double[] row = features(layout, means, deviations, rows, t);
                for (int f = 0; f < features; f++) {
                    x.set(t - from, f, row[f]);
                }
                for (int c = 0; c < layout.observed(); c++) {
                    y.set(t - from, c, (rows[t + 1][c] - rows[t][c]) / deviations[c]);
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
            system.scale(1.0 / count);
            for (int i = 0; i < system.rows(); i++) {
                system.set(i, i, system.get(i, i) + ridge);
            }
            Matrix factor = Triangular.cholesky(system);
            Matrix solution = right.copy();
            solution.scale(1.0 / count);
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

    /** The expected observation after row t. */
    double[] next(double[][] rows, int t) {
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
