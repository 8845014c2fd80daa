package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The Chapman–Kolmogorov check: n steps of the learned operator against an operator learned over n steps at once, on the probabilities to
 * be in set t after a start in set s (Prinz et al., <i>Markov models of molecular kinetics: generation and validation</i>, J. Chem. Phys.
 * 134, 174105, 2011, section IV.F). U^n = U(n) holds for a Markov process; a deviation beyond sampling noise says that the state
 * does not hold all that matters, or that the operator is too coarse to be iterated.
 *
 * <p>Immutable.
 */
public final class ChapmanKolmogorov {

    private final int[] lags;
    private final double[][][] predicted;
    private final double[][][] learned;

    private ChapmanKolmogorov(int[] lags, double[][][] predicted, double[][][] learned) {
        this.lags = lags;
        this.predicted = predicted;
        this.learned = learned;
    }

    /**
     * The check over some lags.
     *
     * @param operator at lag 1
     * @param atLag gives an operator learned at a lag; called once for each
     * @param lags in steps, each >= 1, rising
     * @param sets between which probabilities are compared
     * @param states per sample of the process, one per row, the starts
     */
    public static ChapmanKolmogorov of(
            KoopmanOperator operator,
            IntFunction<KoopmanOperator> atLag,
            int[] lags,
            MetastableSets sets,
            double[][] states) {
        ImpliedTimescales.requireLags(lags);
        double[][][] predicted = new double[lags.length][][];
        double[][][] learned = new double[lags.length][][];
        for (int i = 0; i < lags.length; i++) {
            // The time of a step plays no role in probabilities.
            predicted[i] =
                    SetTransitions.of(operator.power(lags[i]), sets, states, 1).probabilities();
            learned[i] =
                    SetTransitions.of(atLag.apply(lags[i]), sets, states, 1).probabilities();
        }
        return new ChapmanKolmogorov(lags.clone(), predicted, learned);
    }

    /** The lags in steps, copied. */
    public int[] lags() {
        return lags.clone();
    }

    /** Probabilities by iterating the operator, for the lag at a position in {@link #lags()}, copied. */
    public double[][] predicted(int lag) {
        return copy(predicted[index(lag)]);
    }

    /** Probabilities by the operator learned at that lag, copied. */
    public double[][] learned(int lag) {
        return copy(learned[index(lag)]);
    }

    private int index(int lag) {
        if (lag < 0 || lag >= lags.length) {
            throw new InvalidQueryException("lag number " + lag + ": there are 0 to " + (lags.length - 1));
        }
        return lag;
    }

    private static double[][] copy(double[][] rows) {
        return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }

    /** The largest difference of two probabilities at one lag. */
    public double deviation(int lag) {
        double largest = 0;
        double[][] a = predicted[index(lag)];
        double[][] b = learned[lag];
        for (int s = 0; s < a.length; s++) {
            for (int t = 0; t < a.length; t++) {
                largest = Math.max(largest, Math.abs(a[s][t] - b[s][t]));
            }
        }
        return largest;
    }

    /** The largest difference over all lags. */
    public double largestDeviation() {
        double largest = 0;
        for (int lag = 0; lag < lags.length; lag++) {
            largest = Math.max(largest, deviation(lag));
        }
        return largest;
    }
}
