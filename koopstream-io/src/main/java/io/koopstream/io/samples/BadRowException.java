package io.koopstream.io.samples;

import io.koopstream.KoopstreamException;

/** One row that cannot be learned from. Reading may go on after it; the trajectory is interrupted there. */
public final class BadRowException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final long row;
    private final String trajectory;

    /**
     * @param source the file, or standard input
     * @param row the line or row, from 1
     * @param column the column's name, or null when it is the row as a whole
     * @param problem what was found and what was expected
     * @param trajectory the trajectory it belongs to, or null when that is unknown or there is one only
     */
    public BadRowException(String source, long row, String column, String problem, String trajectory) {
        super(source + ", line " + row + (column == null ? "" : ", column '" + column + "'") + ": " + problem);
        this.row = row;
        this.trajectory = trajectory;
    }

    /** The line or row, from 1. */
    public long row() {
        return row;
    }

    /** The trajectory it belongs to, or null when that is unknown or there is one only. */
    public String trajectory() {
        return trajectory;
    }
}
