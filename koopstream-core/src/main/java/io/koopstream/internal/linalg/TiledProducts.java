package io.koopstream.internal.linalg;

/**
 * Products of matrices as loops over register tiles on packed panels (Goto and van de Geijn, Anatomy of High-Performance Matrix
 * Multiplication, 2008): the left panel is sized for the second cache, a tile's own panels for the first.
 */
final class TiledProducts implements BlockProducts {

    /** Longest stretch of k packed at once: a left panel of 8 rows takes 16 kB. */
    private static final int DEPTH = 256;

    /** Entries of the packed left part: 256 kB. */
    private static final int LEFT_SIZE = 32768;

    /** Columns of W packed at once. */
    private static final int PANEL_COLUMNS = 8 * Tile.COLUMNS;

    private final Tile tile;

    TiledProducts(Tile tile) {
        this.tile = tile;
    }

    @Override
    public void product(
            double gamma,
            double[][] c,
            int fromRow,
            int toRow,
            int fromColumn,
            int toColumn,
            double[][] x,
            Weights w,
            Workspace workspace) {
        if (w.depth() == 0) {
            // No sum at all: only the scaling is left.
            chunk(gamma, c, fromRow, toRow, fromColumn, toColumn, x, w, 0, 0, workspace);
            return;
        }
        for (int k = 0; k < w.depth(); k += DEPTH) {
            int kEnd = Math.min(w.depth(), k + DEPTH);
            int rows = Math.max(1, LEFT_SIZE / ((kEnd - k) * tile.rows())) * tile.rows();
            for (int row = fromRow; row < toRow; row += rows) {
                chunk(
                        k == 0 ? gamma : 1,
                        c,
                        row,
                        Math.min(toRow, row + rows),
                        fromColumn,
                        toColumn,
                        x,
                        w,
                        k,
                        kEnd,
                        workspace);
            }
        }
    }

    private void chunk(
            double gamma,
            double[][] c,
            int row,
            int rowEnd,
            int fromColumn,
            int toColumn,
            double[][] x,
            Weights w,
            int k,
            int kEnd,
            Workspace workspace) {
        int depth = kEnd - k;
        int height = tile.rows();
        int panels = (rowEnd - row + height - 1) / height;
        double[] left = workspace.left(panels * height * depth);
        packLeft(x, row, rowEnd, k, kEnd, height, left);
        double[] right = workspace.right(PANEL_COLUMNS * depth);
        for (int j = fromColumn; j < toColumn; j += PANEL_COLUMNS) {
            int count = Math.min(PANEL_COLUMNS, toColumn - j);
            w.pack(k, kEnd, j, count, Tile.COLUMNS, right);
            for (int q = 0; q < count; q += Tile.COLUMNS) {
                int used = Math.min(Tile.COLUMNS, count - q);
                multiplyPanel(gamma, c, j + q, used, row, rowEnd, depth, left, right, q * depth, workspace);
            }
        }
    }

    /** All tiles of one panel of columns. */
    private void multiplyPanel(
            double gamma,
            double[][] c,
            int column,
            int used,
            int row,
            int rowEnd,
            int depth,
            double[] left,
            double[] right,
            int rightOffset,
            Workspace workspace) {
        int height = tile.rows();
        for (int top = row, at = 0; top < rowEnd; top += height, at += height * depth) {
            if (used == Tile.COLUMNS && top + height <= rowEnd) {
                tile.multiply(gamma, depth, left, at, right, rightOffset, c, column, top);
            } else {
                int kept = Math.min(height, rowEnd - top);
                double[][] edge = workspace.edge(height, Tile.COLUMNS);
                copy(c, column, top, edge, 0, 0, used, kept);
                tile.multiply(gamma, depth, left, at, right, rightOffset, edge, 0, 0);
                copy(edge, 0, 0, c, column, top, used, kept);
            }
        }
    }

