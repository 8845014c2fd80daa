package io.koopstream.answers;

import io.koopstream.InvalidQueryException;

/** A question that a model cannot answer before it has seen more rows. */
public final class NotReadyException extends InvalidQueryException {

    private static final long serialVersionUID = 1L;

    /** @param message says what is missing and what to do */
    public NotReadyException(String message) {
        super(message);
    }
}
