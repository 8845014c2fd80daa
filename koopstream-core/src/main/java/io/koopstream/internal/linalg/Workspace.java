package io.koopstream.internal.linalg;

/** Memory for packed panels, taken once and used again, so that products in a loop allocate nothing. One per thread. */
final class Workspace {

    private double[] left = new double[0];
    private double[][] edge = new double[0][];
    private double[][] rows = new double[0][];

    /** At least that long. */
    double[] left(int length) {
        if (left.length < length) {
            left = new double[length];
        }
        return left;
    }

    /** That many arrays of at least that length. */
    double[][] rows(int count, int length) {
        if (rows.length < count || rows[0].length < length) {
            rows = new double[count][length];
        }
        return rows;
    }

    /** A tile that sticks out over the edge of a matrix is computed here. */
    double[][] edge(int rows, int columns) {
        if (edge.length < columns || edge[0].length < rows) {
            edge = new double[columns][rows];
        }
        return edge;
    }
}
