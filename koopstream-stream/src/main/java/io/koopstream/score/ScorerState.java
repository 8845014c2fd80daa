package io.koopstream.score;

import io.koopstream.InvalidStateException;
import java.util.Collections;
import java.util.List;

/**
 * Everything a {@link Scorer} needs to continue.
 *
 * @param predictor what predicts; null before there is one
 * @param lambda the ridge it was found with; NaN where none was
 * @param nextChoice the pair before which the ridge is chosen again
 * @param nextRenewal the pair before which the predictor is renewed
 * @param judged observations that were judged
 * @param sizes usual size of the residual of each coordinate
 * @param nearSums for each kept state the sum of residuals near to it
 * @param nearCounts for each kept state the number of residuals near to it
 * @param residuals past residuals
 * @param evidences past means over the window
 * @param rarities past rarities of states
 * @param lastingRarity mean rarity of the last states
 * @param excesses past distances from the season
 * @param lastingExcess mean distance of the last observations from the season
 * @param season what is remembered of it
 * @param window evidence of the last residuals, oldest first
 * @param held observations of the present alarm that did not enter the past
 * @param quiet observations since the last one that was odd
 * @param alarms alarms so far
 * @param heldBack observations that were not to be learned
 * @param heldBackInARow the last ones of them with no quiet in between
 */
public record ScorerState(
        OneStep predictor,
        double lambda,
        long nextChoice,
        long nextRenewal,
        long judged,
        List<Double> sizes,
        List<Double> nearSums,
        List<Double> nearCounts,
        Past residuals,
        Past evidences,
        Past rarities,
        double lastingRarity,
        Past excesses,
        double lastingExcess,
        Cycle season,
        List<Double> window,
        int held,
        int quiet,
        long alarms,
        long heldBack,
        int heldBackInARow) {

    /** Keeps its own lists; refuses what no scorer can have. */
    public ScorerState {
        sizes = List.copyOf(sizes);
        nearSums = List.copyOf(nearSums);
        nearCounts = List.copyOf(nearCounts);
        window = List.copyOf(window);
        int kept = predictor == null ? 0 : predictor.basis().size();
        boolean fits = window.size() == Scorer.WINDOW
                && nearSums.size() == kept
                && nearCounts.size() == kept
                && (predictor == null || predictor.readout().columns() == sizes.size())
                && judged >= 0
                && lastingRarity >= 0
                && lastingRarity < Double.POSITIVE_INFINITY
                && lastingExcess >= 0
                && lastingExcess < Double.POSITIVE_INFINITY
                && held >= 0
                && held <= Scorer.MAX_HOLD
                && quiet >= 0
                && quiet <= Scorer.REARM
                && alarms >= 0
                && heldBack >= 0
                && heldBackInARow >= 0
                && heldBackInARow <= Scorer.MAX_HELD_BACK + 1
                && nextChoice >= 0
                && nextRenewal >= 0
                && (Double.isNaN(lambda) || lambda > 0);
        for (List<Double> numbers : List.of(sizes, nearSums, nearCounts, window)) {
            fits &= numbers.stream().allMatch(v -> v >= 0 && v < Double.POSITIVE_INFINITY);
        }
        if (!fits) {
            throw new InvalidStateException("scores", "numbers that no scorer can have");
        }
    }

    /**
     * The past in which a period is sought.
     *
     * @param history observations, oldest first, NaN where there was none
     * @param last position of the newest
     * @param period the period, 0 where there is none
     * @param units standard deviation of each coordinate when it was found
     * @param untilSearch observations until it is searched again
     */
    public record Cycle(List<Double> history, long last, int period, List<Double> units, int untilSearch) {

        /** Before anything was seen, of observations with so many coordinates. */
        public static Cycle none(int width) {
            return new Cycle(List.of(), 0, 0, Collections.nCopies(width, 0.0), Season.MIN_HISTORY);
        }

        /** Refuses what cannot be. */
        public Cycle {
            history = List.copyOf(history);
            units = List.copyOf(units);
            boolean sound = history.size() <= Season.MAX_NUMBERS
                    && period >= 0
                    && untilSearch > 0
                    && untilSearch <= 8 * Season.MAX_HISTORY
                    && units.stream().allMatch(v -> v >= 0 && v < Double.POSITIVE_INFINITY);
            if (!sound || history.stream().anyMatch(v -> v.isInfinite())) {
                throw new InvalidStateException("scores", "a season that cannot be");
            }
        }
    }

    /**
     * Numbers of the past with the tail that was fitted to them.
     *
     * @param values oldest first
     * @param threshold where the tail begins; NaN before it was fitted, like the others
     * @param scale of the tail
     * @param shape of the tail
     * @param sinceFit numbers added since it was fitted
     * @param peaks heights of past alarms, oldest first
     * @param peak height of the present one; NaN while there is none
     */
    public record Past(
            List<Double> values,
            double threshold,
            double scale,
            double shape,
            int sinceFit,
            List<Double> peaks,
            double peak) {

        /** Before anything was seen. */
        public static final Past NONE =
                new Past(List.of(), Double.NaN, Double.NaN, Double.NaN, 0, List.of(), Double.NaN);

        /** Refuses what cannot be. */
        public Past {
            values = List.copyOf(values);
            peaks = List.copyOf(peaks);
            TailDistribution.require(values, threshold, scale, shape, sinceFit, peaks, peak);
        }
    }
}
