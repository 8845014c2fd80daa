package io.koopstream.tuning;

import io.koopstream.operator.TransitionOperator;

/**
 * The error of one-step predictions on test pairs, of observables that do not depend on the learner's kernel, so that operators learned with
 * different kernels can be compared: sin z, cos z, sin 2z, cos 2z of every standardised coordinate z. They are bounded, so that a few far
 * states do not decide, and fine enough to see what the state alone does not: on the four-well system the state's own error is smallest for a
 * kernel whose slow eigenvalues are six times worse (docs/trust.md). The risk in the learner's own space would not do: a kernel that sees
 * nothing has none.
 */
final class HeldOutScore {

    private final double[] means;
    private final double[] deviations;
    private final double[][] x;
    private final double[][] xNext;

    HeldOutScore(double[] means, double[] deviations, double[][] x, double[][] xNext) {
        this.means = means;
        this.deviations = deviations;
        this.x = x;
        this.xNext = xNext;
    }

    private double[] observables(double[] state) {
        double[] values = new double[4 * state.length];
        for (int c = 0; c < state.length; c++) {
            double z = (state[c] - means[c]) / deviations[c];
            values[4 * c] = StrictMath.sin(z);
            values[4 * c + 1] = StrictMath.cos(z);
            values[4 * c + 2] = StrictMath.sin(2 * z);
            values[4 * c + 3] = StrictMath.cos(2 * z);
        }
        return values;
    }

    /** The squared error of each test pair. O(n m²). */
    double[] errors(TransitionOperator operator) {
        double[][] known = operator.outputBasis().points().toRows();
        for (int i = 0; i < known.length; i++) {
            known[i] = observables(known[i]);
        }
        double[] errors = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double[] weights = operator.weights(x[i]);
            double[] difference = observables(xNext[i]);
            for (int j = 0; j < known.length; j++) {
                for (int a = 0; a < difference.length; a++) {
                    difference[a] = Math.fma(-weights[j], known[j][a], difference[a]);
                }
            }
            for (double value : difference) {
                errors[i] = Math.fma(value, value, errors[i]);
            }
        }
        return errors;
    }

    static double mean(double[] errors) {
        double sum = 0;
        for (double error : errors) {
            sum += error;
        }
        return sum / errors.length;
    }

    /** Standard error of the mean difference of two candidates' errors on the same pairs. */
    static double standardError(double[] a, double[] b) {
        double mean = mean(a) - mean(b);
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double deviation = a[i] - b[i] - mean;
            sum = Math.fma(deviation, deviation, sum);
        }
        return Math.sqrt(sum / (a.length - 1.0) / a.length);
    }
}
