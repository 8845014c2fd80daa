package io.koopstream.learner;

import io.koopstream.KoopstreamException;

/** Stored parts that do not make up a learner's state. */
public final class InvalidStateException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final String part;

    /**
     * @param part the part at fault
     * @param problem what is wrong with it
     */
    public InvalidStateException(String part, String problem) {
        super(part + ": " + problem);
        this.part = part;
    }

    /** The part at fault. */
    public String part() {
        return part;
    }
}
