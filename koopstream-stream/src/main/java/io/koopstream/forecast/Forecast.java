package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.List;

/**
 * The expected observations after a start, how far they may be off, and how well the states on the way are known. Steps are counted from 1, coordinates
 * from 0. Immutable; any number of threads may ask at once.
 */
public final class Forecast {

    /** Source of the bands. */
    public enum BandSource {
        /** Paths simulated with residuals of held-out pairs. */
        HELD_OUT_PATHS,
        /** Paths simulated with Gaussians as wide as what the regression misses by cross-validation: too few pairs were held out to calibrate them. */
        FITTED_PATHS,
        /** The distribution on kept points whose embedding is nearest to the operator's: without held-out pairs nothing says how true it is. */
        OPERATOR,
        /** There is none: it was not asked for, or nothing is known. Quantiles and spreads are NaN. */
        UNKNOWN
    }

    private final double[][] mean;
    private final double[] known;
    /** Ascending values for each step and coordinate; null without simulated paths. */
    private final double[][][] sorted;

    /** Quantiles of further outputs of the paths. */
    private final double[][][] outputs;

    private final double[][] pathMeans;
    private final Calibration calibration;
    /** Null unless the operator gives the band. */
    private final StateDistribution[] distributions;

    /**
     * @param known at the start and after every step
     * @param sorted for each step and coordinate the simulated values, ascending; null without
     * @param outputs the same for further outputs of the paths; null without
     * @param calibration null where held-out pairs say nothing about simulated paths
     * @param distributions null unless they give the band
     */
    Forecast(
            double[][] mean,
            double[] known,
            double[][][] sorted,
            double[][][] outputs,
            Calibration calibration,
            StateDistribution[] distributions) {
        this.mean = mean;
        this.known = known;
        this.sorted = sorted;
        this.outputs = outputs;
        this.calibration = calibration;
        this.distributions = distributions;
        this.pathMeans = sorted == null ? null : means(sorted);
    }

    private static double[][] means(double[][][] sorted) {
        double[][] means = new double[sorted.length][];
        for (int s = 0; s < means.length; s++) {
            means[s] = means(sorted[s]);
        }
        return means;
    }

    /** The mean of the simulated values of each coordinate. */
    static double[] means(double[][] samples) {
        return Arrays.stream(samples)
                .mapToDouble(values -> Arrays.stream(values).average().orElseThrow())
                .toArray();
    }

    /** Number of steps. */
    public int steps() {
        return mean.length;
    }

    /** The expected observation at a step, copied. */
    public double[] mean(int step) {
        return mean[index(step)].clone();
    }

    double[][] means() {
        return mean;
    }

    /** Source of the bands. */
    public BandSource bandSource() {
        if (sorted == null) {
            return distributions != null ? BandSource.OPERATOR : BandSource.UNKNOWN;
        }
        return calibration == null ? BandSource.FITTED_PATHS : BandSource.HELD_OUT_PATHS;
    }

    /**
     * Knownness of the state, ‖β‖²/κ, from 0 (nothing like it was ever seen) to 1; see {@link Forecaster#WARN_BELOW}.
     *
     * @param step 0 for the start
     */
    public double known(int step) {
        return known[step == 0 ? 0 : index(step) + 1];
    }

    /**
     * The value that a coordinate stays below with probability {@code p}; NaN where that is unknown.
     *
     * @param p between 0 and 1, exclusive
     */
    public double quantile(int step, int coordinate, double p) {
        int s = index(step);
        requireLevel(p);
        if (coordinate < 0 || coordinate >= mean[s].length) {
            throw new InvalidQueryException(
                    "coordinate " + coordinate + ": an observation has coordinates 0 to " + (mean[s].length - 1));
        }
        if (distributions != null) {
            return distributions[s].quantile(coordinate, p);
        }
        if (sorted == null) {
            return Double.NaN;
        }
        double inner = 0.5 + Math.copySign(Math.min(0.4, Math.abs(p - 0.5)), p - 0.5);
        double off = deviation(s, coordinate, p);
        // Factors of outer levels are learned on their own: they must not bring them within inner ones.
        double least = deviation(s, coordinate, inner);
        return mean[s][coordinate] + (p < 0.5 ? Math.min(off, least) : Math.max(off, least));
    }

