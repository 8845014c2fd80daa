package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Projection;
import io.koopstream.stream.LearningStreamState;
import java.util.Optional;

/**
 * What a model file holds.
 *
 * @param state the learner's state
 * @param labels what its coordinates are called; {@link StateLabels#NONE} when the file does not say
 * @param resumable the state of the stream that learned it, to go on from; null when the file has none
 * @param projection of the columns to the coordinates that were learned; null when these are the columns
 */
public record StoredModel(LearnerState state, StateLabels labels, StoredStream resumable, Projection projection) {

    /** A model without the stream that learned it. */
    public StoredModel(LearnerState state, StateLabels labels) {
        this(state, labels, null, null);
    }

    /**
     * The model of a stream, which can be gone on with bit for bit. The model itself has learned everything, also what waits in the stream for its
     * block to be full.
     *
     * @param shown what the model answers with: the settled state of the stream's learner
     */
    public static StoredModel of(LearningStreamState stream, LearnerState shown, StateLabels labels) {
        return new StoredModel(shown, labels, new StoredStream(StreamFile.encode(stream)), null);
    }

    /** The same of rows that were projected before they were learned. */
    public StoredModel projectedBy(Projection columns) {
        return new StoredModel(state, labels, resumable, columns);
    }

    /**
     * Returns this model where rows are learned as they come.
     *
     * @throws ModelFormatException if it was learned from projected rows
     */
    public StoredModel requireColumns() {
        if (projection != null) {
            throw new ModelFormatException(
                    ModelFormatException.Reason.UNSUPPORTED,
                    "model",
                    -1,
                    "a model of the columns themselves",
                    "one of " + projection.rank() + " coordinates of " + projection.dimension()
                            + " columns, which only the koop command reads and forecasts",
                    null);
        }
        return this;
    }

    /** The stream that learned it, to go on from; empty when the file has none. */
    public Optional<LearningStreamState> stream() {
        return Optional.ofNullable(resumable).map(StoredStream::state);
    }
}
