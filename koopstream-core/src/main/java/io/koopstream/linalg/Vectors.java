package io.koopstream.linalg;

/** Operations on the leading {@code n} entries of plain arrays, in one fixed order each. */
public final class Vectors {

    private Vectors() {}

    /** Σ_{i in [from, to)} x_i y_i, in eight partial sums (index modulo 8 from {@code from}) and one fixed tree. */
    public static double dot(double[] x, double[] y, int from, int to) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            s0 = Math.fma(x[i], y[i], s0);
            s1 = Math.fma(x[i + 1], y[i + 1], s1);
            s2 = Math.fma(x[i + 2], y[i + 2], s2);
            s3 = Math.fma(x[i + 3], y[i + 3], s3);
            s4 = Math.fma(x[i + 4], y[i + 4], s4);
            s5 = Math.fma(x[i + 5], y[i + 5], s5);
            s6 = Math.fma(x[i + 6], y[i + 6], s6);
            s7 = Math.fma(x[i + 7], y[i + 7], s7);
        }
        double sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
        for (; i < to; i++) {
            sum = Math.fma(x[i], y[i], sum);
        }
        return sum;
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
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, Math.abs(x[i]));
        }
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

    /** x_i ← c x_i + a u_i for i in [0, n): one column of a rank-one step. */
    public static void scaleAdd(double c, double[] x, double a, double[] u, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.fma(a, u[i], c * x[i]);
        }
    }

    /** x_i ← a x_i for i in [0, n). */
    public static void scale(double a, double[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] *= a;
        }
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
