package io.koopstream.linalg;

/** Solves with a lower triangular matrix L, held in the lower triangle of a {@link Matrix}. */
public final class Triangular {

    private Triangular() {}

    /** b ← L⁻¹ b. */
    public static void solve(Matrix lower, double[] b) {
        int n = lower.rows();
        for (int j = 0; j < n; j++) {
            double[] column = lower.column(j);
            double value = b[j] / column[j];
            b[j] = value;
            Vectors.axpy(-value, column, b, j + 1, n);
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
        int n = symmetric.rows();
        Matrix lower = new Matrix(n, n);
        for (int j = 0; j < n; j++) {
            double[] column = lower.column(j);
            System.arraycopy(symmetric.column(j), j, column, j, n - j);
            for (int k = 0; k < j; k++) {
                double[] earlier = lower.column(k);
                Vectors.axpy(-earlier[j], earlier, column, j, n);
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
