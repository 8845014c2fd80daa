package io.koopstream.answers;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Start;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Inputs of rows to come, in order: dated ones go with the steps of the same times, others with the first steps after any start. Immutable. */
public final class FutureInputs {

    /** A row is of a step when it is nearer to it than to the next one. */
    private static final double NEAR = 0.5;

    private final double[][] rows;
    private final double[] times;

    /**
     * Inputs with their times.
     *
     * @param rows one array per row
     * @param times ascending; empty, or NaN throughout, where rows are not dated
     */
    public FutureInputs(List<double[]> rows, double... times) {
        this.rows = rows.stream().map(double[]::clone).toArray(double[][]::new);
        this.times = Arrays.stream(times).allMatch(Double::isFinite) ? times.clone() : new double[0];
        for (int i = 1; i < this.times.length; i++) {
            if (!(this.times[i] > this.times[i - 1])) {
                throw new InvalidQueryException(
                        "row " + (i + 1) + " of the future inputs is not later than the one before");
            }
        }
    }

    /** True if rows go with steps by their times. */
    public boolean isDated() {
        return times.length > 0;
    }

    /**
     * Number of steps after a start of which the inputs are known.
     *
     * @param model that is asked
     * @param clock how long a step lasts
     * @throws InvalidQueryException if there is none
     */
    public int reach(Start start, LearnedModel model, Clock clock) {
        int reach = after(start, model, clock, rows.length).length;
        if (reach == 0) {
            throw new InvalidQueryException("no row of the future inputs is one step after the start"
                    + (isDated() && rows.length > 0 ? ", which is at " + clock.at(start.time()) : ""));
        }
        return reach;
    }

    /** Inputs of the steps after a start, up to the first that is unknown or the given number of steps. */
    double[][] after(Start start, LearnedModel model, Clock clock, int steps) {
        double time = start.time();
        return after(time, step -> model.labels().time().maxGap().after(time, clock.interval(), step), steps);
    }

    /**
     * The inputs of the steps after a start, as far as they are known without a gap.
     *
     * @param time of the start; NaN when unknown
     * @param times of the steps, counted from 1
     * @param steps at most
     */
    private double[][] after(double time, IntToDoubleFunction times, int steps) {
        if (!isDated() || Double.isNaN(time)) {
            return Arrays.copyOf(rows, Math.min(steps, rows.length));
        }
        double near = NEAR * (times.applyAsDouble(1) - time);
        int[] found = IntStream.rangeClosed(1, steps)
                .map(s -> at(times.applyAsDouble(s), near))
                .takeWhile(i -> i >= 0)
                .toArray();
        return Arrays.stream(found).mapToObj(i -> rows[i]).toArray(double[][]::new);
    }

    /** The row of a time; -1 where there is none. */
    private int at(double time, double near) {
        int place = Arrays.binarySearch(times, time);
        int above = place >= 0 ? place : -place - 1;
        for (int i = Math.max(0, above - 1); i <= above && i < times.length; i++) {
            if (Math.abs(times[i] - time) < near) {
                return i;
            }
        }
        return -1;
    }
}
