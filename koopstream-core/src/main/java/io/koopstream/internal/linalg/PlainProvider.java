package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * Plain Java, in loops that the JIT compiler turns into vector instructions where it can; products of matrices column by column on stretches that stay in the
 * first cache.
 */
class PlainProvider implements Provider {

    /** Most rows, and depth, of the part of X that stays near the fastest cache (32 kB). */
    private static final int MAX_ROWS = 96;

    private static final int DEPTH = 48;

    private static final ThreadLocal<PlainExp> EXP = ThreadLocal.withInitial(PlainExp::new);

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
    public void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n) {
        for (int j = 0; j < count; j++) {
            Arrays.fill(out[j], 0, n, 0.0);
            for (int c = from; c < to; c++) {
                Vectors.addSquaredDifferences(p[c], x[j][c], scales == null ? 1.0 : scales[c - from], out[j], n);
            }
        }
    }

    @Override
    public void expOfMultiple(double a, double[] x, int n) {
        PlainExp work = EXP.get();
        for (int from = 0; from < n; from += PlainExp.LENGTH) {
            work.exp(a, x, from, Math.min(n, from + PlainExp.LENGTH));
            work.into(x, from);
        }
    }

    @Override
    public void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n) {
        PlainExp work = EXP.get();
        for (int from = 0; from < n; from += PlainExp.LENGTH) {
            work.exp(a, x, from, Math.min(n, from + PlainExp.LENGTH));
            work.addTo(w, sum, from);
        }
    }

    /** Rows at a time: all parts are about as long, since a short one takes nearly as much time. */
    private static int stretch(int rows) {
        int parts = Math.max(1, (rows + MAX_ROWS - 1) / MAX_ROWS);
        return Math.max(1, (rows + parts - 1) / parts);
    }

    @Override
    public void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace) {
        region.scale(gamma);
        double[][] c = region.c();
        int stretch = stretch(region.toRow() - region.fromRow());
        for (int row = region.fromRow(); row < region.toRow(); row += stretch) {
            int rowEnd = Math.min(region.toRow(), row + stretch);
            int last = region.columnEnd(rowEnd);
            for (int k = 0; k < depth; k += DEPTH) {
                int kEnd = Math.min(depth, k + DEPTH);
                double[][] left = x.transposed() ? workspace.rows(DEPTH, rowEnd) : x.columns();
                int first = x.transposed() ? k : 0;
                if (x.transposed()) {
                    x.transpose(k, kEnd, row, rowEnd, left);
                }
                for (int j = region.fromColumn(); j < last; j++) {
                    int top = region.top(row, j);
                    int kk = k;
                    for (; kk + 4 <= kEnd; kk += 4) {
                        Vectors.axpy4(
                                w.get(kk, j),
                                w.get(kk + 1, j),
                                w.get(kk + 2, j),
                                w.get(kk + 3, j),
                                left,
                                kk - first,
                                c[j],
                                top,
                                rowEnd);
                    }
                    for (; kk < kEnd; kk++) {
                        Vectors.axpy(w.get(kk, j), left[kk - first], c[j], top, rowEnd);
                    }
                }
            }
        }
    }

    @Override
    public void solve(Matrix matrix, int fromRow, int toRow, PackedFactor lower, Workspace workspace) {
        double[][] x = matrix.storage();
        int n = lower.size();
        int stretch = stretch(toRow - fromRow);
        for (int row = fromRow; row < toRow; row += stretch) {
            int rowEnd = Math.min(toRow, row + stretch);
            for (int first = 0; first < n; first += DEPTH) {
                int end = Math.min(n, first + DEPTH);
                for (int j = first; j < n; j++) {
                    double[] weights = lower.rows()[j];
                    int last = Math.min(j, end);
                    int k = first;
                    for (; k + 4 <= last; k += 4) {
                        Vectors.axpy4(
                                weights[k], weights[k + 1], weights[k + 2], weights[k + 3], x, k, x[j], row, rowEnd);
                    }
                    for (; k < last; k++) {
                        Vectors.axpy(weights[k], x[k], x[j], row, rowEnd);
                    }
                    if (j < end) {
                        Vectors.scale(weights[j], x[j], row, rowEnd);
                    }
                }
            }
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
