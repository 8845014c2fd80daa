package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.internal.linalg.Matrix;

/**
 * A reproducing kernel Hilbert space of functions on R^dimension: the kernel and the dimension of its points.
 *
 * @param kernel the reproducing kernel
 * @param dimension number of coordinates of a point, >= 1
 */
public record Rkhs(Kernel kernel, int dimension) {

    /** Coordinates beyond this are refused: their square overflows. */
    public static final double MAX_COORDINATE = 1e154;

    /** Fewer rows than this are filled one by one: vectors along them would be mostly empty. */
    private static final int FEW = 8;

    /** Columns filled at once. */
    private static final int AT_ONCE = 64;

    /** Refuses a dimension the kernel does not take, and a kernel without a finite bound (Assumption 1). */
    public Rkhs {
        InvalidConfigException.require(kernel != null, "kernel", null, "must be given, e.g. gaussian(sigma=0.5)");
        InvalidConfigException.require(dimension >= 1, "dimension", dimension, "a state has at least one coordinate");
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

    /**
     * Rows [from, to) of the Gram block K_si = κ(x_s, p_i); the same bits whatever the parts are.
     *
     * @param x many points
     * @param p as many points as the block has columns
     * @param out {@code x.size()} × {@code p.size()}
     */
    public void gramRows(Points x, int from, int to, Points p, Matrix out, Scratch scratch) {
        if (to - from < FEW) {
            double[] row = new double[p.size()];
            for (int s = from; s < to; s++) {
                kernel.row(view(), p, x.get(s), row, scratch);
                for (int i = 0; i < row.length; i++) {
                    out.set(s, i, row[i]);
                }
            }
            return;
        }
        // Along the points x, as the columns of the block are: a kernel is symmetric to the bit.
        Points some = from == 0 ? x.first(to) : x.range(from, to);
        double[][] points = new double[AT_ONCE][dimension];
        double[][] rows = new double[AT_ONCE][to - from];
        for (int first = 0; first < p.size(); first += AT_ONCE) {
            int count = Math.min(AT_ONCE, p.size() - first);
            for (int j = 0; j < count; j++) {
                p.get(first + j, points[j]);
            }
            kernel.rows(view(), some, points, count, rows, scratch);
            for (int j = 0; j < count; j++) {
                System.arraycopy(rows[j], 0, out.column(first + j), from, to - from);
            }
        }
    }

    /** Refuses, as a sample, a point that is not in the space. */
    public void requireSample(double[] x, String name) {
        requirePoint(x, dimension, name);
        String objection = kernel.objection(view(), x);
        if (objection != null) {
            throw new InvalidSampleException(Reason.OUTSIDE_DOMAIN, -1, name + ": " + objection);
        }
    }

    /** Refuses, as a sample of any kernel, what has another number of coordinates or some that are not finite or too large. */
    public static void requirePoint(double[] x, int dimension, String name) {
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
    }

    /** Refuses, as a query, a point that is not in the space. */
    public void requireQuery(double[] x, String name) {
        try {
            requireSample(x, name);
        } catch (InvalidSampleException e) {
            throw new InvalidQueryException(e.getMessage());
        }
    }

    /** Refuses, as queries, rows that are not in the space; the others are copied. */
    public Points requireQueries(double[][] rows, String name) {
        for (int i = 0; i < rows.length; i++) {
            requireQuery(rows[i], name + "[" + i + "]");
        }
        return Points.of(dimension, rows);
    }
}
