package io.koopstream.io;

import io.koopstream.learner.LearnerState;

/**
 * What a model file holds.
 *
 * @param state the learner's state
 * @param labels what its coordinates are called; {@link StateLabels#NONE} when the file does not say
 */
public record StoredModel(LearnerState state, StateLabels labels) {}
