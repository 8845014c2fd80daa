package io.koopstream.forecast;

import java.util.Arrays;

/** The newest rows of a trajectory, oldest first. Rows are shared and never changed. One thread. */
final class RowHistory {

    /** Rows kept: three weeks of hours and a half, so that a week shows as a period. */
    static final int KEPT = 600;

    private double[][] rows;
    private int first;
    private int end;

    RowHistory() {
        this(new double[0][]);
    }

    RowHistory(double[][] rows) {
        this.rows = rows.clone();
        end = rows.length;
        first = Math.max(0, end - KEPT);
    }

    void add(double[] row) {
        if (end == rows.length) {
            rows = Arrays.copyOf(Arrays.copyOfRange(rows, first, end), 2 * (end - first) + 16);
            end -= first;
            first = 0;
        }
        rows[end++] = row;
        first = Math.max(first, end - KEPT);
    }

    int size() {
        return end - first;
    }

    /** @param i from 0 for the oldest */
    double[] get(int i) {
        return rows[first + i];
    }

    /** The last rows. */
    double[][] last(int count) {
        return Arrays.copyOfRange(rows, end - count, end);
    }
}
