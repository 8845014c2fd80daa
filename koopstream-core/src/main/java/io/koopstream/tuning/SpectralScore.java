package io.koopstream.tuning;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.learner.HoldOut;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Triangular;
import java.util.Arrays;
import java.util.List;

/**
 * How well a learned operator carries observables that do not depend on its kernel, so that operators learned with different kernels can be
 * compared: sin z, cos z, sin 2z, cos 2z of standardised coordinates z, one step ahead and {@value #LONG_LAG} steps ahead, on held-out runs. They are
 * bounded, so that a few far states do not decide; they see what the state alone does not (on the four-well system the state's own error is
 * smallest for a kernel whose slow eigenvalues are six times worse, docs/trust.md), and many steps ahead only slow modes are left. The risk in
 * the learner's own space would not do: a kernel that sees nothing has none.
 */
final class SpectralScore {

    private static final int LONG_LAG = 16;
    private static final int MAX_COORDINATES = 16;
    private static final int MAX_LEARNED = 1500;

    private final double[] means;
    private final double[] deviations;
    private final int coordinates;

    /** Observables of the leading coordinates, in units of their deviations. */
    SpectralScore(double[] means, double[] deviations) {
        this.means = means;
        this.deviations = deviations;
        this.coordinates = Math.min(MAX_COORDINATES, means.length);
    }

    private double[] observables(double[] state) {
        double[] values = new double[4 * coordinates];
        for (int c = 0; c < coordinates; c++) {
            double z = (state[c] - means[c]) / deviations[c];
            values[4 * c] = StrictMath.sin(z);
            values[4 * c + 1] = StrictMath.cos(z);
            values[4 * c + 2] = StrictMath.sin(2 * z);
            values[4 * c + 3] = StrictMath.cos(2 * z);
        }
        return values;
    }

    /**
     * The mean squared error over all held-out runs at both lags, over the variance of the observables.
     *
     * @param state what was learned
     * @param lambda ridge of the operator
     * @param learned states it was learned from
     */
    double error(LeastSquaresState state, double lambda, List<double[]> learned) {
        NewtonBasis basis = state.inputBasis();
        Matrix operator = state.operator(lambda).matrix();
        Matrix functions = projected(basis, lambda, learned);
        HoldOut aside = state.holdOut();
        double[][] x = aside.inputs();
        double[][] xNext = aside.outputs();
        Matrix from = basis.coordinates(Points.of(basis.space().dimension(), x));
        Matrix one = operator.times(from);
        Matrix power = operator;
        for (int s = 1; s < LONG_LAG; s *= 2) {
            power = power.times(power);
        }
        Matrix far = power.times(from);
        long[] runs = aside.runNumbers();
        double variance = variance(learned);
        double total = 0;
        int counted = 0;
        double sum = 0;
        int count = 0;
        double longSum = 0;
        int longCount = 0;
        for (int i = 0; i < x.length; i++) {
            sum += squaredError(functions, one.column(i), xNext[i]);
            count++;
            int end = i + LONG_LAG - 1;
            if (end < x.length && runs[end] == runs[i] && goesOn(x, xNext, i, end)) {
                longSum += squaredError(functions, far.column(i), xNext[end]);
                longCount++;
            }
            if (i + 1 == x.length || runs[i + 1] != runs[i]) {
                double mean = sum / count;
                double error = longCount == 0 ? mean : 0.5 * (mean + longSum / longCount);
                total += Double.isFinite(error) ? error / variance : Double.MAX_VALUE / x.length;
                counted++;
                sum = 0;
                count = 0;
                longSum = 0;
                longCount = 0;
            }
        }
        return total / Math.max(1, counted);
    }

    private static boolean goesOn(double[][] x, double[][] xNext, int from, int to) {
        for (int i = from + 1; i <= to; i++) {
            if (!Arrays.equals(x[i], xNext[i - 1])) {
                return false;
            }
        }
        return true;
    }

    private double squaredError(Matrix functions, double[] image, double[] state) {
        double[] truth = observables(state);
        double[] predicted = new double[truth.length];
        functions.multiplyTransposed(image, predicted);
        double sum = 0;
        for (int a = 0; a < truth.length; a++) {
            double error = truth[a] - predicted[a];
            sum = Math.fma(error, error, sum);
        }
        return sum;
    }

    /** The observables as functions on the dictionary, one per column: ridge regression on learned states. */
    private Matrix projected(NewtonBasis basis, double lambda, List<double[]> learned) {
        int n = Math.min(MAX_LEARNED, learned.size());
        double[][] states = new double[n][];
        double[][] values = new double[n][];
        for (int i = 0; i < n; i++) {
            states[i] = learned.get((int) ((long) i * learned.size() / n));
            values[i] = observables(states[i]);
        }
        Matrix beta =
                basis.coordinates(Points.of(basis.space().dimension(), states)).transposed();
        Matrix target = Matrix.ofRows(values, 4 * coordinates);
        Products products = new Products();
        Matrix gram = new Matrix(basis.size(), basis.size());
        products.gram(0, gram, beta, beta);
        gram.scale(1.0 / n);
        for (int i = 0; i < gram.rows(); i++) {
            gram.set(i, i, gram.get(i, i) + Math.max(lambda, 1e-12));
        }
        Matrix functions = new Matrix(basis.size(), target.columns());
        products.gram(0, functions, beta, target);
        functions.scale(1.0 / n);
        Matrix factor = Triangular.cholesky(gram);
        if (factor == null) {
            return new Matrix(basis.size(), target.columns());
        }
        for (int a = 0; a < functions.columns(); a++) {
            Triangular.solve(factor, functions.column(a));
            Triangular.solveTransposed(factor, functions.column(a));
        }
        return functions;
    }

    private double variance(List<double[]> learned) {
        double[] mean = new double[4 * coordinates];
        double squares = 0;
        for (double[] state : learned) {
            double[] values = observables(state);
            for (int a = 0; a < values.length; a++) {
                mean[a] += values[a] / learned.size();
                squares += values[a] * values[a] / learned.size();
            }
        }
        for (double value : mean) {
            squares -= value * value;
        }
        return Math.max(squares, Double.MIN_NORMAL);
    }
}
