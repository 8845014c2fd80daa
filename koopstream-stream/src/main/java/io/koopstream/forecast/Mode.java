package io.koopstream.forecast;

/** Source of the expected path. */
public enum Mode {
    /** Increments of the state, added step by step. */
    PATH,
    /** Powers of the learned operator. */
    OPERATOR,
    /** The best at each horizon on held-out runs: one of the two, or a mixture with the last observation and the last season. */
    AUTO
}
