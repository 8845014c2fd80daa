package io.koopstream.internal.linalg;

/**
 * The exponential function with one result on every machine.
 *
 * <p>{@link Math#exp} may differ by an ulp between machines and {@link StrictMath#exp} is slow, so a model that has to
 * come back bit for bit needs its own: Cody–Waite reduction {@code x = k ln 2 + r}, {@code |r| <= ln 2 / 2}, a Taylor
 * polynomial of degree 13 in fused steps, and an exact scaling by {@code 2^k}. Error below 1 ulp wherever the result is
 * normal; one more rounding where it is subnormal.
 */
public final class Exp {

    /** 1 / ln 2. */
    static final double INV_LN2 = 0x1.71547652b82fep0;
    /** The leading 33 bits of ln 2, so that k * LN2_HI is exact for every k in range. */
    static final double LN2_HI = 0x1.62e42feep-1;
    /** ln 2 - LN2_HI. */
    static final double LN2_LO = 0x1.a39ef35793c76p-33;
    /** Adding and subtracting 1.5 * 2^52 rounds to the nearest integer. */
    static final double ROUND = 0x1.8p52;

    /** For arguments beyond this, exp(-s) is zero even as a subnormal. */
    public static final double VANISHES = 745.2;

    /** From here to 709 the result is a normal number, so one exact scaling by 2^k does. */
    static final double MIN_NORMAL = -708.0;

    private static final double UNDERFLOW = -VANISHES;
    /** Above this the result is infinite. */
    private static final double OVERFLOW = 709.79;

    static final double C2 = 1.0 / 2;
    static final double C3 = 1.0 / 6;
    static final double C4 = 1.0 / 24;
    static final double C5 = 1.0 / 120;
    static final double C6 = 1.0 / 720;
    static final double C7 = 1.0 / 5040;
    static final double C8 = 1.0 / 40320;
    static final double C9 = 1.0 / 362880;
    static final double C10 = 1.0 / 3628800;
    static final double C11 = 1.0 / 39916800;
    static final double C12 = 1.0 / 479001600;
    static final double C13 = 1.0 / 6227020800.0;

    private Exp() {}

    /** e to the power of x; NaN for NaN. */
    public static double exp(double x) {
        if (!(x >= UNDERFLOW)) {
            return x < UNDERFLOW ? 0.0 : Double.NaN;
        }
        if (x > OVERFLOW) {
            return Double.POSITIVE_INFINITY;
        }
        double k = Math.fma(x, INV_LN2, ROUND) - ROUND;
        double r = Math.fma(-k, LN2_LO, Math.fma(-k, LN2_HI, x));
        double p = Math.fma(r, C13, C12);
        p = Math.fma(r, p, C11);
        p = Math.fma(r, p, C10);
        p = Math.fma(r, p, C9);
        p = Math.fma(r, p, C8);
        p = Math.fma(r, p, C7);
        p = Math.fma(r, p, C6);
        p = Math.fma(r, p, C5);
        p = Math.fma(r, p, C4);
        p = Math.fma(r, p, C3);
        p = Math.fma(r, p, C2);
        // e^r = 1 + (r + r² p): the small part is rounded once, then added to 1.
        double small = Math.fma(r * r, p, r);
        // Two factors because 2^k alone leaves the range of normal numbers when the result is subnormal.
        int whole = (int) k;
        int half = whole >> 1;
        return (1.0 + small) * powerOfTwo(half) * powerOfTwo(whole - half);
    }

    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble((long) (exponent + 1023) << 52);
    }
}
