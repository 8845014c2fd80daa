package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;

/** A model that accepts nothing any more. */
public final class ModelFailedException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /**
     * @param name the model
     * @param reason why, and what to do
     */
    ModelFailedException(String name, String reason) {
        super("model " + name + " accepts nothing: " + reason);
    }

    /**
     * @param name the model
     * @param reason why, and what to do
     * @param cause the error behind it
     */
    ModelFailedException(String name, String reason, Throwable cause) {
        super("model " + name + " accepts nothing: " + reason, cause);
    }
}
