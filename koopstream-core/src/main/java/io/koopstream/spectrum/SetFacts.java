package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Key figures of a metastable set.
 *
 * @param centre the mean of its states, in the coordinates of a state
 * @param population the share of time spent in it in the long run; NaN when the sets do not determine it
 * @param meanExitTime how long the process stays before it settles in another set; NaN when the sets do not determine it
 */
@SuppressWarnings("ArrayRecordComponent") // made here and read once
public record SetFacts(double[] centre, double population, double meanExitTime) {

    /** Fewer states than this say too little about where a set is. */
    private static final int MIN_STATES = 5;

    /**
     * The facts of every set.
     *
     * @param visited states as the process visits them, such as those held out, for the centres; may be empty, and sets of which they hold too
     *     few have the mean of the operator's kept states instead
     * @param dt the time the operator's step takes
     */
    public static List<SetFacts> of(KoopmanOperator operator, MetastableSets sets, double[][] visited, double dt) {
        double[][] kept = operator.inputPoints();
        double[][] centres = means(kept, sets, 1);
        double[][] better = means(visited, sets, MIN_STATES);
        double[] populations = new double[sets.count()];
        double[] exits = new double[sets.count()];
        try {
            SetTransitions transitions = SetTransitions.of(operator, sets, kept, dt);
            populations = transitions.populations();
            for (int s = 0; s < exits.length; s++) {
                exits[s] = transitions.meanExitTime(s);
            }
        } catch (InvalidQueryException e) {
            // Sets without a simplex, as of a rotation that the number of sets cuts in two.
            Arrays.fill(populations, Double.NaN);
            Arrays.fill(exits, Double.NaN);
        }
        List<SetFacts> facts = new ArrayList<>();
        for (int s = 0; s < sets.count(); s++) {
            facts.add(new SetFacts(better[s] == null ? centres[s] : better[s], populations[s], exits[s]));
        }
        return facts;
    }

    /** The mean state of every set; null for a set with fewer states than asked for. */
    private static double[][] means(double[][] states, MetastableSets sets, int least) {
        double[][] sums = new double[sets.count()][];
        int[] counts = new int[sets.count()];
        int[] labels = sets.assign(states);
        for (int i = 0; i < states.length; i++) {
            int set = labels[i];
            if (set != MetastableSets.NONE) {
                counts[set]++;
                sums[set] = sums[set] == null ? new double[states[i].length] : sums[set];
                Vectors.axpy(1, states[i], sums[set], 0, states[i].length);
            }
        }
        for (int s = 0; s < sums.length; s++) {
            if (counts[s] < least) {
                sums[s] = null;
            } else {
                Vectors.scale(1.0 / counts[s], sums[s], sums[s].length);
            }
        }
        return sums;
    }
}
