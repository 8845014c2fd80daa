package io.koopstream;

/** A question that has no answer: a bad point, a horizon of zero, more eigenpairs than there are. */
public class InvalidQueryException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** @param message what was asked, why it cannot be answered, and what to ask instead */
    public InvalidQueryException(String message) {
        super(message);
    }

    /** Refuses a question unless something holds of it. */
    public static void require(boolean holds, String message) {
        if (!holds) {
            throw new InvalidQueryException(message);
        }
    }
}
