package io.koopstream.forecast;

import io.koopstream.forecast.Backtest.Rival;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;

/** What a {@link Backtest} found. Errors are root mean squares. Immutable. */
public final class BacktestReport {

    /** Central probabilities of the bands that are judged. */
    public static final List<Double> LEVELS = List.of(0.8, 0.95);

    /** From this ratio to the best rival's error on, two digits say that nothing is gained. */
    private static final double NO_GAIN = 0.995;

    private final int[] horizons;
    private final double[] deviations;
    private final SortedSet<Integer> periods;
    private final int origins;
    /** [horizon][model, then rivals][coordinate]. */
    private final double[][][] squares;
    /** [horizon][level]. */
    private final double[][] covered;

    private final double[][] scores;

    private BacktestReport(Builder builder, SortedSet<Integer> periods) {
        horizons = builder.horizons;
        deviations = builder.deviations;
        this.periods = periods;
        origins = builder.counts[0];
        squares = builder.squares;
        covered = builder.covered;
        scores = builder.scores;
    }

    /** Sums on the way to a report. */
    static final class Builder {
        private final int[] horizons;
        private final double[] deviations;
        private final int[] counts;
        private final double[][][] squares;
        private final double[][] covered;
        private final double[][] scores;

        Builder(double[][] measured, int[] horizons) {
            this.horizons = horizons.clone();
            this.deviations = BacktestReport.deviations(measured);
            this.counts = new int[horizons.length];
            this.squares = new double[horizons.length][1 + Rival.values().length][deviations.length];
            this.covered = new double[horizons.length][LEVELS.size()];
            this.scores = new double[horizons.length][LEVELS.size()];
        }

        /** One origin at one horizon: the model, the observed value, and the rivals in their order. */
        void add(int h, ObservedForecast forecast, double[] truth, List<double[]> rivals) {
            counts[h]++;
            for (int k = 0; k <= rivals.size(); k++) {
                double[] mean = k == 0 ? forecast.mean(horizons[h]) : rivals.get(k - 1);
                for (int c = 0; c < truth.length; c++) {
                    squares[h][k][c] += (mean[c] - truth[c]) * (mean[c] - truth[c]);
                }
            }
            for (int l = 0; l < LEVELS.size(); l++) {
                double tail = (1 - LEVELS.get(l)) / 2;
                for (int c = 0; c < truth.length; c++) {
                    double low = forecast.quantile(horizons[h], c, tail);
                    double high = forecast.quantile(horizons[h], c, 1 - tail);
                    covered[h][l] += truth[c] >= low && truth[c] <= high ? 1.0 / truth.length : 0;
                    // Gneiting and Raftery, JASA 102, 2007, equation 43.
                    double missed = Math.max(0.0, Math.max(low - truth[c], truth[c] - high));
                    scores[h][l] += (high - low + missed / tail) / deviations[c] / truth.length;
                }
            }
        }

        BacktestReport build(SortedSet<Integer> periods) {
            return new BacktestReport(this, periods);
        }
    }

    /** Mean of each column. */
    static double[] means(double[][] rows) {
        double[] result = new double[rows[0].length];
        Arrays.setAll(
                result,
                c -> Arrays.stream(rows).mapToDouble(row -> row[c]).average().orElseThrow());
        return result;
    }

    /** Standard deviation of each column; 1 for one that does not vary. */
    static double[] deviations(double[][] rows) {
        double[] means = means(rows);
        double[] result = new double[means.length];
        for (double[] row : rows) {
            for (int c = 0; c < result.length; c++) {
                result[c] += (row[c] - means[c]) * (row[c] - means[c]) / rows.length;
            }
        }
        return Arrays.stream(result)
                .map(square -> square > 0 ? Math.sqrt(square) : 1)
                .toArray();
    }

    /** The horizons, ascending, copied. */
    public int[] horizons() {
        return horizons.clone();
    }

    /** Number of origins. */
    public int origins() {
        return origins;
    }

    /** The period of the seasonal rival at the last origins, the longest of several trajectories; 0 when none was found and it is persistence. */
    public int period() {
        return periods.last();
    }

    /** The {@link #period} as text: one number, or the shortest and the longest of trajectories that differ, where 0 is none. */
    public String periodText() {
        return periods.size() == 1 ? "" + period() : periods.first() + " to " + period();
    }

    /** The model's error of each coordinate in the data's units, at the horizon with this index. */
    public double[] errors(int horizon) {
        return roots(squares[horizon][0]);
    }

    /** A rival's error of each coordinate. */
    public double[] errors(int horizon, Rival rival) {
        return roots(squares[horizon][1 + List.of(Rival.values()).indexOf(rival)]);
    }

    private double[] roots(double[] sums) {
        return Arrays.stream(sums).map(sum -> Math.sqrt(sum / origins)).toArray();
    }

    /** The model's error over the standard deviation, over all coordinates. */
    public double relativeError(int horizon) {
        return relative(errors(horizon));
    }

    /** A rival's error over the standard deviation. */
    public double relativeError(int horizon, Rival rival) {
        return relative(errors(horizon, rival));
    }

    private double relative(double[] errors) {
        double sum = 0;
        for (int c = 0; c < errors.length; c++) {
            sum += errors[c] * errors[c] / (deviations[c] * deviations[c]) / errors.length;
        }
        return Math.sqrt(sum);
    }

    /** The share of observed values inside the band of {@link #LEVELS} with this index. */
    public double coverage(int horizon, int level) {
        return covered[horizon][level] / origins;
    }

    /** The mean interval score of a band over the standard deviation: its width, and what is missed times 2/(1 − level). Small is good. */
    public double intervalScore(int horizon, int level) {
        return scores[horizon][level] / origins;
    }

    /** The least error of the rivals over the standard deviation. */
    public double bestRival(int horizon) {
        return Arrays.stream(Rival.values())
                .mapToDouble(rival -> relativeError(horizon, rival))
                .min()
                .orElseThrow();
    }

    /** One sentence that says at which horizons the model is worth using. */
    public String verdict() {
        List<String> good = new ArrayList<>();
        List<String> bad = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (int h = 0; h < horizons.length; h++) {
            double ratio = relativeError(h) / bestRival(h);
            (ratio < NO_GAIN ? good : bad).add(Integer.toString(horizons[h]));
            least = Math.min(least, ratio);
        }
        if (good.isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "Not worth using: at every horizon (%s) a simple rival is as good or better, at best %.2f of its error.",
                    String.join(", ", bad),
                    least);
        }
        String best = String.format(Locale.ROOT, "at best %.2f of the best simple rival's error", least);
        return bad.isEmpty()
                ? "Worth using at every horizon (" + String.join(", ", good) + "): " + best + "."
                : "Worth using " + String.join(", ", good) + " steps ahead, " + best + "; not " + String.join(", ", bad)
                        + " steps ahead, where a simple rival is as good or better.";
    }
}
