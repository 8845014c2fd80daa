package io.koopstream.testkit;

import io.koopstream.kernel.Kernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Algorithm 1 exactly as the paper writes it, O(m³) per sample and in 32 digits: the coefficient matrix W of Lemma 4, Gram
 * matrices of the dictionary, their inverses, and the projection of the appendix "Implementing Algorithm 1".
 *
 * <p>It shares nothing with the implementation but the {@link Kernel} interface: no factor updates, no orthonormal
 * coordinates, no floor. So an implementation that has all of these is compared with something else than itself. With Ψ, Φ the
 * features of the kept outputs and inputs, U = Ψ W Φᵀ (eq. U.HS).
 */
public final class LiteralSogd {

    /** What is compared, as a norm, with the budget. */
    public enum Residual {
        /** ‖Z* − Ũ‖_HS, the left-hand side of eq. (CME.stop), as three traces. */
        EXACT,
        /** The square root of the appendix's closed form ℓ(Z*), which leaves out the input side. */
        PAPER
    }

    private final Kernel inputKernel;
    private final Kernel outputKernel;
    private final double lambda;
    private final Residual residual;
    private final List<double[]> inputs = new ArrayList<>();
    private final List<double[]> outputs = new ArrayList<>();
    private final List<Long> admitted = new ArrayList<>();
    private ExactMatrix inputGram = ExactMatrix.ofRows(new double[0][], 0);
    private ExactMatrix outputGram = inputGram;
    private ExactMatrix w = inputGram;
    private long samples;
    private double lastResidual;

    /**
     * A learner that knows nothing yet, U_0 = 0.
     *
     * @param lambda ridge of the risk
     * @param residual what decides about admission
     */
    public LiteralSogd(Kernel inputKernel, Kernel outputKernel, double lambda, Residual residual) {
        this.inputKernel = inputKernel;
        this.outputKernel = outputKernel;
        this.lambda = lambda;
        this.residual = residual;
    }

    /**
     * Learns from one pair.
     *
     * @return whether the pair was kept
     */
    public boolean update(double[] x, double[] y, double eta, double epsilon) {
        int m = inputs.size();
        // G̃, the Gram matrices of D̃ = D ∪ (x, y); Ḡ, their first m columns; G, the Gram matrices of D.
        ExactMatrix inputGramTilde = bordered(inputGram, inputs, x, inputKernel);
        ExactMatrix outputGramTilde = bordered(outputGram, outputs, y, outputKernel);
        ExactMatrix inputGramBar = inputGramTilde.leading(m + 1, m);
        ExactMatrix outputGramBar = outputGramTilde.leading(m + 1, m);
        ExactMatrix wTilde = plainStep(w, inputGramBar, eta, lambda);
        // Z* = G_Y⁻¹ Ḡ_Yᵀ W̃ Ḡ_X G_X⁻¹.
        ExactMatrix left = outputGram.solve(outputGramBar.transposed());
        ExactMatrix right = inputGram.solve(inputGramBar.transposed());
        ExactMatrix z = left.times(wTilde).times(right.transposed());
        DoubleDouble squared = residual == Residual.EXACT
                ? exactResidual(z, wTilde, inputGramTilde, outputGramTilde)
                : paperResidual(left, wTilde, inputGramTilde, outputGramTilde);
        samples++;
        lastResidual = squared.sqrt().toDouble();
        boolean keep = lastResidual > epsilon;
        if (keep) {
            inputs.add(x.clone());
            outputs.add(y.clone());
            inputGram = inputGramTilde;
            outputGram = outputGramTilde;
            admitted.add(samples);
        }
        w = keep ? wTilde : z;
        return keep;
    }

    /**
     * W̃ of one step without sparsification (eq. U.w): the old coefficients shrink, a column −η W κ_X(x) and the corner η are new. The two
     * sides may have kept different numbers of points.
     *
     * @param w the coefficients before the step, one column a kept input
     * @param inputGramBar a matrix with one column a kept input and one more row than columns, the last being κ_X(x)ᵀ
     */
    public static ExactMatrix plainStep(ExactMatrix w, ExactMatrix inputGramBar, double eta, double lambda) {
        int rows = w.rows();
        int columns = w.columns();
        DoubleDouble shrink = DoubleDouble.of(1).minus(DoubleDouble.of(lambda).times(eta));
        ExactMatrix row = ExactMatrix.of(columns, 1, (i, j) -> inputGramBar.get(columns, i));
        ExactMatrix column = w.times(row);
        return ExactMatrix.of(rows + 1, columns + 1, (i, j) -> {
            if (j < columns) {
                return i < rows ? w.get(i, j).times(shrink) : DoubleDouble.ZERO;
            }
            return i < rows ? column.get(i, 0).times(-eta) : DoubleDouble.of(eta);
        });
    }

