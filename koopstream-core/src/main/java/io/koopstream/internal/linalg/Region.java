package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * The entries of a matrix that a call computes.
 *
 * @param matrix C
 * @param lower whether only entries (i, j) with i >= j are wanted; the others are then left open
 */
record Region(Matrix matrix, int fromRow, int toRow, int fromColumn, int toColumn, boolean lower) {

    /** The stored columns. */
    double[][] c() {
        return matrix.storage();
    }

    /** The first row of column j that is wanted, at least {@code row}. */
    int top(int row, int j) {
        return lower ? Math.max(row, j) : row;
    }

    /** The end of the columns of which rows before {@code row} hold something that is wanted. */
    int columnEnd(int row) {
        return lower ? Math.min(toColumn, row) : toColumn;
    }

    /** C ← γ C; exactly 0 for γ = 0. */
    void scale(double gamma) {
        double[][] c = c();
        for (int j = fromColumn; j < columnEnd(toRow) && gamma != 1; j++) {
            int top = top(fromRow, j);
            if (gamma == 0) {
                Arrays.fill(c[j], top, toRow, 0.0);
            } else {
                Vectors.scale(gamma, c[j], top, toRow);
            }
        }
    }
}
