package io.koopstream.forecast;

import java.util.Arrays;

/** The newest rows of a trajectory, oldest first. Rows are shared and never changed. One thread. */
final class RowHistory {

    /** Rows kept: three weeks of hours and a half, so that a week shows as a period. */
    static final int KEPT = 600;

    /** Memory of the local spread, rows: the mean of 32 absolute changes is known to about an eighth of itself. */
    private static final int LOCAL = 32;

    private final int kept;
    private double[][] rows;
    private int first;
    private int end;

    RowHistory(double[][] rows) {
        this(rows, KEPT);
    }

    /** @param kept how many rows are kept, the newest ones */
    RowHistory(double[][] rows, int kept) {
        this.kept = kept;
        this.rows = rows.clone();
        end = rows.length;
        first = Math.max(0, end - kept);
    }

    void add(double[] row) {
        if (end == rows.length) {
            rows = Arrays.copyOf(Arrays.copyOfRange(rows, first, end), 2 * (end - first) + 16);
            end -= first;
            first = 0;
        }
        rows[end++] = row;
        first = Math.max(first, end - kept);
    }

    int size() {
        return end - first;
    }

    /** @param i from 0 for the oldest */
    double[] get(int i) {
        return rows[first + i];
    }

    /**
     * Sums of the absolute changes of the coordinates, those of earlier rows counting exponentially less, then of their weights.
     *
     * @param coordinates how many of a row are looked at
     */
    double[] localChanges(int coordinates) {
        double[] sums = new double[coordinates + 1];
        double weight = 1;
        for (int i = end - 1; i > first && weight > 1e-3; i--) {
            for (int c = 0; c < coordinates; c++) {
                sums[c] += weight * Math.abs(rows[i][c] - rows[i - 1][c]);
            }
            sums[coordinates] += weight;
            weight *= 1 - 1.0 / LOCAL;
        }
        return sums;
    }

    /** The rows before the last ones. */
    RowHistory without(int newest) {
        return new RowHistory(Arrays.copyOfRange(rows, first, end - newest), kept);
    }

    /** The last rows. */
    double[][] last(int count) {
        return Arrays.copyOfRange(rows, end - count, end);
    }
}
