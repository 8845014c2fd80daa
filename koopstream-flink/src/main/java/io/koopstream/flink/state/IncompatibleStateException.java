package io.koopstream.flink.state;

import io.koopstream.KoopstreamException;

/** Stored state that this job or this release cannot go on from. Thrown while a job restores, before anything is learned wrongly. */
public final class IncompatibleStateException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason {
        /** Written by a later release. */
        TOO_NEW,
        /** Written by an older release, in a way that cannot be gone on from. */
        TOO_OLD,
        /** Learned with other settings than the job has. */
        OTHER_SETTINGS,
        /** Not what was once written. */
        DAMAGED
    }

    private final Reason reason;

    /**
     * @param reason what is wrong
     * @param message what, where, and what to do
     */
    public IncompatibleStateException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * @param reason what is wrong
     * @param message what, where, and what to do
     * @param cause the error behind it
     */
    public IncompatibleStateException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }
}
