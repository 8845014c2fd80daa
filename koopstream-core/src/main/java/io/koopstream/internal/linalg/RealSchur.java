package io.koopstream.internal.linalg;

import io.koopstream.KoopstreamException;

/**
 * The real Schur form A = Q T Qᵀ of a square matrix: Q orthogonal, T upper quasi-triangular with 1×1 blocks for real
 * eigenvalues and 2×2 blocks for conjugate pairs. Householder reduction to Hessenberg form, then Francis's implicit
 * double-shift QR iteration (Golub and Van Loan, Matrix Computations, 4th ed., sections 7.4 and 7.5). O(n³).
 *
 * <p>A symmetric matrix gives a diagonal T and its eigenvectors in Q.
 */
public final class RealSchur {

    private static final double EPS = Math.ulp(1.0);
    private static final int SWEEPS_PER_EIGENVALUE = 300;

    private final int n;
    private final double scale;
    private final double[][] t;
    private final double[][] q;

    private RealSchur(double[][] rows) {
        n = rows.length;
        double largest = 0;
        for (double[] row : rows) {
            largest = Math.max(largest, Vectors.largestModulus(row, n));
        }
        if (Double.isNaN(largest) || Double.isInfinite(largest)) {
            throw new IllegalArgumentException("the matrix has an entry that is not finite");
        }
        // Worked on with entries of modulus at most one, by an exact power of two, so that no square over- or
        // underflows.
        scale = Vectors.powerOfTwo(largest);
        t = new double[n][n];
        q = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                t[i][j] = rows[i][j] / scale;
            }
            q[i][i] = 1;
        }
        toHessenberg();
        iterate();
    }

    /** The Schur form of the matrix with these rows, which are not modified. */
    public static RealSchur of(double[][] rows) {
        return new RealSchur(rows);
    }

    /** Size of the matrix. */
    public int size() {
        return n;
    }

    /** Entry (i, j) of T. */
    public double triangle(int i, int j) {
        return t[i][j] * scale;
    }

    /** Entry (i, k) of Q: component i of Schur vector k. */
    public double vector(int i, int k) {
        return q[i][k];
    }

    /** Entry (i, j) of T divided by {@link #scale()}, for arithmetic that must not overflow. */
    double scaledTriangle(int i, int j) {
        return t[i][j];
    }

    /** The power of two that T was divided by while working. */
    double scale() {
        return scale;
    }

    private void toHessenberg() {
        double[] v = new double[n];
        for (int k = 0; k + 2 < n; k++) {
            double norm = 0;
            for (int i = k + 1; i < n; i++) {
                norm = Math.max(norm, Math.abs(t[i][k]));
            }
            double below = 0;
            for (int i = k + 2; i < n; i++) {
                below = Math.max(below, Math.abs(t[i][k]));
            }
            if (below == 0) {
                continue;
            }
            double sum = 0;
            for (int i = k + 1; i < n; i++) {
                v[i] = t[i][k] / norm;
                sum += v[i] * v[i];
            }
            double length = Math.copySign(Math.sqrt(sum), v[k + 1]);
            v[k + 1] += length;
            double factor = 1.0 / (length * v[k + 1]);
            reflectRows(v, k + 1, n, factor, k);
            reflectColumns(t, v, k + 1, n, factor, 0, n);
            reflectColumns(q, v, k + 1, n, factor, 0, n);
            for (int i = k + 2; i < n; i++) {
                t[i][k] = 0;
            }
        }
    }

    /** T ← (I − factor v vᵀ) T on rows [from, to), columns [firstColumn, n). */
    private void reflectRows(double[] v, int from, int to, double factor, int firstColumn) {
        double[] products = new double[n];
        for (int i = from; i < to; i++) {
            Vectors.axpy(v[i], t[i], products, firstColumn, n);
        }
        for (int i = from; i < to; i++) {
            Vectors.axpy(-factor * v[i], products, t[i], firstColumn, n);
        }
    }

    /** A ← A (I − factor v vᵀ) on columns [from, to), rows [firstRow, lastRow). */
    private static void reflectColumns(
            double[][] a, double[] v, int from, int to, double factor, int firstRow, int lastRow) {
        for (int i = firstRow; i < lastRow; i++) {
            double product = factor * Vectors.dot(a[i], v, from, to);
            Vectors.axpy(-product, v, a[i], from, to);
        }
    }

    private void iterate() {
        int end = n - 1;
        int sweeps = 0;
        while (end > 0) {
            int start = blockStart(end);
            if (start == end) {
                end--;
                sweeps = 0;
            } else if (start == end - 1) {
                splitIfReal(start);
                end -= 2;
                sweeps = 0;
            } else {
                if (++sweeps > SWEEPS_PER_EIGENVALUE) {
                    throw new KoopstreamException(
                            "the QR iteration for the eigenvalues did not converge at row " + end + " of " + n);
                }
                francisSweep(start, end, sweeps);
            }
        }
    }

    /** The first row of the unreduced block that ends at {@code end}; negligible subdiagonals are set to zero. */
    private int blockStart(int end) {
        for (int i = end; i > 0; i--) {
            double neighbours = Math.abs(t[i - 1][i - 1]) + Math.abs(t[i][i]);
            // Against its neighbours, or against the matrix as a whole, whose largest entry is between one and two:
            // either
            // keeps the backward error at rounding level, and without the second a graded matrix would hardly deflate.
            if (Math.abs(t[i][i - 1]) <= EPS * Math.max(neighbours, 0.5)) {
                t[i][i - 1] = 0;
                return i;
            }
        }
        return 0;
    }

    private void francisSweep(int start, int end, int sweep) {
        // The first column of (T − σ₁)(T − σ₂) over its entry t[start + 1][start], from differences with the diagonal:
        // sums of
        // squares would lose what tells the members of a cluster of eigenvalues apart.
        double corner = t[start][start];
        double first = t[end - 1][end - 1] - corner;
        double second = t[end][end] - corner;
        double product = t[end - 1][end] * t[end][end - 1];
        if (sweep % 10 == 0) {
            // An exceptional shift breaks the rare cycles of the usual one.
            double size = Math.abs(t[end][end - 1]) + Math.abs(t[end - 1][end - 2]);
            first = second + 0.75 * size;
            second = first;
            product = -0.4375 * size * size;
        }
        double x = (first * second - product) / t[start + 1][start] + t[start][start + 1];
        double y = t[start + 1][start + 1] - corner - first - second;
        double z = t[start + 2][start + 1];
        for (int k = start; k < end; k++) {
            boolean three = k + 2 <= end;
            bulge(start, end, k, x, y, three ? z : 0.0, three);
            x = t[k + 1][k];
            y = k + 2 <= end ? t[k + 2][k] : 0;
            z = k + 3 <= end ? t[k + 3][k] : 0;
        }
        for (int i = start + 2; i <= end; i++) {
            t[i][i - 2] = 0;
            if (i > start + 2) {
                t[i][i - 3] = 0;
            }
        }
    }

    /** Applies the reflector that maps (x, y, z) to a multiple of e₁ to rows and columns k .. k+2 (k+1 without z). */
    private void bulge(int start, int end, int k, double x, double y, double z, boolean three) {
        double largest = Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z)));
        if (largest == 0) {
            return;
        }
        double v0 = x / largest;
        double v1 = y / largest;
        double v2 = z / largest;
        double length = Math.copySign(Math.sqrt(v0 * v0 + v1 * v1 + v2 * v2), v0);
        v0 += length;
        double factor = 1.0 / (length * v0);
        int firstColumn = Math.max(start, k - 1);
        // Columns right of the block too, so that T, not only its eigenvalues, comes out.
        double[] row0 = t[k];
        double[] row1 = t[k + 1];
        double[] row2 = three ? t[k + 2] : null;
        for (int j = firstColumn; j < n; j++) {
            double product = factor * (v0 * row0[j] + v1 * row1[j] + (three ? v2 * row2[j] : 0.0));
            row0[j] -= product * v0;
            row1[j] -= product * v1;
            if (three) {
                row2[j] -= product * v2;
            }
        }
        int lastRow = Math.min(end, k + 3) + 1;
        reflectThree(t, k, v0, v1, v2, factor, three, lastRow);
        reflectThree(q, k, v0, v1, v2, factor, three, n);
    }

    private static void reflectThree(
            double[][] a, int k, double v0, double v1, double v2, double factor, boolean three, int rows) {
        for (int i = 0; i < rows; i++) {
            double[] row = a[i];
            double product = factor * (v0 * row[k] + v1 * row[k + 1] + (three ? v2 * row[k + 2] : 0.0));
            row[k] -= product * v0;
            row[k + 1] -= product * v1;
            if (three) {
                row[k + 2] -= product * v2;
            }
        }
    }

    /** Rotates a 2×2 block with real eigenvalues to upper triangular form. */
    private void splitIfReal(int k) {
        double a = t[k][k];
        double b = t[k][k + 1];
        double c = t[k + 1][k];
        double d = t[k + 1][k + 1];
        double half = 0.5 * (a - d);
        double discriminant = half * half + b * c;
        if (discriminant < 0) {
            return;
        }
        // The eigenvalue of larger distance from d, computed without cancellation; (λ − d, c) is its eigenvector.
        double x = half + Math.copySign(Math.sqrt(discriminant), half);
        double y = c;
        double length = Math.hypot(x, y);
        double cos = length == 0 ? 1 : x / length;
        double sin = length == 0 ? 0 : y / length;
        for (int j = 0; j < n; j++) {
            double upper = t[k][j];
            double lower = t[k + 1][j];
            t[k][j] = cos * upper + sin * lower;
            t[k + 1][j] = cos * lower - sin * upper;
        }
        rotateColumns(t, k, cos, sin);
        rotateColumns(q, k, cos, sin);
        t[k + 1][k] = 0;
    }

    private static void rotateColumns(double[][] a, int k, double cos, double sin) {
        for (double[] row : a) {
            double left = row[k];
            double right = row[k + 1];
            row[k] = cos * left + sin * right;
            row[k + 1] = cos * right - sin * left;
        }
    }
}
