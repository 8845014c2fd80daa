package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Vectors;

/**
 * One step of Algorithm 1 in orthonormal coordinates: the only place with its formulas. O(m²) for m kept samples.
 *
 * <p>{@link #measure} computes and changes nothing outside its own work arrays; {@link #project} and {@link #border} change the
 * operator and cannot fail once {@link #reserve} has returned. Single thread.
 */
final class SogdStep {

    private final Scratch scratch = new Scratch();
    private double[] alpha = new double[0];
    private double[] beta = new double[0];
    private double[] error = new double[0];
    private double[] work = new double[0];
    private double kxx;
    private double kyy;
    private double aSquared;
    private double bSquared;
    private double squaredError;

    /** Coordinates of the sample and its prediction error, against the operator U = Q_Y M Q_Xᵀ. */
    void measure(NewtonBasis in, NewtonBasis out, Matrix m, double[] x, double[] y) {
        if (beta.length < in.size() || alpha.length < out.size()) {
            int capacity = Math.max(in.size(), out.size());
            capacity += (capacity >> 1) + 8;
            alpha = new double[capacity];
            beta = new double[capacity];
            error = new double[capacity];
            work = new double[capacity];
        }
        kxx = in.squaredNorm(x);
        kyy = out.squaredNorm(y);
        bSquared = in.coordinates(x, kxx, beta, scratch);
        aSquared = out.coordinates(y, kyy, alpha, scratch);
        // r = α − M β: what the current operator mispredicts, inside the span.
        System.arraycopy(alpha, 0, error, 0, out.size());
        m.addMultiple(-1.0, beta, error);
        squaredError = Vectors.squaredNorm(error, out.size());
    }

    /** The squared residual the criterion compares with ε_t². */
    double squaredResidual(Criterion criterion, double eta) {
        return criterion.squaredResidual(eta, squaredError, aSquared, bSquared, kxx);
    }

    /** What is to be kept of a sample over the budget: the sides that are numerically new. */
    StepOutcome overBudget(NewtonBasis in, NewtonBasis out) {
        return StepOutcome.overBudget(
                in.isIndependent(bSquared, kxx, beta, work), out.isIndependent(aSquared, kyy, alpha, work));
    }

    /** ‖φ(y) − U φ(x)‖² before the step: the squared one-step error in the RKHS. */
    double squaredPredictionError() {
        return squaredError + aSquared;
    }

    /** Makes room for what is to be kept. */
    static void reserve(StepOutcome outcome, NewtonBasis in, NewtonBasis out, Matrix m) {
        if (outcome.keepsInput()) {
            in.reserveOne();
        }
        if (outcome.keepsOutput()) {
            out.reserveOne();
        }
        m.reserve(out.size() + (outcome.keepsOutput() ? 1 : 0), in.size() + (outcome.keepsInput() ? 1 : 0));
    }

    /** The projected step Û: M ← (1 − λη) M + η r βᵀ. */
    void project(Matrix m, double eta, double lambda) {
        m.rankOne(1 - lambda * eta, eta, error, beta);
    }

    /**
     * After {@link #project}: adds what the projection cut off, M ← [M, η b r; η a βᵀ, η a b], and borders the factors; only the row or
     * only the column when one side alone is kept.
     */
    void border(
            StepOutcome outcome,
            NewtonBasis in,
            NewtonBasis out,
            Matrix m,
            double eta,
            long t,
            double[] x,
            double[] y) {
        int rows = out.size();
        int columns = in.size();
        double a = Math.sqrt(aSquared);
        double b = Math.sqrt(bSquared);
        m.resize(rows + (outcome.keepsOutput() ? 1 : 0), columns + (outcome.keepsInput() ? 1 : 0));
        if (outcome.keepsInput()) {
            double[] last = m.column(columns);
            for (int i = 0; i < rows; i++) {
                last[i] = eta * b * error[i];
            }
            in.append(t, x, beta, b);
        }
        if (outcome.keepsOutput()) {
            for (int j = 0; j < columns; j++) {
                m.set(rows, j, eta * a * beta[j]);
            }
            out.append(t, y, alpha, a);
        }
        if (outcome == StepOutcome.ADMITTED) {
            m.set(rows, columns, eta * a * b);
        }
    }
}
