package io.koopstream.internal.linalg;

/** Solves small dense systems by Gaussian elimination with row pivoting (Golub and Van Loan, Matrix Computations, 4th ed., 3.4). */
public final class SmallSystem {

    /** A pivot this much smaller than its row was means the rows depend on one another to rounding. */
    private static final double SINGULAR = 1e-12;

    private SmallSystem() {}

    /**
     * X with A X = B; neither argument is modified. O(n³).
     *
     * @param a square, as rows
     * @param b as rows, as many as A has
     * @return X as rows, or null when A is singular to rounding
     */
    public static double[][] solve(double[][] a, double[][] b) {
        int n = a.length;
        double[][] rows = new double[n][];
        double[] scale = new double[n];
        for (int i = 0; i < n; i++) {
            rows[i] = new double[n + b[i].length];
            System.arraycopy(a[i], 0, rows[i], 0, n);
            System.arraycopy(b[i], 0, rows[i], n, b[i].length);
            scale[i] = Vectors.largestModulus(a[i], n);
        }
        for (int j = 0; j < n; j++) {
            int pivot = j;
            for (int i = j + 1; i < n; i++) {
                if (Math.abs(rows[i][j]) * scale[pivot] > Math.abs(rows[pivot][j]) * scale[i]) {
                    pivot = i;
                }
            }
            if (!(Math.abs(rows[pivot][j]) > SINGULAR * scale[pivot])) {
                return null;
            }
            swap(rows, scale, j, pivot);
            double[] top = rows[j];
            Vectors.scale(1.0 / top[j], top, top.length);
            for (int i = 0; i < n; i++) {
                if (i != j) {
                    Vectors.axpy(-rows[i][j], top, rows[i], j, top.length);
                }
            }
        }
        double[][] x = new double[n][];
        for (int i = 0; i < n; i++) {
            x[i] = java.util.Arrays.copyOfRange(rows[i], n, rows[i].length);
        }
        return x;
    }

    private static void swap(double[][] rows, double[] scale, int i, int j) {
        double[] row = rows[i];
        rows[i] = rows[j];
        rows[j] = row;
        double s = scale[i];
        scale[i] = scale[j];
        scale[j] = s;
    }
}
