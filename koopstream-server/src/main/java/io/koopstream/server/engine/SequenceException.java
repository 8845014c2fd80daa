package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;

/** A batch whose numbers do not go on where its stream ended. Nothing of it was accepted. */
public final class SequenceException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the numbers. */
    public enum Kind {
        /** Numbers are missing before the first one of the batch. */
        GAP,
        /** A number came before with other contents. */
        CONFLICT,
        /** A number came so long before that nobody can say whether its contents were the same. */
        TOO_OLD
    }

    private final Kind kind;
    private final long expected;
    private final long given;

    /**
     * @param kind what is wrong
     * @param stream its stream
     * @param expected the number expected next
     * @param given the number at fault
     */
    SequenceException(Kind kind, String stream, long expected, long given) {
        super("stream '" + stream + "', number " + given + ": " + explain(kind, expected));
        this.kind = kind;
        this.expected = expected;
        this.given = given;
    }

    private static String explain(Kind kind, long expected) {
        return switch (kind) {
            case GAP -> "expected " + expected + "; send the missing samples first, or use another stream";
            case CONFLICT -> "arrived before with different contents; expected " + expected + " next";
            case TOO_OLD ->
                "older than the last " + StreamLedger.WINDOW + " numbers whose contents are remembered; expected "
                        + expected + " next";
        };
    }

    /** What is wrong. */
    public Kind kind() {
        return kind;
    }

    /** The number expected next. */
    public long expected() {
        return expected;
    }

    /** The number at fault. */
    public long given() {
        return given;
    }
}
