package io.koopstream.server.engine;

import io.koopstream.server.engine.Places.Mark;
import java.util.Arrays;

/** Collects rows of a source as they were found for a {@link Batch} of {@link Batch.Kind#ROWS}. One writer. */
public final class BatchRows {

    private final boolean pairs;
    private final int columns;
    private double[] values = new double[256];
    private Mark[] marks = new Mark[64];
    private String[] trajectories = new String[64];
    private double[] steps = new double[64];
    private double[] times = new double[64];
    private int size;

    /**
     * @param dimension coordinates of a state
     * @param pairs whether rows are pairs of states
     */
    public BatchRows(int dimension, boolean pairs) {
        this.pairs = pairs;
        this.columns = pairs ? 2 * dimension : dimension;
    }

    /** How many rows there are. */
    public int size() {
        return size;
    }

    /**
     * Adds a state of a trajectory.
     *
     * @param trajectory its name within the stream of the batch; null when there is one only
     * @param step its number within the trajectory, NaN when unknown
     * @param time its time, NaN when unknown
     * @param state the coordinates, copied
     * @param first whether it is the first of its trajectory, whatever came before under that name
     */
    public void add(String trajectory, double step, double time, double[] state, boolean first) {
        grow();
        System.arraycopy(state, 0, values, size * columns, columns);
        put(first ? Mark.FIRST : Mark.ROW, trajectory, step, time);
    }

    /** Adds a state and its successor. */
    public void addPair(double[] state, double[] next) {
        grow();
        System.arraycopy(state, 0, values, size * columns, columns / 2);
        System.arraycopy(next, 0, values, size * columns + columns / 2, columns / 2);
        put(Mark.ROW, null, Double.NaN, Double.NaN);
    }

    /** Adds a row that could not be read; a trajectory of null is the only one of the stream. */
    public void addUnreadable(String trajectory) {
        grow();
        put(Mark.UNREADABLE, trajectory, Double.NaN, Double.NaN);
    }

    /** Adds a row that could not be read and may have belonged to any trajectory. */
    public void addUnreadableAnywhere() {
        grow();
        put(Mark.UNREADABLE_ANYWHERE, null, Double.NaN, Double.NaN);
    }

    private void grow() {
        if (size == marks.length) {
            marks = Arrays.copyOf(marks, 2 * size);
            trajectories = Arrays.copyOf(trajectories, 2 * size);
            steps = Arrays.copyOf(steps, 2 * size);
            times = Arrays.copyOf(times, 2 * size);
        }
        if ((size + 1) * columns > values.length) {
            values = Arrays.copyOf(values, 2 * (size + 1) * columns);
        }
    }

    private void put(Mark mark, String trajectory, double step, double time) {
        marks[size] = mark;
        trajectories[size] = trajectory;
        steps[size] = step;
        times[size] = time;
        size++;
    }

    /** What was added, as a batch without a stream. */
    public Batch batch() {
        return Batch.rows(
                columns,
                Arrays.copyOf(values, size * columns),
                new Places(
                        pairs,
                        Arrays.copyOf(marks, size),
                        Arrays.copyOf(trajectories, size),
                        Arrays.copyOf(steps, size),
                        Arrays.copyOf(times, size)));
    }
}
