package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * A lower triangular matrix L as solves with many right sides read it, packed once and brought up to date when L has grown: a block of samples
 * costs nothing for packing while the dictionary stays as it is, whatever the number of threads. Work memory of one learner, 4 m² bytes. One writer.
 *
 * <p>Panels of six columns j of −Lᵀ, row by row up to the panel's own columns, each followed by its triangle: −l_jk for k < j, and 1 / l_jj.
 */
public final class PackedFactor {

    private static final int WIDTH = Tile.COLUMNS;

    private double[] panels = new double[0];
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
            Arrays.fill(panels, 0.0);
        }
        int needed = offset(n + WIDTH - 1);
        if (panels.length < needed) {
            panels = Arrays.copyOf(panels, Math.max(needed, panels.length + panels.length / 4));
        }
        for (int j = size / WIDTH * WIDTH; j < n; j += WIDTH) {
            pack(lower, j, Math.max(size, j), Math.min(n, j + WIDTH));
        }
        size = n;
    }

    /** Rows [from, to) of L, which belong to the panel of column j. */
    private void pack(Matrix lower, int j, int from, int to) {
        int at = offset(j) - j;
        for (int k = 0; k < j; k++, at += WIDTH) {
            double[] column = lower.column(k);
            for (int i = from; i < to; i++) {
                panels[at + i] = -column[i];
            }
        }
        for (int i = from; i < to; i++) {
            int row = triangle(j) + (i - j) * WIDTH;
            for (int k = j; k < i; k++) {
                panels[row + k - j] = -lower.get(i, k);
            }
            panels[row + i - j] = 1 / lower.get(i, i);
        }
    }

    /** Start of the panel that holds column j. */
    static int offset(int j) {
        int panel = j / WIDTH;
        return WIDTH * WIDTH * (panel * (panel + 1) / 2);
    }

    /** Start of its triangle. */
    static int triangle(int j) {
        return offset(j) + j / WIDTH * WIDTH * WIDTH;
    }

    /** Number of rows and columns of L. */
    int size() {
        return size;
    }

    double[] panels() {
        return panels;
    }

    /** −l_jk for k < j, 1 / l_jj for k = j. */
    double get(int k, int j) {
        int first = j / WIDTH * WIDTH;
        return k < first
                ? panels[offset(j) + k * WIDTH + j - first]
                : panels[triangle(j) + (j - first) * WIDTH + k - first];
    }
}
