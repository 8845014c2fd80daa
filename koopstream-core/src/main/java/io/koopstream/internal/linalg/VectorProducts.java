package io.koopstream.internal.linalg;

/**
 * Products of matrices as loops over {@linkplain VectorTile register tiles} on packed panels (Goto and van de Geijn, Anatomy of High-Performance
 * Matrix Multiplication, 2008): the left panel is sized for the second cache, a tile's own panels for the first.
 */
final class VectorProducts {

    /** Longest stretch of k packed at once: a left panel of 8 rows takes 16 kB. */
    private static final int DEPTH = 256;

    /** Entries of the packed left part: 256 kB. */
    private static final int LEFT_SIZE = 32768;

    private static final int HEIGHT = VectorTile.ROWS;
    private static final int WIDTH = VectorTile.COLUMNS;

    /** Columns of a transposed right factor that are written out at once. */
    private static final int PANEL_COLUMNS = 8 * WIDTH;

    /** Largest diagonal block that is solved in one go: 64 rows of it take 120 kB. */
    private static final int SOLVE_COLUMNS = 40 * WIDTH;

    private VectorProducts() {}

    /** Rows packed at once for sums over {@code depth} terms. */
    private static int rowsAtOnce(int depth) {
        return Math.max(1, LEFT_SIZE / (depth * HEIGHT)) * HEIGHT;
    }

    private static int panels(int rows) {
        return (rows + HEIGHT - 1) / HEIGHT;
    }

    static void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace) {
        region.scale(gamma);
        for (int k = 0; k < depth; k += DEPTH) {
            int kEnd = Math.min(depth, k + DEPTH);
            int rows = rowsAtOnce(kEnd - k);
            // The panel that is not full comes first: of a lower triangle that is the shortest.
            int ragged = (region.toRow() - region.fromRow()) % HEIGHT;
            for (int row = region.fromRow(), rowEnd; row < region.toRow(); row = rowEnd) {
                rowEnd = row == region.fromRow() && ragged > 0 ? row + ragged : Math.min(region.toRow(), row + rows);
                chunk(region, row, rowEnd, x, w, k, kEnd, workspace);
            }
        }
    }

    private static void chunk(
            Region region, int row, int rowEnd, Factor x, Factor w, int k, int kEnd, Workspace workspace) {
        double[] left = workspace.left(panels(rowEnd - row) * HEIGHT * (kEnd - k));
        x.packRows(row, rowEnd, k, kEnd, HEIGHT, left);
        int last = region.columnEnd(rowEnd);
        for (int j = region.fromColumn(); j < last; j += PANEL_COLUMNS) {
            int end = Math.min(last, j + PANEL_COLUMNS);
            double[][] right = w.columns();
            if (w.transposed()) {
                right = workspace.rows(PANEL_COLUMNS, kEnd);
                w.transpose(j, end, k, kEnd, right);
            }
            int shift = w.transposed() ? j : 0;
            for (int q = j; q < end; q += WIDTH) {
                // A tile whose last row is above its first column holds nothing of the lower triangle.
                int first = region.lower() ? Math.max(0, (q - row) / HEIGHT) : 0;
                int used = Math.min(WIDTH, end - q);
                panel(region.c(), q, used, row, rowEnd, first, left, right, q - shift, k, kEnd, workspace);
            }
        }
    }

    /** The tiles of one panel of columns, from tile {@code first} on. */
    private static void panel(
            double[][] c,
            int column,
            int used,
            int row,
            int rowEnd,
            int first,
            double[] left,
            double[][] right,
            int rightColumn,
            int k,
            int kEnd,
            Workspace workspace) {
        int depth = kEnd - k;
        int at = first * HEIGHT * depth;
        for (int top = row + first * HEIGHT; top < rowEnd; top += HEIGHT, at += HEIGHT * depth) {
            int kept = Math.min(HEIGHT, rowEnd - top);
            tile(c, column, used, top, kept, depth, left, at, right, rightColumn, k, false, workspace);
        }
    }

    /** One tile; where it sticks out over the edge of the matrix it is computed aside. */
    private static void tile(
            double[][] c,
            int column,
            int used,
            int top,
            int kept,
            int depth,
            double[] left,
            int at,
            double[][] right,
            int rightColumn,
            int k,
            boolean solve,
            Workspace workspace) {
        if (used == WIDTH && kept == HEIGHT) {
            VectorTile.compute(depth, left, at, right, rightColumn, k, c, column, top, solve);
            return;
        }
        double[][] edge = workspace.edge(HEIGHT, WIDTH);
        double[][] columns = new double[WIDTH][];
        for (int j = 0; j < WIDTH; j++) {
            columns[j] = right[rightColumn + Math.min(j, used - 1)];
        }
        for (int j = 0; j < used; j++) {
            System.arraycopy(c[column + j], top, edge[j], 0, kept);
        }
        VectorTile.compute(depth, left, at, columns, 0, k, edge, 0, 0, solve);
        for (int j = 0; j < used; j++) {
            System.arraycopy(edge[j], 0, c[column + j], top, kept);
        }
    }

    static void solve(Matrix matrix, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        double[][] x = matrix.storage();
        int n = lower.size();
        for (int first = 0; first < n; first += SOLVE_COLUMNS) {
            int end = Math.min(n, first + SOLVE_COLUMNS);
            for (int k = 0; k < first; k += DEPTH) {
                int kEnd = Math.min(first, k + DEPTH);
                int rows = rowsAtOnce(kEnd - k);
                for (int row = fromRow; row < toRow; row += rows) {
                    int rowEnd = Math.min(toRow, row + rows);
                    double[] left = workspace.left(panels(rowEnd - row) * HEIGHT * (kEnd - k));
                    new Factor(matrix, false).packRows(row, rowEnd, k, kEnd, HEIGHT, left);
                    for (int j = first; j < end; j += WIDTH) {
                        int used = Math.min(WIDTH, end - j);
                        panel(x, j, used, row, rowEnd, 0, left, lower.rows(), j, k, kEnd, workspace);
                    }
                }
            }
            solveDiagonal(x, fromRow, toRow, lower, first, end, workspace);
        }
    }

    private static void solveDiagonal(
            double[][] x, int fromRow, int toRow, PackedFactor lower, int first, int end, Workspace workspace) {
        int panels = panels(toRow - fromRow);
        int depth = (end - first + WIDTH - 1) / WIDTH * WIDTH;
        double[] left = workspace.left(panels * HEIGHT * depth);
        for (int j = first; j < end; j += WIDTH) {
            int used = Math.min(WIDTH, end - j);
            for (int p = 0; p < panels; p++) {
                int top = fromRow + p * HEIGHT;
                int kept = Math.min(HEIGHT, toRow - top);
                int at = p * HEIGHT * depth;
                tile(x, j, used, top, kept, j - first, left, at, lower.rows(), j, first, true, workspace);
            }
        }
    }
}
