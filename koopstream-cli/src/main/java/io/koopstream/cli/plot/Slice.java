package io.koopstream.cli.plot;

/**
 * A rectangle in a plane through the state space: two coordinates vary, the others stay at those of a base point. Of a space with one
 * coordinate, it is an interval.
 */
public final class Slice {

    /** Cells along each side of a picture. */
    static final int CELLS = 120;

    /** Points of an interval. */
    private static final int LINE_POINTS = 600;

    private static final int NONE = -1;

    private final int first;
    private final int second;
    private final double[] base;
    private final double[] low;
    private final double[] high;
    private final String firstName;
    private final String secondName;

    /**
     * @param first index of the coordinate along the picture's horizontal axis
     * @param second index of the coordinate along its vertical axis
     * @param base the values of all coordinates; those of the two axes do not matter
     * @param low lower left corner, (first, second)
     * @param high upper right corner, (first, second)
     * @param firstName label of the horizontal axis
     * @param secondName label of the vertical axis
     */
    public Slice(
            int first, int second, double[] base, double[] low, double[] high, String firstName, String secondName) {
        this.first = first;
        this.second = second;
        this.base = base.clone();
        this.low = low.clone();
        this.high = high.clone();
        this.firstName = firstName;
        this.secondName = secondName;
    }

    /** A slice through states: wide enough for all of them, through their middle. Rows are states. */
    public static Slice through(double[][] states, int first, int second, String firstName, String secondName) {
        int d = states[0].length;
        double[] low = states[0].clone();
        double[] high = states[0].clone();
        for (double[] state : states) {
            for (int c = 0; c < d; c++) {
                low[c] = Math.min(low[c], state[c]);
                high[c] = Math.max(high[c], state[c]);
            }
        }
        double[] base = new double[d];
        for (int c = 0; c < d; c++) {
            base[c] = (low[c] + high[c]) / 2;
        }
        double[] margin = {margin(low[first], high[first]), margin(low[second], high[second])};
        return new Slice(
                first,
                second,
                base,
                new double[] {low[first] - margin[0], low[second] - margin[1]},
                new double[] {high[first] + margin[0], high[second] + margin[1]},
                firstName,
                secondName);
    }

    /** The interval of one-dimensional states, one per row. */
    public static Slice along(double[][] states, String name) {
        double low = states[0][0];
        double high = states[0][0];
        for (double[] state : states) {
            low = Math.min(low, state[0]);
            high = Math.max(high, state[0]);
        }
        double margin = margin(low, high);
        return new Slice(0, NONE, new double[1], new double[] {low - margin}, new double[] {high + margin}, name, null);
    }

    /** Whether it is an interval. */
    boolean isLine() {
        return second == NONE;
    }

    private static double margin(double low, double high) {
        return high > low ? 0.05 * (high - low) : 0.5;
    }

    /** The centres of the cells, row by row from the top left, as the pixels of a picture; of an interval, points from left to right. */
    public double[][] points() {
        if (isLine()) {
            double[][] line = new double[LINE_POINTS][1];
            for (int i = 0; i < LINE_POINTS; i++) {
                line[i][0] = low[0] + (double) i / (LINE_POINTS - 1) * (high[0] - low[0]);
            }
            return line;
        }
        double[][] points = new double[CELLS * CELLS][];
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                double[] point = base.clone();
                point[first] = low[0] + (column + 0.5) / CELLS * (high[0] - low[0]);
                point[second] = high[1] - (row + 0.5) / CELLS * (high[1] - low[1]);
                points[row * CELLS + column] = point;
            }
        }
        return points;
    }

    /** Height over width of the picture: true to scale unless one side would be much longer than the other. */
    double aspect() {
        double ratio = (high[1] - low[1]) / (high[0] - low[0]);
        return ratio >= 1.0 / 3 && ratio <= 3 ? ratio : 1;
    }

    int first() {
        return first;
    }

    int second() {
        return second;
    }

    double[] low() {
        return low.clone();
    }

    double[] high() {
        return high.clone();
    }

    String firstName() {
        return firstName;
    }

    String secondName() {
        return secondName;
    }
}
