package io.koopstream.linalg;

/** Plain Java, in loops that the JIT compiler turns into vector instructions where it can. */
final class PlainProvider implements Provider {

    /** Rows and depth of the part of X that stays in the fastest cache (32 kB). */
    private static final int ROWS = 64;

    private static final int DEPTH = 48;

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public double dot(double[] x, double[] y, int from, int to) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            s0 = Math.fma(x[i], y[i], s0);
            s1 = Math.fma(x[i + 1], y[i + 1], s1);
            s2 = Math.fma(x[i + 2], y[i + 2], s2);
            s3 = Math.fma(x[i + 3], y[i + 3], s3);
            s4 = Math.fma(x[i + 4], y[i + 4], s4);
            s5 = Math.fma(x[i + 5], y[i + 5], s5);
            s6 = Math.fma(x[i + 6], y[i + 6], s6);
            s7 = Math.fma(x[i + 7], y[i + 7], s7);
        }
        double sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
        for (; i < to; i++) {
            sum = Math.fma(x[i], y[i], sum);
        }
        return sum;
    }

    @Override
    public void axpy(double a, double[] x, double[] y, int from, int to) {
        for (int i = from; i < to; i++) {
            y[i] = Math.fma(a, x[i], y[i]);
        }
    }

    @Override
    public void axpy4(double a0, double a1, double a2, double a3, double[][] x, int j, double[] y, int from, int to) {
        four(a0, a1, a2, a3, x[j], x[j + 1], x[j + 2], x[j + 3], y, from, to);
    }

    private static void four(
            double a0,
            double a1,
            double a2,
            double a3,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            double[] y,
            int from,
            int to) {
        for (int i = from; i < to; i++) {
            y[i] = Math.fma(a3, x3[i], Math.fma(a2, x2[i], Math.fma(a1, x1[i], Math.fma(a0, x0[i], y[i]))));
        }
    }

    @Override
    public void scaleAdd(double c, double[] x, double a, double[] u, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Math.fma(a, u[i], c * x[i]);
        }
    }

    @Override
    public void scale(double a, double[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] *= a;
        }
    }

    @Override
    public void addSquaredDifferences(double[] p, double center, double scale, double[] sum, int n) {
        for (int i = 0; i < n; i++) {
            double difference = (p[i] - center) * scale;
            sum[i] = Math.fma(difference, difference, sum[i]);
        }
    }

    @Override
    public void expOfMultiple(double a, double[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Exp.exp(a * x[i]);
        }
    }

    @Override
    public void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n) {
        for (int i = 0; i < n; i++) {
            sum[i] = Math.fma(w, Exp.exp(a * x[i]), sum[i]);
        }
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
            java.util.Arrays.fill(column, from, to, 0.0);
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
            axpy4(w.get(k, j), w.get(k + 1, j), w.get(k + 2, j), w.get(k + 3, j), x, k - xFrom, column, row, rowEnd);
        }
        for (; k < toK; k++) {
            axpy(w.get(k, j), x[k - xFrom], column, row, rowEnd);
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

    @Override
    public void rotate(double[] panel, int column, int step, double[] cosines, double[] sines, int from, int count) {
        for (int row = 0; row < PANEL_ROWS; row += 4) {
            int at = column * PANEL_ROWS + row;
            // The column that two rotations share stays in registers.
            double x0 = panel[at];
            double x1 = panel[at + 1];
            double x2 = panel[at + 2];
            double x3 = panel[at + 3];
            for (int k = from; k < from + count; k++) {
                double c = cosines[k];
                double s = sines[k];
                int next = at + step * PANEL_ROWS;
                double y0 = panel[next];
                double y1 = panel[next + 1];
                double y2 = panel[next + 2];
                double y3 = panel[next + 3];
                panel[at] = Math.fma(s, y0, c * x0);
                panel[at + 1] = Math.fma(s, y1, c * x1);
                panel[at + 2] = Math.fma(s, y2, c * x2);
                panel[at + 3] = Math.fma(s, y3, c * x3);
                x0 = Math.fma(-s, x0, c * y0);
                x1 = Math.fma(-s, x1, c * y1);
                x2 = Math.fma(-s, x2, c * y2);
                x3 = Math.fma(-s, x3, c * y3);
                at = next;
            }
            panel[at] = x0;
            panel[at + 1] = x1;
            panel[at + 2] = x2;
            panel[at + 3] = x3;
        }
    }
}
