package io.koopstream.stream;

import io.koopstream.forecast.ForecastRecord;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Carries the record of a stored stream on over rows that came after learning ended: every forecast is judged when its target comes, so that shares and
 * bands are those of the present, while the learner stays as it is. Rows that were learned are only remembered. One thread.
 *
 * <pre>{@code
 * LearningStream stream = LearningStream.of(StreamConfig.defaults());
 * for (double[] state : states) {
 *     stream.accept(Observation.of("sensor", state));
 * }
 * stream.endWarmUp();
 * LearningStreamState stored = stream.state();
 * Trajectories trajectories = stored.trajectories();
 * RecordFollower follower = RecordFollower.of(stored).orElseThrow();
 * Observation later = Observation.of("sensor", states[0]);
 * follower.accept(later, trajectories.next(later), trajectories.interval(), false);
 * double[][] shares = follower.record().shares(1); // of the members of a forecast of one row, as of now
 * }</pre>
 */
public final class RecordFollower {

    private final LeastSquaresState learned;
    private final ForecastRecord stored;
    private final ForecastRecord record;
    private final RecordKeeper keeper;
    private final Map<String, Double> ends;

    private RecordFollower(LearningStreamState state, LeastSquaresState learned) {
        this.learned = learned;
        stored = state.record();
        record = stored.copy();
        keeper = new RecordKeeper(state.preparation(), state.maxGap(), state.dimension());
        ends = state.trajectories().open().stream()
                .collect(Collectors.toMap(Trajectories.Open::name, Trajectories.Open::time));
    }

    /** A follower of a stream; empty where it has no record. */
    public static Optional<RecordFollower> of(LearningStreamState state) {
        return state.record() != null && state.learner().settled() instanceof LeastSquaresState learned
                ? Optional.of(new RecordFollower(state, learned))
                : Optional.empty();
    }

    /** True if a state's row is the one at which learning ended: the rows of the state, and all that the record remembers, are those. */
    public boolean endsWith(Observation observation, Outcome outcome) {
        return outcome.to() != null && stored.endsWith(observation.trajectory(), outcome.to());
    }

    /**
     * Takes the next row.
     *
     * @param outcome of trajectories that were given all rows in this order
     * @param interval time of a step; NaN when unknown
     * @param wasLearned true for rows up to the one at which learning ended; rows whose times say so need not be told
     */
    public void accept(Observation observation, Outcome outcome, double interval, boolean wasLearned) {
        double end = ends.getOrDefault(observation.trajectory(), Double.NaN);
        if (!wasLearned && !(observation.time() <= end)) {
            keeper.add(record, observation, outcome.from(), outcome.to(), interval, () -> learned);
        } else if (endsWith(observation, outcome)) {
            record.resume(observation.trajectory(), stored);
        } else {
            keeper.recall(record, observation, outcome.from(), outcome.to());
        }
    }

    /** The record as it stands, to be read only until the next row. */
    public ForecastRecord record() {
        return record;
    }
}
