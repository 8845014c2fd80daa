package io.koopstream.flink.state;

import io.koopstream.KoopstreamException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Stored state that this job or this release cannot go on from. Thrown while a job restores, before anything is learned wrongly. No restart would
 * help, so Flink ends the job for good.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
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

    /** State that was learned with other settings than the job has. */
    public static IncompatibleStateException otherSettings(String learned, String job) {
        return new IncompatibleStateException(
                Reason.OTHER_SETTINGS,
                "the restored models were learned with " + learned + ", the job says " + job
                        + ": give the job the settings of the savepoint; or let existing keys keep theirs and apply these to new keys only"
                        + " (changedSettings: new-keys); or start it without the savepoint");
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }
}
