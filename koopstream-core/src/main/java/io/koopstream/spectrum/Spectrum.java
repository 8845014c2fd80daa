package io.koopstream.spectrum;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Eigenpairs;
import io.koopstream.internal.linalg.Krylov;
import io.koopstream.internal.linalg.LinearMap;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Eigenpairs K f = λ f of a learned Koopman operator, largest modulus first, conjugate pairs complete.
 *
 * <p>In the span of the kept inputs f = Q_X c, and K f = Q_X Mᵀ Cᵀ c with C = Q_Xᵀ Q_Y, so the pairs are those of the matrix
 * A = (C M)ᵀ. The leading few need only products A v, O(m²) each; for all of them A is reduced to Schur form.
 *
 * <p>Every right eigenfunction is scaled so that its value of largest modulus over the kept inputs is 1. Immutable; left
 * eigenfunctions and modes are computed on first use.
 *
 * <pre>{@code
 * Spectrum spectrum = Spectrum.leading(operator, 4);
 * Complex slowest = spectrum.eigenvalue(1);
 * double[] timescales = spectrum.timescales(0.1);   // of a step of 0.1
 * Complex[][] values = spectrum.eigenfunctions(states);
 * }</pre>
 */
public final class Spectrum {

    /** Below this size the dense method is as fast. */
    private static final int DENSE_BELOW = 64;

    private final KoopmanOperator operator;
    private final LinearMap map;
    private final List<Eigenpairs.Pair> pairs;
    private final double[] backwardErrors;
    private final boolean full;
    /** Right eigenvectors in Q_X, scaled: {re, im} of each. */
    private final double[][][] right;

    private volatile double[][][] left;

    private Spectrum(KoopmanOperator operator, int count, boolean full) {
        this.operator = operator;
        this.full = full;
        int n = operator.inputBasis().size();
        Matrix oneStep = operator.oneStep();
        this.map = oneStep::multiplyTransposed;
        this.pairs = found(false, count);
        double norm = Math.max(oneStep.frobeniusNorm(), Double.MIN_NORMAL);
        this.backwardErrors = new double[pairs.size()];
        this.right = new double[pairs.size()][][];
        double[] row = new double[n];
        for (int k = 0; k < pairs.size(); k++) {
            Eigenpairs.Pair pair = pairs.get(k);
            backwardErrors[k] = Krylov.residual(map, n, pair) / norm;
            right[k] = scaledToPeak(pair, row);
        }
    }

    /** The first pairs of another spectrum. */
    private Spectrum(Spectrum all, int count) {
        this.operator = all.operator;
        this.map = all.map;
        this.pairs = trimmed(all.pairs, count);
        this.full = false;
        this.backwardErrors = Arrays.copyOf(all.backwardErrors, pairs.size());
        this.right = Arrays.copyOf(all.right, pairs.size());
    }

    /** The {@code count} eigenpairs of largest modulus; one more where that would cut a conjugate pair in two. */
    public static Spectrum leading(KoopmanOperator operator, int count) {
        int size = requireLearned(operator);
        require(count >= 1 && count <= size, "k = " + count + ": there are 1 to " + size + " eigenpairs");
        return new Spectrum(operator, count, count == operator.inputBasis().size());
    }

    /** All eigenpairs, those of eigenvalue zero left out where the operator is of a smaller rank; O(m³). */
    public static Spectrum full(KoopmanOperator operator) {
        return new Spectrum(operator, requireLearned(operator), true);
    }

    /** {@link #leading}, with as many pairs as there are where more are asked for. */
    public static Spectrum upTo(KoopmanOperator operator, int count) {
        return leading(operator, Math.min(count, requireLearned(operator)));
    }

    /** The leading {@code count} of these pairs, or all there are; one more where that would cut a conjugate pair in two. */
    public Spectrum first(int count) {
        require(count >= 1, "k = " + count + ": must be at least 1");
        return count >= size() || trimmed(pairs, count).size() == size() ? this : new Spectrum(this, count);
    }

    private static int requireLearned(KoopmanOperator operator) {
        int size = Math.min(operator.inputBasis().size(), operator.rank());
        require(size != 0, "nothing was learned yet: the dictionary is empty");
        return size;
    }

