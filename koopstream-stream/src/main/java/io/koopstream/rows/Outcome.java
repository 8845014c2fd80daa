package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import java.util.Arrays;
import java.util.Objects;

/**
 * The outcome of an observation, with the states it led to; these are not to be changed.
 *
 * @param kind in one word
 * @param reason why it was refused; null when it was not
 * @param index the coordinate at fault; -1 when none is
 * @param message what is missing, late or wrong, in words; empty when all is well
 * @param from the first state of the pair it made; null when it made none
 * @param to the state it completed; null when it completed none
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their numbers below
public record Outcome(Kind kind, Reason reason, int index, String message, double[] from, double[] to) {

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

    /** The outcome of one that led to no state. */
    static Outcome of(Kind kind, String message) {
        return new Outcome(kind, null, -1, message, null, null);
    }

    /** A record that could not be read. */
    public static Outcome unreadable() {
        return of(Kind.UNREADABLE, "");
    }

    /** An observation of which values are missing. */
    public static Outcome missing() {
        return of(Kind.MISSING, "");
    }

    /** An observation that cannot be learned from. */
    public static Outcome refused(InvalidSampleException e) {
        return new Outcome(Kind.REFUSED, e.reason(), e.index(), e.getMessage(), null, null);
    }

    /** The outcome of its pair, now that it is known. */
    public Outcome as(Kind now) {
        return new Outcome(now, reason, index, message, from, to);
    }

    /** True if it made a pair. */
    public boolean isPair() {
        return from != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome outcome
                && kind == outcome.kind
                && reason == outcome.reason
                && index == outcome.index
                && message.equals(outcome.message)
                && Arrays.equals(from, outcome.from)
                && Arrays.equals(to, outcome.to);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, reason, index, message, Arrays.hashCode(from), Arrays.hashCode(to));
    }

    @Override
    public String toString() {
        return kind + (message.isEmpty() ? "" : " (" + message + ")") + " from " + Arrays.toString(from) + " to "
                + Arrays.toString(to);
    }
}
