package io.koopstream.internal.linalg;

/** Solves with a lower triangular matrix L, held in the lower triangle of a {@link Matrix}. */
public final class Triangular {

    private Triangular() {}

    /** b ← L⁻¹ b. */
    public static void solve(Matrix lower, double[] b) {
        int n = lower.rows();
        int j = 0;
        // Four columns at a time read and write b once instead of four times; each entry sees the same operations in
        // the same order.
        for (; j + 4 <= n; j += 4) {
            for (int k = j; k < j + 4; k++) {
                solveEntry(lower, b, k, j + 4);
            }
            Vectors.axpy4(-b[j], -b[j + 1], -b[j + 2], -b[j + 3], lower.storage(), j, b, j + 4, n);
        }
        for (; j < n; j++) {
            solveEntry(lower, b, j, n);
        }
    }

    /** The solution's entry j, and what it takes off the entries up to {@code end}. */
    private static void solveEntry(Matrix lower, double[] b, int j, int end) {
        double[] column = lower.column(j);
        double value = b[j] / column[j];
        b[j] = value;
        for (int i = j + 1; i < end; i++) {
            b[i] = Math.fma(-value, column[i], b[i]);
        }
    }

    /** b ← L⁻ᵀ b. */
    public static void solveTransposed(Matrix lower, double[] b) {
        int n = lower.rows();
        for (int j = n - 1; j >= 0; j--) {
            double[] column = lower.column(j);
            b[j] = (b[j] - Vectors.dot(column, b, j + 1, n)) / column[j];
        }
    }

    /** y = Lᵀ x, reading the lower triangle only. */
    public static void multiplyTransposed(Matrix lower, double[] x, double[] y) {
        int n = lower.rows();
        for (int j = 0; j < n; j++) {
            y[j] = Vectors.dot(lower.column(j), x, j, n);
        }
    }

    /** y = L x, reading the lower triangle only. */
    public static void multiply(Matrix lower, double[] x, double[] y) {
        int n = lower.rows();
        java.util.Arrays.fill(y, 0, n, 0.0);
        for (int j = 0; j < n; j++) {
            Vectors.axpy(x[j], lower.column(j), y, j, n);
        }
    }

    /** The Cholesky factor of a symmetric positive definite matrix; null when a pivot is not positive. */
    public static Matrix cholesky(Matrix symmetric) {
        return cholesky(symmetric, 0);
    }

    /** The Cholesky factor of A + λ; null when a pivot is not positive. */
    public static Matrix cholesky(Matrix symmetric, double ridge) {
        int n = symmetric.rows();
        Matrix lower = new Matrix(n, n);
        for (int j = 0; j < n; j++) {
            double[] column = lower.column(j);
            System.arraycopy(symmetric.column(j), j, column, j, n - j);
            column[j] += ridge;
            int k = 0;
            double[][] earlier = lower.storage();
            for (; k + 4 <= j; k += 4) {
                Vectors.axpy4(
                        -earlier[k][j],
                        -earlier[k + 1][j],
                        -earlier[k + 2][j],
                        -earlier[k + 3][j],
                        earlier,
                        k,
                        column,
                        j,
                        n);
            }
            for (; k < j; k++) {
                Vectors.axpy(-earlier[k][j], earlier[k], column, j, n);
            }
            if (!(column[j] > 0)) {
                return null;
            }
            double pivot = Math.sqrt(column[j]);
            for (int i = j; i < n; i++) {
                column[i] /= pivot;
            }
        }
        return lower;
    }
}
