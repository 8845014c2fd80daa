package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.Arrays;
import java.util.List;

/**
 * A kernel for data of which nothing else is known, from the distances in a sample of it: a starting point, not an optimum.
 *
 * <p>Up to three coordinates it is a sum of a narrow and a wide Gaussian (a fifth and a half of the median distance), which resolves
 * borders between regions and still reaches across gaps; beyond, where distances concentrate and a narrow one would see nothing, the
 * wide one alone. Coordinates with very different spreads are divided by them first.
 */
public final class KernelGuess {

    private static final int MOST_STATES = 400;
    private static final double UNLIKE = 3;

    private KernelGuess() {}

    /** The kernel for states like these, one a row; at least two different ones. */
    public static Kernel from(double[][] states) {
        double[][] sample = thinned(states);
        int d = sample.length == 0 ? 0 : sample[0].length;
        double[] spreads = new double[d];
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int c = 0; c < d; c++) {
            spreads[c] = rounded(spread(sample, c));
            if (spreads[c] > 0) {
                least = Math.min(least, spreads[c]);
                most = Math.max(most, spreads[c]);
            }
        }
        if (!(most > 0)) {
            throw new InvalidConfigException(
                    "kernel",
                    null,
                    "cannot be guessed from states that are all the same; give one, e.g. gaussian(sigma=0.5)");
        }
        boolean scaled = most > UNLIKE * least;
        double[] units = new double[d];
        for (int c = 0; c < d; c++) {
            // A coordinate that does not move tells nothing about its unit.
            units[c] = scaled && spreads[c] > 0 ? spreads[c] : 1;
        }
        double median = medianDistance(sample, units);
        Kernel wide = Kernels.gaussian(rounded(median / 2));
        Kernel kernel = d <= 3 ? Kernels.sum(0.5, Kernels.gaussian(rounded(median / 5)), 0.5, wide) : wide;
        return scaled ? new Scaled(kernel, Arrays.stream(units).boxed().toList()) : kernel;
    }

    private static double[][] thinned(double[][] states) {
        int n = Math.min(states.length, MOST_STATES);
        double[][] sample = new double[n][];
        for (int i = 0; i < n; i++) {
            sample[i] = states[(int) ((long) i * states.length / n)];
        }
        return sample;
    }

    /** The standard deviation of a coordinate. */
    private static double spread(double[][] states, int c) {
        double mean = 0;
        for (double[] state : states) {
            mean += state[c] / states.length;
        }
        double variance = 0;
        for (double[] state : states) {
            variance += (state[c] - mean) * (state[c] - mean) / states.length;
        }
        return Math.sqrt(variance);
    }

    private static double medianDistance(double[][] states, double[] units) {
        double[] distances = new double[states.length * (states.length - 1) / 2];
        int count = 0;
        for (int i = 0; i < states.length; i++) {
            for (int j = 0; j < i; j++) {
                double sum = 0;
                for (int c = 0; c < units.length; c++) {
                    double difference = (states[i][c] - states[j][c]) / units[c];
                    sum += difference * difference;
                }
                if (sum > 0) {
                    distances[count++] = Math.sqrt(sum);
                }
            }
        }
        Arrays.sort(distances, 0, count);
        return distances[count / 2];
    }

    /** Two digits: more would claim an accuracy that a guess has not. */
    private static double rounded(double value) {
        return value > 0 && Double.isFinite(value)
                ? new java.math.BigDecimal(value)
                        .round(new java.math.MathContext(2))
                        .doubleValue()
                : 0;
    }

    /** In words, why it is chosen so. */
    public static List<String> reasons() {
        return List.of(
                "widths are a fifth and a half of the median distance between states (from four coordinates on, a half only)",
                "coordinates whose spreads differ more than threefold are divided by them");
    }
}
