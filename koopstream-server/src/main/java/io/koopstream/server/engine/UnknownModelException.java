package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;

/** A name that no model has. */
public final class UnknownModelException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** @param name the name */
    public UnknownModelException(String name) {
        super("there is no model " + name + "; create it first");
    }
}
