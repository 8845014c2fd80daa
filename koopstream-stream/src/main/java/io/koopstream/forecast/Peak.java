package io.koopstream.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A value around which possible futures gather.
 *
 * @param value the median of the paths that belong to it
 * @param mass the share of the paths
 */
public record Peak(double value, double mass) {

    private static final int GRID = 128;

    /** Peaks are apart when the density between them falls below this share of the lower one. */
    private static final double MAX_VALLEY = 0.5;

    private static final double MIN_MASS = 0.05;

    /**
     * The peaks of a sample's density, from left to right: a Gaussian kernel density estimate, its width after Silverman (Density Estimation, 1986, 3.31)
     * with the smaller of standard deviation and interquartile range. One when none
     * separate.
     *
     * @param sorted the sample, ascending
     */
    static List<Peak> of(double[] sorted) {
        int n = sorted.length;
        double low = sorted[0];
        double range = sorted[n - 1] - low;
        if (!(range > 0)) {
            return List.of(new Peak(low, 1));
        }
        double mean = Arrays.stream(sorted).average().orElseThrow();
        double squares = Arrays.stream(sorted).map(v -> (v - mean) * (v - mean)).sum();
        double quartiles = (sorted[3 * n / 4] - sorted[n / 4]) / 1.34;
        double deviation = Math.sqrt(squares / n);
        double spread = quartiles > 0 ? Math.min(deviation, quartiles) : deviation;
        double width = Math.max(0.9 * spread * StrictMath.pow(n, -0.2), range / GRID);
        return split(sorted, density(sorted, low, range, width), low, range);
    }

    /** On a grid, from counts at its points that are shared out linearly: the kernel is needed once per distance, not per value. */
    private static double[] density(double[] sorted, double low, double range, double width) {
        double[] counts = new double[GRID];
        for (double value : sorted) {
            double place = (value - low) / range * (GRID - 1);
            int below = (int) Math.min(GRID - 2.0, place);
            counts[below] += below + 1 - place;
            counts[below + 1] += place - below;
        }
        double[] kernel = new double[GRID];
        for (int g = 0; g < GRID; g++) {
            double z = range * g / (GRID - 1) / width;
            kernel[g] = z * z < 60 ? StrictMath.exp(-0.5 * z * z) : 0;
        }
        double[] density = new double[GRID];
        for (int g = 0; g < GRID; g++) {
            for (int h = 0; h < GRID; h++) {
                density[g] += counts[h] * kernel[Math.abs(g - h)];
            }
        }
        return density;
    }

    /** Walks from peak to peak and cuts at the valleys that are deep enough, each side with enough mass. */
    private static List<Peak> split(double[] sorted, double[] density, double low, double range) {
        List<Peak> peaks = new ArrayList<>();
        int n = sorted.length;
        int begin = 0;
        double top = density[0];
        int valley = 0;
        for (int g = 1; g < GRID; g++) {
            boolean isPeak = density[g] >= density[g - 1] && (g + 1 == GRID || density[g] > density[g + 1]);
            if (isPeak && density[valley] < MAX_VALLEY * Math.min(top, density[g])) {
                double border = low + range * valley / (GRID - 1);
                int cut = (int) Arrays.stream(sorted).filter(v -> v < border).count();
                boolean left = cut - begin >= MIN_MASS * n;
                if (left && n - cut >= MIN_MASS * n) {
                    peaks.add(peak(sorted, begin, cut));
                    begin = cut;
                }
                if (!left || begin == cut) {
                    top = density[g];
                    valley = g;
                }
            }
            if (density[g] > top && density[valley] >= MAX_VALLEY * top) {
                top = density[g];
                valley = g;
            }
            valley = density[g] < density[valley] ? g : valley;
        }
        peaks.add(peak(sorted, begin, n));
        return peaks;
    }

    private static Peak peak(double[] sorted, int from, int to) {
        return new Peak(sorted[(from + to) / 2], (double) (to - from) / sorted.length);
    }
}
