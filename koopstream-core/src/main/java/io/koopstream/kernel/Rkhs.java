package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;

/**
 * A reproducing kernel Hilbert space of functions on R^dimension: the kernel and the dimension of its points.
 *
 * @param kernel the reproducing kernel
 * @param dimension number of coordinates of a point, >= 1
 */
public record Rkhs(Kernel kernel, int dimension) {

    /** Coordinates beyond this are refused: their square overflows. */
    public static final double MAX_COORDINATE = 1e154;

    /** Refuses a dimension the kernel does not take, and a kernel without a finite bound (Assumption 1). */
    public Rkhs {
        if (kernel == null) {
            throw new InvalidConfigException("kernel", null, "must be given, e.g. gaussian(sigma=0.5)");
        }
        if (dimension < 1) {
            throw new InvalidConfigException("dimension", dimension, "a state has at least one coordinate");
        }
        int required = kernel.requiredDimension();
        if (required != 0 && required != dimension) {
            throw new InvalidConfigException(
                    "dimension", dimension, "kernel " + kernel.text() + " takes " + required + " coordinates");
        }
        double bound = kernel.bound();
        if (!(bound > 0) || Double.isInfinite(bound)) {
            throw new InvalidConfigException("kernel", kernel.text(), "needs a finite bound sup κ(x,x) (Assumption 1)");
        }
    }

    /** All coordinates. */
    public CoordinateView view() {
        return CoordinateView.all(dimension);
    }

    /** Refuses, as a sample, a point that is not in the space. */
    public void requireSample(double[] x, String name) {
        if (x == null) {
            throw new InvalidSampleException(Reason.NULL, -1, name + " is null");
        }
        if (x.length != dimension) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION, -1, name + " has " + x.length + " coordinates, the space has " + dimension);
        }
        for (int c = 0; c < x.length; c++) {
            if (!(Math.abs(x[c]) <= MAX_COORDINATE)) {
                boolean finite = Double.isFinite(x[c]);
                throw new InvalidSampleException(
                        finite ? Reason.TOO_LARGE : Reason.NOT_FINITE,
                        c,
                        name + "[" + c + "] = " + x[c]
                                + (finite
                                        ? ": beyond " + MAX_COORDINATE + ", its square overflows; use other units"
                                        : ": must be finite"));
            }
        }
        String objection = kernel.objection(view(), x);
        if (objection != null) {
            throw new InvalidSampleException(Reason.OUTSIDE_DOMAIN, -1, name + ": " + objection);
        }
    }

    /** Refuses, as a query, a point that is not in the space. */
    public void requireQuery(double[] x, String name) {
        try {
            requireSample(x, name);
        } catch (InvalidSampleException e) {
            throw new InvalidQueryException(e.getMessage());
        }
    }
}
