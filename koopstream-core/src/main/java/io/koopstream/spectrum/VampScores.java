package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.SymmetricEigen;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The variational scores of the leading eigenfunctions on pairs that were not learned (Wu and Noé, J. Nonlinear Sci. 30, 2020), with
 * f = (f_1, …, f_k) the real and imaginary parts of the eigenfunctions and C_00 = E f(x) f(x)ᵀ, C_01 = E f(x) f(x⁺)ᵀ, C_11 = E f(x⁺) f(x⁺)ᵀ over those
 * pairs:
 *
 * <ul>
 *   <li>VAMP-2 = ‖C_00^−½ C_01 C_11^−½‖²_F: how much of the dynamics their span carries, at most k. It does not see wrong eigenvalues.
 *   <li>VAMP-E = 2 tr(Aᵀ G⁻¹ C_01ᵀ) − tr(Aᵀ G⁻¹ C_11 G⁻¹ A C_00) for the model E[f(x⁺) | x] = A f(x), G = E f fᵀ over the learned samples: the part
 *       of the squared norm of the true operator that the model gets right, less what it gets wrong. It sees wrong eigenvalues.
 * </ul>
 *
 * <p>Both are higher for better models of the same pairs and the same k. Immutable values of one question. O(n m² + k³).
 *
 * @param functions k, real functions that were scored
 * @param vamp2 VAMP-2
 * @param vampE VAMP-E; empty where nothing is known about the learned samples' covariance
 * @param pairs how many pairs it rests on
 */
public record VampScores(int functions, double vamp2, OptionalDouble vampE, int pairs) {

    /** Directions of a covariance below this share of its largest eigenvalue carry nothing. */
    private static final double MIN_SHARE = 1e-10;

    /** Scores eigenfunctions of an operator without statistics. */
    public static VampScores of(Spectrum spectrum, double[][] x, double[][] xNext) {
        return of(spectrum, null, x, xNext);
    }

    /**
     * Scores eigenfunctions.
     *
     * @param covariance S/n of the learned samples in the coordinates of the kept inputs, as rows; null when it is not known
     * @param x inputs that were not learned, one per row
     * @param xNext outputs
     */
    public static VampScores of(Spectrum spectrum, double[][] covariance, double[][] x, double[][] xNext) {
        InvalidQueryException.require(
                x.length == xNext.length && x.length >= 2,
                x.length + " inputs and " + xNext.length + " outputs: need as many, and at least two pairs");
        List<int[]> parts = new ArrayList<>();
        for (int i = 0; i < spectrum.size(); i++) {
            double im = spectrum.eigenvalue(i).im();
            if (im >= 0) {
                parts.add(new int[] {i, 0});
            }
            if (im > 0) {
                parts.add(new int[] {i, 1});
            }
        }
        Matrix from = values(spectrum.eigenfunctions(x), parts);
        Matrix to = values(spectrum.eigenfunctions(xNext), parts);
        Matrix c00 = mean(from, from);
        Matrix c01 = mean(from, to);
        Matrix c11 = mean(to, to);
        Matrix whitened = inverseRoot(c00).times(c01).times(inverseRoot(c11));
        double norm = whitened.frobeniusNorm();
        OptionalDouble vampE = covariance == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        vampE(spectrum, parts, Matrix.ofRows(covariance, covariance.length), c00, c01, c11));
        return new VampScores(parts.size(), norm * norm, vampE, x.length);
    }

    /** One row a point, one column a function. */
    private static Matrix values(Complex[][] functions, List<int[]> parts) {
        Matrix values = new Matrix(functions.length, parts.size());
        for (int s = 0; s < functions.length; s++) {
            for (int k = 0; k < parts.size(); k++) {
                Complex value = functions[s][parts.get(k)[0]];
                values.set(s, k, parts.get(k)[1] == 0 ? value.re() : value.im());
            }
        }
        return values;
    }

    private static Matrix mean(Matrix a, Matrix b) {
        Matrix product = a.transposedTimes(b);
        product.scale(1.0 / a.rows());
        return product;
    }

    /** C^−½ on the directions that carry something. */
    private static Matrix inverseRoot(Matrix covariance) {
        return function(covariance, value -> 1 / Math.sqrt(value));
    }

    private static Matrix function(Matrix symmetric, java.util.function.DoubleUnaryOperator f) {
        SymmetricEigen eigen = SymmetricEigen.of(symmetric);
        int n = eigen.size();
        Matrix result = new Matrix(n, n);
        double largest = n == 0 ? 0 : eigen.value(n - 1);
        for (int k = 0; k < n; k++) {
            if (eigen.value(k) > MIN_SHARE * largest) {
                double[] vector = eigen.vector(k);
                result.rankOne(1, f.applyAsDouble(eigen.value(k)), vector, vector);
            }
        }
        return result;
    }

    private static double vampE(
            Spectrum spectrum, List<int[]> parts, Matrix covariance, Matrix c00, Matrix c01, Matrix c11) {
        int k = parts.size();
        Matrix coordinates = new Matrix(covariance.rows(), k);
        Matrix model = new Matrix(k, k);
        for (int j = 0; j < k; j++) {
            int i = parts.get(j)[0];
            int part = parts.get(j)[1];
            coordinates.setColumn(j, 1, spectrum.rightVectors()[i][part]);
            Complex value = spectrum.eigenvalue(i);
            model.set(j, j, value.re());
            if (value.im() > 0) {
                // f(x⁺) = (a + ib) f(x): the real part takes −b of the imaginary one, that b of the real one.
                model.set(j, part == 0 ? j + 1 : j - 1, part == 0 ? -value.im() : value.im());
            }
        }
        Matrix gram = coordinates.transposedTimes(covariance.times(coordinates));
        Matrix weights = function(gram, value -> 1 / value).times(model);
        double right = weights.transposedTimes(c01.transposed()).trace();
        double wrong = weights.transposedTimes(c11.times(weights).times(c00)).trace();
        return 2 * right - wrong;
    }
}
