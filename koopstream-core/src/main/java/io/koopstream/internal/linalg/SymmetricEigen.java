package io.koopstream.internal.linalg;

import io.koopstream.KoopstreamException;
import java.util.Arrays;

/**
 * All eigenvalues of a symmetric matrix, in ascending order, and an orthonormal basis of eigenvectors: A Q = Q Λ. Householder reduction to
 * tridiagonal form, then QR steps with implicit Wilkinson shifts (Golub and Van Loan, Matrix Computations, 4th ed., section 8.3). O(n³), about
 * a second for a thousand rows.
 *
 * <p>Values and vectors are those of a matrix that differs from A by a small multiple of the rounding of its norm, so eigenvalues far below the largest are
 * known to that absolute error only. The bits depend on the matrix alone. Immutable.
 */
public final class SymmetricEigen {

    /** QR steps on average for an eigenvalue, beyond which the iteration is given up; it takes less than two. */
    static final int MAX_SWEEPS_PER_EIGENVALUE = 40;

    private static final double EPS = Math.ulp(1.0);

    /** Square of an off-diagonal entry that is nothing beside a largest entry of one, whatever its neighbours. */
    private static final double NOTHING = 1e-300;

    /** Reflectors applied to one column after the other while they stay in the second cache. */
    private static final int REFLECTORS = 16;

    private final double[] values;
    private final Matrix vectors;

    private SymmetricEigen(double[] values, Matrix vectors) {
        this.values = values;
        this.vectors = vectors;
    }

    /**
     * The eigenvalues and eigenvectors of a matrix, which is not modified.
     *
     * @param symmetric square and finite; only its lower triangle is read
     * @throws IllegalArgumentException if it is not square, or an entry of the lower triangle is not finite, or an eigenvalue would not be
     * @throws KoopstreamException if the iteration does not converge
     */
    public static SymmetricEigen of(Matrix symmetric) {
        return of(symmetric, Providers.ACTIVE, MAX_SWEEPS_PER_EIGENVALUE);
    }

    static SymmetricEigen of(Matrix symmetric, Provider provider, int sweepsPerEigenvalue) {
        Matrix.requireSame("rows and columns", symmetric.rows(), symmetric.columns());
        return new Work(symmetric, provider).solve((long) sweepsPerEigenvalue * symmetric.rows());
    }

    /** Size of the matrix, number of eigenpairs. */
    public int size() {
        return values.length;
    }

    /** Eigenvalue k; the smallest is number 0. */
    public double value(int k) {
        return values[k];
    }

    /** All eigenvalues in ascending order, copied. */
    public double[] values() {
        return values.clone();
    }

    /** The eigenvector of eigenvalue k, of length one, copied. */
    public double[] vector(int k) {
        return vectors.column(k).clone();
    }

    /** Q, with the eigenvector of eigenvalue k in column k, copied. */
    public Matrix vectors() {
        return vectors.copy();
    }

    /** The numbers on the way. */
    private static final class Work {

        private final int n;
        private final Provider provider;
        private final double scale;

        /** The lower triangle; then column k holds, from row k + 1 on, the vector of reflector k. */
        private final double[][] a;

        /** Factor β of reflector I − β v vᵀ number k; zero if there was nothing to reflect. */
        private final double[] beta;

        /** The tridiagonal matrix: its diagonal, and at k the entry (k + 1, k). */
        private final double[] d;

        private final double[] e;

        Work(Matrix symmetric, Provider provider) {
            n = symmetric.rows();
            this.provider = provider;
            double largest = 0;
            for (int j = 0; j < n; j++) {
                double[] column = symmetric.column(j);
                for (int i = j; i < n; i++) {
                    largest = Math.max(largest, Math.abs(column[i]));
                }
            }
            if (Double.isNaN(largest) || Double.isInfinite(largest)) {
                throw new IllegalArgumentException("the matrix has an entry that is not finite");
            }
            // Worked on with a largest entry between one and two, by an exact power of two, so that no square
            // overflows.
            scale = Vectors.powerOfTwo(largest);
            a = new double[n][n];
            for (int j = 0; j < n; j++) {
                double[] column = symmetric.column(j);
                for (int i = j; i < n; i++) {
                    a[j][i] = column[i] / scale;
                }
            }
            beta = new double[n];
            d = new double[n];
            e = new double[n];
        }

        SymmetricEigen solve(long maxSweeps) {
            toTridiagonal();
            Chains chains = new Chains(provider, reflected());
            iterate(chains, maxSweeps);
            chains.apply();
            return sorted(chains);
        }

