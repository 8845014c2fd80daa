package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.learner.StepOutcome;

/**
 * The outcome of an observation.
 *
 * @param kind in one word
 * @param reason why it was refused; null when it was not
 * @param index the coordinate at fault; -1 when none is
 * @param message what is missing, late or wrong, in words; empty when all is well
 */
public record Outcome(Kind kind, Reason reason, int index, String message) {

    /** In one word. */
    public enum Kind {
        /** The first of its trajectory, or one more of the rows that the first delay vector needs. */
        STARTED,
        /** Starts a stretch because something is missing before it. */
        GAP,
        /** It made a pair that waits for settings to be chosen. */
        WAITING,
        /** It made a pair that was learned. */
        LEARNED,
        /** It made a pair that was held out. */
        HELD_OUT,
        /** It made a pair that was so unusual that it was not learned. */
        HELD_BACK,
        /** It has the step or the time of the one before; left out. */
        DUPLICATE,
        /** It belongs before the one before; left out, unless the next one follows it: then the trajectory started over with it. */
        LATE,
        /** Its values cannot be learned from; its trajectory starts over. */
        REFUSED,
        /** It could not be read; trajectories without steps or times start over. */
        UNREADABLE,
        /** Values are missing; its trajectory starts over, unless they are filled in when more has come. */
        MISSING
    }

    public static final Outcome STARTED = new Outcome(Kind.STARTED, null, -1, "");
    public static final Outcome WAITING = new Outcome(Kind.WAITING, null, -1, "");
    public static final Outcome UNREADABLE = new Outcome(Kind.UNREADABLE, null, -1, "");
    public static final Outcome MISSING = new Outcome(Kind.MISSING, null, -1, "");
    private static final Outcome LEARNED = new Outcome(Kind.LEARNED, null, -1, "");
    private static final Outcome HELD_OUT = new Outcome(Kind.HELD_OUT, null, -1, "");

    public static final Outcome HELD_BACK = new Outcome(Kind.HELD_BACK, null, -1, "");

    public static Outcome of(StepOutcome step) {
        return step == StepOutcome.HELD_OUT ? HELD_OUT : LEARNED;
    }

    public static Outcome refused(InvalidSampleException e) {
        return new Outcome(Kind.REFUSED, e.reason(), e.index(), e.getMessage());
    }

    /** True if it made a pair. */
    public boolean isPair() {
        return kind == Kind.WAITING || kind == Kind.LEARNED || kind == Kind.HELD_OUT || kind == Kind.HELD_BACK;
    }
}
