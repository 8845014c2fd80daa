package io.koopstream.testkit;

/**
 * A number with about 32 decimal digits, held as the unevaluated sum of two doubles (Dekker, <i>A floating-point technique for
 * extending the available precision</i>, Numer. Math. 18, 1971).
 *
 * <p>Oracles need it because the paper's formulas, taken literally, subtract nearly equal traces: with a Gram matrix of
 * condition 1e8 a double keeps no digit of a squared residual of 1e-9, while 32 digits keep more than fifteen.
 *
 * @param hi the number rounded to double
 * @param lo what the rounding cut off
 */
public record DoubleDouble(double hi, double lo) implements Comparable<DoubleDouble> {

    /** 0. */
    public static final DoubleDouble ZERO = new DoubleDouble(0, 0);

    /** A double, exactly. */
    public static DoubleDouble of(double value) {
        return new DoubleDouble(value, 0);
    }

    /** hi + lo for |hi| >= |lo|, renormalised. */
    private static DoubleDouble normalised(double hi, double lo) {
        double sum = hi + lo;
        return new DoubleDouble(sum, lo - (sum - hi));
    }

    /** this + other. */
    public DoubleDouble plus(DoubleDouble other) {
        double sum = hi + other.hi;
        double part = sum - hi;
        double error = (hi - (sum - part)) + (other.hi - part);
        return normalised(sum, error + lo + other.lo);
    }

    /** −this. */
    public DoubleDouble negated() {
        return new DoubleDouble(-hi, -lo);
    }

    /** this − other. */
    public DoubleDouble minus(DoubleDouble other) {
        return plus(other.negated());
    }

    /** this · other. */
    public DoubleDouble times(DoubleDouble other) {
        double product = hi * other.hi;
        double error = Math.fma(hi, other.hi, -product);
        return normalised(product, error + (hi * other.lo + lo * other.hi));
    }

    /** this · other. */
    public DoubleDouble times(double other) {
        return times(of(other));
    }

    /** this / other: a quotient of doubles, corrected twice by what it leaves over. */
    public DoubleDouble dividedBy(DoubleDouble other) {
        double first = hi / other.hi;
        DoubleDouble rest = minus(other.times(first));
        double second = rest.hi / other.hi;
        double third = rest.minus(other.times(second)).hi / other.hi;
        return normalised(first, second).plus(of(third));
    }

    /** √this, one Newton step from the double root; 0 for numbers that are not positive. */
    public DoubleDouble sqrt() {
        if (!(hi > 0)) {
            return ZERO;
        }
        double root = Math.sqrt(hi);
        return of(root).plus(minus(of(root).times(root)).dividedBy(of(2 * root)));
    }

    /** Rounded to double. */
    public double toDouble() {
        return hi;
    }

    @Override
    public int compareTo(DoubleDouble other) {
        int byHigh = Double.compare(hi, other.hi);
        return byHigh != 0 ? byHigh : Double.compare(lo, other.lo);
    }
}
