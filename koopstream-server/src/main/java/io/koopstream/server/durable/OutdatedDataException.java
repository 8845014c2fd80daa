package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;

/** Stored data of an older release that this one cannot go on from. Nothing of it is used, and nothing is wrong with it. */
public final class OutdatedDataException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final String source;

    /**
     * @param source what was read: the name of a file, or of a part of one
     * @param problem what is too old about it
     */
    public OutdatedDataException(String source, String problem) {
        super(source
                + ": was saved by an older release, and learning it again needs the log from the first sample on ("
                + problem
                + "); create the model again and send its samples, or keep using the release that saved it");
        this.source = source;
    }

    /** What was read. */
    public String source() {
        return source;
    }
}
