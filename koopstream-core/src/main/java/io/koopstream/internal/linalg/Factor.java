package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * A factor of a product of matrices: a matrix as it is stored, or its transpose.
 *
 * @param matrix the matrix that is stored
 * @param transposed whether the factor is the transpose
 */
record Factor(Matrix matrix, boolean transposed) {

    /** The stored columns. */
    double[][] columns() {
        return matrix.storage();
    }

    /** Entry (i, j). */
    double get(int i, int j) {
        return transposed ? matrix.get(j, i) : matrix.get(i, j);
    }

    /** Rows [row, rowEnd) and columns [k, kEnd) as panels of {@code height} rows, column by column inside a panel; the last is filled up with zeros. */
    void packRows(int row, int rowEnd, int k, int kEnd, int height, double[] out) {
        double[][] columns = columns();
        int depth = kEnd - k;
        int panels = (rowEnd - row + height - 1) / height;
        Arrays.fill(out, (panels - 1) * height * depth, panels * height * depth, 0.0);
        if (transposed) {
            for (int i = row, start = 0; i < rowEnd; i += height, start += height * depth) {
                for (int q = 0; q < height && i + q < rowEnd; q += 2) {
                    double[] one = columns[i + q];
                    // Of an odd number the last is written twice.
                    int more = i + q + 1 < rowEnd ? 1 : 0;
                    double[] two = columns[i + q + more];
                    for (int kk = k, at = start + q; kk < kEnd; kk++, at += height) {
                        out[at] = one[kk];
                        out[at + more] = two[kk];
                    }
                }
            }
            return;
        }
        for (int kk = 0; kk < depth; kk++) {
            double[] column = columns[k + kk];
            for (int i = row, at = kk * height; i < rowEnd; i += height, at += height * depth) {
                System.arraycopy(column, i, out, at, Math.min(height, rowEnd - i));
            }
        }
    }

    /** Columns [j, end) of a transposed factor, written out from entry k to before kEnd. */
    void transpose(int j, int end, int k, int kEnd, double[][] out) {
        for (int kk = k; kk < kEnd; kk++) {
            double[] row = matrix.column(kk);
            for (int q = j; q < end; q++) {
                out[q - j][kk] = row[q];
            }
        }
    }
}
