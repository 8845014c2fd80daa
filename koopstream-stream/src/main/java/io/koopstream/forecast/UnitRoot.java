package io.koopstream.forecast;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import java.util.List;

/**
 * The augmented test of Dickey and Fuller (JASA 74, 1979): whether a series can be told from one that never returns, such as a random walk. Increments are
 * regressed on the level and on the increments before; for a random walk the coefficient of the level is zero.
 */
final class UnitRoot {

    /** Earlier increments beside the level. */
    private static final int LAGS = 4;

    /** Of a random walk with a constant the statistic is below this once in twenty times. */
    private static final double CRITICAL = -2.86;

    /** Of the mean diagonal: equal columns, as of a sine without noise, need not be told apart. */
    private static final double RIDGE = 1e-12;

    private UnitRoot() {}

    /** True if several stretches of one coordinate may be parts of a random walk. */
    static boolean isPossible(List<double[][]> series, int c) {
        int n = LAGS + 2;
        double mean = 0;
        int rows = 0;
        for (double[][] stretch : series) {
            for (double[] row : stretch) {
                mean += row[c];
                rows++;
            }
        }
        mean /= Math.max(1, rows);
        Matrix gram = new Matrix(n, n);
        double[] right = new double[n];
        double squares = 0;
        int count = 0;
        double[] features = new double[n];
        for (double[][] stretch : series) {
            for (int t = LAGS; t + 1 < stretch.length; t++) {
                features[0] = stretch[t][c] - mean;
                features[1] = 1;
                for (int k = 0; k < LAGS; k++) {
                    features[2 + k] = stretch[t - k][c] - stretch[t - k - 1][c];
                }
                double increment = stretch[t + 1][c] - stretch[t][c];
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        gram.set(i, j, gram.get(i, j) + features[i] * features[j]);
                    }
                    right[i] += features[i] * increment;
                }
                squares += increment * increment;
                count++;
            }
        }
        if (count <= 2 * n) {
            return true;
        }
        double diagonal = 0;
        for (int i = 0; i < n; i++) {
            diagonal += gram.get(i, i) / n;
        }
        for (int i = 0; i < n; i++) {
            gram.set(i, i, gram.get(i, i) + RIDGE * diagonal);
        }
        if (!(diagonal > 0)) {
            return true;
        }
        Matrix factor = Triangular.cholesky(gram);
        double[] solution = right.clone();
        Triangular.solve(factor, solution);
        double explained = 0;
        for (double part : solution) {
            explained += part * part;
        }
        Triangular.solveTransposed(factor, solution);
        double[] level = new double[n];
        level[0] = 1;
        Triangular.solve(factor, level);
        double inverse = 0;
        for (double part : level) {
            inverse += part * part;
        }
        double variance = Math.max(0, squares - explained) / (count - n);
        return !(solution[0] < CRITICAL * Math.sqrt(variance * inverse));
    }
}
