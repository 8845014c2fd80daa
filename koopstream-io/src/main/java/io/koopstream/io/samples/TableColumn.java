package io.koopstream.io.samples;

/**
 * A column of a source as it is read.
 *
 * @param name what it is called there
 * @param meaning what it is taken for
 */
public record TableColumn(String name, Meaning meaning) {

    /** What a column is taken for. */
    public enum Meaning {
        /** A coordinate of the state. */
        STATE,
        /** A coordinate of the next state. */
        NEXT,
        /** The time, or a part of it. */
        TIME,
        /** The number of the row within its trajectory. */
        STEP,
        /** The name of the trajectory. */
        TRAJECTORY,
        /** Text, which is not read. */
        TEXT,
        /** Something else that is not read. */
        SET_ASIDE
    }
}
