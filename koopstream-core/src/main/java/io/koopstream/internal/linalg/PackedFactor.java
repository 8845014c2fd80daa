package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * A lower triangular matrix L as solves with many right sides read it, packed once and brought up to date when L has grown: a block of samples
 * costs nothing for packing while the dictionary stays as it is, whatever the number of threads. Work memory of one learner, 4 m² bytes. One writer.
 */
public final class PackedFactor {

    /** Columns that are solved for at once, those of a register tile. */
    static final int WIDTH = 6;

    /** Row j: −l_jk for k < j, then 1 / l_jj, and room for a triangle of {@link #WIDTH} columns to end in. */
    private double[][] rows = new double[0][];

    private Matrix source;
    private long version;
    private int size;

    /**
     * Packs what is not packed yet.
     *
     * @param lower L, which has only grown since the last call with the same version
     * @param newVersion another number whenever rows of L that were there have changed
     */
    public void follow(Matrix lower, long newVersion) {
        int n = lower.rows();
        if (source != lower || version != newVersion || n < size) {
            source = lower;
            version = newVersion;
            size = 0;
        }
        if (rows.length < n) {
            rows = Arrays.copyOf(rows, Math.max(n, rows.length + rows.length / 4));
        }
        for (int j = size; j < n; j++) {
            double[] row = rows[j] == null ? new double[j + WIDTH] : rows[j];
            for (int k = 0; k < j; k++) {
                row[k] = -lower.get(j, k);
            }
            row[j] = 1 / lower.get(j, j);
            rows[j] = row;
        }
        size = n;
    }

    /** Number of rows and columns of L. */
    int size() {
        return size;
    }

    /** The rows, of which the first {@link #size()} count. */
    double[][] rows() {
        return rows;
    }
}
