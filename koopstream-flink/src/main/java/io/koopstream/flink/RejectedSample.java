package io.koopstream.flink;

import io.koopstream.InvalidSampleException;
import io.koopstream.io.EncodableText;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import java.util.Arrays;
import java.util.Optional;

/** A record that was not learned from, or not as one might think, with the reason. A POJO to Flink. */
public final class RejectedSample {

    /** Why. */
    public enum Reason {
        /** The record, its key or its state is missing. */
        NULL,
        /** The state has another number of coordinates than the model. */
        WRONG_DIMENSION,
        /** A coordinate, the step or the time is infinite, or a coordinate is not a number. */
        NOT_FINITE,
        /** A coordinate is so large that its square overflows. */
        TOO_LARGE,
        /** The state lies outside the domain on which the kernel was declared bounded. */
        OUTSIDE_DOMAIN,
        /** Its event time is older than the watermark and the allowed lateness. */
        LATE,
        /** Its step or time lies before the one that its trajectory has reached. */
        OUT_OF_ORDER,
        /** Its step or time is the one that its trajectory has reached. */
        DUPLICATE,
        /** Records are missing before it. It is not lost: the trajectory begins anew with it, only the pair over the gap is not made. */
        GAP,
        /** More trajectories were open than are followed at once: the one not seen for longest was given up, and begins anew if it comes back. */
        FORGOTTEN,
        /** It could not be read; trajectories that have no steps or times, or its own where that is known, begin anew. */
        UNREADABLE,
        /** An explicit pair, where states are made of several observations. */
        PAIR_WITH_DELAYS,
        /** It has no time, and its time is part of the state. */
        NO_TIME,
        /** Values are missing; its trajectory starts over, unless they are filled in. */
        MISSING,
        /** It was too unusual to be learned, and the setting {@code robust} holds such records back. */
        HELD_BACK,
        /** A question to a key that has no model yet. */
        NO_MODEL,
        /** A question that the model cannot answer, e.g. a forecast that leaves the range of numbers. */
        NO_ANSWER,
        /** A model that cannot be read or does not go together with the others. */
        BAD_MODEL;

        static Reason of(InvalidSampleException.Reason reason) {
            return switch (reason) {
                case NULL -> NULL;
                case WRONG_DIMENSION -> WRONG_DIMENSION;
                case NOT_FINITE -> NOT_FINITE;
                case TOO_LARGE -> TOO_LARGE;
                case OUTSIDE_DOMAIN -> OUTSIDE_DOMAIN;
                case PAIR_WITH_DELAYS -> PAIR_WITH_DELAYS;
                case NO_TIME -> NO_TIME;
            };
        }
    }

    /** The key it came with. */
    public String key;

    /** The trajectory it came with. */
    public String trajectory;

    /** Its step, NaN when unknown. */
    public double step = Double.NaN;

    /** Its time, NaN when unknown. */
    public double time = Double.NaN;

    /** Where it came from, in words; null when unknown. */
    public String place;

    /** Its state as it came; may be null. */
    public double[] state;

    /** The record as it came, where the source could not read it and has it; null otherwise. */
    public byte[] record;

    /** Why. */
    public Reason reason;

    /** What is wrong, where, and what to do, in one line. */
    public String message;

    /** For Flink, which fills the fields. */
    public RejectedSample() {}

    static RejectedSample of(String key, SampleEvent event, Reason reason, String message) {
        RejectedSample rejected = new RejectedSample();
        rejected.key = key;
        rejected.reason = reason;
        rejected.message = message;
        if (event != null) {
            rejected.trajectory = event.trajectory;
            rejected.step = event.step;
            rejected.time = event.time;
            rejected.place = event.place();
            rejected.state = event.state;
        }
        return rejected;
    }

    /**
     * Trajectories that were given up.
     *
     * @param event the record for which they were
     * @param last the last of them
     * @param count how many they are
     * @param most how many are followed at once
     */
    static RejectedSample forgotten(String key, SampleEvent event, Trajectories.Open last, long count, int most) {
        RejectedSample rejected = of(
                key,
                event,
                Reason.FORGOTTEN,
                "more than openTrajectories = " + most + " are open: "
                        + (count == 1
                                ? "this one, not seen for longest, is"
                                : "this one and " + (count - 1) + " more are")
                        + " dropped, and starts over if it returns; raise openTrajectories if that many are really open");
        rejected.trajectory = last.name();
        rejected.step = last.step();
        rejected.time = last.time();
        rejected.state =
                last.recent().isEmpty() ? null : last.recent().get(last.recent().size() - 1);
        return rejected;
    }

    /** A record with a name that a checkpoint would turn into another, or refuse when it is too late; empty when it has none. */
    static Optional<RejectedSample> unstorable(String key, SampleEvent event) {
        for (String name : Arrays.asList(event.trajectory, event.source)) {
            String objection = name == null ? null : EncodableText.objection(name);
            if (objection != null) {
                return Optional.of(of(key, event, Reason.UNREADABLE, "its name '" + name + "' " + objection));
            }
        }
        return Optional.empty();
    }

    /** What an outcome has to say about a record; empty when all is well. */
    static Optional<RejectedSample> of(String key, SampleEvent event, Outcome outcome) {
        String message = outcome.message();
        return switch (outcome.kind()) {
            case STARTED, WAITING, LEARNED, HELD_OUT -> Optional.empty();
            case HELD_BACK ->
                Optional.of(of(
                        key,
                        event,
                        Reason.HELD_BACK,
                        "rarer than one in a thousand: not learned, because robust is set; its trajectory continues"));
            case GAP -> Optional.of(of(key, event, Reason.GAP, message));
            case DUPLICATE -> Optional.of(of(key, event, Reason.DUPLICATE, message));
            case LATE -> Optional.of(of(key, event, Reason.OUT_OF_ORDER, message));
            case REFUSED ->
                Optional.of(of(
                        key,
                        event,
                        Reason.of(outcome.reason()),
                        message + (event.isPair() ? "; the pair is skipped" : "; its trajectory starts over")));
            case MISSING ->
                Optional.of(of(key, event, Reason.MISSING, "values are missing; no pair is made across them"));
            case UNREADABLE ->
                Optional.of(
                        event.unreadable
                                ? of(key, event, Reason.UNREADABLE, "it could not be read; no pair is made across it")
                                : of(key, event, Reason.NULL, "the record has no state; its trajectory starts over"));
        };
    }

    @Override
    public String toString() {
        return "RejectedSample(" + key + ", " + trajectory + ", step " + step + ", time " + time + ", "
                + Arrays.toString(state) + (place == null ? "" : ", from " + place) + ", " + reason + ": " + message
                + ")";
    }
}
