package io.koopstream.testkit;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, <i>Matrix
 * Computations</i>, section 8.5): slow, simple, and accurate to rounding relative to the largest eigenvalue.
 */
public final class SymmetricEigen {

    private static final int MAX_SWEEPS = 60;

    private final double[][] diagonalised;
    /** Eigenvectors, one per row. */
    private final double[][] vectors;

    private SymmetricEigen(double[][] diagonalised, double[][] vectors) {
        this.diagonalised = diagonalised;
        this.vectors = vectors;
    }

    /** The decomposition of a symmetric matrix, which is not changed. */
    public static SymmetricEigen of(double[][] symmetric) {
        int n = symmetric.length;
        double[][] a = new double[n][];
        double[][] vectors = new double[n][n];
        double total = 0;
        for (int i = 0; i < n; i++) {
            a[i] = symmetric[i].clone();
            vectors[i][i] = 1;
            for (double entry : a[i]) {
                total += entry * entry;
            }
        }
        for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
            double offDiagonal = 0;
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    offDiagonal += a[p][q] * a[p][q];
                    rotate(a, vectors, p, q);
                }
            }
            // Squared, relative to the squared norm: what is left moves an eigenvalue by at most 1e-15 of the norm.
            if (offDiagonal <= 1e-30 * total) {
                return new SymmetricEigen(a, vectors);
            }
        }
        throw new ArithmeticException("Jacobi rotations did not converge on a matrix of size " + n);
    }

    /** Makes entry (p, q) zero by a rotation of rows and columns p and q. */
    private static void rotate(double[][] a, double[][] vectors, int p, int q) {
        if (a[p][q] == 0) {
            return;
        }
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < a.length; k++) {
            double kp = a[k][p];
            double kq = a[k][q];
            a[k][p] = c * kp - s * kq;
            a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < a.length; k++) {
            double pk = a[p][k];
            double qk = a[q][k];
            a[p][k] = c * pk - s * qk;
            a[q][k] = s * pk + c * qk;
            double pv = vectors[p][k];
            double qv = vectors[q][k];
            vectors[p][k] = c * pv - s * qv;
            vectors[q][k] = s * pv + c * qv;
        }
    }

    /** Number of eigenvalues. */
    public int size() {
        return diagonalised.length;
    }

    /** Eigenvalue k, in no particular order. */
    public double value(int k) {
        return diagonalised[k][k];
    }

    /** The unit eigenvector of eigenvalue k, copied. */
    public double[] vector(int k) {
        return vectors[k].clone();
    }

    /** The smallest eigenvalue; 0 for an empty matrix. */
    public double smallest() {
        double smallest = size() == 0 ? 0 : Double.POSITIVE_INFINITY;
        for (int k = 0; k < size(); k++) {
            smallest = Math.min(smallest, value(k));
        }
        return smallest;
    }

    /** The largest eigenvalue; 0 for an empty matrix. */
    public double largest() {
        double largest = size() == 0 ? 0 : Double.NEGATIVE_INFINITY;
        for (int k = 0; k < size(); k++) {
            largest = Math.max(largest, value(k));
        }
        return largest;
    }

    /** Largest over smallest eigenvalue of a positive definite matrix; infinite when it is numerically singular. */
    public static double conditionNumber(double[][] positiveDefinite) {
        if (positiveDefinite.length == 0) {
            return 1;
        }
        SymmetricEigen eigen = of(positiveDefinite);
        return eigen.smallest() > 0 ? eigen.largest() / eigen.smallest() : Double.POSITIVE_INFINITY;
    }
}
