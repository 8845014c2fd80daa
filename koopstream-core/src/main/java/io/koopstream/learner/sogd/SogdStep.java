package io.koopstream.learner.sogd;

import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.learner.StepOutcome;

/**
 * One step of Algorithm 1 in orthonormal coordinates: the only place with its formulas. O(m²) for m kept samples.
 *
 * <p>The tentative dictionary D̃ = D ∪ (x, x⁺) borders both factors, L_X by (β, b) and L_Y by (α, a); with r = α − M β the tentative W̃ is
 *
 * <pre>
 *   M̃ = [ (1 − λη) M + η r βᵀ    η b r ]
 *       [ η a βᵀ                 η a b ]
 * </pre>
 *
 * and its projection on D, the minimiser Z⋆, is the upper left block. Neither is formed before it is decided which is wanted:
 * {@link #measure} changes nothing outside its own work arrays. Single thread.
 */
final class SogdStep {

    private final PointCoordinates input = new PointCoordinates();
    private final PointCoordinates output = new PointCoordinates();
    private double[] error = new double[0];
    private double squaredError;
    private double eta;

    /** D̃ and W̃ of a sample: β, b, α, a and r. */
    void measure(PairDictionary dictionary, Matrix m, double stepSize, double[] x, double[] xPlus) {
        eta = stepSize;
        input.measure(dictionary.inputs(), x);
        output.measure(dictionary.outputs(), xPlus);
        predict(m);
    }

    /** Measures the sample again with dictionaries from which points were taken out. */
    void measureAgain(PairDictionary dictionary, Matrix m) {
        input.measureAgain(dictionary.inputs());
        output.measureAgain(dictionary.outputs());
        predict(m);
    }

    /** r = α − M β: what the current operator mispredicts, inside the span. */
    private void predict(Matrix m) {
        int rows = m.rows();
        if (error.length < rows) {
            error = new double[rows + (rows >> 1) + 8];
        }
        System.arraycopy(output.beta(), 0, error, 0, rows);
        m.addMultiple(-1.0, input.beta(), error);
        squaredError = Vectors.squaredNorm(error, rows);
    }

    /** x against the kept inputs: β, b². */
    PointCoordinates input() {
        return input;
    }

    /** x⁺ against the kept outputs: α, a². */
    PointCoordinates output() {
        return output;
    }

    double eta() {
        return eta;
    }

    /** Δ, as a norm: how far W̃ is from its projection on D, as the criterion measures it. */
    double delta(Criterion criterion) {
        return Math.sqrt(
                criterion.squaredResidual(eta, squaredError, output.missed(), input.missed(), input.squaredNorm()));
    }

    /** ‖φ(x⁺) − U φ(x)‖² before the step: the squared one-step error in the RKHS. */
    double squaredPredictionError() {
        return squaredError + output.missed();
    }

    /** Z⋆: M ← (1 − λη) M + η r βᵀ. */
    void project(Matrix m, double lambda) {
        m.rankOne(1 - lambda * eta, eta, error, input.beta());
    }

    /** W̃ after {@link #project}: what the projection cut off; only the row or only the column when one side alone is kept. */
    void border(StepOutcome outcome, Matrix m) {
        int rows = m.rows();
        int columns = m.columns();
        double a = Math.sqrt(output.missed());
        double b = Math.sqrt(input.missed());
        m.resize(rows + (outcome.keepsOutput() ? 1 : 0), columns + (outcome.keepsInput() ? 1 : 0));
        if (outcome.keepsInput()) {
            double[] last = m.column(columns);
            for (int i = 0; i < rows; i++) {
                last[i] = eta * b * error[i];
            }
        }
        if (outcome.keepsOutput()) {
            double[] beta = input.beta();
            for (int j = 0; j < columns; j++) {
                m.set(rows, j, eta * a * beta[j]);
            }
        }
        if (outcome == StepOutcome.ADMITTED) {
            m.set(rows, columns, eta * a * b);
        }
    }
}
