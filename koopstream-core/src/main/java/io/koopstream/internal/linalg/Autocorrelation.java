package io.koopstream.internal.linalg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Products of a series with itself some steps later, for all lags at once by the fast Fourier transform, and the period they show. */
public final class Autocorrelation {

    /** Of peaks that are nearly as high as the highest the first counts: two periods are as good as one. */
    private static final double NEARLY = 0.7;

    /** A peak below this share of the value at lag 0 is no period. */
    private static final double HIGH = 0.3;

    private static final double MAX_JUMP = 10;
    /** Half-width, in periods, of the window that is searched around a multiple of a period. */
    private static final double NEAR = 0.25;

    private Autocorrelation() {}

    /** Σ_t v_t v_{t + lag}, summed over series of one length, for the lags from 0 to {@code most}. O(n log n) each. */
    public static double[] sums(List<double[]> series, int most) {
        double[] sums = new double[most + 1];
        if (series.isEmpty()) {
            return sums;
        }
        int n = series.get(0).length;
        int size = Integer.highestOneBit(Math.max(1, n + most)) << 1;
        double[] cos = new double[size / 2];
        double[] sin = new double[size / 2];
        for (int k = 0; k < size / 2; k++) {
            cos[k] = StrictMath.cos(2 * Math.PI * k / size);
        }
        for (int k = 0; k < size / 2; k++) {
            sin[k] = -cos[Math.abs(k - size / 4)];
        }
        double[] power = new double[size];
        double[] re = new double[size];
        double[] im = new double[size];
        for (int s = 0; s < series.size(); s += 2) {
            // Two real series as one complex one: of z = a + i b the mean of |ẑ|² at k and −k is (|â|² + |b̂|²) / 2.
            Arrays.fill(re, n, size, 0);
            Arrays.fill(im, 0);
            System.arraycopy(series.get(s), 0, re, 0, n);
            if (s + 1 < series.size()) {
                System.arraycopy(series.get(s + 1), 0, im, 0, n);
            }
            transform(re, im, cos, sin);
            for (int k = 0; k < size; k++) {
                int mirror = (size - k) % size;
                power[k] += (re[k] * re[k] + im[k] * im[k] + re[mirror] * re[mirror] + im[mirror] * im[mirror]) / 2;
            }
        }
        // Of a real, even series the transform is its own inverse but for the size.
        Arrays.fill(im, 0);
        transform(power, im, cos, sin);
        for (int lag = 0; lag <= most; lag++) {
            sums[lag] = power[lag] / size;
        }
        return sums;
    }

    /**
     * The steps after which a trajectory repeats, at most a third of its length and {@code longest}: the first high peak of the autocorrelation of the
     * increments of that coordinate which shows it best, because another may be noise; 0 when there is none. Single jumps are cut.
     */
    public static int period(double[][] rows, int longest) {
        int n = rows.length - 1;
        int most = Math.min(n / 3, longest);
        int best = 0;
        double height = 0;
        for (int c = 0; n > 0 && c < rows[0].length; c++) {
            double[] correlation = sums(List.of(increments(rows, c)), most + 1);
            for (int lag = 0; lag <= most + 1; lag++) {
                correlation[lag] /= Math.max(1, n - lag);
            }
            int lag = firstHighPeak(correlation);
            if (lag > 0 && correlation[lag] > height * correlation[0]) {
                best = refined(correlation, lag);
                height = correlation[lag] / correlation[0];
            }
        }
        return best;
    }

    /** A period is read more exactly from the peaks at its multiples, as long as they are high: noise moves each of them as little. */
    private static int refined(double[] correlation, int lag) {
        double period = lag;
        for (int k = 2; (k + NEAR) * period < correlation.length; k++) {
            int highest = (int) Math.rint((k - NEAR) * period);
            for (int i = highest; i < (k + NEAR) * period; i++) {
                highest = correlation[i] > correlation[highest] ? i : highest;
            }
            if (correlation[highest] < HIGH * correlation[0]) {
                break;
            }
            period = (double) highest / k;
        }
        return (int) Math.rint(period);
    }

    /** The increments of a coordinate, none larger than {@value #MAX_JUMP} times the median one. */
    private static double[] increments(double[][] rows, int c) {
        double[] increments = new double[rows.length - 1];
        double[] sizes = new double[increments.length];
        for (int t = 0; t < increments.length; t++) {
            increments[t] = rows[t + 1][c] - rows[t][c];
            sizes[t] = Math.abs(increments[t]);
        }
        Arrays.sort(sizes);
        double limit = MAX_JUMP * sizes[sizes.length / 2];
        for (int t = 0; limit > 0 && t < increments.length; t++) {
            increments[t] = Math.max(-limit, Math.min(limit, increments[t]));
        }
        return increments;
    }

    /**
     * The first peak of those nearly as high as the highest, 0 where there is none. It must be high, and stand clear of a valley before it: what fades
     * slowly has small peaks by chance. Noise of the observations is in the first lag alone, which is no valley.
     */
    private static int firstHighPeak(double[] correlation) {
        double least = HIGH * correlation[0];
        double lowest = Double.POSITIVE_INFINITY;
        List<Integer> peaks = new ArrayList<>();
        double highest = 0;
        for (int lag = 2; lag + 1 < correlation.length; lag++) {
            if (isPeak(correlation, lag) && correlation[lag] >= least && correlation[lag] - lowest >= least) {
                peaks.add(lag);
                highest = Math.max(highest, correlation[lag]);
            }
            lowest = Math.min(lowest, correlation[lag]);
        }
        for (int lag : peaks) {
            if (correlation[lag] >= NEARLY * highest) {
                return lag;
            }
        }
        return 0;
    }

    /** True if a lag has a higher value than its neighbours. */
    public static boolean isPeak(double[] correlation, int lag) {
        return correlation[lag] > correlation[lag - 1] && correlation[lag] >= correlation[lag + 1];
    }

    /** The discrete Fourier transform in place, decimation in time (Cooley and Tukey 1965); a power of two of entries. */
    private static void transform(double[] re, double[] im, double[] cos, double[] sin) {
        int n = re.length;
        for (int i = 1, j = 0; i < n; i++) {
            int bit = n >> 1;
            for (; (j & bit) != 0; bit >>= 1) {
                j ^= bit;
            }
            j ^= bit;
            if (i < j) {
                swap(re, i, j);
                swap(im, i, j);
            }
        }
        for (int half = 1; half < n; half *= 2) {
            int stride = n / (2 * half);
            for (int start = 0; start < n; start += 2 * half) {
                for (int k = 0; k < half; k++) {
                    int a = start + k;
                    int b = a + half;
                    double wr = cos[k * stride];
                    double wi = sin[k * stride];
                    double r = wr * re[b] - wi * im[b];
                    double i = wr * im[b] + wi * re[b];
                    re[b] = re[a] - r;
                    im[b] = im[a] - i;
                    re[a] += r;
                    im[a] += i;
                }
            }
        }
    }

    private static void swap(double[] values, int i, int j) {
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
