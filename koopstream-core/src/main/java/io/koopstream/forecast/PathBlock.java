package io.koopstream.forecast;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Many paths of one {@link IncrementMap} side by side, advanced with the arithmetic of whole matrices. Not thread-safe. */
final class PathBlock {

    private final IncrementMap map;
    private final DelayLayout layout;
    private final Products products;
    /** The last k s + 1 observations of each path, as a ring. */
    private final double[][][] history;

    private final Matrix seen = new Matrix(0, 0);
    private final Matrix increments = new Matrix(0, 0);
    private final double[] squaredNorms;
    private final int[] nearest;
    private long steps;

    /** @param starts for each path the observations behind its start, oldest first; copied */
    PathBlock(IncrementMap map, double[][][] starts, Products products) {
        this.map = map;
        this.layout = map.layout();
        this.products = products;
        this.history = new double[starts.length][layout.history()][];
        for (int p = 0; p < starts.length; p++) {
            for (int i = 0; i < layout.history(); i++) {
                history[p][i] = starts[p][i].clone();
            }
        }
        this.squaredNorms = new double[starts.length];
        this.nearest = new int[starts.length];
    }

    int paths() {
        return history.length;
    }

    /** The newest observation of a path, for reading. */
    double[] newest(int p) {
        return history[p][at(0)];
    }

    private int at(int back) {
        return (int) ((steps + layout.history() - 1 - back) % layout.history());
    }

    /** Kernel values between all paths and all kept points, a row per path; Newton coordinates if exact. */
    private void look(boolean exact, boolean seeksNearest) {
        NewtonBasis basis = map.basis();
        int m = basis.size();
        int d = layout.observed();
        seen.resizeToOverwrite(paths(), m);
        products.shareKernelRows(paths(), m, (from, to) -> {
            double[] state = new double[layout.dimension()];
            double[] row = new double[m];
            Scratch scratch = new Scratch();
            for (int p = from; p < to; p++) {
                for (int k = 0; k <= layout.delays(); k++) {
                    System.arraycopy(history[p][at(k * layout.stride())], 0, state, k * d, d);
                }
                basis.gramRow(state, row, scratch);
                squaredNorms[p] = exact ? basis.squaredNorm(state) : 0;
                nearest[p] = seeksNearest ? nearest(row) : 0;
                for (int i = 0; i < m; i++) {
                    seen.column(i)[p] = row[i];
                }
            }
        });
        if (exact) {
            products.solveTransposed(seen, basis.factor());
        }
    }

    private static int nearest(double[] row) {
        int best = 0;
        for (int i = 1; i < row.length; i++) {
            best = row[i] > row[best] ? i : best;
        }
        return best;
    }

    /** ‖β(z)‖²/κ(z,z) of the states where the paths stand, one per path. */
    double[] known() {
        look(true, false);
        return shares();
    }

    private double[] shares() {
        double[] shares = new double[paths()];
        for (int i = 0; i < seen.columns(); i++) {
            double[] column = seen.column(i);
            for (int p = 0; p < shares.length; p++) {
                shares[p] = Math.fma(column[p], column[p], shares[p]);
            }
        }
        for (int p = 0; p < shares.length; p++) {
            shares[p] = squaredNorms[p] > 0 ? Math.min(1.0, shares[p] / squaredNorms[p]) : 0;
        }
        return shares;
    }

    /**
     * One step of the mean of all paths.
     *
     * @return how well the states were known from which the step was made
     */
    double[] step(KnownAhead known) {
        look(true, false);
        advance(true, null, null, known);
        return shares();
    }

    /**
     * One step with a residual drawn for each path.
     *
     * @param exact in Newton coordinates, for residuals as small as the rounding of kernel coordinates
     */
    void step(boolean exact, Residuals residuals, SplittableRandom[] random, KnownAhead known) {
        look(exact, residuals.isLocal());
        advance(exact, residuals, random, known);
    }

    private void advance(boolean exact, Residuals residuals, SplittableRandom[] random, KnownAhead known) {
        int d = layout.observed();
        increments.resizeToOverwrite(paths(), d);
        products.multiply(0, increments, seen, map.readout(exact));
        double[] residual = new double[d];
        for (int p = 0; p < paths(); p++) {
            double[] last = newest(p);
            double[] next = history[p][(int) (steps % layout.history())];
            if (residuals != null) {
                residuals.draw(nearest[p], random[p], residual);
            }
            for (int c = 0; c < d; c++) {
                next[c] = map.bounded(c, last[c], increments.get(p, c) + residual[c]);
            }
        }
        steps++;
        if (known != KnownAhead.NOTHING) {
            for (int p = 0; p < paths(); p++) {
                known.fill((int) steps, newest(p));
            }
        }
    }

    /** The same start for many paths. */
    static double[][][] repeated(double[][] start, int paths) {
        double[][][] starts = new double[paths][][];
        Arrays.fill(starts, start);
        return starts;
    }

    /** A generator for each path. */
    static SplittableRandom[] generators(long seed, int paths) {
        SplittableRandom root = new SplittableRandom(seed);
        SplittableRandom[] random = new SplittableRandom[paths];
        Arrays.setAll(random, p -> root.split());
        return random;
    }
}
