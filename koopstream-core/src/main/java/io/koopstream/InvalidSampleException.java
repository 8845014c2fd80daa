package io.koopstream;

/** A sample that cannot be learned from. The learner that refused it is unchanged, bit for bit. */
public final class InvalidSampleException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** The rule that a refused point breaks. */
    public enum Reason {
        /** The array itself is missing. */
        NULL,
        /** The array has another length than the space has dimensions. */
        WRONG_DIMENSION,
        /** A coordinate is NaN or infinite. */
        NOT_FINITE,
        /** A coordinate is so large that its square overflows. */
        TOO_LARGE,
        /** The point lies outside the domain on which the kernel was declared bounded. */
        OUTSIDE_DOMAIN,
        /** An explicit pair, where states are made of several observations. */
        PAIR_WITH_DELAYS,
        /** It has no time, and its time is part of the state. */
        NO_TIME
    }

    private final Reason reason;
    private final int index;

    /**
     * @param reason why
     * @param index the coordinate at fault, or -1 when it is the point as a whole
     * @param message what was wrong, where, and what to do
     */
    public InvalidSampleException(Reason reason, int index, String message) {
        super(message);
        this.reason = reason;
        this.index = index;
    }

    /** The rule that it breaks. */
    public Reason reason() {
        return reason;
    }

    /** The coordinate at fault, or -1 when it is the point as a whole. */
    public int index() {
        return index;
    }
}
