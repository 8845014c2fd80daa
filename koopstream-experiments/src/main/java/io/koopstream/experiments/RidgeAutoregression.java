package io.koopstream.experiments;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Triangular;
import java.util.Arrays;

/**
 * A baseline of forecasts: ridge regression of the next observation's increment on the last ones, all standardised, iterated. The ridge is the best of a
 * grid on the last fifth of the data. Immutable.
 */
public final class RidgeAutoregression {

    private static final double[] RIDGES = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1};

    private final int delays;
    private final double[] means;
    private final double[] units;
    /** Features and the constant by coordinates. */
    private Matrix weights;

    private RidgeAutoregression(double[][] rows, int delays) {
        this.delays = delays;
        int d = rows[0].length;
        means = new double[d];
        units = new double[d];
        for (int c = 0; c < d; c++) {
            int column = c;
            means[c] = Arrays.stream(rows)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            double square = Arrays.stream(rows)
                    .mapToDouble(row -> (row[column] - means[column]) * (row[column] - means[column]))
                    .average()
                    .orElseThrow();
            units[c] = square > 0 ? Math.sqrt(square) : 1;
        }
    }

    /**
     * Fitted to a series.
     *
     * @param rows successive observations, more than {@code delays} + 20 of them
     * @param delays how many earlier observations are looked at beside the newest
     */
    public static RidgeAutoregression fit(double[][] rows, int delays) {
        RidgeAutoregression model = new RidgeAutoregression(rows, delays);
        int fitted = delays + 1 + (rows.length - delays - 1) * 4 / 5;
        double least = Double.POSITIVE_INFINITY;
        double chosen = RIDGES[0];
        for (double ridge : RIDGES) {
            model.weights = model.solve(rows, fitted, ridge);
            double error = model.squaredError(rows, fitted);
            if (error < least) {
                least = error;
                chosen = ridge;
            }
        }
        model.weights = model.solve(rows, rows.length, chosen);
        return model;
    }

    /** The standardised delay vector that ends with row t, and one. */
    private double[] features(double[][] rows, int t) {
        int d = means.length;
        double[] result = new double[(delays + 1) * d + 1];
        for (int k = 0; k <= delays; k++) {
            for (int c = 0; c < d; c++) {
                result[k * d + c] = (rows[t - k][c] - means[c]) / units[c];
            }
        }
        result[result.length - 1] = 1;
        return result;
    }

    private Matrix solve(double[][] rows, int end, double ridge) {
        int d = means.length;
        int count = end - 1 - delays;
        Matrix x = new Matrix(count, (delays + 1) * d + 1);
        Matrix y = new Matrix(count, d);
        for (int i = 0; i < count; i++) {
            int t = delays + i;
            double[] row = features(rows, t);
            for (int f = 0; f < row.length; f++) {
                x.set(i, f, row[f]);
            }
            for (int c = 0; c < d; c++) {
                y.set(i, c, (rows[t + 1][c] - rows[t][c]) / units[c]);
            }
        }
        Products products = new Products();
        Matrix system = new Matrix(x.columns(), x.columns());
        products.gram(0, system, x, x);
        system.scale(1.0 / count);
        for (int i = 0; i < system.rows(); i++) {
            system.set(i, i, system.get(i, i) + ridge);
        }
        Matrix solution = new Matrix(x.columns(), d);
        products.gram(0, solution, x, y);
        solution.scale(1.0 / count);
        Matrix factor = Triangular.cholesky(system);
        for (int c = 0; c < d; c++) {
            Triangular.solve(factor, solution.column(c));
            Triangular.solveTransposed(factor, solution.column(c));
        }
        return solution;
    }

    /** The expected observation after row t. */
    private double[] next(double[][] rows, int t) {
        double[] next = new double[means.length];
        weights.multiplyTransposed(features(rows, t), next);
        for (int c = 0; c < next.length; c++) {
            next[c] = rows[t][c] + units[c] * next[c];
        }
        return next;
    }

    private double squaredError(double[][] rows, int from) {
        double sum = 0;
        for (int t = from; t + 1 < rows.length; t++) {
            double[] forecast = next(rows, t);
            for (int c = 0; c < forecast.length; c++) {
                double off = (forecast[c] - rows[t + 1][c]) / units[c];
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
        int before = delays + 1;
        double[][] path = Arrays.copyOf(Arrays.copyOfRange(rows, rows.length - before, rows.length), before + steps);
        for (int s = 0; s < steps; s++) {
            path[before + s] = next(path, before + s - 1);
        }
        return Arrays.copyOfRange(path, before, before + steps);
    }
}
