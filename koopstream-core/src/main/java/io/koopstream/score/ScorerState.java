package io.koopstream.score;

import io.koopstream.InvalidStateException;
import java.util.List;

/**
 * Everything a {@link Scorer} needs to go on.
 *
 * @param predictor what predicts; null before there is one
 * @param lambda the ridge it was found with; NaN where none was
 * @param nextChoice the pair before which the ridge is chosen anew
 * @param nextRenewal the pair before which the predictor is taken anew
 * @param judged observations that were judged
 * @param sizes usual size of the residual of each coordinate
 * @param nearSums for each kept state the sum of residuals near to it
 * @param nearCounts for each kept state the number of residuals near to it
 * @param residuals past residuals
 * @param evidences past means over the window
 * @param rarities past rarities of states
 * @param lastingRarity mean rarity of the last states
 * @param window evidence of the last residuals, oldest first
 * @param held observations of the present alarm that did not enter the past
 * @param quiet observations since the last one that was odd
 * @param alarms alarms so far
 * @param heldBack observations that were not to be learned
 * @param heldBackInARow the last ones of them that followed each other
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
     * Numbers of the past with the tail that was fitted to them.
     *
     * @param values oldest first
     * @param threshold where the tail begins; NaN before it was fitted, like the others
     * @param scale of the tail
     * @param shape of the tail
     * @param sinceFit numbers added since it was fitted
     */
    public record Past(List<Double> values, double threshold, double scale, double shape, int sinceFit) {

        /** Refuses what cannot be. */
        public Past {
            values = List.copyOf(values);
            TailDistribution.require(values, threshold, scale, shape, sinceFit);
        }
    }
}
