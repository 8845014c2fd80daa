package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;

/**
 * Standard errors of the eigenvalues of a least-squares operator: the delta method on its additive statistics, with the variance taken
 * over contiguous blocks of held-out pairs, so that correlated samples are allowed for.
 *
 * <p>With A = C M and M (S + λn) = T, a block b with sums S_b, T_b, n_b moves M to first order by
 * δM_b = (T_b − M S_b − λ n_b M)(S + λn)⁻¹, and an eigenvalue with cᵀ A = λ_k cᵀ, A g = λ_k g, cᵀ g = 1 by
 * δ_b = cᵀ C δM_b g (Kato, <i>Perturbation Theory for Linear Operators</i>, II.2). The δ_b add up to zero by the normal equations; with
 * B blocks the variance is B/(B−1) Σ |δ_b|² (infinitesimal jackknife over blocks, Künsch, Ann. Statist. 17, 1989).
 *
 * <p>What it leaves out: the bias of ridge and dictionary, and splitting inside a cluster of eigenvalues closer than their errors.
 * O(m³ + k B m²) for k eigenvalues.
 */
public final class EigenvalueSpread {

    private static final int BLOCKS = 12;

    private EigenvalueSpread() {}

    /**
     * The standard errors of the eigenvalues of a spectrum, from pairs that were not learned: the pairs, cut into {@value #BLOCKS} contiguous blocks, say
     * how much as many pairs would move an eigenvalue, and the square root of their number over that of the learned samples says how much less those do.
     * The blocks' moves are taken around their mean, because the normal equations hold for the learned samples only.
     *
     * @param x held-out inputs, one per row, in the order of the stream; at least four a block
     * @param xNext held-out outputs
     * @param lambda ridge with which the operator was learned
     * @param samples how many samples it was learned from
     * @return (E|λ̂ − E λ̂|²)^½ of each, both parts together; NaN where the eigenvectors are numerically dependent, as those of a defective eigenvalue are: to first order it has no error
     */
    public static double[] fromHeldOut(Spectrum spectrum, double[][] x, double[][] xNext, double lambda, long samples) {
        int n = x.length;
        InvalidQueryException.require(
                n == xNext.length && n >= 4 * BLOCKS && samples >= 1,
                n + " inputs and " + xNext.length + " outputs held out, " + samples
                        + " samples learned: need as many of both, and at least " + 4 * BLOCKS);
        KoopmanOperator operator = spectrum.operator();
        Points inputs = operator.domain().requireQueries(x, "x");
        Points outputs = operator.domain().requireQueries(xNext, "xNext");
        double[] errors = new double[spectrum.size()];
        if (!spectrum.hasDuals()) {
            Arrays.fill(errors, Double.NaN);
            return errors;
        }
        Matrix beta = operator.inputBasis().coordinates(inputs);
        Matrix alpha = operator.outputBasis().coordinates(outputs);
        Matrix factor = Triangular.cholesky(beta.times(beta.transposed()), lambda * n);
        InvalidQueryException.require(
                factor != null, "C_XX + lambda is numerically singular on these samples: use a larger lambda");
        // Cᵀ with C = Q_Xᵀ Q_Y.
        Matrix overlap = operator.inputBasis().coordinatesOf(operator.outputBasis());
        double scale = (double) BLOCKS / (BLOCKS - 1) * n / samples;
        for (int k = 0; k < errors.length; k++) {
            double[][] moves =
                    moves(operator, alpha, beta, lambda, image(spectrum, overlap, k), solvedDual(spectrum, factor, k));
            errors[k] = Math.hypot(Math.sqrt(scale * scatter(moves[0])), Math.sqrt(scale * scatter(moves[1])));
        }
        return errors;
    }

    /** Σ over each block of uᵀ (α − M β) βᵀ h − λ uᵀ M h, real and imaginary parts. */
    private static double[][] moves(
            KoopmanOperator operator, Matrix alpha, Matrix beta, double lambda, double[][] u, double[][] h) {
        int n = beta.columns();
        double[][] before = new double[2][n];
        double[][] missed = new double[2][n];
        double[][] pulled = new double[2][beta.rows()];
        for (int part = 0; part < 2; part++) {
            double[] predicted = new double[n];
            operator.matrix().multiplyTransposed(u[part], pulled[part]);
            beta.multiplyTransposed(pulled[part], predicted);
            beta.multiplyTransposed(h[part], before[part]);
            alpha.multiplyTransposed(u[part], missed[part]);
            Vectors.axpy(-1.0, predicted, missed[part], 0, n);
        }
        int m = beta.rows();
        double shrunkRe = lambda * (Vectors.dot(pulled[0], h[0], m) - Vectors.dot(pulled[1], h[1], m));
        double shrunkIm = lambda * (Vectors.dot(pulled[0], h[1], m) + Vectors.dot(pulled[1], h[0], m));
        double[][] moves = new double[2][BLOCKS];
        for (int i = 0; i < n; i++) {
            int block = (int) ((long) i * BLOCKS / n);
            moves[0][block] += missed[0][i] * before[0][i] - missed[1][i] * before[1][i] - shrunkRe;
            moves[1][block] += missed[0][i] * before[1][i] + missed[1][i] * before[0][i] - shrunkIm;
        }
        return moves;
    }

    /** Sum of squares around the mean. */
    private static double scatter(double[] values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double sum = 0;
        for (double value : values) {
            sum = Math.fma(value - mean, value - mean, sum);
        }
        return sum;
    }

    /** (S + λn)⁻¹ times the dual vector of eigenvalue k, real and imaginary part. */
    private static double[][] solvedDual(Spectrum spectrum, Matrix factor, int k) {
        double[][] h = {spectrum.dualVectors()[k][0].clone(), spectrum.dualVectors()[k][1].clone()};
        for (double[] part : h) {
            Triangular.solve(factor, part);
            Triangular.solveTransposed(factor, part);
        }
        return h;
    }

    /** Cᵀ times the right vector of eigenvalue k, real and imaginary part. */
    private static double[][] image(Spectrum spectrum, Matrix overlap, int k) {
        double[][] image = new double[2][overlap.columns()];
        for (int part = 0; part < 2; part++) {
            overlap.multiplyTransposed(spectrum.rightVectors()[k][part], image[part]);
        }
        return image;
    }
}
