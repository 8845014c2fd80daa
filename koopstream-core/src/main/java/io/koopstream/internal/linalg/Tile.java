package io.koopstream.internal.linalg;

/** A block of {@link #rows()} × {@link #COLUMNS} entries of a product that is held in registers. */
interface Tile {

    /** Columns of a tile: twelve accumulators, two parts of a column and a broadcast fit into sixteen registers. */
    int COLUMNS = 6;

    /** Rows of a tile: two vectors of the machine. */
    int rows();

    /**
     * C ← γ C + (left)(right) for rows [row, row + rows()) and columns [column, column + COLUMNS).
     *
     * @param left depth × rows(), k by k
     * @param right depth × COLUMNS, k by k
     */
    void multiply(
            double gamma,
            int depth,
            double[] left,
            int leftOffset,
            double[] right,
            int rightOffset,
            double[][] c,
            int column,
            int row);

    /**
     * C ← γ C + (left)(right) for rows [row, row + rows()) and columns [column, column + COLUMNS), the right factor as it is stored.
     *
     * @param left depth × rows(), k by k
     * @param right columns, of which rows [fromK, fromK + depth) of [rightColumn, rightColumn + COLUMNS) are used
     */
    void multiplyColumns(
            double gamma,
            int depth,
            double[] left,
            int leftOffset,
            double[][] right,
            int rightColumn,
            int fromK,
            double[][] c,
            int column,
            int row);

    /**
     * {@link #multiply} with γ = 1, followed by a solve with the tile's own 6×6 triangle; the solution is stored in C and appended to {@code left}.
     *
     * @param right followed by the triangle: −l_jk for k < j and 1 / l_jj on the diagonal, at j·COLUMNS + k
     */
    void solve(
            int depth,
            double[] left,
            int leftOffset,
            double[] right,
            int rightOffset,
            double[][] c,
            int column,
            int row);
}
