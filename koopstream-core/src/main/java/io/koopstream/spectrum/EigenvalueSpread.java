package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Triangular;
import io.koopstream.linalg.Vectors;
import io.koopstream.operator.BlockStatistics;
import java.util.List;

/**
 * Standard errors of the eigenvalues of a least-squares operator: the delta method on its additive statistics, with the variance taken
 * over contiguous blocks of the stream, so that correlated samples are allowed for.
 *
 * <p>With A = C M and M (S + λn) = T, a block b with sums S_b, T_b, n_b moves M to first order by
 * δM_b = (T_b − M S_b − λ n_b M)(S + λn)⁻¹, and an eigenvalue with cᵀ A = λ_k cᵀ, A g = λ_k g, cᵀ g = 1 by
 * δ_b = cᵀ C δM_b g (Kato, <i>Perturbation Theory for Linear Operators</i>, II.2). The δ_b add up to zero by the normal equations; with
 * B blocks the variance is B/(B−1) Σ |δ_b|² (infinitesimal jackknife over blocks, Künsch, Ann. Statist. 17, 1989).
 *
 * <p>What it leaves out: the bias of ridge and dictionary, and splitting inside a cluster of eigenvalues closer than their errors.
 * Immutable. O(m³ + k B m²) for k eigenvalues.
 */
public final class EigenvalueSpread {

    private final double[] re;
    private final double[] im;
    private final int blocks;

    private EigenvalueSpread(double[] re, double[] im, int blocks) {
        this.re = re;
        this.im = im;
        this.blocks = blocks;
    }

    /**
     * The standard errors of the eigenvalues of a spectrum.
     *
     * @param spectrum eigenpairs of {@code statistics.operator()}
     * @throws InvalidQueryException if there are fewer than four blocks, or the spectrum is of another operator
     */
    public static EigenvalueSpread of(Spectrum spectrum, BlockStatistics statistics) {
        if (spectrum.operator() != statistics.operator()) {
            throw new InvalidQueryException(
                    "spectrum and statistics are of different operators: take both at one time");
        }
        List<BlockStatistics.Block> parts = statistics.blocks();
        if (parts.size() < 4) {
            throw new InvalidQueryException(
                    parts.size() + " blocks recorded: a standard error needs at least 4, learn more samples first");
        }
        Matrix m = statistics.operator().matrix();
        Matrix normal = statistics.total().input().copy();
        double ridge = statistics.lambda() * statistics.total().weight();
        for (int i = 0; i < normal.rows(); i++) {
            normal.set(i, i, normal.get(i, i) + ridge);
        }
        Matrix factor = Triangular.cholesky(normal);
        if (factor == null) {
            throw new InvalidQueryException(
                    "C_XX + lambda is numerically singular on these samples: use a larger lambda");
        }
        // Cᵀ with C = Q_Xᵀ Q_Y.
        Matrix overlap = spectrum.operator()
                .inputBasis()
                .coordinatesOf(spectrum.operator().outputBasis());
        double[][][] right = spectrum.rightVectors();
        double[][][] dual = spectrum.dualVectors();
        double[] re = new double[right.length];
        double[] im = new double[right.length];
        for (int k = 0; k < right.length; k++) {
            double[][] h = {dual[k][0].clone(), dual[k][1].clone()};
            double[][] image = new double[2][m.rows()];
            for (int part = 0; part < 2; part++) {
                Triangular.solve(factor, h[part]);
                Triangular.solveTransposed(factor, h[part]);
                overlap.multiplyTransposed(right[k][part], image[part]);
            }
            double sumRe = 0;
            double sumIm = 0;
            for (BlockStatistics.Block block : parts) {
                Complex moved = moved(block, m, statistics.lambda(), image, h);
                sumRe = Math.fma(moved.re(), moved.re(), sumRe);
                sumIm = Math.fma(moved.im(), moved.im(), sumIm);
            }
            double correction = parts.size() / (parts.size() - 1.0);
            re[k] = Math.sqrt(correction * sumRe);
            im[k] = Math.sqrt(correction * sumIm);
        }
        return new EigenvalueSpread(re, im, parts.size());
    }

    /** uᵀ (T_b − M S_b − λ n_b M) h for complex u and h, without conjugation. */
    private static Complex moved(BlockStatistics.Block block, Matrix m, double lambda, double[][] u, double[][] h) {
        double[][] image = new double[2][];
        for (int part = 0; part < 2; part++) {
            double[] seen = new double[m.columns()];
            block.input().multiply(h[part], seen);
            Vectors.axpy(lambda * block.weight(), h[part], seen, 0, seen.length);
            double[] result = new double[m.rows()];
            block.cross().multiply(h[part], result);
            m.addMultiple(-1.0, seen, result);
            image[part] = result;
        }
        int n = m.rows();
        return new Complex(
                Vectors.dot(u[0], image[0], n) - Vectors.dot(u[1], image[1], n),
                Vectors.dot(u[0], image[1], n) + Vectors.dot(u[1], image[0], n));
    }

    /** How many eigenvalues. */
    public int size() {
        return re.length;
    }

    /** How many blocks the errors rest on; they are themselves uncertain by about 1/√(2 (blocks − 1)). */
    public int blocks() {
        return blocks;
    }

    /** Standard error of the real part of eigenvalue k. */
    public double realPart(int k) {
        return re[k];
    }

    /** Standard error of the imaginary part of eigenvalue k. */
    public double imaginaryPart(int k) {
        return im[k];
    }

    /** (E|λ̂ − E λ̂|²)^½ of eigenvalue k, both parts together. */
    public double standardError(int k) {
        return Math.hypot(re[k], im[k]);
    }
}
