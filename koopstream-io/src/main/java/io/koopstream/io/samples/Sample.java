package io.koopstream.io.samples;

import io.koopstream.rows.Observation;

/** One row as a reader found it; readers fill the same object again and again. */
public final class Sample {

    private long row;
    private String key;
    private String trajectory;
    private double step = Double.NaN;
    private double time = Double.NaN;
    private double[] state = new double[0];
    private double[] next;
    private boolean first;

    /** Where the row stands in its source: the line of a text file, the row of an array, both from 1. */
    public long row() {
        return row;
    }

    /** The name of its stream, or null when it does not say. */
    public String key() {
        return key;
    }

    /** The name of its trajectory, or null when there is one only. */
    public String trajectory() {
        return trajectory;
    }

    /** Its number within the trajectory, or NaN when unknown. */
    public double step() {
        return step;
    }

    /** Its time, or NaN when unknown. */
    public double time() {
        return time;
    }

    /** The state; overwritten by the next row. */
    public double[] state() {
        return state;
    }

    /** The state one step later where the source holds explicit pairs, null elsewhere; overwritten by the next row. */
    public double[] next() {
        return next;
    }

    /** The row as a learning stream takes it; shares the arrays, which the next row overwrites. */
    public Observation observation() {
        if (next != null) {
            return Observation.pair(state, next);
        }
        Observation observation = Observation.at(trajectory, step, time, state);
        return first ? observation.asFirst() : observation;
    }

    void begin(long newRow, int dimension, boolean pair) {
        row = newRow;
        key = null;
        trajectory = null;
        step = Double.NaN;
        time = Double.NaN;
        first = false;
        if (state.length != dimension) {
            state = new double[dimension];
        }
        if (!pair) {
            next = null;
        } else if (next == null || next.length != dimension) {
            next = new double[dimension];
        }
    }

    /** Says that a trajectory starts here, whatever its name. */
    void setFirst() {
        first = true;
    }

    /** Forgets whose row it is: it cannot be taken apart. */
    public void forgetOwner() {
        key = null;
        trajectory = null;
    }

    void copyOf(Sample other) {
        copyOf(other, other.state.length);
        System.arraycopy(other.state, 0, state, 0, state.length);
        if (next != null) {
            System.arraycopy(other.next, 0, next, 0, next.length);
        }
    }

    /** Takes over all but the numbers of the state, of which there are to be so many. */
    void copyOf(Sample other, int dimension) {
        begin(other.row, dimension, other.next != null);
        key = other.key;
        trajectory = other.trajectory;
        step = other.step;
        time = other.time;
        first = other.first;
    }

    void setKey(String name) {
        key = name;
    }

    void setTrajectory(String name) {
        trajectory = name;
    }

    void setStep(double value) {
        step = value;
    }

    void setTime(double value) {
        time = value;
    }
}
