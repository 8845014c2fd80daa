package io.koopstream.internal.linalg;

/** Products of matrices in plain Java, column by column on stretches that stay in the first cache. */
final class PlainProducts {

    /** Most rows, and depth, of the part of X that stays near the fastest cache (32 kB). */
    private static final int MAX_ROWS = 96;

    private static final int DEPTH = 48;

    private PlainProducts() {}

    /** Rows at a time: all parts are about as long, since a short one takes nearly as much time. */
    private static int stretch(int rows) {
        int parts = Math.max(1, (rows + MAX_ROWS - 1) / MAX_ROWS);
        return Math.max(1, (rows + parts - 1) / parts);
    }

    static void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace) {
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

    static void solve(Matrix matrix, int fromRow, int toRow, PackedFactor lower) {
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
                        Region.scale(x[j], row, rowEnd, weights[j]);
                    }
                }
            }
        }
    }
}
