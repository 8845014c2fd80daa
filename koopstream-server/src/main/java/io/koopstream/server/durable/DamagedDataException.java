package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;

/** Stored bytes that are not what was written. Nothing of them is used. */
public final class DamagedDataException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final String source;
    private final long offset;
    private final String fault;

    /**
     * @param source what was read: the name of a file, or of a part of one
     * @param offset where, in bytes; -1 when it is the whole
     * @param expected what should be there
     * @param actual what is there
     */
    public DamagedDataException(String source, long offset, String expected, String actual) {
        this(source, offset, fault(source, offset, expected, actual));
    }

    private DamagedDataException(String source, long offset, String fault) {
        super(
                fault
                        + "; restore the model from a backup (koop restore), or continue without the lost data (koop repair --accept-loss)");
        this.source = source;
        this.offset = offset;
        this.fault = fault;
    }

    private static String fault(String source, long offset, String expected, String actual) {
        return source + (offset < 0 ? "" : " at byte " + offset) + ": expected " + expected + ", found " + actual;
    }

    /** What is wrong, without what to do about it: for whoever is doing it. */
    public static String fault(Throwable problem) {
        return problem instanceof DamagedDataException damaged ? damaged.fault : String.valueOf(problem.getMessage());
    }

    /** What was read. */
    public String source() {
        return source;
    }

    /** Where, in bytes; -1 when it is the whole. */
    public long offset() {
        return offset;
    }
}
