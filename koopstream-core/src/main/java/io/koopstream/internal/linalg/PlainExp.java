package io.koopstream.internal.linalg;

/**
 * {@link Exp#exp} of a stretch of numbers, step by step in loops that C2 turns into vector instructions: each is short enough for that, and the one
 * that puts the exponent in is apart, because it is not. Three times as fast as number by number. One per thread.
 */
final class PlainExp {

    /** Numbers in a stretch. */
    static final int LENGTH = 256;

    private final double[] shifted = new double[LENGTH];
    private final double[] r = new double[LENGTH];
    private final double[] p = new double[LENGTH];
    private int count;

    /** Takes exp(a x_i) for i in [from, to). */
    void exp(double a, double[] x, int from, int to) {
        count = to - from;
        reduce(a, x, from, count, shifted, r);
        firstTerms(r, p, count);
        moreTerms(r, p, count);
        lastTerms(r, p, count);
        scale(a, x, from, count, shifted, p);
    }

    /** The results in place of what is there from an index on. */
    void into(double[] out, int from) {
        System.arraycopy(p, 0, out, from, count);
    }

    /** sum_i ← fma(w, result_i, sum_i) from an index on. */
    void addTo(double w, double[] sum, int from) {
        add(w, p, sum, from, count);
    }

    private static void add(double w, double[] p, double[] sum, int from, int n) {
        for (int i = 0; i < n; i++) {
            sum[from + i] = Math.fma(w, p[i], sum[from + i]);
        }
    }

    private static void reduce(double a, double[] x, int from, int n, double[] shifted, double[] r) {
        for (int i = 0; i < n; i++) {
            double argument = a * x[from + i];
            double rounded = Math.fma(argument, Exp.INV_LN2, Exp.ROUND);
            double minusK = Exp.ROUND - rounded;
            shifted[i] = rounded;
            r[i] = Math.fma(minusK, Exp.LN2_LO, Math.fma(minusK, Exp.LN2_HI, argument));
        }
    }

    private static void firstTerms(double[] r, double[] p, int n) {
        for (int i = 0; i < n; i++) {
            double sum = Math.fma(r[i], Exp.C13, Exp.C12);
            sum = Math.fma(r[i], sum, Exp.C11);
            sum = Math.fma(r[i], sum, Exp.C10);
            sum = Math.fma(r[i], sum, Exp.C9);
            p[i] = Math.fma(r[i], sum, Exp.C8);
        }
    }

    private static void moreTerms(double[] r, double[] p, int n) {
        for (int i = 0; i < n; i++) {
            double sum = Math.fma(r[i], p[i], Exp.C7);
            sum = Math.fma(r[i], sum, Exp.C6);
            sum = Math.fma(r[i], sum, Exp.C5);
            sum = Math.fma(r[i], sum, Exp.C4);
            sum = Math.fma(r[i], sum, Exp.C3);
            p[i] = Math.fma(r[i], sum, Exp.C2);
        }
    }

    private static void lastTerms(double[] r, double[] p, int n) {
        for (int i = 0; i < n; i++) {
            p[i] = 1.0 + Math.fma(r[i] * r[i], p[i], r[i]);
        }
    }

    /** The low bits of {@code shifted} are k; moved to the place of the exponent they multiply by 2^k, exactly, where results are normal. */
    private static void scale(double a, double[] x, int from, int n, double[] shifted, double[] p) {
        for (int i = 0; i < n; i++) {
            double argument = a * x[from + i];
            p[i] = Math.abs(argument) <= -Exp.MIN_NORMAL
                    ? Double.longBitsToDouble(
                            Double.doubleToRawLongBits(p[i]) + (Double.doubleToRawLongBits(shifted[i]) << 52))
                    : Exp.exp(argument);
        }
    }
}