    /** ℓ(Z) = Tr(Zᵀ G_Y Z G_X) − 2 Tr(W̃ᵀ Ḡ_Y Z Ḡ_Xᵀ) + Tr(W̃ᵀ G̃_Y W̃ G̃_X). */
    private DoubleDouble exactResidual(
            ExactMatrix z, ExactMatrix wTilde, ExactMatrix inputGramTilde, ExactMatrix outputGramTilde) {
        int m = z.rows();
        ExactMatrix outputGramBar = outputGramTilde.leading(m + 1, m);
        ExactMatrix inputGramBar = inputGramTilde.leading(m + 1, m);
        ExactMatrix wTransposed = wTilde.transposed();
        DoubleDouble projected = squaredNorm(z, inputGram, outputGram);
        DoubleDouble mixed = wTransposed.times(outputGramBar).traceOfProduct(z.times(inputGramBar.transposed()));
        DoubleDouble full = squaredNorm(wTilde, inputGramTilde, outputGramTilde);
        return projected.minus(mixed.times(2)).plus(full);
    }

    /** The appendix's ℓ(Z*) = Tr[ W̃ᵀ (G̃_Y − Ḡ_Y G_Y⁻¹ Ḡ_Yᵀ) W̃ G̃_X ]. */
    private static DoubleDouble paperResidual(
            ExactMatrix left, ExactMatrix wTilde, ExactMatrix inputGramTilde, ExactMatrix outputGramTilde) {
        int m = wTilde.rows() - 1;
        ExactMatrix schur =
                outputGramTilde.minus(outputGramTilde.leading(m + 1, m).times(left));
        return squaredNorm(wTilde, inputGramTilde, schur);
    }

    /** Tr(Dᵀ G_Y D G_X), the squared Hilbert–Schmidt norm of Ψ D Φᵀ. */
    public static DoubleDouble squaredNorm(ExactMatrix d, ExactMatrix inputGram, ExactMatrix outputGram) {
        return d.transposed().times(outputGram).traceOfProduct(d.times(inputGram));
    }

    /** The Gram matrix of the points, pairwise, exactly as the kernel rounds it. */
    public static ExactMatrix gram(Kernel kernel, double[][] points) {
        return gram(kernel, points, points);
    }

    /** The matrix of κ(a_i, b_j). */
    public static ExactMatrix gram(Kernel kernel, double[][] a, double[][] b) {
        return ExactMatrix.of(a.length, b.length, (i, j) -> DoubleDouble.of(kernel.value(a[i], b[j])));
    }

    private static ExactMatrix bordered(ExactMatrix gram, List<double[]> points, double[] x, Kernel kernel) {
        int m = points.size();
        DoubleDouble[] last = new DoubleDouble[m + 1];
        for (int i = 0; i <= m; i++) {
            last[i] = DoubleDouble.of(kernel.value(i < m ? points.get(i) : x, x));
        }
        return ExactMatrix.of(m + 1, m + 1, (i, j) -> i < m && j < m ? gram.get(i, j) : last[Math.min(i, j)]);
    }

    /** Number of kept pairs. */
    public int size() {
        return inputs.size();
    }

    /** Sample numbers 1, 2, ... of the kept pairs. */
    public List<Long> admitted() {
        return List.copyOf(admitted);
    }

    /** The residual, as a norm, of the last sample. */
    public double lastResidual() {
        return lastResidual;
    }

    /** W, rounded to double. */
    public double[][] coefficients() {
        return w.toRows();
    }

    /** ‖U‖_HS. */
    public double norm() {
        return squaredNorm(w, inputGram, outputGram).sqrt().toDouble();
    }

    /** G_X, rounded to double. */
    public double[][] inputGram() {
        return inputGram.toRows();
    }

    /** G_Y, rounded to double. */
    public double[][] outputGram() {
        return outputGram.toRows();
    }
}
