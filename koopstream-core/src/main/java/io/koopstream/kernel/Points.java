package io.koopstream.kernel;

import io.koopstream.internal.linalg.Matrix;
import java.util.Arrays;

/**
 * A growing list of points of one dimension, stored coordinate by coordinate so that a Gram row runs over contiguous memory.
 *
 * <p>One writer; safe to share once no longer written.
 */
public final class Points {

    private static final double[] NOTHING = {};

    /** A row a point. */
    private final Matrix rows;

    /** An empty list. */
    public Points(int dimension) {
        this(Matrix.ofColumns(new double[dimension][], 0));
        // No memory before the first point: there may be very many coordinates.
        Arrays.fill(rows.storage(), NOTHING);
    }

    private Points(Matrix rows) {
        this.rows = rows;
    }

    /** The points in the rows of an array, copied; rows are samples. */
    public static Points of(int dimension, double[][] rows) {
        Points points = new Points(dimension);
        points.reserve(rows.length);
        for (double[] row : rows) {
            points.add(row);
        }
        return points;
    }

    /** The points with these coordinates, one array per coordinate and at least {@code size} long; taken over, not copied. */
    public static Points ofCoordinates(double[][] coordinates, int size) {
        return new Points(Matrix.ofColumns(coordinates, size));
    }

    /** Number of points. */
    public int size() {
        return rows.rows();
    }

    /** Number of coordinates of each point. */
    public int dimension() {
        return rows.columns();
    }

    /** Coordinate c of point i. */
    public double get(int i, int c) {
        return rows.get(i, c);
    }

    /** Point i, copied into {@code out}. */
    public void get(int i, double[] out) {
        for (int c = 0; c < dimension(); c++) {
            out[c] = rows.get(i, c);
        }
    }

    /** A copy of point i. */
    public double[] get(int i) {
        double[] point = new double[dimension()];
        get(i, point);
        return point;
    }

    /** The array behind coordinate c, for reading: at least {@link #size()} long, shared, not a copy. */
    public double[] coordinate(int c) {
        return rows.column(c);
    }

    /** The arrays behind all coordinates, for reading: each at least {@link #size()} long, shared. */
    double[][] coordinates() {
        return rows.storage();
    }

    /** Makes room for {@code needed} points, so that a later {@link #add} cannot fail. */
    public void reserve(int needed) {
        rows.reserve(needed, dimension());
    }

    /** Appends a copy of the point. */
    public void add(double[] point) {
        if (point.length != dimension()) {
            throw new IllegalArgumentException(
                    "a point of dimension " + point.length + " among points of dimension " + dimension());
        }
        int i = size();
        rows.resize(i + 1, dimension());
        for (int c = 0; c < point.length; c++) {
            rows.set(i, c, point[c]);
        }
    }

    /** Removes point i; the points after it move up. */
    public void remove(int i) {
        rows.removeRow(i);
    }

    /** A copy of the first {@code count} points; this list itself when it has no more. */
    public Points first(int count) {
        return count == size() ? this : range(0, count);
    }

    /** A copy of the points from one to before another. */
    public Points range(int from, int to) {
        double[][] copied = new double[dimension()][];
        Arrays.setAll(copied, c -> Arrays.copyOfRange(coordinate(c), from, to));
        return ofCoordinates(copied, to - from);
    }

    /** Removes the first {@code count} points; the others move up. */
    public void removeFirst(int count) {
        int left = size() - count;
        for (int c = 0; c < dimension(); c++) {
            System.arraycopy(coordinate(c), count, coordinate(c), 0, left);
        }
        rows.truncate(left, dimension());
    }

    /** An independent copy, trimmed to size. */
    public Points copy() {
        return new Points(rows.copy());
    }

    /** The points as rows. */
    public double[][] toRows() {
        return rows.toRows();
    }
}
