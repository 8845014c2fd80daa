package io.koopstream;

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

    /** Refuses a part unless something holds of it. */
    public static void require(boolean holds, String part, String problem) {
        if (!holds) {
            throw new InvalidStateException(part, problem);
        }
    }

    /** The part at fault. */
    public String part() {
        return part;
    }
}