    private double deviation(int s, int c, double p) {
        double raw = interpolated(sorted[s][c], p) - pathMeans[s][c];
        if (calibration == null) {
            return raw;
        }
        int judged = calibration.judged(s + 1) - 1;
        double least = calibration.widening(s + 1) * (interpolated(sorted[judged][c], p) - pathMeans[judged][c]);
        return calibration.factor(s + 1, Math.abs(2 * p - 1)) * (p < 0.5 ? Math.min(raw, least) : Math.max(raw, least));
    }

    private static double interpolated(double[] sorted, double p) {
        double place = Math.max(0.0, Math.min(sorted.length - 1.0, p * (sorted.length + 1) - 1));
        int below = (int) Math.min(sorted.length - 2.0, place);
        return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
    }

    /** A quantile of every coordinate at every step: result[s][c] for step s + 1; a band is two of these. */
    public double[][] quantiles(double p) {
        double[][] result = new double[steps()][mean[0].length];
        for (int s = 0; s < result.length; s++) {
            for (int c = 0; c < result[s].length; c++) {
                result[s][c] = quantile(s + 1, c, p);
            }
        }
        return result;
    }

    /** The standard deviation of every coordinate at a step; NaN where that is unknown. */
    public double[] spread(int step) {
        int s = index(step);
        double[] spread = new double[mean[s].length];
        Arrays.fill(spread, Double.NaN);
        for (int c = 0; c < spread.length; c++) {
            if (sorted != null) {
                double squares = 0;
                for (double value : sorted[s][c]) {
                    squares += (value - pathMeans[s][c]) * (value - pathMeans[s][c]);
                }
                double factor = calibration == null ? 1 : calibration.factor(step, 0);
                spread[c] = factor * Math.sqrt(squares / (sorted[s][c].length - 1));
            } else if (distributions != null) {
                spread[c] = distributions[s].deviation(c);
            }
        }
        return spread;
    }

    /** The simulated values of a coordinate at a step as they came out, ascending, copied; empty without simulated paths. */
    public double[] samples(int step, int coordinate) {
        return sorted == null ? new double[0] : sorted[index(step)][coordinate].clone();
    }

    /**
     * The values around which the simulated futures of a coordinate gather, ascending, with the share of the paths that each has: more than one where
     * they separate clearly. Empty without simulated paths.
     */
    public List<Peak> modes(int step, int coordinate) {
        return sorted == null ? List.of() : Peak.of(sorted[index(step)][coordinate]);
    }

    /** The mean over simulated paths of what else was read off them; NaN without simulated paths. */
    double outputMean(int step, int output) {
        return outputs == null
                ? Double.NaN
                : Arrays.stream(outputs[index(step)][output]).average().orElseThrow();
    }

    /** The value that a further output of the paths stays below with probability {@code p}; NaN without simulated paths. */
    double outputQuantile(int step, int output, double p) {
        requireLevel(p);
        return outputs == null ? Double.NaN : interpolated(outputs[index(step)][output], p);
    }

    List<Peak> outputModes(int step, int output) {
        return outputs == null ? List.of() : Peak.of(outputs[index(step)][output]);
    }

    private static void requireLevel(double p) {
        if (!(p > 0 && p < 1)) {
            throw new InvalidQueryException(
                    "p = " + p + ": a quantile needs a level between 0 and 1, e.g. 0.05, 0.5, 0.95");
        }
    }

    private int index(int step) {
        if (step < 1 || step > mean.length) {
            throw new InvalidQueryException("step " + step + ": the forecast has steps 1 to " + mean.length);
        }
        return step - 1;
    }
}
