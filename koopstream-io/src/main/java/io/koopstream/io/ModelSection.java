package io.koopstream.io;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.MethodConfig;
import java.util.Map;

/** What one learning method adds to the texts and tensors that all share, both ways. */
interface ModelSection {

    /** Adds the texts of a state's settings and counters. */
    void putTexts(LearnerState state, Map<String, String> texts);

    /** The settings in the texts of a file. */
    MethodConfig config(ModelMetadata metadata, CustomSchedules schedules);

    /** Adds the counts and numbers of a state that are texts in a file, beside the counters of all methods. */
    void putCounts(ModelMetadata metadata, ModelTensors tensors);

    /** The state with these parts, checked by the core. */
    LearnerState read(MethodConfig config, ModelTensors tensors);
}
