package io.koopstream.tuning;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;

/**
 * Error of a learned operator on observables that do not depend on its kernel, so that operators learned with different kernels can be
 * compared: sin z, cos z, sin 2z, cos 2z of standardised coordinates z, one step ahead and {@value #LONG_LAG} steps ahead, on held-out runs. They are
 * bounded, so that a few far states do not decide; they see what the state alone does not (on the four-well system the state's own error is
 * smallest for a kernel whose slow eigenvalues are six times worse, docs/trust.md), and many steps ahead only slow modes are left. The risk in
 * the learner's own space would not do: a kernel that sees nothing has none.
 */
final class SpectralScore {

    private static final int LONG_LAG = 16;
    private static final int MAX_COORDINATES = 16;

    private final WindowPairs pairs;
    /** The observables of all states, one row per state. */
    private final Matrix observables;

    private final double variance;

    /** Observables of the leading coordinates, in units of their deviations. */
    SpectralScore(WindowPairs pairs, double[] means, double[] deviations) {
        this.pairs = pairs;
        Points states = pairs.states();
        int coordinates = Math.min(MAX_COORDINATES, means.length);
        observables = new Matrix(states.size(), 4 * coordinates);
        for (int c = 0; c < coordinates; c++) {
            for (int i = 0; i < states.size(); i++) {
                double z = (states.get(i, c) - means[c]) / deviations[c];
                observables.set(i, 4 * c, StrictMath.sin(z));
                observables.set(i, 4 * c + 1, StrictMath.cos(z));
                observables.set(i, 4 * c + 2, StrictMath.sin(2 * z));
                observables.set(i, 4 * c + 3, StrictMath.cos(2 * z));
            }
        }
        variance = variance();
    }

    private double variance() {
        double sum = 0;
        for (int a = 0; a < observables.columns(); a++) {
            double mean = 0;
            double square = 0;
            for (int i : pairs.learned()) {
                double value = observables.get(i, a);
                mean += value / pairs.learned().length;
                square += value * value / pairs.learned().length;
            }
            sum += square - mean * mean;
        }
        return Math.max(sum, Double.MIN_NORMAL);
    }

    /** The mean squared error over all held-out runs at both lags, over the variance of the observables. */
    double error(KernelFit.Fit fit, double lambda) {
        Matrix operator = fit.family().operator(lambda);
        // E g(x⁺) = ⟨g, M β(x)⟩: the operator is carried over to the functions, which are few.
        Matrix functions = fit.nearest(observables, Math.max(lambda, 1e-12));
        Matrix one = operator.transposedTimes(functions);
        Matrix far = one;
        for (int s = 1; s < LONG_LAG; s++) {
            far = operator.transposedTimes(far);
        }
        Matrix near = fit.judged().times(one);
        Matrix later = fit.judged().times(far);
        int[] runs = pairs.runs();
        double total = 0;
        int counted = 0;
        for (int r = 0; r + 1 < runs.length; r++) {
            double sum = 0;
            double longSum = 0;
            int longCount = runs[r + 1] - runs[r] - LONG_LAG + 1;
            for (int i = runs[r]; i < runs[r + 1]; i++) {
                int state = pairs.heldOut()[i];
                sum += squaredError(near, i, state + 1);
                longSum += i + LONG_LAG <= runs[r + 1] ? squaredError(later, i, state + LONG_LAG) : 0;
            }
            double mean = sum / (runs[r + 1] - runs[r]);
            double error = longCount <= 0 ? mean : 0.5 * (mean + longSum / longCount);
            total += Double.isFinite(error) ? error / variance : Double.MAX_VALUE / runs.length;
            counted++;
        }
        return total / Math.max(1, counted);
    }

    private double squaredError(Matrix predicted, int row, int state) {
        double sum = 0;
        for (int a = 0; a < observables.columns(); a++) {
            double error = observables.get(state, a) - predicted.get(row, a);
            sum = Math.fma(error, error, sum);
        }
        return sum;
    }
}
