package io.koopstream.learner.sogd;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.Dictionary.Verdict;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.learner.PairDictionary.Verdicts;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.learner.StepOutcome;

/**
 * Algorithm 1 of the paper, sparse online learning of the Koopman operator; its loop is {@link #step}.
 *
 * <pre>
 *   U_0 = 0
 *   for t = 1, 2, …
 *     receive a sample pair (x_t, x_t⁺)
 *     D̃_t ← D_{t−1} ∪ (x_t, x_t⁺)
 *     compute W̃_t on D̃_t
 *     Δ_t ← min_Z ‖ Σ_{D_{t−1}} Z^{ij} φ(x_i⁺) ⊗ φ(x_j) − Σ_{D̃_t} W̃_t^{ij} φ(x_i⁺) ⊗ φ(x_j) ‖_HS
 *     if Δ_t ≤ ε_t:  D_t ← D_{t−1},  W_t ← Z⋆
 *     else:          D_t ← D̃_t,      W_t ← W̃_t
 *     output K_t = U_t*
 * </pre>
 *
 * <p>In orthonormal coordinates: U = Q_Y M Q_Xᵀ with the Cholesky factors L_X and L_Y of both sides' Gram matrices. The tentative dictionary borders them, L_X by
 * (β, b) and L_Y by (α, a); with r = α − M β the tentative W̃ is
 *
 * <pre>
 *   M̃ = [ (1 − λη) M + η r βᵀ    η b r ]
 *       [ η a βᵀ                 η a b ]
 * </pre>
 *
 * and its projection on D, the minimiser Z⋆, is the upper left block. Neither is formed before it is decided which is wanted. O(m²) a sample for m kept ones.
 *
 * <p>The cap on the dictionary, and what it has cost, go past the paper: see {@link io.koopstream.internal.dictionary.Dictionary}. Mutable, one writer.
 */
final class Algorithm1 {

    private final SogdConfig config;
    private final double lambda;
    /** D_t. */
    private final PairDictionary dictionary;
    /** M_t, which is W_t in orthonormal coordinates. */
    private final Matrix matrix;
    /** Null when iterates are not averaged. */
    private final AveragedIterate average;
    /** Bounds how far removals and refusals have taken the operator off its path: B ← (1 − λη) (B + removed) + refused. */
    private double loss;

    /** x_t against the kept inputs: β, b². */
    private final PointCoordinates input = new PointCoordinates();
    /** x_t⁺ against the kept outputs: α, a². */
    private final PointCoordinates output = new PointCoordinates();
    /** r. */
    private double[] error = new double[0];

    private double squaredError;

    /** Figures of the last sample: Δ_t, ε_t, and ‖φ(x⁺) − U φ(x)‖² before its step. */
    private double delta;

    private double epsilon;
    private double squaredPredictionError;

    /** U_0 = 0. */
    Algorithm1(SogdConfig config) {
        this(
                config,
                PairDictionary.empty(config.input(), config.output(), config.maxDictionary(), false, false),
                new Matrix(0, 0),
                config.averaging().isOn() ? new AveragedIterate(config.averaging(), new Matrix(0, 0), 0) : null,
                0);
    }

    /** Continues from a state. */
    Algorithm1(SogdState state) {
        this(
                state.config(),
                PairDictionary.of(state.kept(), state.config().maxDictionary(), false, false),
                state.matrix().copy(),
                state.averageCopy(),
                state.counters().loss());
    }

    private Algorithm1(
            SogdConfig config, PairDictionary dictionary, Matrix matrix, AveragedIterate average, double loss) {
        this.config = config;
        this.lambda = config.lambda();
        this.dictionary = dictionary;
        this.matrix = matrix;
        this.average = average;
        this.loss = loss;
    }

    /** The body of the loop: receives the sample pair (x_t, x_t⁺). */
    StepOutcome step(long t, double[] x, double[] xPlus) {
        double eta = config.stepSizeAt(t);
        // D̃_t ← D_{t−1} ∪ (x_t, x_t⁺), and r of W̃_t.
        input.measure(dictionary.inputs(), x);
        output.measure(dictionary.outputs(), xPlus);
        predict();
        StepOutcome outcome = StepOutcome.PROJECTED;
        if (isWithinBudget(t, eta, squaredError, output.missed(), input.missed(), input.squaredNorm())) {
            // D_t ← D_{t−1}, W_t ← Z⋆.
            project(eta);
            fade(eta);
        } else {
            // D_t ← D̃_t, W_t ← W̃_t, as far as the sample is numerically new and worth a place.
            Verdicts verdicts = admit(t);
            outcome = verdicts.outcome();
            project(eta);
            border(eta, outcome);
            account(eta, verdicts, input, output, squaredError + output.missed());
        }
        average(t);
        return outcome;
    }

    /** r = α − M β: what the current operator mispredicts, inside the span. */
    private void predict() {
        int rows = matrix.rows();
        if (error.length < rows) {
            error = new double[rows + (rows >> 1) + 8];
        }
        System.arraycopy(output.beta(), 0, error, 0, rows);
        matrix.addMultiple(-1.0, input.beta(), error);
        squaredError = Vectors.squaredNorm(error, rows);
    }

