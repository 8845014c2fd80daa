package io.koopstream.internal.linalg;

/**
 * Operations on the leading {@code n} entries of plain arrays, in one fixed order each. Loops that the JIT compiler turns into vector instructions stand here, the
 * others are the {@link Provider}'s.
 */
public final class Vectors {

    private Vectors() {}

    /** Σ_{i in [from, to)} x_i y_i, in eight partial sums (index modulo 8 from {@code from}) and one fixed tree. */
    public static double dot(double[] x, double[] y, int from, int to) {
        return Providers.ACTIVE.dot(x, y, from, to);
    }

    /** x · y over the leading n entries. */
    public static double dot(double[] x, double[] y, int n) {
        return dot(x, y, 0, n);
    }

    /** ‖x‖² over the leading n entries. */
    public static double squaredNorm(double[] x, int n) {
        return dot(x, x, 0, n);
    }

    /** ‖x‖ over the leading n entries, without overflow or underflow on the way. */
    public static double norm(double[] x, int n) {
        double largest = largestModulus(x, n);
        if (largest == 0 || Double.isInfinite(largest) || Double.isNaN(largest)) {
            return largest;
        }
        if (largest > 1e-140 && largest < 1e140) {
            return Math.sqrt(squaredNorm(x, n));
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double scaled = x[i] / largest;
            sum = Math.fma(scaled, scaled, sum);
        }
        return largest * Math.sqrt(sum);
    }

    /** y_i ← y_i + a x_i for i in [from, to). */
    public static void axpy(double a, double[] x, double[] y, int from, int to) {
        for (int i = from; i < to; i++) {
            y[i] = Math.fma(a, x[i], y[i]);
        }
    }

    /**
     * Four columns at once, y_i ← y_i + a_0 x^j_i, then + a_1 x^(j+1)_i, and so on: the bits of four calls of {@link #axpy} with a
     * quarter of the traffic on y.
     *
     * @param x columns, of which j .. j+3 are used
     */
    static void axpy4(double a0, double a1, double a2, double a3, double[][] x, int j, double[] y, int from, int to) {
        four(a0, a1, a2, a3, x[j], x[j + 1], x[j + 2], x[j + 3], y, from, to);
    }

    private static void four(
            double a0,
            double a1,
            double a2,
            double a3,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            double[] y,
            int from,
            int to) {
        for (int i = from; i < to; i++) {
            y[i] = Math.fma(a3, x3[i], Math.fma(a2, x2[i], Math.fma(a1, x1[i], Math.fma(a0, x0[i], y[i]))));
        }
    }

    /** x_i ← c x_i + a u_i for i in [0, n): one column of a rank-one step. */
    public static void scaleAdd(double c, double[] x, double a, double[] u, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.fma(a, u[i], c * x[i]);
        }
    }

    /** x_i ← a x_i for i in [0, n). */
    public static void scale(double a, double[] x, int n) {
        scale(a, x, 0, n);
    }

    /** x_i ← a x_i for i in [from, to). */
    static void scale(double a, double[] x, int from, int to) {
        for (int i = from; i < to; i++) {
            x[i] *= a;
        }
    }

    /** sum_i ← sum_i + ((p_i − center) scale)² for i in [0, n): one coordinate of squared distances. */
    public static void addSquaredDifferences(double[] p, double center, double scale, double[] sum, int n) {
        for (int i = 0; i < n; i++) {
            double difference = (p[i] - center) * scale;
            sum[i] = Math.fma(difference, difference, sum[i]);
        }
    }

    /**
     * out_ji = Σ_c ((p_ci − x_jc) s_c)² for j in [0, count) and i in [0, n), coordinates c in [from, to) in turn: the bits of
     * {@link #addSquaredDifferences} coordinate by coordinate.
     *
     * @param p arrays of coordinates
     * @param x points
     * @param scales s_c at c − from; null when all are one
     */
    public static void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        Providers.ACTIVE.squaredDistances(p, x, count, scales, from, to, out, n);
    }

    /** x_i ← exp(a x_i) for i in [0, n), with the bits of {@link Exp#exp}. */
    public static void expOfMultiple(double a, double[] x, int n) {
        Providers.ACTIVE.expOfMultiple(a, x, n);
    }

    /** sum_i ← sum_i + w exp(a x_i) for i in [0, n), the last step fused: one term of a sum of Gaussians. */
    public static void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n) {
        Providers.ACTIVE.addExpOfMultiple(w, a, x, sum, n);
    }

    /** The power of two just below; one for zero, and kept where it can be divided by without loss. */
    static double powerOfTwo(double largest) {
        return largest == 0 ? 1.0 : Math.scalb(1.0, Math.max(-1000, Math.min(1000, Math.getExponent(largest))));
    }

    /** Largest modulus of the leading n entries; NaN if there is one. */
    public static double largestModulus(double[] x, int n) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, Math.abs(x[i]));
        }
        return largest;
    }
}
