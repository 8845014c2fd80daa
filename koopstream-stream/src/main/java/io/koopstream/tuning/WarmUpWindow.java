package io.koopstream.tuning;

import io.koopstream.internal.linalg.Autocorrelation;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The first pairs of a stream, as trajectories of observations: their scales, distances and period, and pairs of delay vectors of them.
 * Immutable.
 */
final class WarmUpWindow {

    /** Standard deviations of coordinates may differ by this factor before they are scaled. */
    private static final double MAX_RATIO = 3;

    private static final int DISTANCE_POINTS = 400;

    private final List<double[][]> paths = new ArrayList<>();
    private final int dimension;
    private final double[] means;
    private final double[] deviations;
    private final double[] scales;
    private final String scalesReason;
    private final boolean varies;

    WarmUpWindow(double[][] x, double[][] xNext) {
        dimension = x[0].length;
        List<double[]> path = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            if (path.isEmpty() || !Arrays.equals(path.get(path.size() - 1), x[i])) {
                close(path);
                path.add(x[i]);
            }
            path.add(xNext[i]);
        }
        close(path);
        means = new double[dimension];
        deviations = new double[dimension];
        double smallest = Double.POSITIVE_INFINITY;
        double largest = 0;
        int constants = 0;
        for (int c = 0; c < dimension; c++) {
            if (measure(c)) {
                smallest = Math.min(smallest, deviations[c]);
                largest = Math.max(largest, deviations[c]);
            } else {
                constants++;
            }
        }
        varies = constants < dimension;
        boolean scaled = varies && largest > MAX_RATIO * smallest;
        scales = scaled ? Arrays.stream(deviations).map(WarmUpWindow::rounded).toArray() : new double[0];
        scalesReason = !varies
                ? "no coordinate varies"
                : String.format(
                                Locale.ROOT,
                                "standard deviations of the coordinates range from %.3g to %.3g, %s",
                                smallest,
                                largest,
                                scaled ? "so each coordinate is divided by its own" : "close enough for one width")
                        + (constants == 0 ? "" : "; " + constants + " constant coordinate(s) have no effect");
    }

    private void close(List<double[]> path) {
        if (!path.isEmpty()) {
            paths.add(path.toArray(double[][]::new));
            path.clear();
        }
    }

    /** Mean and standard deviation of a coordinate, in two passes; deviation 1 and false for one that does not vary beyond rounding. */
    private boolean measure(int c) {
        double largest = 0;
        long n = 0;
        for (double[][] path : paths) {
            for (double[] row : path) {
                largest = Math.max(largest, Math.abs(row[c]));
                n++;
            }
        }
        for (double[][] path : paths) {
            for (double[] row : path) {
                means[c] += row[c] / n;
            }
        }
        double sum = 0;
        for (double[][] path : paths) {
            for (double[] row : path) {
                double deviation = (row[c] - means[c]) / Math.max(largest, Double.MIN_NORMAL);
                sum = Math.fma(deviation, deviation, sum);
            }
        }
        double deviation = largest * Math.sqrt(sum / Math.max(1, n - 1));
        boolean varies = deviation > 1e-12 * largest && deviation >= 1e-150;
        deviations[c] = varies ? deviation : 1;
        return varies;
    }

    /** Three digits: more would claim an accuracy that a grid has not, and nobody likes to read them. */
    static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(3)).doubleValue();
    }

    /** False where every coordinate is constant, so that no width can be told. */
    boolean varies() {
        return varies;
    }

    int dimension() {
        return dimension;
    }

    int pairs() {
        return WindowPairs.count(paths);
    }

    double[] means() {
        return means;
    }

    double[] deviations() {
        return deviations;
    }

    /** The unit of each coordinate; empty when the coordinates are taken as they are. */
    double[] scales() {
        return scales;
    }

    String scalesReason() {
        return scalesReason;
    }

    /** Successive delay vectors, newest observation first, one array a trajectory; trajectories that are too short for a pair are left out. */
    List<double[][]> vectors(int delays) {
        List<double[][]> result = new ArrayList<>();
        for (double[][] path : paths) {
            if (path.length >= delays + 2) {
                double[][] vectors = new double[path.length - delays][(delays + 1) * dimension];
                for (int t = 0; t < vectors.length; t++) {
                    for (int k = 0; k <= delays; k++) {
                        System.arraycopy(path[t + delays - k], 0, vectors[t], k * dimension, dimension);
                    }
                }
                result.add(vectors);
            }
        }
        return result;
    }

    /** Median of the distances between delay vectors evenly spread over the window, in units of the scales. */
    double medianDistance(int delays) {
        double[][] all = vectors(delays).stream().flatMap(Arrays::stream).toArray(double[][]::new);
        int n = Math.min(all.length, DISTANCE_POINTS);
        double[] distances = new double[n * (n - 1) / 2];
        int filled = 0;
        for (int i = 0; i < n; i++) {
            double[] a = all[(int) ((long) i * all.length / n)];
            for (int j = 0; j < i; j++) {
                double[] b = all[(int) ((long) j * all.length / n)];
                double sum = 0;
                for (int c = 0; c < a.length; c++) {
                    double difference = (a[c] - b[c]) / (scales.length == 0 ? 1 : scales[c % dimension]);
                    sum = Math.fma(difference, difference, sum);
                }
                distances[filled++] = Math.sqrt(sum);
            }
        }
        Arrays.sort(distances);
        double median = distances[filled / 2];
        // More than half of all states equal: the largest distance is better than none.
        return median > 0 ? median : distances[filled - 1];
    }

    /**
     * The steps after which the observations repeat: the highest peak of the autocorrelation of their increments (so that a trend does not hide it; all
     * coordinates standardised, mean over them) among lags up to a third of the longest trajectory, the first of those nearly as high; 0 when
     * there is none.
     */
    int period() {
        double[][] longest = paths.get(0);
        for (double[][] path : paths) {
            longest = path.length > longest.length ? path : longest;
        }
        return Autocorrelation.period(longest, longest.length);
    }
}