        /**
         * A ← H A H for one reflector H = I − β v vᵀ after the other: A − v wᵀ − w vᵀ with p = β A v, w = p − (β/2 pᵀ v) v (Golub and Van Loan,
         * algorithm 8.3.1). This update of a column waits until the next product A v comes by, so that A travels through the caches once a
         * step.
         */
        private void toTridiagonal() {
            double[] w = new double[n];
            double[] p = new double[n];
            for (int k = 0; k < n; k++) {
                double[] column = a[k];
                boolean waiting = k > 0 && beta[k - 1] != 0;
                double[] before = waiting ? a[k - 1] : null;
                if (waiting) {
                    update(column, k, before, w);
                }
                d[k] = column[k];
                if (k + 1 == n) {
                    break;
                }
                makeReflector(k);
                double b = beta[k];
                Arrays.fill(p, k + 1, n, 0.0);
                for (int j = k + 1; j < n; j++) {
                    double[] next = a[j];
                    if (waiting) {
                        update(next, j, before, w);
                    }
                    if (b != 0) {
                        // The column below the diagonal is also the row right of it.
                        p[j] += provider.dot(next, column, j, n);
                        Vectors.axpy(column[j], next, p, j + 1, n);
                    }
                }
                if (b != 0) {
                    double half = 0.5 * b * b * provider.dot(p, column, k + 1, n);
                    for (int i = k + 1; i < n; i++) {
                        w[i] = b * p[i] - half * column[i];
                    }
                }
            }
        }

        /** Column j of A − v wᵀ − w vᵀ from its diagonal on. */
        private void update(double[] column, int j, double[] v, double[] w) {
            Vectors.axpy(-w[j], v, column, j, n);
            Vectors.axpy(-v[j], w, column, j, n);
        }

        /** The reflector that maps column k below the diagonal to a multiple of e₁ (Golub and Van Loan, section 5.1.2). */
        private void makeReflector(int k) {
            double[] v = a[k];
            double largest = 0;
            for (int i = k + 2; i < n; i++) {
                largest = Math.max(largest, Math.abs(v[i]));
            }
            if (largest == 0) {
                e[k] = v[k + 1];
                return;
            }
            double unit = Vectors.powerOfTwo(Math.max(largest, Math.abs(v[k + 1])));
            for (int i = k + 1; i < n; i++) {
                v[i] /= unit;
            }
            double length = Math.sqrt(provider.dot(v, v, k + 1, n));
            // Away from zero, so that the sum does not cancel; 2 / vᵀv is then this.
            double first = v[k + 1];
            v[k + 1] = first + Math.copySign(length, first);
            beta[k] = 1.0 / (length * (length + Math.abs(first)));
            e[k] = -Math.copySign(length, first) * unit;
        }

        /** The product of all reflectors, from the last one back, where column j begins as e_j (Golub and Van Loan, section 5.1.6). */
        private double[][] reflected() {
            double[][] q = new double[n][n];
            for (int j = 0; j < n; j++) {
                q[j][j] = 1;
            }
            for (int end = n - 1; end > 0; end -= REFLECTORS) {
                int start = Math.max(0, end - REFLECTORS);
                for (int j = start + 1; j < n; j++) {
                    double[] column = q[j];
                    for (int k = Math.min(end, j) - 1; k >= start; k--) {
                        if (beta[k] != 0) {
                            double product = beta[k] * provider.dot(a[k], column, k + 1, n);
                            Vectors.axpy(-product, a[k], column, k + 1, n);
                        }
                    }
                }
            }
            return q;
        }

        private void iterate(Chains chains, long maxSweeps) {
            long sweeps = 0;
            int end = n - 1;
            while (end > 0) {
                int start = blockStart(end);
                if (start == end) {
                    end--;
                } else {
                    if (++sweeps > maxSweeps) {
                        throw new KoopstreamException(
                                "the QR iteration for the eigenvalues of a symmetric matrix did not"
                                        + " converge at row " + end + " of " + n + " in " + maxSweeps + " sweeps");
                    }
                    // Towards the end with the smaller entry: a graded matrix and its mirror image take the same steps.
                    if (Math.abs(d[end]) <= Math.abs(d[start])) {
                        sweep(chains, start, end, 1);
                    } else {
                        sweep(chains, end, start, -1);
                    }
                }
            }
        }

        /** The first row of the unreduced block that ends at {@code end}. */
        private int blockStart(int end) {
            for (int i = end - 1; i >= 0; i--) {
                double size = Math.abs(e[i]);
                // Beside its own neighbours, so that small eigenvalues keep the digits they have.
                if (size * size <= EPS * Math.abs(d[i]) * (EPS * Math.abs(d[i + 1])) + NOTHING) {
                    e[i] = 0;
                    return i + 1;
                }
            }
            return 0;
        }

