package io.koopstream.linalg;

import java.util.Arrays;

/** Products of matrices in plain Java, column by column on stretches that stay in the first cache. */
final class PlainProducts implements BlockProducts {

    /** Rows and depth of the part of X that stays in the fastest cache (32 kB). */
    private static final int ROWS = 64;

    private static final int DEPTH = 48;

    private final PlainProvider provider;

    PlainProducts(PlainProvider provider) {
        this.provider = provider;
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
        for (int row = fromRow; row < toRow; row += ROWS) {
            int rowEnd = Math.min(toRow, row + ROWS);
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
            for (int i = from; i < to; i++) {
                column[i] *= gamma;
            }
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
        Weights w = new Weights(b, false, 1.0, depth);
        for (int row = fromRow; row < toRow; row += ROWS) {
            int rowEnd = Math.min(toRow, row + ROWS);
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
    public void solve(double[][] x, int fromRow, int toRow, double[][] lower, int n, Workspace workspace) {
        Weights w = new Weights(lower, true, -1.0, n);
        for (int row = fromRow; row < toRow; row += ROWS) {
            int rowEnd = Math.min(toRow, row + ROWS);
            for (int k = 0; k < n; k += DEPTH) {
                int kEnd = Math.min(n, k + DEPTH);
                for (int j = k; j < n; j++) {
                    add(x[j], row, rowEnd, x, 0, w, j, k, Math.min(j, kEnd));
                    if (j < kEnd) {
                        divide(x[j], row, rowEnd, lower[j][j]);
                    }
                }
            }
        }
    }

    private static void divide(double[] column, int from, int to, double pivot) {
        double inverse = 1 / pivot;
        for (int i = from; i < to; i++) {
            column[i] *= inverse;
        }
    }
}
