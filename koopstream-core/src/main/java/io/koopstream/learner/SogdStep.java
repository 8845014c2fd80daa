package io.koopstream.learner;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Vectors;

/**
 * One step of Algorithm 1 in orthonormal coordinates: the only place with its formulas. O(m²) for m kept samples.
 *
 * <p>{@link #measure} computes and changes nothing outside its own work arrays; {@link #project} and {@link #border} change the
 * operator and cannot fail once {@link #reserve} has returned. Single thread.
 */
final class SogdStep {

    private final SampleCoordinates sample = new SampleCoordinates();
    private double[] error = new double[0];
    private double squaredError;

    /** Coordinates of the sample and its prediction error, against the operator U = Q_Y M Q_Xᵀ. */
    void measure(PairDictionary dictionary, Matrix m, DeferredSteps deferred, double[] x, double[] y) {
        sample.measure(dictionary.inputs(), dictionary.outputs(), x, y);
        int rows = m.rows();
        if (error.length < rows) {
            error = new double[rows + (rows >> 1) + 8];
        }
        // r = α − M β: what the current operator mispredicts, inside the span.
        System.arraycopy(sample.alpha(), 0, error, 0, rows);
        deferred.subtractImage(m, sample.beta(), error);
        squaredError = Vectors.squaredNorm(error, rows);
    }

    SampleCoordinates sample() {
        return sample;
    }

    /** The squared residual the criterion compares with ε_t². */
    double squaredResidual(Criterion criterion, double eta) {
        return criterion.squaredResidual(eta, squaredError, sample.aSquared(), sample.bSquared(), sample.kxx());
    }

    /** ‖φ(y) − U φ(x)‖² before the step: the squared one-step error in the RKHS. */
    double squaredPredictionError() {
        return squaredError + sample.aSquared();
    }

    /**
     * What the step loses when sides of the sample stay outside although they are new: the norm of those parts of
     * η [r; a] [β; b]ᵀ that lie in a direction left out.
     */
    static double loss(
            double eta,
            SampleCoordinates sample,
            double squaredPredictionError,
            boolean withoutInput,
            boolean withoutOutput) {
        double a2 = sample.aSquared();
        double b2 = sample.bSquared();
        double kept = withoutInput ? sample.kxx() - b2 : sample.kxx();
        double squared = withoutInput ? squaredPredictionError * b2 : 0;
        squared += withoutOutput ? a2 * Math.max(0.0, kept) : 0;
        return eta * Math.sqrt(squared);
    }

    /** Makes room for what is to be kept. */
    static void reserve(StepOutcome outcome, PairDictionary dictionary, Matrix m) {
        dictionary.reserve(outcome);
        m.reserve(
                dictionary.outputs().size() + (outcome.keepsOutput() ? 1 : 0),
                dictionary.inputs().size() + (outcome.keepsInput() ? 1 : 0));
    }

    /** The projected step Û: M ← (1 − λη) M + η r βᵀ. */
    void project(Matrix m, double eta, double lambda) {
        m.rankOne(1 - lambda * eta, eta, error, sample.beta());
    }

    /** The same step, to be made with others later. */
    void defer(DeferredSteps deferred, Matrix m, double eta, double lambda) {
        deferred.add(m, 1 - lambda * eta, eta, error, sample.beta());
    }

    /**
     * After {@link #project}: adds what the projection cut off, M ← [M, η b r; η a βᵀ, η a b]; only the row or only the column when
     * one side alone is kept.
     */
    void border(StepOutcome outcome, Matrix m, double eta) {
        int rows = m.rows();
        int columns = m.columns();
        double a = Math.sqrt(sample.aSquared());
        double b = Math.sqrt(sample.bSquared());
        m.resize(rows + (outcome.keepsOutput() ? 1 : 0), columns + (outcome.keepsInput() ? 1 : 0));
        if (outcome.keepsInput()) {
            double[] last = m.column(columns);
            for (int i = 0; i < rows; i++) {
                last[i] = eta * b * error[i];
            }
        }
        if (outcome.keepsOutput()) {
            double[] beta = sample.beta();
            for (int j = 0; j < columns; j++) {
                m.set(rows, j, eta * a * beta[j]);
            }
        }
        if (outcome == StepOutcome.ADMITTED) {
            m.set(rows, columns, eta * a * b);
        }
    }
}