    private static void packLeft(double[][] x, int row, int rowEnd, int k, int kEnd, int height, double[] left) {
        int depth = kEnd - k;
        int whole = (rowEnd - row) / height * height;
        for (int kk = 0; kk < depth; kk++) {
            double[] column = x[k + kk];
            int at = kk * height;
            int i = 0;
            for (; i < whole; i += height, at += height * depth) {
                System.arraycopy(column, row + i, left, at, height);
            }
            if (row + i < rowEnd) {
                System.arraycopy(column, row + i, left, at, rowEnd - row - i);
                java.util.Arrays.fill(left, at + rowEnd - row - i, at + height, 0.0);
            }
        }
    }

    @Override
    public void gram(
            double gamma,
            double[][] c,
            int fromRow,
            int toRow,
            int columns,
            boolean lower,
            double[][] a,
            double[][] b,
            int depth,
            Workspace workspace) {
        int k = 0;
        do {
            int kEnd = Math.min(depth, k + DEPTH);
            int rows = Math.max(1, LEFT_SIZE / (Math.max(1, kEnd - k) * tile.rows())) * tile.rows();
            // The panel that is not full comes first: of a lower triangle that is the shortest.
            int ragged = (toRow - fromRow) % tile.rows();
            for (int row = fromRow, rowEnd; row < toRow; row = rowEnd) {
                rowEnd = row == fromRow && ragged > 0 ? row + ragged : Math.min(toRow, row + rows);
                int last = lower ? Math.min(columns, rowEnd) : columns;
                gramChunk(k == 0 ? gamma : 1, c, row, rowEnd, last, lower, a, b, k, kEnd, workspace);
            }
            k = kEnd;
        } while (k < depth);
    }

    private void gramChunk(
            double gamma,
            double[][] c,
            int row,
            int rowEnd,
            int columns,
            boolean lower,
            double[][] a,
            double[][] b,
            int k,
            int kEnd,
            Workspace workspace) {
        int depth = kEnd - k;
        int height = tile.rows();
        int panels = (rowEnd - row + height - 1) / height;
        double[] left = workspace.left(panels * height * depth);
        packColumns(a, row, rowEnd, k, kEnd, height, left);
        for (int j = 0; j < columns; j += Tile.COLUMNS) {
            int used = Math.min(Tile.COLUMNS, columns - j);
            boolean inside = used == Tile.COLUMNS;
            double[][] right = inside ? b : workspace.padded(b, j, used, kEnd);
            double[][] result = inside ? c : workspace.paddedResult(c, j, used, rowEnd);
            int column = inside ? j : 0;
            // A tile whose last row is above its first column holds nothing of the lower triangle.
            for (int p = lower ? Math.max(0, (j - row) / height) : 0; p < panels; p++) {
                int top = row + p * height;
                int at = p * height * depth;
                if (top + height <= rowEnd) {
                    tile.multiplyColumns(gamma, depth, left, at, right, column, k, result, column, top);
                } else {
                    double[][] edge = workspace.edge(height, Tile.COLUMNS);
                    copy(result, column, top, edge, 0, 0, used, rowEnd - top);
                    tile.multiplyColumns(gamma, depth, left, at, right, column, k, edge, 0, 0);
                    copy(edge, 0, 0, result, column, top, used, rowEnd - top);
                }
            }
        }
    }

    /** Rows of Aᵀ, which are columns of A, as panels of {@code height} rows. */
    private static void packColumns(double[][] a, int row, int rowEnd, int k, int kEnd, int height, double[] left) {
        int depth = kEnd - k;
        for (int i = row; i < rowEnd; i += 8) {
            int at = (i - row) / height * height * depth + (i - row) % height;
            if (i + 8 <= rowEnd) {
                packEight(a, i, k, depth, height, left, at);
            } else {
                for (int q = i; q < rowEnd; q++) {
                    packOne(a[q], k, depth, height, left, at + q - i);
                }
            }
        }
        int missing = (height - (rowEnd - row) % height) % height;
        int last = (rowEnd - row) / height * height * depth;
        for (int q = height - missing; missing > 0 && q < height; q++) {
            for (int kk = 0; kk < depth; kk++) {
                left[last + q + kk * height] = 0.0;
            }
        }
    }

