package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;

/** A name that a model has already. */
public final class ModelExistsException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** @param name the model */
    ModelExistsException(String name) {
        super("model " + name + " already exists; delete it first, or choose another name");
    }
}
