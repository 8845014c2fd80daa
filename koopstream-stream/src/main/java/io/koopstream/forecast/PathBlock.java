package io.koopstream.forecast;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.PackedFactor;
import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Many paths of one {@link IncrementMap} side by side, advanced with the arithmetic of whole matrices. Not thread-safe. */
final class PathBlock {

    private final IncrementMap map;
    private final DelayLayout layout;
    private final Products products;
    private final PackedFactor packed = new PackedFactor();
    /** The last k s + 1 observations of all paths as a ring, coordinate by coordinate as {@link Points} are, so that states are made without copying. */
    private final double[][][] history;

    /** The newest observation of each path, which goes into the ring when it is looked at: until then callers may change it. */
    private final double[][] newest;

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
        this.history = new double[layout.history()][layout.observed()][starts.length];
        this.newest = new double[starts.length][];
        for (int p = 0; p < starts.length; p++) {
            for (int i = 0; i < layout.history(); i++) {
                put(starts[p][i], i, p);
            }
            newest[p] = starts[p][layout.history() - 1].clone();
        }
        this.squaredNorms = new double[starts.length];
        this.nearest = new int[starts.length];
    }

    private void put(double[] observation, int i, int p) {
        for (int c = 0; c < observation.length; c++) {
            history[i][c][p] = observation[c];
        }
    }

    int paths() {
        return newest.length;
    }

    /** The newest observation of a path; what is known of it may be overwritten. */
    double[] newest(int p) {
        return newest[p];
    }

    private int at(int back) {
        return (int) ((steps + layout.history() - 1 - back) % layout.history());
    }

    /** Of the states where the paths stand, an array per coordinate; the newest observations go into the ring. */
    private double[][] coordinates() {
        for (int p = 0; p < paths(); p++) {
            put(newest[p], at(0), p);
        }
        double[][] coordinates = new double[layout.dimension()][];
        for (int k = 0; k <= layout.delays(); k++) {
            System.arraycopy(
                    history[at(k * layout.stride())], 0, coordinates, k * layout.observed(), layout.observed());
        }
        return coordinates;
    }

    /** Kernel values between all paths and all kept points, a row per path; Newton coordinates if exact. */
    private void look(boolean exact, boolean seeksNearest) {
        NewtonBasis basis = map.basis();
        Points states = Points.ofCoordinates(coordinates(), paths());
        seen.resizeToOverwrite(paths(), basis.size());
        Products.Range rows = (from, to) -> {
            basis.space().gramRows(states, from, to, basis.points(), seen, new Scratch());
            if (seeksNearest) {
                seekNearest(from, to);
            }
        };
        if (exact) {
            basis.squaredNorms(states, squaredNorms, new Scratch());
            packed.follow(basis.factor(), 0);
            products.solveTransposed(seen, packed, rows);
        } else {
            products.shareKernelRows(paths(), basis.size(), rows);
        }
    }

    private void seekNearest(int from, int to) {
        double[] most = Arrays.copyOfRange(seen.column(0), from, to);
        Arrays.fill(nearest, from, to, 0);
        for (int i = 1; i < seen.columns(); i++) {
            double[] column = seen.column(i);
            for (int p = from; p < to; p++) {
                if (column[p] > most[p - from]) {
                    most[p - from] = column[p];
                    nearest[p] = i;
                }
            }
        }
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
     * @param exact in Newton coordinates, where the rounding of kernel coordinates would show
     */
    void step(boolean exact, KnownAhead known) {
        if (!map.isAffine()) {
            look(exact, false);
        }
        advance(exact, null, null, known);
    }

    /**
     * One step of the mean of all paths.
     *
     * @return how well the states were known from which the step was made
     */
    double[] stepAndKnown(KnownAhead known) {
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
        if (!map.isAffine()) {
            look(exact, residuals.isLocal());
        }
        advance(exact, residuals, random, known);
    }

    private void advance(boolean exact, Residuals residuals, SplittableRandom[] random, KnownAhead known) {
        int d = layout.observed();
        increments.resizeToOverwrite(paths(), d);
        if (map.isAffine()) {
            map.affineIncrements(coordinates(), increments);
        } else {
            products.multiply(0, increments, seen, map.readout(exact));
        }
        double[] residual = new double[d];
        for (int p = 0; p < paths(); p++) {
            double[] next = newest[p];
            if (residuals != null) {
                residuals.draw(nearest[p], random[p], residual);
            }
            for (int c = 0; c < d; c++) {
                next[c] = map.bounded(c, next[c], increments.get(p, c) + residual[c]);
            }
        }
        steps++;
        if (known != KnownAhead.NOTHING) {
            for (int p = 0; p < paths(); p++) {
                map.know(known, (int) steps, newest(p));
            }
        }
    }

    /** Repeats one start for many paths. */
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
