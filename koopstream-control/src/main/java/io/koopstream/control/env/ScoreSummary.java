package io.koopstream.control.env;

import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.Locale;

/**
 * The distribution of episode scores (sums of rewards).
 *
 * @param episodes how many episodes
 * @param median the median
 * @param mean the mean
 * @param low 2.5 % quantile: the lower end of the interval that holds 95 % of the episodes
 * @param high 97.5 % quantile
 * @param min the worst episode
 * @param max the best episode
 */
public record ScoreSummary(int episodes, double median, double mean, double low, double high, double min, double max) {

    /** Summarises scores; quantiles are interpolated linearly between order statistics. */
    public static ScoreSummary of(double[] scores) {
        if (scores.length == 0) {
            throw new InvalidQueryException("the summary of no scores is not defined");
        }
        double[] sorted = scores.clone();
        Arrays.sort(sorted);
        double sum = 0;
        for (double score : sorted) {
            sum += score;
        }
        return new ScoreSummary(
                scores.length,
                quantile(sorted, 0.5),
                sum / sorted.length,
                quantile(sorted, 0.025),
                quantile(sorted, 0.975),
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private static double quantile(double[] sorted, double p) {
        double position = p * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "median %.1f, mean %.1f, 95 %% in [%.1f, %.1f], extremes %.1f and %.1f (%d episodes)",
                median,
                mean,
                low,
                high,
                min,
                max,
                episodes);
    }
}
