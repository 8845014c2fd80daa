package io.koopstream.kernel;

import io.koopstream.internal.linalg.Vectors;
import java.util.Arrays;

/**
 * The coordinates of a point that a kernel looks at, in their units: coordinates [from, to), each divided by a scale.
 *
 * <p>All arithmetic between two points lives here, in one order (coordinates in turn, fused), so that a Gram row agrees
 * with the pointwise kernel bit for bit. Immutable.
 */
public final class CoordinateView {

    private static final CoordinateView[] WHOLE = new CoordinateView[64];

    static {
        for (int d = 0; d < WHOLE.length; d++) {
            WHOLE[d] = new CoordinateView(0, d, null);
        }
    }

    private final int from;
    private final int to;
    /** 1 / scale of coordinate from + c, or null when all scales are one. */
    private final double[] inverseScales;

    private CoordinateView(int from, int to, double[] inverseScales) {
        this.from = from;
        this.to = to;
        this.inverseScales = inverseScales;
    }

    /** All coordinates of a space of this dimension, as they are. */
    public static CoordinateView all(int dimension) {
        return dimension < WHOLE.length ? WHOLE[dimension] : new CoordinateView(0, dimension, null);
    }

    /** Number of coordinates looked at. */
    public int dimension() {
        return to - from;
    }

    /** A part of this view: {@code count} coordinates starting at {@code offset} within it. */
    public CoordinateView part(int offset, int count) {
        double[] scales = inverseScales == null ? null : Arrays.copyOfRange(inverseScales, offset, offset + count);
        return new CoordinateView(from + offset, from + offset + count, scales);
    }

    /** This view with every coordinate divided by a further scale. */
    public CoordinateView dividedBy(double[] scales) {
        double[] combined = new double[dimension()];
        for (int c = 0; c < combined.length; c++) {
            // Never infinite: nothing times infinity would not be nothing.
            combined[c] = Math.min(Double.MAX_VALUE, (inverseScales == null ? 1.0 : inverseScales[c]) / scales[c]);
        }
        return new CoordinateView(from, to, combined);
    }

    /** The coordinates looked at, in the view's units: a copy. */
    double[] coordinates(double[] x) {
        double[] seen = Arrays.copyOfRange(x, from, to);
        for (int c = from; c < to; c++) {
            seen[c - from] *= inverseScale(c);
        }
        return seen;
    }

    private double inverseScale(int coordinate) {
        return inverseScales == null ? 1.0 : inverseScales[coordinate - from];
    }

    /** ‖x − y‖² in the view's units. */
    public double squaredDistance(double[] x, double[] y) {
        double sum = 0;
        for (int c = from; c < to; c++) {
            double difference = (y[c] - x[c]) * inverseScale(c);
            sum = Math.fma(difference, difference, sum);
        }
        return sum;
    }

    /** out_i = ‖p_i − x‖² for all points. */
    public void squaredDistances(Points points, double[] x, double[] out) {
        int n = points.size();
        Arrays.fill(out, 0, n, 0.0);
        for (int c = from; c < to; c++) {
            Vectors.addSquaredDifferences(points.coordinate(c), x[c], inverseScale(c), out, n);
        }
    }

    /** out_ji = ‖p_i − x_j‖² for all points p_i and the first {@code count} x_j, with the same bits. */
    void squaredDistances(Points points, double[][] x, int count, double[][] out) {
        Vectors.squaredDistances(points.coordinates(), x, count, inverseScales, from, to, out, points.size());
    }

    /** x · y in the view's units. */
    public double dot(double[] x, double[] y) {
        double sum = 0;
        for (int c = from; c < to; c++) {
            double scale = inverseScale(c);
            sum = Math.fma(x[c] * scale, y[c] * scale, sum);
        }
        return sum;
    }

    /** out_i = p_i · x for all points. */
    public void dots(Points points, double[] x, double[] out) {
        int n = points.size();
        Arrays.fill(out, 0, n, 0.0);
        for (int c = from; c < to; c++) {
            double[] coordinate = points.coordinate(c);
            double scale = inverseScale(c);
            double factor = x[c] * scale;
            for (int i = 0; i < n; i++) {
                out[i] = Math.fma(factor, coordinate[i] * scale, out[i]);
            }
        }
    }
}
