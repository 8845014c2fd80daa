package io.koopstream.forecast;

/** Source of the expected path. */
public enum Mode {
    /** Increments of the state, added step by step. */
    PATH,
    /** Powers of the learned operator. */
    OPERATOR,
    /** The mixture of all members that the record of forecasts suggests; the path where there is no record. */
    AUTO
}
