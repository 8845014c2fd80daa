package io.koopstream.forecast;

import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.HoldOut;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What one-step forecasts miss on held-out pairs, as vectors, so that coordinates that err together are drawn together. Drawn from all of them, or
 * from those near to the state where held-out runs are more likely under their neighbours' spread than under everybody's. Immutable.
 */
final class Residuals {

    /** Fewer held-out pairs say nothing about a spread. */
    static final int MIN_PAIRS = 20;

    private static final int NEIGHBOURS = 64;
    private static final int MIN_NEIGHBOURS = 24;
    /** 0.9² + 0.436² = 1. */
    private static final double MAIN_SHARE = 0.9;

    private static final double OTHER_SHARE = Math.sqrt(1 - MAIN_SHARE * MAIN_SHARE);

    /** Kernel coordinates serve where their rounding is below this share of the residuals. */
    private static final double MAX_ROUNDING = 0.01;

    private final double[][] vectors;
    private final double[] spread;
    private final boolean exact;
    /** For each kept point the residuals near to it; null when all serve everywhere. */
    private final int[][] near;
    /** The mean of those; null likewise. */
    private final double[][] means;

    /** @param held at least {@link #MIN_PAIRS} pairs */
    Residuals(IncrementMap map, HoldOut held) {
        double[][] x = held.inputs();
        double[][] xNext = held.outputs();
        int d = map.layout().observed();
        Products products = new Products();
        Matrix kernel = kernelRows(map, x);
        Matrix rough = new Matrix(x.length, d);
        products.multiply(0, rough, kernel, map.readout(false));
        Matrix beta = kernel.copy();
        products.solveTransposed(beta, map.basis().factor());
        Matrix fine = new Matrix(x.length, d);
        products.multiply(0, fine, beta, map.readout(true));
        vectors = new double[x.length][d];
        spread = new double[d];
        boolean needsExact = false;
        for (int c = 0; c < d; c++) {
            double mean = 0;
            double rounding = 0;
            for (int i = 0; i < x.length; i++) {
                vectors[i][c] = xNext[i][c] - x[i][c] - fine.get(i, c);
                mean += vectors[i][c] / x.length;
                rounding = Math.max(rounding, Math.abs(fine.get(i, c) - rough.get(i, c)));
            }
            double squares = 0;
            for (double[] vector : vectors) {
                vector[c] -= mean;
                squares = Math.fma(vector[c], vector[c], squares);
            }
            spread[c] = Math.sqrt(squares / x.length);
            needsExact |= rounding > MAX_ROUNDING * spread[c];
        }
        exact = needsExact;
        int[][] neighbours = neighbours(kernel, x.length);
        near = localPays(neighbours, kernel, held.runNumbers()) ? neighbours : null;
        means = near == null ? null : means();
    }

    private double[][] means() {
        double[][] result = new double[near.length][spread.length];
        for (int i = 0; i < near.length; i++) {
            for (int k : near[i]) {
                for (int c = 0; c < spread.length; c++) {
                    result[i][c] += vectors[k][c] / near[i].length;
                }
            }
        }
        return result;
    }

    private static Matrix kernelRows(IncrementMap map, double[][] x) {
        Matrix rows = new Matrix(x.length, map.basis().size());
        Points many = Points.of(map.layout().dimension(), x);
        Scratch scratch = new Scratch();
        for (int i = 0; i < rows.columns(); i++) {
            map.basis()
                    .space()
                    .kernel()
                    .row(map.basis().space().view(), many, map.basis().points().get(i), rows.column(i), scratch);
        }
        return rows;
    }

    /** For each kept point the held-out pairs whose inputs are most like it. */
    private static int[][] neighbours(Matrix kernel, int pairs) {
        int[][] result = new int[kernel.columns()][];
        int wanted = Math.min(NEIGHBOURS, pairs);
        for (int i = 0; i < result.length; i++) {
            double[] values = kernel.column(i);
            double[] sorted = Arrays.copyOf(values, pairs);
            Arrays.sort(sorted);
            double least = sorted[pairs - wanted];
            List<Integer> chosen = new ArrayList<>(wanted);
            for (int j = 0; j < pairs && chosen.size() < wanted; j++) {
                if (values[j] >= least) {
                    chosen.add(j);
                }
            }
            result[i] = chosen.stream().mapToInt(Integer::intValue).toArray();
        }
        return result;
    }

    /**
     * Whether held-out residuals are more likely, as Gaussians, under the spread of their neighbours in other runs than under that of all, by
     * two standard errors over runs.
     */
    private boolean localPays(int[][] neighbours, Matrix kernel, long[] runs) {
        List<Double> gains = new ArrayList<>();
        double gain = 0;
        int counted = 0;
        for (int j = 0; j < vectors.length; j++) {
            int nearest = 0;
            for (int i = 1; i < kernel.columns(); i++) {
                nearest = kernel.get(j, i) > kernel.get(j, nearest) ? i : nearest;
            }
            int others = 0;
            for (int k : neighbours[nearest]) {
                others += runs[k] != runs[j] ? 1 : 0;
            }
            for (int c = 0; c < spread.length && others >= MIN_NEIGHBOURS; c++) {
                double squares = 0;
                for (int k : neighbours[nearest]) {
                    squares += runs[k] != runs[j] ? vectors[k][c] * vectors[k][c] : 0;
                }
                double all = spread[c] * spread[c];
                if (all > 0) {
                    double local = Math.max(squares / others, 1e-6 * all);
                    double square = vectors[j][c] * vectors[j][c];
                    gain += square / all - square / local + StrictMath.log(all / local);
                    counted++;
                }
            }
            if (j + 1 == vectors.length || runs[j + 1] != runs[j]) {
                gains.add(counted == 0 ? 0 : gain / counted);
                gain = 0;
                counted = 0;
            }
        }
        double mean = gains.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double squares =
                gains.stream().mapToDouble(g -> (g - mean) * (g - mean)).sum();
        return gains.size() > 2 && mean > 2 * Math.sqrt(squares / (gains.size() - 1.0) / gains.size());
    }

    /** Whether residuals depend on where a state is. */
    boolean isLocal() {
        return near != null;
    }

    /** Whether paths need Newton coordinates: the rounding of kernel coordinates would show among the residuals. */
    boolean needsExact() {
        return exact;
    }

    /** The standard deviation of each coordinate, for reading. */
    double[] spread() {
        return spread;
    }

    /**
     * One of them, written to {@code out}. Near to a kept point there are few, so two are mixed to one of the same variance (a smoothed bootstrap), less
     * their mean, which is mostly chance and would push every path one way.
     */
    void draw(int nearest, SplittableRandom random, double[] out) {
        if (near == null) {
            System.arraycopy(vectors[random.nextInt(vectors.length)], 0, out, 0, out.length);
            return;
        }
        int[] chosen = near[nearest];
        double[] one = vectors[chosen[random.nextInt(chosen.length)]];
        double[] other = vectors[chosen[random.nextInt(chosen.length)]];
        for (int c = 0; c < out.length; c++) {
            double mean = means[nearest][c];
            out[c] = MAIN_SHARE * (one[c] - mean) + OTHER_SHARE * (other[c] - mean);
        }
    }
}
