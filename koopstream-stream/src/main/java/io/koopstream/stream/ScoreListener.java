package io.koopstream.stream;

import io.koopstream.rows.Observation;
import io.koopstream.score.Score;

/** Told of every observation that is scored, in their order, also when those that waited for settings are learned at last. */
@FunctionalInterface
public interface ScoreListener {

    /**
     * An observation was scored, and learned if it could be.
     *
     * @param observation as it came, or as it was filled in
     * @param score null when there was nothing to score: it came late or twice, was refused, or completed no state
     */
    void scored(Observation observation, Score score);
}
