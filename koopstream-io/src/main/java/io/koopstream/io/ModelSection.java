package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import java.util.Map;

/** What one learning method adds to the texts and tensors that all share, both ways. */
interface ModelSection {

    /** Adds the texts of a state's settings and counters. */
    void putTexts(LearnerState state, Map<String, String> texts);

    /** Adds the tensors of a state, shared with it. */
    void putTensors(LearnerState state, ModelTensors tensors);

    /** The state in a file, checked by the core, without the samples that wait for their block. */
    LearnerState read(ModelMetadata metadata, CustomSchedules schedules, ModelTensors tensors);

    /** The state that reading would give for these tensors of a state, checked by the core. */
    LearnerState restore(LearnerState state, ModelTensors tensors);
}