    /** The leading eigenpairs of A or, transposed, of C M; the columns of C M are the rows of A. */
    private List<Eigenpairs.Pair> found(boolean transposed, int count) {
        Matrix oneStep = operator.oneStep();
        int n = oneStep.rows();
        if (!full && n > DENSE_BELOW) {
            return Krylov.leading(transposed ? oneStep::multiply : map, n, count);
        }
        List<Eigenpairs.Pair> all = Eigenpairs.of((transposed ? oneStep : oneStep.transposed()).toRows());
        return trimmed(all, count);
    }

    private static List<Eigenpairs.Pair> trimmed(List<Eigenpairs.Pair> all, int count) {
        boolean cut = count < all.size() && all.get(count - 1).im() > 0;
        return List.copyOf(all.subList(0, cut ? count + 1 : count));
    }

    /** Rotates and scales the vector so that its function has the value 1 where its modulus over the kept inputs is largest. */
    private double[][] scaledToPeak(Eigenpairs.Pair pair, double[] row) {
        NewtonBasis basis = operator.inputBasis();
        int n = basis.size();
        double peakRe = 1;
        double peakIm = 0;
        double largest = 0;
        for (int i = 0; i < n; i++) {
            // f(x_i) = (L c)_i, because the Gram row of a kept point is a row of L Lᵀ.
            for (int j = 0; j <= i; j++) {
                row[j] = basis.factor().get(i, j);
            }
            double re = Vectors.dot(row, pair.vectorRe(), i + 1);
            double im = Vectors.dot(row, pair.vectorIm(), i + 1);
            double modulus = Math.hypot(re, im);
            if (modulus > largest) {
                largest = modulus;
                peakRe = re;
                peakIm = im;
            }
        }
        Complex factor = new Complex(peakRe, peakIm).inverse();
        double[] re = new double[n];
        double[] im = new double[n];
        for (int i = 0; i < n; i++) {
            double a = pair.vectorRe()[i];
            double b = pair.vectorIm()[i];
            re[i] = a * factor.re() - b * factor.im();
            im[i] = a * factor.im() + b * factor.re();
        }
        return new double[][] {re, im};
    }

    /** Number of eigenpairs. */
    public int size() {
        return pairs.size();
    }

    /** Eigenvalue i, largest modulus first. */
    public Complex eigenvalue(int i) {
        requireIndex(i);
        return new Complex(pairs.get(i).re(), pairs.get(i).im());
    }

    /** All eigenvalues found, largest modulus first. */
    public Complex[] eigenvalues() {
        return pairs.stream().map(pair -> new Complex(pair.re(), pair.im())).toArray(Complex[]::new);
    }

    /** ‖A v − λ v‖ / (‖A‖_F ‖v‖) of pair i: how exactly it solves the learned eigenproblem. At rounding level when sound. */
    public double backwardError(int i) {
        requireIndex(i);
        return backwardErrors[i];
    }

    /** Implied time scales −dt / ln|λ|: infinite for |λ| >= 1, which does not decay; see {@link #growthRates} for one that grows. */
    public double[] timescales(double dt) {
        return ofEach(
                dt, value -> value.modulus() >= 1 ? Double.POSITIVE_INFINITY : -dt / StrictMath.log(value.modulus()));
    }

    /** Frequencies arg(λ) / (2π dt), in cycles per unit of dt. */
    public double[] frequencies(double dt) {
        return ofEach(dt, value -> value.argument() / (2 * Math.PI * dt));
    }

    /** Growth rates ln|λ| / dt: negative for a decaying mode, −∞ for λ = 0. */
    public double[] growthRates(double dt) {
        return ofEach(dt, value -> StrictMath.log(value.modulus()) / dt);
    }

    private double[] ofEach(double dt, ToDoubleFunction<Complex> figure) {
        require(dt > 0 && !Double.isInfinite(dt), "dt = " + dt + ": the sampling interval must be a finite number > 0");
        return Arrays.stream(eigenvalues()).mapToDouble(figure).toArray();
    }

    /** Right eigenfunctions (of K) at points: result[i][k] = f_k(points[i]). */
    public Complex[][] eigenfunctions(double[][] points) {
        return evaluate(operator.inputBasis(), right, points);
    }