    /** Eight columns at once: whole cache lines are written. */
    private static void packEight(double[][] a, int i, int k, int depth, int height, double[] left, int offset) {
        double[] a0 = a[i];
        double[] a1 = a[i + 1];
        double[] a2 = a[i + 2];
        double[] a3 = a[i + 3];
        double[] a4 = a[i + 4];
        double[] a5 = a[i + 5];
        double[] a6 = a[i + 6];
        double[] a7 = a[i + 7];
        int at = offset;
        for (int kk = k; kk < k + depth; kk++) {
            left[at] = a0[kk];
            left[at + 1] = a1[kk];
            left[at + 2] = a2[kk];
            left[at + 3] = a3[kk];
            left[at + 4] = a4[kk];
            left[at + 5] = a5[kk];
            left[at + 6] = a6[kk];
            left[at + 7] = a7[kk];
            at += height;
        }
    }

    private static void packOne(double[] column, int k, int depth, int height, double[] left, int offset) {
        for (int kk = 0; kk < depth; kk++) {
            left[offset + kk * height] = column[k + kk];
        }
    }

    private static void copy(
            double[][] from,
            int fromColumn,
            int fromRow,
            double[][] to,
            int toColumn,
            int toRow,
            int columns,
            int rows) {
        for (int j = 0; j < columns; j++) {
            System.arraycopy(from[fromColumn + j], fromRow, to[toColumn + j], toRow, rows);
        }
    }

    /** Largest diagonal block that is solved in one go: 64 rows of it take 120 kB. */
    private static final int SOLVE_COLUMNS = 40 * Tile.COLUMNS;

    @Override
    public void solve(double[][] x, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        int n = lower.size();
        for (int first = 0; first < n; first += SOLVE_COLUMNS) {
            int end = Math.min(n, first + SOLVE_COLUMNS);
            for (int k = 0; k < first; k += DEPTH) {
                int kEnd = Math.min(first, k + DEPTH);
                int rows = Math.max(1, LEFT_SIZE / ((kEnd - k) * tile.rows())) * tile.rows();
                for (int row = fromRow; row < toRow; row += rows) {
                    takeOff(x, row, Math.min(toRow, row + rows), lower, k, kEnd, first, end, workspace);
                }
            }
            solveDiagonal(x, fromRow, toRow, lower, first, end, workspace);
        }
    }

    /** Subtracts the solutions [k, kEnd) from the columns [first, end). */
    private void takeOff(
            double[][] x,
            int row,
            int rowEnd,
            PackedFactor lower,
            int k,
            int kEnd,
            int first,
            int end,
            Workspace workspace) {
        int depth = kEnd - k;
        int panels = (rowEnd - row + tile.rows() - 1) / tile.rows();
        double[] left = workspace.left(panels * tile.rows() * depth);
        packLeft(x, row, rowEnd, k, kEnd, tile.rows(), left);
        for (int j = first; j < end; j += Tile.COLUMNS) {
            int at = PackedFactor.offset(j) + k * Tile.COLUMNS;
            int used = Math.min(Tile.COLUMNS, end - j);
            multiplyPanel(1, x, j, used, row, rowEnd, depth, left, lower.panels(), at, workspace);
        }
    }

    private void solveDiagonal(
            double[][] x, int fromRow, int toRow, PackedFactor lower, int first, int end, Workspace workspace) {
        int height = tile.rows();
        int width = Tile.COLUMNS;
        int panels = (toRow - fromRow + height - 1) / height;
        int depth = (end - first + width - 1) / width * width;
        double[] left = workspace.left(panels * height * depth);
        double[] right = lower.panels();
        for (int j = first; j < end; j += width) {
            int used = Math.min(width, end - j);
            int done = j - first;
            int at = PackedFactor.offset(j) + first * width;
            for (int p = 0; p < panels; p++) {
                int top = fromRow + p * height;
                int kept = Math.min(height, toRow - top);
                if (used == width && kept == height) {
                    tile.solve(done, left, p * height * depth, right, at, x, j, top);
                } else {
                    double[][] edge = workspace.edge(height, width);
                    copy(x, j, top, edge, 0, 0, used, kept);
                    tile.solve(done, left, p * height * depth, right, at, edge, 0, 0);
                    copy(edge, 0, 0, x, j, top, used, kept);
                }
            }
        }
    }
}
