package io.koopstream.linalg;

/** Memory for packed panels, taken once and used again, so that products in a loop allocate nothing. One per thread. */
final class Workspace {

    private double[] left = new double[0];
    private double[] right = new double[0];
    private final double[] triangle = new double[Tile.COLUMNS * Tile.COLUMNS];
    private double[][] edge = new double[0][];

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

    /** For the diagonal part of a triangular solve. */
    double[] triangle() {
        return triangle;
    }

    /** A tile that sticks out over the edge of a matrix is computed here. */
    double[][] edge(int rows, int columns) {
        if (edge.length < columns || edge[0].length < rows) {
            edge = new double[columns][rows];
        }
        return edge;
    }
}
