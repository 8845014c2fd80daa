package io.koopstream.kernel;

import java.util.Arrays;

/**
 * A growing list of points of one dimension, stored coordinate by coordinate so that a Gram row runs over contiguous memory.
 *
 * <p>One writer; safe to share once no longer written.
 */
public final class Points {

    private static final int MIN_CAPACITY = 8;
    private static final double[] NOTHING = {};

    private final double[][] coordinates;
    private int size;

    /** An empty list. */
    public Points(int dimension) {
        // No memory before the first point: there may be very many coordinates.
        this.coordinates = new double[dimension][];
        Arrays.fill(coordinates, NOTHING);
    }

    private Points(double[][] coordinates, int size) {
        this.coordinates = coordinates;
        this.size = size;
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
        return new Points(coordinates, size);
    }

    /** Number of points. */
    public int size() {
        return size;
    }

    /** Number of coordinates of each point. */
    public int dimension() {
        return coordinates.length;
    }

    /** Coordinate c of point i. */
    public double get(int i, int c) {
        return coordinates[c][i];
    }

    /** Point i, copied into {@code out}. */
    public void get(int i, double[] out) {
        for (int c = 0; c < coordinates.length; c++) {
            out[c] = coordinates[c][i];
        }
    }

    /** A copy of point i. */
    public double[] get(int i) {
        double[] point = new double[coordinates.length];
        get(i, point);
        return point;
    }

    /** The array behind coordinate c, for reading: at least {@link #size()} long, shared, not a copy. */
    public double[] coordinate(int c) {
        return coordinates[c];
    }

    /** The arrays behind all coordinates, for reading: each at least {@link #size()} long, shared. */
    double[][] coordinates() {
        return coordinates;
    }

    /** Makes room for {@code needed} points, so that a later {@link #add} cannot fail. */
    public void reserve(int needed) {
        int capacity = coordinates.length == 0 ? needed : coordinates[0].length;
        if (needed > capacity) {
            int bigger = Math.max(Math.max(needed, MIN_CAPACITY), capacity + (capacity >> 1));
            double[][] grown = new double[coordinates.length][];
            for (int c = 0; c < coordinates.length; c++) {
                grown[c] = Arrays.copyOf(coordinates[c], bigger);
            }
            System.arraycopy(grown, 0, coordinates, 0, grown.length);
        }
    }

    /** Appends a copy of the point. */
    public void add(double[] point) {
        if (point.length != coordinates.length) {
            throw new IllegalArgumentException(
                    "a point of dimension " + point.length + " among points of dimension " + coordinates.length);
        }
        reserve(size + 1);
        for (int c = 0; c < coordinates.length; c++) {
            coordinates[c][size] = point[c];
        }
        size++;
    }

    /** Removes point i; the points after it move up. */
    public void remove(int i) {
        for (double[] coordinate : coordinates) {
            System.arraycopy(coordinate, i + 1, coordinate, i, size - i - 1);
            coordinate[size - 1] = 0;
        }
        size--;
    }

    /** A copy of the first {@code count} points; this list itself when it has no more. */
    public Points first(int count) {
        return count == size ? this : range(0, count);
    }

    /** A copy of the points from one to before another. */
    public Points range(int from, int to) {
        double[][] copied = new double[coordinates.length][];
        for (int c = 0; c < coordinates.length; c++) {
            copied[c] = Arrays.copyOfRange(coordinates[c], from, to);
        }
        return new Points(copied, to - from);
    }

    /** Removes the first {@code count} points; the others move up. */
    public void removeFirst(int count) {
        for (double[] coordinate : coordinates) {
            System.arraycopy(coordinate, count, coordinate, 0, size - count);
        }
        size -= count;
    }

    /** An independent copy, trimmed to size. */
    public Points copy() {
        return range(0, size);
    }

    /** The points as rows. */
    public double[][] toRows() {
        double[][] rows = new double[size][];
        for (int i = 0; i < size; i++) {
            rows[i] = get(i);
        }
        return rows;
    }
}
