package io.koopstream.spectrum;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.TrustRule.Noise;

/**
 * Residuals of the points z of a grid as eigenvalues, judged on held-out pairs: the smallest residual min_g ‖(K − z) g‖ / ‖g‖ over
 * functions g in the span of p principal features. Where it is below ε, z is in the ε-pseudospectrum: some function moves like an
 * eigenfunction with eigenvalue z to within ε. Eigenvalues in a wide valley are not to be believed to their last digits.
 *
 * <p>With features ψ orthonormal over the held-out inputs, A = E[ψ(x) ψ(x⁺)ᵀ] and L = E[ψ(x⁺) ψ(x⁺)ᵀ], the squared residual is the smallest
 * eigenvalue of L − z Aᵀ − z̄ A + |z|² for a deterministic system (ResDMD: Colbrook, Townsend, <i>Rigorous data-driven computation of spectral
 * properties of Koopman operators for dynamical systems</i>, Comm. Pure Appl. Math. 77, 2024). For a random one, L contains the noise, and
 * AᵀA takes its place: the smallest singular value of A − z, which sees only what stays in the span.
 *
 * <p>O(n m²) for n pairs, and O(p³) a grid point.
 */
public final class Pseudospectrum {

    /** Inverse iterations; the error of the Rayleigh quotient falls with the square of the ratio of eigenvalues each time. */
    private static final int ITERATIONS = 60;

    private Pseudospectrum() {}

    /**
     * The smallest residual at every point of a grid, result[a][b] at re[a] + i im[b].
     *
     * @param operator what was learned; only its input basis is used
     * @param x held-out inputs, at least 20
     * @param xNext held-out outputs
     * @param re real parts of the grid
     * @param im imaginary parts of the grid
     * @param features how many principal features at most, >= 1
     * @param noise whether the system is random
     */
    public static double[][] of(
            KoopmanOperator operator,
            double[][] x,
            double[][] xNext,
            double[] re,
            double[] im,
            int features,
            Noise noise) {
        require(features >= 1, "features = " + features + ": must be >= 1");
        requireGrid(re, "re");
        requireGrid(im, "im");
        HeldOutFeatures heldOut = new HeldOutFeatures(operator, x, xNext, features);
        require(heldOut.count() != 0, "all features vanish on the held-out inputs: they are far from what was learned");
        Matrix a = heldOut.features.times(heldOut.featuresNext.transposed());
        a.scale(1.0 / heldOut.size());
        Matrix second;
        if (noise == Noise.STOCHASTIC) {
            second = a.transposedTimes(a);
        } else {
            second = heldOut.featuresNext.times(heldOut.featuresNext.transposed());
            second.scale(1.0 / heldOut.size());
        }
        double[][] residuals = new double[re.length][im.length];
        for (int i = 0; i < re.length; i++) {
            for (int j = 0; j < im.length; j++) {
                residuals[i][j] = Math.sqrt(smallestEigenvalue(embedded(a, second, re[i], im[j])));
            }
        }
        return residuals;
    }

    private static void requireGrid(double[] axis, String name) {
        require(axis.length != 0, name + " is empty: the grid needs at least one point");
        for (double value : axis) {
            if (!Double.isFinite(value)) {
                throw new InvalidQueryException(name + " holds " + value + ": the grid must be finite");
            }
        }
    }

    /** The Hermitian matrix H = L − z Aᵀ − z̄ A + |z|², as the real symmetric [Re H, −Im H; Im H, Re H] with the same eigenvalues, twice. */
    private static Matrix embedded(Matrix a, Matrix second, double re, double im) {
        int p = a.rows();
        Matrix result = new Matrix(2 * p, 2 * p);
        for (int j = 0; j < p; j++) {
            for (int i = 0; i < p; i++) {
                double real = second.get(i, j) - re * (a.get(j, i) + a.get(i, j)) + (i == j ? re * re + im * im : 0);
                double imaginary = im * (a.get(i, j) - a.get(j, i));
                result.set(i, j, real);
                result.set(p + i, p + j, real);
                result.set(p + i, j, imaginary);
                result.set(i, p + j, -imaginary);
            }
        }
        return result;
    }

    /** By inverse iteration with a shift at rounding level, from a fixed start. */
    private static double smallestEigenvalue(Matrix symmetric) {
        int n = symmetric.rows();
        double norm = symmetric.frobeniusNorm();
        Matrix factor = null;
        for (double shift = Math.max(1e-14 * norm, 1e-200); factor == null; shift *= 10) {
            factor = Triangular.cholesky(symmetric, shift);
        }
        double[] v = new double[n];
        for (int i = 0; i < n; i++) {
            // Entries without a pattern, so that the start is orthogonal to no eigenvector.
            v[i] = 1 + (i * 0.6180339887498949) % 1.0;
        }
        double[] image = new double[n];
        double value = Double.POSITIVE_INFINITY;
        for (int step = 0; step < ITERATIONS; step++) {
            Triangular.solve(factor, v);
            Triangular.solveTransposed(factor, v);
            Vectors.scale(1.0 / Vectors.norm(v, n), v, n);
            symmetric.multiply(v, image);
            double next = Vectors.dot(v, image, n);
            boolean settled = Math.abs(next - value) <= 1e-6 * Math.abs(next);
            value = next;
            if (settled) {
                break;
            }
        }
        return Math.max(0.0, value);
    }
}
