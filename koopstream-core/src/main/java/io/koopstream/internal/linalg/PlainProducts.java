package io.koopstream.internal.linalg;

import java.util.Arrays;

/** Products of matrices in plain Java, column by column on stretches that stay in the first cache. */
final class PlainProducts implements BlockProducts {

    /** Most rows, and depth, of the part of X that stays near the fastest cache (32 kB). */
    private static final int MAX_ROWS = 96;

    private static final int DEPTH = 48;

    private final PlainProvider provider;

    PlainProducts(PlainProvider provider) {
        this.provider = provider;
    }

    /** Rows at a time: all parts are about as long, since a short one takes nearly as much time. */
    private static int stretch(int rows) {
        int parts = Math.max(1, (rows + MAX_ROWS - 1) / MAX_ROWS);
        return Math.max(1, (rows + parts - 1) / parts);
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
        for (int j = fromColumn; j < toColumn; j++) {
            initialise(gamma, c[j], fromRow, toRow);
        }
        int stretch = stretch(toRow - fromRow);
        for (int row = fromRow; row < toRow; row += stretch) {
            int rowEnd = Math.min(toRow, row + stretch);
            for (int k = 0; k < w.depth(); k += DEPTH) {
                int kEnd = Math.min(w.depth(), k + DEPTH);
                for (int j = fromColumn; j < toColumn; j++) {
                    add(c[j], row, rowEnd, x, 0, w, j, k, kEnd);
                }
            }
        }
    }

    private static void initialise(double gamma, double[] column, int from, int to) {
        if (gamma == 0) {
            Arrays.fill(column, from, to, 0.0);
        } else if (gamma != 1) {
            multiply(column, from, to, gamma);
        }
    }

    /** @param x columns of the left factor, the first of which is column {@code xFrom} */
    private void add(
            double[] column, int row, int rowEnd, double[][] x, int xFrom, Weights w, int j, int fromK, int toK) {
        int k = fromK;
        for (; k + 4 <= toK; k += 4) {
            provider.axpy4(
                    w.get(k, j), w.get(k + 1, j), w.get(k + 2, j), w.get(k + 3, j), x, k - xFrom, column, row, rowEnd);
        }
        for (; k < toK; k++) {
            provider.axpy(w.get(k, j), x[k - xFrom], column, row, rowEnd);
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
        Weights w = new Weights(b, false, depth);
        int stretch = stretch(toRow - fromRow);
        for (int row = fromRow; row < toRow; row += stretch) {
            int rowEnd = Math.min(toRow, row + stretch);
            int last = lower ? Math.min(columns, rowEnd) : columns;
            for (int j = 0; j < last; j++) {
                initialise(gamma, c[j], lower ? Math.max(row, j) : row, rowEnd);
            }
            for (int k = 0; k < depth; k += DEPTH) {
                int kEnd = Math.min(depth, k + DEPTH);
                double[][] x = workspace.rows(DEPTH, rowEnd);
                transpose(a, row, rowEnd, k, kEnd, x);
                for (int j = 0; j < last; j++) {
                    add(c[j], lower ? Math.max(row, j) : row, rowEnd, x, k, w, j, k, kEnd);
                }
            }
        }
    }

    private static void transpose(double[][] a, int row, int rowEnd, int k, int kEnd, double[][] x) {
        for (int i = row; i < rowEnd; i++) {
            double[] column = a[i];
            for (int kk = k; kk < kEnd; kk++) {
                x[kk - k][i] = column[kk];
            }
        }
    }

    @Override
    public void solve(double[][] x, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        int n = lower.size();
        int stretch = stretch(toRow - fromRow);
        for (int row = fromRow; row < toRow; row += stretch) {
            int rowEnd = Math.min(toRow, row + stretch);
            for (int first = 0; first < n; first += DEPTH) {
                int end = Math.min(n, first + DEPTH);
                for (int j = first; j < n; j++) {
                    int last = Math.min(j, end);
                    int k = first;
                    for (; k + 4 <= last; k += 4) {
                        provider.axpy4(
                                lower.get(k, j),
                                lower.get(k + 1, j),
                                lower.get(k + 2, j),
                                lower.get(k + 3, j),
                                x,
                                k,
                                x[j],
                                row,
                                rowEnd);
                    }
                    for (; k < last; k++) {
                        provider.axpy(lower.get(k, j), x[k], x[j], row, rowEnd);
                    }
                    if (j < end) {
                        multiply(x[j], row, rowEnd, lower.get(j, j));
                    }
                }
            }
        }
    }

    private static void multiply(double[] column, int from, int to, double factor) {
        for (int i = from; i < to; i++) {
            column[i] *= factor;
        }
    }
}
