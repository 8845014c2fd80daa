package io.koopstream.internal.linalg;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Squared distances between all pairs of two lists of points, in tiles of two vectors by four points that are held in registers while
 * all coordinates pass. One call, one thread.
 */
final class VectorPairs {

    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final int WIDTH = 2 * LANES;

    private final double[][] p;
    private final double[] scales;
    private final int from;
    private final int depth;
    /** {@link #WIDTH} points, coordinate by coordinate: stays in the first cache. */
    private final double[] panel;

    private final double[][] edge = new double[4][WIDTH];

    VectorPairs(double[][] p, double[] scales, int from, int to) {
        this.p = p;
        this.from = from;
        this.depth = to - from;
        this.scales = scales == null ? new double[depth] : scales;
        if (scales == null) {
            Arrays.fill(this.scales, 1.0);
        }
        this.panel = new double[depth * WIDTH];
    }

    void compute(double[][] x, int count, double[][] out, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            int width = Math.min(WIDTH, n - i);
            pack(i, width);
            for (int j = 0; j < count; j += 4) {
                if (width == WIDTH && j + 4 <= count) {
                    tile(x, count, j, out, j, i);
                } else {
                    tile(x, count, j, edge, 0, 0);
                    for (int q = j; q < Math.min(count, j + 4); q++) {
                        System.arraycopy(edge[q - j], 0, out[q], i, width);
                    }
                }
            }
        }
    }

    private void pack(int i, int width) {
        for (int k = 0; k < depth; k++) {
            System.arraycopy(p[from + k], i, panel, k * WIDTH, width);
        }
    }

    /** One tile; with fewer than four points left, the last one is repeated. */
    private void tile(double[][] x, int count, int j, double[][] out, int column, int row) {
        double[] x0 = x[j];
        double[] x1 = x[Math.min(count - 1, j + 1)];
        double[] x2 = x[Math.min(count - 1, j + 2)];
        double[] x3 = x[Math.min(count - 1, j + 3)];
        measure(panel, scales, x0, x1, x2, x3, from, depth, out, column, row);
    }

    /** The chains of squared distances. */
    private static void measure(
            double[] panel,
            double[] scales,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            int from,
            int depth,
            double[][] out,
            int j,
            int i) {
        DoubleVector low0 = DoubleVector.zero(SPECIES);
        DoubleVector high0 = DoubleVector.zero(SPECIES);
        DoubleVector low1 = DoubleVector.zero(SPECIES);
        DoubleVector high1 = DoubleVector.zero(SPECIES);
        DoubleVector low2 = DoubleVector.zero(SPECIES);
        DoubleVector high2 = DoubleVector.zero(SPECIES);
        DoubleVector low3 = DoubleVector.zero(SPECIES);
        DoubleVector high3 = DoubleVector.zero(SPECIES);
        for (int k = 0; k < depth; k++) {
            DoubleVector low = DoubleVector.fromArray(SPECIES, panel, k * WIDTH);
            DoubleVector high = DoubleVector.fromArray(SPECIES, panel, k * WIDTH + LANES);
            DoubleVector scale = DoubleVector.broadcast(SPECIES, scales[k]);
            DoubleVector f0 = DoubleVector.broadcast(SPECIES, x0[from + k]);
            DoubleVector d0 = low.sub(f0).mul(scale);
            low0 = d0.fma(d0, low0);
            DoubleVector e0 = high.sub(f0).mul(scale);
            high0 = e0.fma(e0, high0);
            DoubleVector f1 = DoubleVector.broadcast(SPECIES, x1[from + k]);
            DoubleVector d1 = low.sub(f1).mul(scale);
            low1 = d1.fma(d1, low1);
            DoubleVector e1 = high.sub(f1).mul(scale);
            high1 = e1.fma(e1, high1);
            DoubleVector f2 = DoubleVector.broadcast(SPECIES, x2[from + k]);
            DoubleVector d2 = low.sub(f2).mul(scale);
            low2 = d2.fma(d2, low2);
            DoubleVector e2 = high.sub(f2).mul(scale);
            high2 = e2.fma(e2, high2);
            DoubleVector f3 = DoubleVector.broadcast(SPECIES, x3[from + k]);
            DoubleVector d3 = low.sub(f3).mul(scale);
            low3 = d3.fma(d3, low3);
            DoubleVector e3 = high.sub(f3).mul(scale);
            high3 = e3.fma(e3, high3);
        }
        low0.intoArray(out[j], i);
        high0.intoArray(out[j], i + LANES);
        low1.intoArray(out[j + 1], i);
        high1.intoArray(out[j + 1], i + LANES);
        low2.intoArray(out[j + 2], i);
        high2.intoArray(out[j + 2], i + LANES);
        low3.intoArray(out[j + 3], i);
        high3.intoArray(out[j + 3], i + LANES);
    }
}
