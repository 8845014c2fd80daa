package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;

/**
 * The polynomial kernel {@code (x·y + offset)^degree} on the ball {@code ‖x‖ <= radius}. Degree 1 is the linear kernel.
 *
 * <p>On the whole space it has no bound, so Assumption 1 fails; the radius declares where it is used, and samples outside
 * are refused. Its RKHS has finite dimension: the dictionary stops growing when it spans it.
 *
 * @param degree 1, 2, ...
 * @param offset added to the inner product, >= 0
 * @param radius the declared domain, > 0
 */
record Polynomial(int degree, double offset, double radius) implements PrintedKernel {

    /** Relative slack on the domain's edge, so that a sample scaled to the radius by the caller is inside. */
    private static final double EDGE = 1e-12;

    /** Refuses parameters out of range. */
    public Polynomial {
        InvalidConfigException.require(
                degree >= 1 && degree <= 64, "degree", degree, "must be a whole number from 1 to 64");
        InvalidConfigException.requireNonNegative("offset", offset, "constant term of the polynomial kernel");
        // -0.0 would be another value than the 0 that its text reads back as.
        offset += 0.0;
        InvalidConfigException.requirePositive(
                "radius", radius, "largest |x| that will occur: this kernel is bounded only on a declared domain");
        double bound = largest(radius, offset, degree);
        InvalidConfigException.require(
                !Double.isInfinite(bound), "radius", radius, "(radius^2 + offset)^degree overflows; use smaller units");
    }

    /** κ(x, x) at the edge of what is accepted. */
    private static double largest(double radius, double offset, int degree) {
        double edge = radius * (1 + EDGE);
        // Once more around for the roundings of x·x.
        return power(edge * edge * (1 + EDGE) + offset, degree);
    }

    private static double power(double base, int exponent) {
        double result = base;
        for (int i = 1; i < exponent; i++) {
            result *= base;
        }
        return result;
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        return power(view.dot(x, y) + offset, degree);
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        view.dots(points, x, out);
        for (int i = 0; i < points.size(); i++) {
            out[i] = power(out[i] + offset, degree);
        }
    }

    @Override
    public double bound() {
        return largest(radius, offset, degree);
    }

    @Override
    public boolean isAffine() {
        return degree == 1;
    }

    @Override
    public String objection(CoordinateView view, double[] x) {
        double norm = Math.sqrt(view.dot(x, x));
        return norm <= radius * (1 + EDGE)
                ? null
                : "|x| = " + norm + " lies outside the domain |x| <= " + Decimals.text(radius) + " declared for "
                        + text();
    }

    @Override
    public String toString() {
        return degree == 1
                ? KernelText.call("linear", "offset", offset, "radius", radius)
                : KernelText.call("polynomial", "degree", degree, "offset", offset, "radius", radius);
    }
}