    /**
     * Δ_t ≤ ε_t (docs/errata.md, 1 and 2).
     *
     * @param r2 ‖r‖²
     * @param a2 a²
     * @param b2 b²
     * @param k κ(x, x)
     */
    boolean isWithinBudget(long t, double eta, double r2, double a2, double b2, double k) {
        epsilon = config.budgetAt(t, eta);
        squaredPredictionError = r2 + a2;
        delta = config.delta().of(config.criterion().squaredResidual(eta, r2, a2, b2, k));
        return delta <= epsilon;
    }

    /** D ← D̃. All memory is taken before anything changes, so that running out of it leaves the state as it was. */
    private Verdicts admit(long t) {
        reserve(true, true);
        long before = dictionary.removals();
        Verdicts verdicts = Verdicts.of(
                dictionary.admit(true, t, input, this::dropInput),
                dictionary.admit(false, t, output, this::dropOutput));
        dictionary.count(verdicts);
        if (dictionary.removals() > before) {
            predict();
        }
        return verdicts;
    }

    private void dropInput(Rotations rotations) {
        loss += rotations.dropColumn(matrix);
        if (average != null) {
            average.dropColumn(rotations);
        }
    }

    private void dropOutput(Rotations rotations) {
        loss += rotations.dropRow(matrix);
        if (average != null) {
            average.dropRow(rotations);
        }
    }

    /** Z⋆: M ← (1 − λη) M + η r βᵀ. */
    private void project(double eta) {
        matrix.rankOne(1 - lambda * eta, eta, error, input.beta());
    }

    /** W̃ after {@link #project}: what the projection cut off; only the row or only the column when one side alone is kept. */
    private void border(double eta, StepOutcome outcome) {
        int rows = matrix.rows();
        int columns = matrix.columns();
        double a = Math.sqrt(output.missed());
        double b = Math.sqrt(input.missed());
        matrix.resize(rows + (outcome.keepsOutput() ? 1 : 0), columns + (outcome.keepsInput() ? 1 : 0));
        if (outcome.keepsInput()) {
            double[] last = matrix.column(columns);
            for (int i = 0; i < rows; i++) {
                last[i] = eta * b * error[i];
            }
        }
        if (outcome.keepsOutput()) {
            double[] beta = input.beta();
            for (int j = 0; j < columns; j++) {
                matrix.set(rows, j, eta * a * beta[j]);
            }
        }
        if (outcome == StepOutcome.ADMITTED) {
            matrix.set(rows, columns, eta * a * b);
        }
    }

    /** Makes room in memory for one more point on either side, as far as the cap allows. */
    void reserve(boolean moreOutputs, boolean moreInputs) {
        int outputs = dictionary.outputs().reserve(moreOutputs ? 1 : 0);
        int inputs = dictionary.inputs().reserve(moreInputs ? 1 : 0);
        matrix.reserve(outputs, inputs);
        if (average != null) {
            average.reserve(outputs, inputs);
        }
    }

    /** The step maps two operators to two that are closer by 1 − λη (docs/errata.md, 3), so what was lost fades. */
    void fade(double eta) {
        loss = (1 - lambda * eta) * loss;
    }

    /**
     * Fades, and adds what the step loses when sides of the sample stay outside although they are new: the norm of those parts of
     * η [r; a] [β; b]ᵀ that lie in a direction left out.
     */
    void account(double eta, Verdicts verdicts, PointCoordinates x, PointCoordinates xPlus, double predictionError) {
        fade(eta);
        if (verdicts.refuse()) {
            boolean withoutInput = verdicts.input() == Verdict.REFUSE;
            double kept = withoutInput ? x.squaredNorm() - x.missed() : x.squaredNorm();
            double squared = withoutInput ? predictionError * x.missed() : 0;
            squared += verdicts.output() == Verdict.REFUSE ? xPlus.missed() * Math.max(0.0, kept) : 0;
            loss += eta * Math.sqrt(squared);
        }
    }

    /** Takes iterate t into the average, if there is one and it is its turn. */
    void average(long t) {
        if (average != null) {
            average.follow(t, matrix, loss);
        }
    }

    PairDictionary dictionary() {
        return dictionary;
    }

    Matrix matrix() {
        return matrix;
    }

    boolean isAveraged() {
        return average != null;
    }

    double delta() {
        return delta;
    }

    double epsilon() {
        return epsilon;
    }

    double squaredPredictionError() {
        return squaredPredictionError;
    }

    /** Takes over the figures of the last sample. */
    void copyFigures(Algorithm1 other) {
        delta = other.delta;
        epsilon = other.epsilon;
        squaredPredictionError = other.squaredPredictionError;
    }

    Counters counters(long samples) {
        return dictionary.counters(samples, loss);
    }

    /** Everything needed to continue, as an immutable value. */
    SogdState state(long samples, PendingSamples pending) {
        return new SogdState(
                config,
                dictionary.kept(samples, loss),
                pending.copy(),
                matrix.copy(),
                average == null ? null : average.copy());
    }
}
