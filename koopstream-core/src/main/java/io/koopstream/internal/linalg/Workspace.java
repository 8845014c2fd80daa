package io.koopstream.internal.linalg;

/** Memory for packed panels, taken once and used again, so that products in a loop allocate nothing. One per thread. */
final class Workspace {

    private double[] left = new double[0];
    private double[] right = new double[0];
    private double[][] edge = new double[0][];
    private double[][] rows = new double[0][];
    private final double[][] rightColumns = new double[Tile.COLUMNS][];
    private final double[][] resultColumns = new double[Tile.COLUMNS][];
    private double[] nothing = new double[0];
    private double[] lost = new double[0];

    /** At least that long. */
    double[] left(int length) {
        if (left.length < length) {
            left = new double[length];
        }
        return left;
    }

    /** At least that long. */
    double[] right(int length) {
        if (right.length < length) {
            right = new double[length];
        }
        return right;
    }

    /** That many arrays of at least that length. */
    double[][] rows(int count, int length) {
        if (rows.length < count || rows[0].length < length) {
            rows = new double[count][length];
        }
        return rows;
    }

    /** Columns [first, first + count) of a matrix and, where these are fewer than a tile takes, arrays of nothing of that length. */
    double[][] padded(double[][] columns, int first, int count, int length) {
        if (nothing.length < length) {
            nothing = new double[length];
        }
        return filledUp(rightColumns, columns, first, count, nothing);
    }

    /** Padded columns of the result; what is written to the arrays of nothing is lost. */
    double[][] paddedResult(double[][] columns, int first, int count, int length) {
        if (lost.length < length) {
            lost = new double[length];
        }
        return filledUp(resultColumns, columns, first, count, lost);
    }

    private static double[][] filledUp(
            double[][] columnsOfTile, double[][] columns, int first, int count, double[] rest) {
        System.arraycopy(columns, first, columnsOfTile, 0, count);
        java.util.Arrays.fill(columnsOfTile, count, Tile.COLUMNS, rest);
        return columnsOfTile;
    }

    /** A tile that sticks out over the edge of a matrix is computed here. */
    double[][] edge(int rows, int columns) {
        if (edge.length < columns || edge[0].length < rows) {
            edge = new double[columns][rows];
        }
        return edge;
    }
}
