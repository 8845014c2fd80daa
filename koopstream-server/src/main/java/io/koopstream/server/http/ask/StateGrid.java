package io.koopstream.server.http.ask;

import java.util.Arrays;

/** Points on a rectangle of two coordinates through the state space, the others held fixed; of one-dimensional states, points on a line. */
final class StateGrid {

    private static final double MARGIN = 0.05;

    private final double[] xs;
    private final double[] ys;
    private final double[] base;
    private final int xAxis;
    private final int yAxis;

    /**
     * @param question with nx, ny, x, y, at, bounds, each optional
     * @param states the kept states; the grid is wide enough for all of them and goes through their median
     */
    StateGrid(Question question, double[][] states, int usualCells, int mostPoints) {
        int d = states[0].length;
        xAxis = question.whole("x", 0, 0, d - 1);
        yAxis = d == 1 ? -1 : question.whole("y", xAxis == 1 ? 0 : 1, 0, d - 1);
        if (xAxis == yAxis) {
            throw Question.bad("y", "must be another coordinate than x");
        }
        int nx = question.whole("nx", usualCells, 2, mostPoints);
        int ny = d == 1 ? 1 : question.whole("ny", usualCells, 2, mostPoints);
        if ((long) nx * ny > mostPoints) {
            throw Question.bad("nx", "nx times ny may be at most " + mostPoints);
        }
        double[] at = question.reals("at", d);
        base = at != null ? at : median(states);
        double[] bounds = question.reals("bounds", d == 1 ? 2 : 4);
        xs = bounds == null ? range(states, xAxis, nx) : between("bounds", bounds[0], bounds[1], nx);
        ys = d == 1
                ? new double[1]
                : bounds == null ? range(states, yAxis, ny) : between("bounds", bounds[2], bounds[3], ny);
    }

    private static double[] median(double[][] states) {
        int d = states[0].length;
        double[] median = new double[d];
        double[] column = new double[states.length];
        for (int c = 0; c < d; c++) {
            for (int i = 0; i < states.length; i++) {
                column[i] = states[i][c];
            }
            Arrays.sort(column);
            int middle = column.length / 2;
            median[c] = column.length % 2 == 1 ? column[middle] : (column[middle - 1] + column[middle]) / 2;
        }
        return median;
    }

    private static double[] range(double[][] states, int c, int count) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double[] state : states) {
            low = Math.min(low, state[c]);
            high = Math.max(high, state[c]);
        }
        double margin = high > low ? MARGIN * (high - low) : 0.5;
        return between("bounds", low - margin, high + margin, count);
    }

    private static double[] between(String name, double low, double high, int count) {
        if (!(low < high)) {
            throw Question.bad(name, "must be low,high of x, then of y, each low below its high");
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = low + (high - low) * i / (count - 1);
        }
        return values;
    }

    /** All points, row by row: y slow, x fast. */
    double[][] points() {
        double[][] points = new double[xs.length * ys.length][];
        for (int i = 0; i < points.length; i++) {
            points[i] = base.clone();
            points[i][xAxis] = xs[i % xs.length];
            if (yAxis >= 0) {
                points[i][yAxis] = ys[i / xs.length];
            }
        }
        return points;
    }

    /** Values at all points, as rows of constant y. */
    double[][] rows(double[] values) {
        double[][] rows = new double[ys.length][];
        for (int j = 0; j < rows.length; j++) {
            rows[j] = Arrays.copyOfRange(values, j * xs.length, (j + 1) * xs.length);
        }
        return rows;
    }

    /** Whole numbers at all points, as rows of constant y. */
    int[][] rows(int[] values) {
        int[][] rows = new int[ys.length][];
        for (int j = 0; j < rows.length; j++) {
            rows[j] = Arrays.copyOfRange(values, j * xs.length, (j + 1) * xs.length);
        }
        return rows;
    }

    /** The coordinates of states that the grid shows. */
    double[][] projected(double[][] states) {
        double[][] projected = new double[states.length][];
        for (int i = 0; i < states.length; i++) {
            projected[i] = new double[] {states[i][xAxis], yAxis < 0 ? 0 : states[i][yAxis]};
        }
        return projected;
    }

    double[] xs() {
        return xs.clone();
    }

    double[] ys() {
        return ys.clone();
    }

    double[] base() {
        return base.clone();
    }

    int xAxis() {
        return xAxis;
    }

    /** The second coordinate; -1 when there is only one. */
    int yAxis() {
        return yAxis;
    }
}
