package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.operator.TransitionOperator.Pruning;
import java.util.function.UnaryOperator;

/**
 * A transition operator of a space into itself, which can therefore be iterated: forecasts over several steps, powers, and
 * (see {@link io.koopstream.spectrum.Spectrum}) a spectrum.
 *
 * <p>Immutable; any number of threads may ask at once.
 *
 * <pre>{@code
 * double[][] path = operator.forecast(states[0], 10);
 * KoopmanOperator tenSteps = operator.power(10);
 * }</pre>
 */
public final class KoopmanOperator extends TransitionOperator {

    /** The longest horizon of a forecast or power. */
    public static final int MAX_HORIZON = 100_000;

    private volatile Matrix oneStep;

    /** Takes over its arguments, which stay unchanged from then on. */
    KoopmanOperator(
            NewtonBasis inputBasis, NewtonBasis outputBasis, Matrix matrix, long samples, Pruning pruning, int rank) {
        super(inputBasis, outputBasis, matrix, samples, pruning, rank);
        if (!inputBasis.space().equals(outputBasis.space())) {
            throw new InvalidQueryException("a Koopman operator maps a space into itself, this one maps "
                    + inputBasis.space() + " to " + outputBasis.space());
        }
    }

    @Override
    public KoopmanOperator asKoopman() {
        return this;
    }

    /**
     * C M with C = Q_Xᵀ Q_Y: what one step does to the part of an embedding that the operator sees, in the input basis. Its transpose
     * is the Koopman operator on functions Q_X c. Computed on first use, O(m³); for reading.
     */
    public Matrix oneStep() {
        Matrix known = oneStep;
        if (known == null) {
            // Two threads may both compute it; they get the same numbers, and either may win.
            known = inputBasis() == outputBasis()
                    ? matrix()
                    : inputBasis().coordinatesOf(outputBasis()).times(matrix());
            oneStep = known;
        }
        return known;
    }

    /**
     * The expected path after a start: row s holds E[x_{s+1} | x_0], s = 0 .. steps − 1, obtained by propagating the
     * embedding, μ ← U μ, not by feeding predictions back. Weights are used as they are.
     */
    public double[][] forecast(double[] x0, int steps) {
        return forecast(UnaryOperator.identity(), x0, steps);
    }

    /** The expected path of any observable: row s holds E[f(x_{s+1}) | x_0]. */
    public double[][] forecast(UnaryOperator<double[]> f, double[] x0, int steps) {
        return path(x0, steps, weights -> Observables.mean(f, outputBasis().points(), weights));
    }

    /**
     * The weights on the kept outputs at every step after a start: row s holds α with E[g(x_{s+1}) | x_0] ≈ Σ_i α_i g(y_i), as they are,
     * see {@link #weights(double[])}. O(steps m²).
     */
    public double[][] weights(double[] x0, int steps) {
        return path(x0, steps, UnaryOperator.identity());
    }

    /** A reading of the weights on the kept outputs at every step. */
    private double[][] path(double[] x0, int steps, UnaryOperator<double[]> read) {
        requireHorizon(steps);
        double[][] path = new double[steps][];
        double[] seen = seenCoordinates(x0);
        for (int s = 0; s < steps; s++) {
            path[s] = read.apply(image(seen));
            requireFinite(path[s], s + 1);
            seen = s + 1 < steps ? next(seen) : seen;
        }
        return path;
    }

    /** The embedding of the state after some steps, U^steps φ(x0). */
    public RkhsElement embedding(double[] x0, int steps) {
        double[] weights = weights(x0, steps)[steps - 1];
        return new RkhsElement(codomain(), outputBasis().points(), weights);
    }

    /** One more step of what the operator sees of an embedding: (C M) v. */
    private double[] next(double[] seen) {
        double[] result = new double[seen.length];
        oneStep().multiply(seen, result);
        return result;
    }

    /** U^n, the operator over n steps, on the same dictionary: its matrix is M (C M)^(n−1). */
    public KoopmanOperator power(int n) {
        requireHorizon(n);
        Matrix result = matrix().copy();
        Matrix square = oneStep();
        // (C M)^(n−1) by repeated squaring.
        for (int left = n - 1; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                result = result.times(square);
            }
            if (left > 1) {
                square = square.times(square);
            }
        }
        requireFinite(new double[] {result.frobeniusNorm()}, n);
        return new KoopmanOperator(inputBasis(), outputBasis(), result, samples(), pruning(), rank());
    }

    /** An operator with an eigenvalue outside the unit circle, iterated long enough, leaves the range of doubles. */
    private static void requireFinite(double[] values, int steps) {
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new InvalidQueryException("the operator grows beyond the range of numbers within " + steps
                        + " steps: it has an eigenvalue outside the unit circle; ask for fewer");
            }
        }
    }

    private void requireHorizon(int steps) {
        InvalidQueryException.require(
                steps >= 1 && steps <= MAX_HORIZON, "steps = " + steps + ": must be from 1 to " + MAX_HORIZON);
        requireLearned();
    }
}
