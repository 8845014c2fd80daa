package io.koopstream;

/** Root of every error Koopstream raises on purpose. Whatever throws one has left its state as it was. */
public class KoopstreamException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what was wrong, where, and what to do about it */
    public KoopstreamException(String message) {
        super(message);
    }

    /**
     * @param message what was wrong, where, and what to do about it
     * @param cause the error behind it
     */
    public KoopstreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