    /**
     * Left eigenfunctions (of U) at points: result[i][k] = g_k(points[i]), U g_k = λ_k g_k. They live in the span of the kept outputs
     * and are scaled against the right ones, see {@link #modes()}.
     */
    public Complex[][] leftEigenfunctions(double[][] points) {
        double[][][] dual = dualVectors();
        double[][][] inOutputBasis =
                new double[dual.length][2][operator.outputBasis().size()];
        for (int k = 0; k < dual.length; k++) {
            operator.matrix().multiply(dual[k][0], inOutputBasis[k][0]);
            operator.matrix().multiply(dual[k][1], inOutputBasis[k][1]);
        }
        return evaluate(operator.outputBasis(), inOutputBasis, points);
    }

    private Complex[][] evaluate(NewtonBasis basis, double[][][] vectors, double[][] points) {
        Rkhs space = basis.space();
        double[] beta = new double[basis.size()];
        Scratch scratch = new Scratch();
        Complex[][] result = new Complex[points.length][vectors.length];
        for (int i = 0; i < points.length; i++) {
            space.requireQuery(points[i], "points[" + i + "]");
            basis.coordinates(points[i], beta, scratch);
            for (int k = 0; k < vectors.length; k++) {
                result[i][k] = new Complex(
                        Vectors.dot(beta, vectors[k][0], beta.length), Vectors.dot(beta, vectors[k][1], beta.length));
            }
        }
        return result;
    }

    /**
     * Modes of the state: result[k][c] such that E[x_c after s steps | x] ≈ Σ_k λ_k^s modes[k][c] f_k(x), for s >= 1, as far as the
     * eigenpairs here go.
     */
    public Complex[][] modes() {
        Points outputs = operator.outputBasis().points();
        double[][][] dual = dualVectors();
        Complex[][] result = new Complex[size()][outputs.dimension()];
        for (int c = 0; c < outputs.dimension(); c++) {
            double[] image = operator.pullBack(Arrays.copyOf(outputs.coordinate(c), outputs.size()));
            for (int k = 0; k < result.length; k++) {
                // K g = Σ_k (w_k · K g) f_k = Σ_k λ_k ξ_k f_k.
                Complex projection = new Complex(
                        Vectors.dot(dual[k][0], image, image.length), Vectors.dot(dual[k][1], image, image.length));
                // A mode with eigenvalue zero is gone after one step: it contributes nothing.
                boolean vanishes = eigenvalue(k).modulus() == 0;
                result[k][c] = vanishes
                        ? new Complex(0, 0)
                        : projection.times(eigenvalue(k).inverse());
            }
        }
        return result;
    }

    /**
     * E |f_k(x)|² of every right eigenfunction.
     *
     * @param covariance E β(x) β(x)ᵀ in the coordinates of the kept inputs, as rows
     */
    public double[] meanSquares(double[][] covariance) {
        Matrix matrix = Matrix.ofRows(covariance, covariance.length);
        double[] image = new double[covariance.length];
        double[] squares = new double[size()];
        for (int k = 0; k < squares.length; k++) {
            for (double[] part : right[k]) {
                matrix.multiply(part, image);
                squares[k] += Vectors.dot(part, image, image.length);
            }
        }
        return squares;
    }

    /**
     * Vectors w_k in Q_X with w_k · c_j = δ_kj (no conjugation), right eigenvectors of C M that span the left invariant subspace: the dual of the right
     * ones, {re, im} of each; shared.
     */
    double[][][] dualVectors() {
        double[][][] known = left;
        if (known == null) {
            known = DualVectors.of(found(true, size()), right);
            left = known;
        }
        return known;
    }

    /** Right eigenvectors c_k in Q_X, scaled: {re, im} of each; shared. */
    double[][][] rightVectors() {
        return right;
    }

    /** True if {@link #dualVectors} exist: not where eigenvectors are numerically dependent. */
    boolean hasDuals() {
        try {
            return dualVectors().length == size();
        } catch (InvalidQueryException e) {
            return false;
        }
    }

    /** The operator whose pairs these are. */
    public KoopmanOperator operator() {
        return operator;
    }

    private void requireIndex(int i) {
        if (i < 0 || i >= size()) {
            throw new InvalidQueryException("eigenpair " + i + ": there are 0 to " + (size() - 1));
        }
    }
}
