package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.function.IntFunction;

/**
 * Implied time scales t_i(n) = −n dt / ln|λ_i(n)| of operators over several lags n. For a Markov process that the observables resolve they do
 * not depend on the lag; where they still rise with it, the lag is too short or the state does not hold all that matters (Swope, Pitera
 * and Suits, J. Phys. Chem. B 108, 2004).
 *
 * <p>Immutable.
 */
public final class ImpliedTimescales {

    private final int[] lags;
    private final double[][] values;

    private ImpliedTimescales(int[] lags, double[][] values) {
        this.lags = lags;
        this.values = values;
    }

    /**
     * Time scales of the powers of one operator. Its eigenvalues are λ_i^n, so they are flat but for rounding: the prediction that
     * {@link #learned} is held against.
     *
     * @param operator at lag 1
     * @param lags in steps, each >= 1, rising
     * @param count how many time scales
     * @param dt the sampling interval
     */
    public static ImpliedTimescales ofPowers(KoopmanOperator operator, int[] lags, int count, double dt) {
        return learned(operator::power, lags, count, dt);
    }

    /**
     * Time scales of operators that were each learned at their own lag, e.g. from one stored trajectory whose states t and t + n are
     * paired ({@code Learner.fitTrajectory} does that).
     *
     * @param atLag gives the operator at a lag; called once for each
     * @param lags in steps, each >= 1, rising
     * @param count how many time scales
     * @param dt the sampling interval, that of lag 1
     */
    public static ImpliedTimescales learned(IntFunction<KoopmanOperator> atLag, int[] lags, int count, double dt) {
        requireLags(lags);
        double[][] values = new double[lags.length][];
        for (int i = 0; i < lags.length; i++) {
            double[] all = Spectrum.leading(atLag.apply(lags[i]), count).timescales(lags[i] * dt);
            values[i] = java.util.Arrays.copyOf(all, count);
        }
        return new ImpliedTimescales(lags.clone(), values);
    }

    static void requireLags(int[] lags) {
        if (lags.length == 0) {
            throw new InvalidQueryException("no lags: give at least one, e.g. 1, 2, 5, 10");
        }
        for (int i = 0; i < lags.length; i++) {
            if (lags[i] < 1 || (i > 0 && lags[i] <= lags[i - 1])) {
                throw new InvalidQueryException(
                        "lags[" + i + "] = " + lags[i] + ": lags are numbers of steps >= 1 and must rise");
            }
        }
    }

    /** The lags in steps, copied. */
    public int[] lags() {
        return lags.clone();
    }

    /** Number of time scales at each lag. */
    public int count() {
        return values[0].length;
    }

    /** Time scale i of the lag at a position in {@link #lags()}, slowest first, in units of dt's time. */
    public double value(int lag, int i) {
        if (lag < 0 || lag >= lags.length || i < 0 || i >= count()) {
            throw new InvalidQueryException("time scale " + i + " at lag number " + lag + ": there are lags 0 to "
                    + (lags.length - 1) + " with time scales 0 to " + (count() - 1) + " each");
        }
        return values[lag][i];
    }

    /** Largest over smallest time scale i over the lags: 1 when it does not depend on the lag. */
    public double spread(int i) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int lag = 0; lag < lags.length; lag++) {
            // λ outside the unit circle gives a negative value, which means: slower than can be told.
            double value = value(lag, i) > 0 ? value(lag, i) : Double.POSITIVE_INFINITY;
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        return Double.isInfinite(least) ? 1 : most / least;
    }
}
