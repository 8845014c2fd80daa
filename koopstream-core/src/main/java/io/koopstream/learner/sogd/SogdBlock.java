package io.koopstream.learner.sogd;

import io.koopstream.internal.dictionary.BlockCoordinates;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.learner.PairDictionary.Verdicts;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.learner.StepOutcome;

/**
 * Steps of Algorithm 1 on a block of samples, with the arithmetic of whole matrices: admissions are decided by {@link Algorithm1}, one after another, and the
 * numbers are those of {@link Algorithm1#step}, up to rounding.
 *
 * <p>With B and A the coordinates of the block's inputs and outputs (one row a sample), c_t = 1 − λη_t and M_0 the operator before the block,
 *
 * <pre>
 *   M_t β_t = (Π_{u&lt;t} c_u) M_0 β_t + Σ_{s&lt;t} η_s (Π_{s&lt;u&lt;t} c_u) (β_s·β_t) r_s,      r_t = α_t − M_t β_t
 *   M_n = (Π c_u) M_0 + Σ_s η_s (Π_{u&gt;s} c_u) r_s β_sᵀ
 * </pre>
 *
 * so the errors r solve a triangular system whose entries are η_s (Π c_u) (β_s·β_t), and one product brings M up to date. An admission adds
 * one coordinate to the samples after it; the system is then set up and solved again. Single thread.
 */
final class SogdBlock {

    private final SogdConfig config;
    private final Products products = new Products();
    private final BlockCoordinates inputs = new BlockCoordinates();
    private final BlockCoordinates outputs = new BlockCoordinates();
    /** β_s·β_t. */
    private final Matrix gram = new Matrix(0, 0);
    /** M_0 β_t, one row a sample. */
    private final Matrix images = new Matrix(0, 0);
    /** α_t − (Π c_u) M_0 β_t, one column a sample. */
    private final Matrix starts = new Matrix(0, 0);
    /** r_t, one column a sample. */
    private final Matrix errors = new Matrix(0, 0);
    /** The triangular system. */
    private final Matrix system = new Matrix(0, 0);

    /** The sample that is being decided on. */
    private final PointCoordinates input = new PointCoordinates();

    private final PointCoordinates output = new PointCoordinates();

    private double[] eta = new double[0];
    private double[] shrink = new double[0];
    private double[] squaredErrors = new double[0];
    private int n;

    SogdBlock(SogdConfig config) {
        this.config = config;
    }

    /**
     * Learns as many waiting samples as go together: up to an iterate that counts for the average, or an exchange of points, which changes
     * all coordinates.
     *
     * @param first the number of the first sample that waits
     * @return what became of the last; {@link StepOutcome#PENDING} if the first that still waits needs a step of its own
     */
    StepOutcome learn(Algorithm1 algorithm, long first, PendingSamples pending) {
        int together = pending.size();
        if (algorithm.isAveraged()) {
            together = (int) Math.min(together, Averaging.STRIDE - (first - 1) % Averaging.STRIDE);
        }
        PairDictionary dictionary = algorithm.dictionary();
        Matrix m = algorithm.matrix();
        measure(
                first,
                dictionary,
                m,
                pending.inputs().first(together),
                pending.outputs().first(together));
        StepOutcome outcome = StepOutcome.PENDING;
        int done = 0;
        try {
            while (done < n) {
                outcome = decide(algorithm, first + done, done);
                if (outcome == StepOutcome.PENDING) {
                    break;
                }
                done++;
            }
        } finally {
            // Also when memory ran out: what was decided is completed, the rest stays pending.
            m.resize(dictionary.outputs().size(), dictionary.inputs().size());
            if (done > 0) {
                apply(m, done);
                pending.removeFirst(done);
                algorithm.average(first + done - 1);
            }
        }
        return outcome;
    }

