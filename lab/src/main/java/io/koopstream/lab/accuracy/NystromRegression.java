package io.koopstream.lab.accuracy;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A rival: Nyström kernel ridge regression of the increment on random centres, min Σ ‖Δ − W k(x)‖² + n λ ‖W‖²_K, a Gaussian whose width and ridge are the best
 * on the last tenth of the data.
 */
final class NystromRegression {

    private static final double[] WIDTHS = {0.5, 1, 2};
    private static final double[] RIDGES = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};

    private final Kernel kernel;
    private final Points centres;
    private final Matrix weights;

    private NystromRegression(Kernel kernel, Points centres, Matrix weights) {
        this.kernel = kernel;
        this.centres = centres;
        this.weights = weights;
    }

    static NystromRegression fit(double[][] path, int size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int d = path[0].length;
        int n = path.length * 9 / 10;
        double[] scales = new double[d];
        for (int c = 0; c < d; c++) {
            int column = c;
            double mean = Arrays.stream(path)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            scales[c] = Math.sqrt(Arrays.stream(path)
                    .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
                    .average()
                    .orElseThrow());
        }
        Points centres = new Points(d);
        for (int i = 0; i < size; i++) {
            centres.add(path[random.nextInt(n - 1)]);
        }
        NystromRegression best = null;
        double least = Double.POSITIVE_INFINITY;
        for (double width : WIDTHS) {
            // The median distance of standardised coordinates is about √(2 d).
            Kernel kernel = Kernels.scaled(Kernels.gaussian(width * Math.sqrt(2.0 * d)), scales);
            Matrix rows = Matrix.ofColumns(kernel.block(centres, Points.of(d, Arrays.copyOf(path, n - 1))), size)
                    .transposed();
            Matrix differences = new Matrix(n - 1, d);
            for (int t = 0; t + 1 < n; t++) {
                for (int c = 0; c < d; c++) {
                    differences.set(t, c, path[t + 1][c] - path[t][c]);
                }
            }
            Products products = new Products();
            Matrix gram = new Matrix(size, size);
            products.gram(0, gram, rows, rows);
            Matrix right = new Matrix(size, d);
            products.gram(0, right, rows, differences);
            Matrix own = Matrix.ofColumns(kernel.block(centres, centres), size);
            for (double ridge : RIDGES) {
                Matrix system = gram.copy();
                system.add(n * ridge, own);
                for (int i = 0; i < size; i++) {
                    system.set(i, i, system.get(i, i) + n * 1e-13);
                }
                Matrix factor = Triangular.cholesky(system);
                if (factor == null) {
                    continue;
                }
                Matrix weights = right.copy();
                for (int c = 0; c < d; c++) {
                    Triangular.solve(factor, weights.column(c));
                    Triangular.solveTransposed(factor, weights.column(c));
                }
                NystromRegression candidate = new NystromRegression(kernel, centres, weights);
                double error = candidate.error(path, n, scales);
                if (error < least) {
                    least = error;
                    best = candidate;
                }
            }
        }
        return best;
    }

    private double error(double[][] path, int from, double[] scales) {
        double sum = 0;
        for (int t = from; t + 1 < path.length; t++) {
            double[] state = path[t].clone();
            advance(state);
            for (int c = 0; c < state.length; c++) {
                double off = (state[c] - path[t + 1][c]) / scales[c];
                sum += off * off;
            }
        }
        return sum;
    }

    /** One step, in place. */
    void advance(double[] state) {
        double[] row = new double[centres.size()];
        kernel.row(centres, state, row);
        double[] increment = new double[state.length];
        weights.multiplyTransposed(row, increment);
        for (int c = 0; c < state.length; c++) {
            state[c] += increment[c];
        }
    }
}
