package io.koopstream.learner;

import io.koopstream.KoopstreamException;

/** States whose statistics do not add up, because they are not about the same dictionary or the same settings. */
public final class IncompatibleStatesException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** The property that the states do not share. */
    public enum Difference {
        /** There is no state at all. */
        NONE_GIVEN,
        /** Kernel, dimension, λ or forgetting. */
        SETTINGS,
        /** The kept inputs, or their factor. */
        INPUTS,
        /** The kept outputs, or their factor. */
        OUTPUTS,
        /** The deltas sent before: a difference is missing, or has come twice. */
        EPOCH
    }

    private final Difference difference;

    /**
     * @param difference what they do not share
     * @param message which state, what is different, and what to do instead
     */
    public IncompatibleStatesException(Difference difference, String message) {
        super(message);
        this.difference = difference;
    }

    /** The property that the states do not share. */
    public Difference difference() {
        return difference;
    }
}
