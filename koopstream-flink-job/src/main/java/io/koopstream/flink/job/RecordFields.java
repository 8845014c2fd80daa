package io.koopstream.flink.job;

import java.util.Arrays;

/** The fields of one record, in a holder that is used again for the next record; only its arrays are new, because samples keep them. */
final class RecordFields {

    /** The stream, or null when the record does not say. */
    String key;

    /** The trajectory; empty when the record does not say. */
    String trajectory;

    /** The number within the trajectory; not-a-number when the record does not say. */
    double step;

    /** The time; not-a-number when the record does not say. */
    double time;

    /** The state. */
    double[] state;

    /** The next state, or null. */
    double[] next;

    void begin(RecordLayout layout) {
        key = null;
        trajectory = "";
        step = Double.NaN;
        time = Double.NaN;
        state = new double[layout.dimension()];
        Arrays.fill(state, Double.NaN);
        next = layout.pairs() ? state.clone() : null;
    }
}
