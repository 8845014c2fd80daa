package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * A product of plane rotations of neighbouring coordinates (first, first+1), (first+1, first+2), ..., applied in this order: a change
 * from one orthonormal basis to another. Written once by {@link #restoreTriangle}, then only applied.
 */
public final class Rotations {

    private final int first;
    private final double[] cosines;
    private final double[] sines;

    /** Room for this many rotations from a coordinate on; none of them turns anything yet. */
    public Rotations(int first, int count) {
        this.first = first;
        this.cosines = new double[count];
        this.sines = new double[count];
        Arrays.fill(cosines, 1.0);
    }

    /**
     * Makes a matrix lower triangular again that was so before row {@code first} was taken out: rotates its columns until nothing is
     * left above the diagonal. The last column becomes zero. These rotations are then the change of coordinates.
     *
     * @param lower rows × (rows + 1), with one entry too many in each row from {@code first} on; changed in place
     */
    public void restoreTriangle(Matrix lower) {
        for (int k = 0; k < cosines.length; k++) {
            int row = first + k;
            double left = lower.get(row, row);
            double right = lower.get(row, row + 1);
            double length = Math.hypot(left, right);
            cosines[k] = left / length;
            sines[k] = right / length;
            rotate(lower.column(row), lower.column(row + 1), cosines[k], sines[k], row, lower.rows());
            lower.set(row, row, length);
            lower.set(row, row + 1, 0);
        }
    }

    private static void rotate(double[] left, double[] right, double cosine, double sine, int from, int to) {
        for (int i = from; i < to; i++) {
            double a = left[i];
            double b = right[i];
            left[i] = cosine * a + sine * b;
            right[i] = cosine * b - sine * a;
        }
    }

    /** A ← A Ω: the columns of A, which belong to coordinates of the old basis, in the new one. */
    public void applyToColumns(Matrix matrix) {
        for (int k = 0; k < cosines.length; k++) {
            rotate(matrix.column(first + k), matrix.column(first + k + 1), cosines[k], sines[k], 0, matrix.rows());
        }
    }

    /** A ← Ωᵀ A: the rows of A in the new basis. */
    public void applyToRows(Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            double[] column = matrix.column(j);
            for (int k = 0; k < cosines.length; k++) {
                double a = column[first + k];
                double b = column[first + k + 1];
                column[first + k] = cosines[k] * a + sines[k] * b;
                column[first + k + 1] = cosines[k] * b - sines[k] * a;
            }
        }
    }

    /** The columns of a matrix after the coordinate has gone; returns the norm of what is cut off. */
    public double dropColumn(Matrix matrix) {
        applyToColumns(matrix);
        int last = matrix.columns() - 1;
        double norm = Vectors.norm(matrix.column(last), matrix.rows());
        matrix.truncate(matrix.rows(), last);
        return norm;
    }

    /** The rows of a matrix after the coordinate has gone; returns the norm of what is cut off. */
    public double dropRow(Matrix matrix) {
        applyToRows(matrix);
        int last = matrix.rows() - 1;
        double[] row = new double[matrix.columns()];
        for (int j = 0; j < row.length; j++) {
            row[j] = matrix.get(last, j);
        }
        matrix.truncate(last, matrix.columns());
        return Vectors.norm(row, row.length);
    }
}
