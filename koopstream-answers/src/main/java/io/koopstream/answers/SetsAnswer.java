package io.koopstream.answers;

import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.io.Json;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import java.util.List;

/**
 * Metastable sets of a model, which the process seldom leaves.
 *
 * @param of which model it is about
 * @param dt how long a step lasts
 * @param timeUnit what times are counted in
 * @param k number of sets
 * @param sizes states in each of them: of those kept, or of those that were given
 * @param unassigned states where nothing was learned
 * @param sets centre, share of the time and mean exit time of each
 */
@SuppressWarnings("ArrayRecordComponent") // made here and read once
public record SetsAnswer(
        Version of, double dt, String timeUnit, int k, long[] sizes, long unassigned, List<SetFacts> sets)
        implements Json.Part {

    /** The seed of the clustering unless somebody says another: a question about a model has one answer. */
    public static final long SEED = 1;

    /** The sets of a model with its kept states counted. */
    public static SetsAnswer of(LearnedModel model, Regularised learned, MetastableSets sets, Clock clock) {
        long[] counts = new long[sets.count() + 1];
        int[] assigned = model.compute(() -> sets.assign(learned.operator().inputPoints()));
        for (int set : assigned) {
            counts[set + 1]++;
        }
        return of(model, learned, sets, clock, counts);
    }

    /**
     * The sets of a model with other states counted.
     *
     * @param counts states without a set, then those of each set
     */
    public static SetsAnswer of(
            LearnedModel model, Regularised learned, MetastableSets sets, Clock clock, long[] counts) {
        double[][] visited = model.leastSquares()
                .map(LeastSquaresState::holdOut)
                .map(aside -> aside.inputs())
                .orElse(new double[0][]);
        long[] sizes = new long[sets.count()];
        System.arraycopy(counts, 1, sizes, 0, sizes.length);
        return new SetsAnswer(
                model.version(),
                clock.dt(),
                clock.timeUnit(),
                sets.count(),
                sizes,
                counts[0],
                model.compute(() -> SetFacts.of(learned.operator(), sets, visited, clock.dt())));
    }
}
