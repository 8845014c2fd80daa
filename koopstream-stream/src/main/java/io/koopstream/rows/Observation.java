package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Rkhs;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * One record of a stream: a row of a trajectory with its step or time where it has one, an explicit pair of states, or a record that could not be
 * read. Its arrays are neither copied nor kept beyond the call that takes it.
 *
 * @param trajectory its name; null only when it is unknown
 * @param step its number within the trajectory, or NaN
 * @param time its time, or NaN
 * @param values the coordinates; null for a record that could not be read
 * @param next the state one step later of an explicit pair; null otherwise
 * @param isFirst whether it is the first of its trajectory
 * @param row the number by which whoever sent it knows it; -1 when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too many to be wrapped
public record Observation(
        String trajectory, double step, double time, double[] values, double[] next, boolean isFirst, long row) {

    /** Kinds of saved observations; with {@link #NUMBERED} the row number follows. */
    private static final int UNREADABLE = 0;

    private static final int ROW = 1;
    private static final int PAIR = 2;
    private static final int FIRST = 3;
    private static final int NUMBERED = 16;

    /** A row that follows the one before in its trajectory; null and the empty name are one trajectory. */
    public static Observation of(String trajectory, double... values) {
        return at(trajectory, Double.NaN, Double.NaN, values);
    }

    /**
     * A row with its place in the trajectory.
     *
     * @param step its number, NaN when unknown
     * @param time its time, NaN when unknown; used where there is no step
     */
    public static Observation at(String trajectory, double step, double time, double... values) {
        return new Observation(trajectory == null ? "" : trajectory, step, time, values, null, false, -1);
    }

    /** A state and its successor, whatever came before. */
    public static Observation pair(double[] state, double[] next) {
        return new Observation("", Double.NaN, Double.NaN, state, next, false, -1);
    }

    /** A record that could not be read: nothing pairs across it. A trajectory of null is unknown, so it may have belonged to any. */
    public static Observation unreadable(String trajectory) {
        return new Observation(trajectory, Double.NaN, Double.NaN, null, null, false, -1);
    }

    /** This observation as the first of its trajectory: it follows nothing, whatever came under that name before. */
    public Observation asFirst() {
        return new Observation(trajectory, step, time, values, next, true, row);
    }

    /** This observation with the sender's row number. */
    public Observation withRow(long number) {
        return new Observation(trajectory, step, time, values, next, isFirst, number);
    }

    /** This observation with a number, where it has none. */
    public Observation numbered(long number) {
        return row > 0 ? this : withRow(number);
    }

    /** True if it is an explicit pair. */
    public boolean isPair() {
        return next != null;
    }

    /** True if it is a record that could not be read. */
    public boolean isUnreadable() {
        return values == null;
    }

    /** True if a value is missing: not a number. */
    public boolean isMissing() {
        return isMissing(values) || isMissing(next);
    }

    private static boolean isMissing(double[] numbers) {
        for (int c = 0; numbers != null && c < numbers.length; c++) {
            if (Double.isNaN(numbers[c])) {
                return true;
            }
        }
        return false;
    }

    /** A deep copy. */
    public Observation copy() {
        return new Observation(
                trajectory,
                step,
                time,
                values == null ? null : values.clone(),
                next == null ? null : next.clone(),
                isFirst,
                row);
    }

    /** @param withRow whether its row number is saved, where it has one */
    public void save(StateSink.Ordered sink, boolean withRow) {
        sink.flag("named", trajectory != null);
        if (trajectory != null) {
            sink.text("trajectory", trajectory);
        }
        sink.number("step", step);
        sink.number("time", time);
        boolean numbered = withRow && row > 0;
        int kind = isUnreadable() ? UNREADABLE : isPair() ? PAIR : isFirst ? FIRST : ROW;
        sink.code("kind", kind + (numbered ? NUMBERED : 0));
        if (!isUnreadable()) {
            sink.numbers("values", values);
        }
        if (isPair()) {
            sink.numbers("next", next);
        }
        if (numbered) {
            sink.count("row", row);
        }
    }

    /** Reads what {@link #save} wrote. */
    public static Observation read(StateSource.Ordered source) {
        String trajectory = source.flag("named") ? source.text("trajectory") : null;
        double step = source.number("step");
        double time = source.number("time");
        int code = source.code("kind");
        Observation observation = switch (code & ~NUMBERED) {
            case UNREADABLE -> unreadable(trajectory);
            case ROW -> at(trajectory, step, time, source.numbers("values"));
            case FIRST -> at(trajectory, step, time, source.numbers("values")).asFirst();
            case PAIR -> pair(source.numbers("values"), source.numbers("next"));
            default -> throw new InvalidStateException("observation", "kind " + code);
        };
        return (code & NUMBERED) != 0 ? observation.withRow(source.count("row")) : observation;
    }

    /** Number of coordinates it has; refuses one without any, or whose values are no point. */
    public int requireDimension() {
        if (values.length == 0) {
            throw new InvalidSampleException(
                    InvalidSampleException.Reason.WRONG_DIMENSION, -1, "an observation without coordinates");
        }
        requireDimension(values.length);
        return values.length;
    }

    /** Refuses values with another number of coordinates or some that are no numbers, and a step or time without end. */
    public void requireDimension(int dimension) {
        if (Double.isInfinite(step) || Double.isInfinite(time)) {
            throw new InvalidSampleException(
                    InvalidSampleException.Reason.NOT_FINITE, -1, "step " + step + ", time " + time);
        }
        if (values != null) {
            Rkhs.requirePoint(values, dimension, "observation");
        }
        if (next != null) {
            Rkhs.requirePoint(next, dimension, "observation");
        }
    }

    /** Refuses what {@link #requireDimension(int)} refuses, and values outside the domain of the space's kernel. */
    void requireIn(Rkhs space) {
        requireDimension(space.dimension());
        if (values != null) {
            space.requireSample(values, "observation");
        }
        if (next != null) {
            space.requireSample(next, "observation");
        }
    }

    /** Trajectory, time and row, in words. */
    String place() {
        return place(step, time);
    }

    static String place(double step, double time) {
        if (Double.isNaN(step) && !Double.isFinite(time)) {
            return "a record without step or time";
        }
        return Double.isNaN(step) ? "time " + time : "step " + step;
    }
}
