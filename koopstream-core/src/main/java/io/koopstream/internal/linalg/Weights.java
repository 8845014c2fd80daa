package io.koopstream.internal.linalg;

/** The right factor W of a product X W: a matrix as it is stored, or its transpose. */
final class Weights {

    private final double[][] columns;
    private final boolean transposed;
    private final int depth;

    Weights(double[][] columns, boolean transposed, int depth) {
        this.columns = columns;
        this.transposed = transposed;
        this.depth = depth;
    }

    /** Number of rows of W: the length of the sums. */
    int depth() {
        return depth;
    }

    /** Entry (k, j). */
    double get(int k, int j) {
        return transposed ? columns[k][j] : columns[j][k];
    }

    /**
     * Entries (k, j + q) for k in [fromK, toK) and q in [0, count), packed as panels of {@code width} columns, k by k inside a panel; the last
     * panel is filled up with zeros.
     */
    void pack(int fromK, int toK, int j, int count, int width, double[] out) {
        int length = toK - fromK;
        int whole = count / width * width;
        if (whole < count) {
            java.util.Arrays.fill(out, whole * length, (whole + width) * length, 0.0);
        }
        if (transposed) {
            for (int k = 0; k < length; k++) {
                double[] column = columns[fromK + k];
                for (int q = 0; q < count; q += width) {
                    packRow(column, j + q, Math.min(width, count - q), out, q * length + k * width);
                }
            }
        } else {
            for (int q = 0; q < count; q++) {
                double[] column = columns[j + q];
                int at = q / width * width * length + q % width;
                for (int k = 0; k < length; k++) {
                    out[at + k * width] = column[fromK + k];
                }
            }
        }
    }

    private void packRow(double[] from, int start, int count, double[] to, int at) {
        if (count == 6) {
            to[at] = from[start];
            to[at + 1] = from[start + 1];
            to[at + 2] = from[start + 2];
            to[at + 3] = from[start + 3];
            to[at + 4] = from[start + 4];
            to[at + 5] = from[start + 5];
            return;
        }
        for (int q = 0; q < count; q++) {
            to[at + q] = from[start + q];
        }
    }
}