    /** Decides on sample t of the block, the step of Algorithm 1 without its matrix; {@link StepOutcome#PENDING} if points have to go for it. */
    private StepOutcome decide(Algorithm1 algorithm, long number, int t) {
        double a2 = outputs.missed(t);
        if (algorithm.isWithinBudget(number, eta[t], squaredErrors[t], a2, inputs.missed(t), inputs.squaredNorm(t))) {
            algorithm.fade(eta[t]);
            return StepOutcome.PROJECTED;
        }
        input.take(inputs, t);
        output.take(outputs, t);
        PairDictionary dictionary = algorithm.dictionary();
        Verdicts verdicts = Verdicts.of(
                dictionary.inputs().judge(input), dictionary.outputs().judge(output));
        if (verdicts.needRoom()) {
            return StepOutcome.PENDING;
        }
        StepOutcome outcome = verdicts.outcome();
        double predictionError = squaredErrors[t] + a2;
        algorithm.reserve(outcome.keepsOutput(), outcome.keepsInput());
        extend(outcome, t);
        dictionary.keep(number, verdicts, input, output);
        algorithm.account(eta[t], verdicts, input, output, predictionError);
        return outcome;
    }

    /** Coordinates and prediction errors of all samples of the block. */
    private void measure(long first, PairDictionary dictionary, Matrix m, Points x, Points y) {
        n = x.size();
        if (eta.length < n) {
            eta = new double[n];
            shrink = new double[n];
            squaredErrors = new double[n];
        }
        for (int t = 0; t < n; t++) {
            eta[t] = config.stepSizeAt(first + t);
            shrink[t] = 1 - config.lambda() * eta[t];
        }
        inputs.measure(dictionary.inputs(), x, products);
        outputs.measure(dictionary.outputs(), y, products);
        gram.reshape(n, n);
        products.multiplyTransposed(0, gram, inputs.rows(), inputs.rows());
        images.reshape(n, m.rows());
        products.multiplyTransposed(0, images, inputs.rows(), m);
        starts.reshape(m.rows(), n);
        double[][] columns = new double[n][];
        double[] shrunk = new double[n];
        double product = 1;
        for (int t = 0; t < n; t++) {
            columns[t] = starts.column(t);
            shrunk[t] = -product;
            product *= shrink[t];
        }
        for (int i = 0; i < m.rows(); i++) {
            double[] image = images.column(i);
            double[] alpha = outputs.rows().column(i);
            for (int t = 0; t < n; t++) {
                columns[t][i] = Math.fma(shrunk[t], image[t], alpha[t]);
            }
        }
        solve();
    }

    private void solve() {
        system.reshape(n, n);
        for (int s = 0; s < n; s++) {
            double[] column = system.column(s);
            double[] inner = gram.column(s);
            double factor = eta[s];
            column[s] = 1;
            for (int t = s + 1; t < n; t++) {
                column[t] = factor * inner[t];
                factor *= shrink[t];
            }
        }
        int rows = starts.rows();
        errors.reshape(rows, n);
        for (int t = 0; t < n; t++) {
            System.arraycopy(starts.column(t), 0, errors.column(t), 0, rows);
        }
        products.solveTransposed(errors, system);
        for (int t = 0; t < n; t++) {
            squaredErrors[t] = Vectors.squaredNorm(errors.column(t), rows);
        }
    }

    /** Sample t was kept: the samples after it get its coordinate, and their errors follow. */
    private void extend(StepOutcome outcome, int t) {
        if (!outcome.keepsInput() && !outcome.keepsOutput()) {
            return;
        }
        if (outcome.keepsInput()) {
            inputs.append(t);
            double[] added = inputs.rows().column(inputs.rows().columns() - 1);
            for (int s = t; s < n; s++) {
                Vectors.axpy(added[s], added, gram.column(s), t, n);
            }
        }
        if (outcome.keepsOutput()) {
            outputs.append(t);
            int last = starts.rows();
            double[] added = outputs.rows().column(last);
            starts.resize(last + 1, n);
            for (int s = t; s < n; s++) {
                starts.set(last, s, added[s]);
            }
        }
        solve();
    }

    /** Brings the operator, grown to the size of the dictionaries, up to date with the first {@code count} samples of the block. */
    private void apply(Matrix m, int count) {
        double factor = 1;
        for (int s = n - 1; s >= 0; s--) {
            double weight = 0;
            if (s < count) {
                weight = eta[s] * factor;
                factor *= shrink[s];
            }
            Vectors.scale(weight, errors.column(s), errors.rows());
        }
        products.multiply(factor, m, errors, inputs.rows());
    }
}
