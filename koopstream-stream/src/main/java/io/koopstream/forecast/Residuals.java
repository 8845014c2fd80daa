package io.koopstream.forecast;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.HoldOut;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Errors of one-step forecasts on held-out pairs, as vectors, so that coordinates that err together are drawn together. Where held-out runs are more
 * likely under the spread near to their states than under that of all, what is drawn is as large as near to the state; an affine kernel does not say
 * what is near. Immutable.
 */
final class Residuals {

    /** Fewer held-out pairs say nothing about a spread. */
    static final int MIN_PAIRS = 12;

    /** The spread of all counts as many residuals near to a point. */
    private static final double PRIOR = 2;

    /** A residual counts by these powers of the kernel between its state and a point: near is as wide as the kernel, or half and a quarter of that. */
    private static final int[] POWERS = {1, 4, 16};

    /** Kernel coordinates serve where their rounding is below this share of the residuals. */
    private static final double MAX_ROUNDING = 0.01;

    private static final int DRAWN = 1000;
    private static final long SEED = 0x5EED;

    private final double[][] vectors;
    private final double[] spread;
    private final boolean exact;
    /** For each kept point the spread near to it, of which the vectors are multiples; null when all are alike everywhere. */
    private final double[][] near;

    /**
     * Gaussians where too few pairs were held out.
     *
     * @param spread standard deviation of each coordinate
     */
    Residuals(double[] spread) {
        SplittableRandom random = new SplittableRandom(SEED);
        this.spread = spread.clone();
        vectors = new double[DRAWN][spread.length];
        for (double[] vector : vectors) {
            Arrays.setAll(vector, c -> spread[c] * random.nextGaussian());
        }
        exact = true;
        near = null;
    }

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
        int[] nearest = nearest(kernel);
        double[][] best = null;
        double most = 0;
        for (int power : map.isAffine() ? new int[0] : POWERS) {
            Matrix weights = weights(map, kernel, power);
            double gain = gain(weights, nearest, held.runNumbers());
            if (gain > most) {
                most = gain;
                best = spreads(weights);
            }
        }
        near = best;
        for (int i = 0; i < vectors.length && near != null; i++) {
            for (int c = 0; c < d; c++) {
                vectors[i][c] /= near[nearest[i]][c] > 0 ? near[nearest[i]][c] : 1;
            }
        }
    }

    /** The mean square of a residual in units of each of the first coordinates, summed over these. */
    double meanSquare(double[] units) {
        double sum = 0;
        for (int c = 0; c < units.length; c++) {
            sum += spread[c] * spread[c] / (units[c] * units[c]);
        }
        return sum;
    }

    private static Matrix kernelRows(IncrementMap map, double[][] x) {
        Matrix rows = new Matrix(x.length, map.basis().size());
        Points many = Points.of(map.layout().dimension(), x);
        map.basis().space().gramRows(many, 0, x.length, map.basis().points(), rows, new Scratch());
        return rows;
    }

    /** The kept point that each state is most like. */
    private static int[] nearest(Matrix kernel) {
        int[] result = new int[kernel.rows()];
        for (int i = 1; i < kernel.columns(); i++) {
            for (int j = 0; j < result.length; j++) {
                result[j] = kernel.get(j, i) > kernel.get(j, result[j]) ? i : result[j];
            }
        }
        return result;
    }

    /** Weight of each residual at each kept point, from 0 to 1. */
    private static Matrix weights(IncrementMap map, Matrix kernel, int power) {
        Matrix weights = new Matrix(kernel.rows(), kernel.columns());
        for (int i = 0; i < kernel.columns(); i++) {
            double norm = map.basis().squaredNorm(map.basis().points().get(i));
            for (int j = 0; j < kernel.rows(); j++) {
                double near = Math.max(0, Math.min(1, kernel.get(j, i) / norm));
                for (int p = 1; p < power; p *= 2) {
                    near *= near;
                }
                weights.set(j, i, near);
            }
        }
        return weights;
    }

    private double[][] spreads(Matrix weights) {
        double[][] result = new double[weights.columns()][spread.length];
        for (int i = 0; i < result.length; i++) {
            for (int c = 0; c < spread.length; c++) {
                double sum = PRIOR;
                double squares = PRIOR * spread[c] * spread[c];
                for (int j = 0; j < vectors.length; j++) {
                    sum += weights.get(j, i);
                    squares += weights.get(j, i) * vectors[j][c] * vectors[j][c];
                }
                result[i][c] = Math.sqrt(squares / sum);
            }
        }
        return result;
    }

    /**
     * By how much the residuals of a run are more likely, as Gaussians, under the spread near to them in other runs than under that of all.
     */
    private double gain(Matrix weights, int[] nearest, long[] runs) {
        int points = weights.columns();
        List<Double> gains = new ArrayList<>();
        double[] sums = new double[points];
        for (int i = 0; i < points; i++) {
            sums[i] = Arrays.stream(weights.column(i), 0, vectors.length).sum();
        }
        int begin = 0;
        double[] squaresOfRun = new double[spread.length];
        double[][] squares = new double[points][spread.length];
        for (int j = 0; j < vectors.length; j++) {
            for (int i = 0; i < points; i++) {
                for (int c = 0; c < spread.length; c++) {
                    squares[i][c] += weights.get(j, i) * vectors[j][c] * vectors[j][c];
                }
            }
        }
        while (begin < vectors.length) {
            int end = begin + 1;
            while (end < vectors.length && runs[end] == runs[begin]) {
                end++;
            }
            double gain = 0;
            int counted = 0;
            for (int j = begin; j < end; j++) {
                int i = nearest[j];
                double ofRun = 0;
                Arrays.fill(squaresOfRun, 0);
                for (int k = begin; k < end; k++) {
                    ofRun += weights.get(k, i);
                    for (int c = 0; c < spread.length; c++) {
                        squaresOfRun[c] += weights.get(k, i) * vectors[k][c] * vectors[k][c];
                    }
                }
                for (int c = 0; c < spread.length; c++) {
                    double all = spread[c] * spread[c];
                    if (all > 0) {
                        double others = Math.max(0, squares[i][c] - squaresOfRun[c]) + PRIOR * all;
                        double local = others / (Math.max(0, sums[i] - ofRun) + PRIOR);
                        double square = vectors[j][c] * vectors[j][c];
                        gain += square / all - square / local + StrictMath.log(all / local);
                        counted++;
                    }
                }
            }
            gains.add(counted == 0 ? 0 : gain / counted);
            begin = end;
        }
        return gains.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** True if residuals depend on where a state is. */
    boolean isLocal() {
        return near != null;
    }

    /** True if paths need Newton coordinates: the rounding of kernel coordinates would show among the residuals. */
    boolean needsExact() {
        return exact;
    }

    /** The standard deviation of each coordinate, for reading. */
    double[] spread() {
        return spread;
    }

    /** One of them, written to {@code out}, as large as near to a kept point. */
    void draw(int nearest, SplittableRandom random, double[] out) {
        double[] one = vectors[random.nextInt(vectors.length)];
        for (int c = 0; c < out.length; c++) {
            out[c] = near == null ? one[c] : near[nearest][c] * one[c];
        }
    }
}
