package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import io.koopstream.stream.LearningStreamState;
import java.util.Optional;

/**
 * What a model file holds.
 *
 * @param state the learner's state
 * @param labels what its coordinates are called; {@link StateLabels#NONE} when the file does not say
 * @param resumable the state of the stream that learned it, to go on from; null when the file has none
 */
public record StoredModel(LearnerState state, StateLabels labels, StoredStream resumable) {

    /** A model without the stream that learned it. */
    public StoredModel(LearnerState state, StateLabels labels) {
        this(state, labels, null);
    }

    /**
     * The model of a stream, which can be gone on with bit for bit. The model itself has learned everything, also what waits in the stream for its
     * block to be full.
     *
     * @param shown what the model answers with: the settled state of the stream's learner
     */
    public static StoredModel of(LearningStreamState stream, LearnerState shown, StateLabels labels) {
        return new StoredModel(shown, labels, new StoredStream(StreamFile.encode(stream)));
    }

    /** The stream that learned it, to go on from; empty when the file has none. */
    public Optional<LearningStreamState> stream() {
        return Optional.ofNullable(resumable).map(StoredStream::state);
    }
}