        /**
         * One implicit QR step with Wilkinson's shift on the rows from {@code first} to {@code last}, downwards (QR) or upwards (QL): the same
         * step on the matrix with its rows in reverse (Golub and Van Loan, algorithm 8.3.2).
         */
        private void sweep(Chains chains, int first, int last, int step) {
            int count = Math.abs(last - first);
            int at = chains.begin(first, step, count);
            int offset = step > 0 ? 0 : -1;
            double x = d[first] - shift(d[last - step], e[last - step + offset], d[last]);
            double z = e[first + offset];
            for (int i = first; i != last; i += step) {
                int between = i + offset;
                double length = length(x, z);
                // A zero length turns nothing: x is zero by cancellation or underflow, z by underflow.
                double c = length == 0 ? 1 : x / length;
                double s = length == 0 ? 0 : z / length;
                chains.set(at++, c, s);
                if (i != first) {
                    e[between - step] = length;
                }
                // With h = s (d₊ − d) + 2 c e the rotated 2×2 block is [d + s h, c h − e; c h − e, d₊ − s h].
                double h = s * (d[i + step] - d[i]) + 2 * c * e[between];
                x = c * h - e[between];
                d[i] += s * h;
                d[i + step] -= s * h;
                e[between] = x;
                if (i + step != last) {
                    z = s * e[between + step];
                    e[between + step] *= c;
                }
            }
        }

        /** The eigenvalue of [a, b; b, g] that is closer to g, b not zero. */
        private static double shift(double a, double b, double g) {
            double ratio = 0.5 * (a - g) / b;
            return g - b / (ratio + Math.copySign(Math.sqrt(1 + ratio * ratio), ratio));
        }

        private static double length(double x, double z) {
            double largest = Math.max(Math.abs(x), Math.abs(z));
            return largest > 1e-140 && largest < 1e140 ? Math.sqrt(x * x + z * z) : StrictMath.hypot(x, z);
        }

        private SymmetricEigen sorted(Chains chains) {
            // Equal values keep the order of their columns.
            Integer[] order = new Integer[n];
            Arrays.setAll(order, k -> k);
            Arrays.sort(order, (k, l) -> Double.compare(d[k], d[l]));
            double[] values = new double[n];
            double[][] columns = new double[n][];
            for (int k = 0; k < n; k++) {
                values[k] = d[order[k]] * scale;
                if (Double.isInfinite(values[k])) {
                    throw new IllegalArgumentException(
                            "an eigenvalue is too large for a double: divide the matrix by its size, " + n);
                }
                columns[k] = chains.column(order[k]);
            }
            return new SymmetricEigen(values, Matrix.ofColumns(columns, n));
        }
    }

    /**
     * Columns that are rotated in pairs, kept in panels of a few rows each. Rotations are collected and then applied to one panel after the other, which
     * stays in the second cache meanwhile (after Van Zee, van de Geijn and Quintana-Ortí, Restructuring the tridiagonal and bidiagonal QR algorithms for
     * performance, 2014).
     */
    private static final class Chains {

        /** Rotations collected before they are applied: a megabyte. */
        private static final int COLLECTED = 65536;

        private final int n;
        private final Provider provider;
        private final double[][] panels;
        private final double[] cosines;
        private final double[] sines;
        private final int[] columns;
        private final int[] steps;
        private final int[] counts;
        private int chains;
        private int rotations;

        Chains(Provider provider, double[][] q) {
            this.provider = provider;
            n = q.length;
            int rows = Provider.PANEL_ROWS;
            panels = new double[(n + rows - 1) / rows][n * rows];
            for (int j = 0; j < n; j++) {
                for (int p = 0; p < panels.length; p++) {
                    System.arraycopy(q[j], p * rows, panels[p], j * rows, Math.min(rows, n - p * rows));
                }
            }
            int room = (int) Math.min(COLLECTED, 2L * n * n) + n;
            cosines = new double[room];
            sines = new double[room];
            int most = Math.min(room, 2048);
            columns = new int[most];
            steps = new int[most];
            counts = new int[most];
        }

        /** Makes room for a chain of rotations; returns the place of the first. */
        int begin(int column, int step, int count) {
            if (rotations + count > cosines.length || chains == columns.length) {
                apply();
            }
            columns[chains] = column;
            steps[chains] = step;
            counts[chains] = count;
            chains++;
            int at = rotations;
            rotations += count;
            return at;
        }

        void set(int at, double cosine, double sine) {
            cosines[at] = cosine;
            sines[at] = sine;
        }

        void apply() {
            for (double[] panel : panels) {
                int from = 0;
                for (int chain = 0; chain < chains; chain++) {
                    provider.rotate(panel, columns[chain], steps[chain], cosines, sines, from, counts[chain]);
                    from += counts[chain];
                }
            }
            chains = 0;
            rotations = 0;
        }

        double[] column(int j) {
            int rows = Provider.PANEL_ROWS;
            double[] column = new double[n];
            for (int p = 0; p < panels.length; p++) {
                System.arraycopy(panels[p], j * rows, column, p * rows, Math.min(rows, n - p * rows));
            }
            return column;
        }
    }
}
