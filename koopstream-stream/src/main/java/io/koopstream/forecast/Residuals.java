package io.koopstream.forecast;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.HoldOut;
import java.util.Arrays;
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
        int d = map.layout().observed();
        vectors = map.residuals(held);
        spread = new double[d];
        for (int c = 0; c < d; c++) {
            double squares = 0;
            for (double[] vector : vectors) {
                squares = Math.fma(vector[c], vector[c], squares);
            }
            spread[c] = Math.sqrt(squares / vectors.length);
        }
        exact = map.needsExact(spread);
        Matrix kernel = kernelRows(map, held.inputs());
        int[] nearest = nearest(kernel);
        double[][] best = null;
        double most = 0;
        for (int power : map.isAffine() ? new int[0] : POWERS) {
            Matrix weights = weights(map, kernel, power);
            double[][] sums = sums(weights, 0, vectors.length);
            double gain = gain(weights, sums, nearest, held.runNumbers());
            if (gain > most) {
                most = gain;
                best = spreads(sums);
            }
        }
        near = best;
        for (int i = 0; i < vectors.length && near != null; i++) {
            for (int c = 0; c < d; c++) {
                vectors[i][c] /= near[nearest[i]][c] > 0 ? near[nearest[i]][c] : 1;
            }
        }
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

    /** For each kept point the squares of some residuals by coordinate, then the weights that they count with, summed. */
    private double[][] sums(Matrix weights, int from, int to) {
        int d = spread.length;
        double[][] sums = new double[weights.columns()][d + 1];
        for (int i = 0; i < sums.length; i++) {
            for (int j = from; j < to; j++) {
                double weight = weights.get(j, i);
                for (int c = 0; c < d; c++) {
                    sums[i][c] += weight * vectors[j][c] * vectors[j][c];
                }
                sums[i][d] += weight;
            }
        }
        return sums;
    }

    private double[][] spreads(double[][] sums) {
        double[][] result = new double[sums.length][spread.length];
        double[] none = new double[spread.length + 1];
        for (int i = 0; i < result.length; i++) {
            for (int c = 0; c < spread.length; c++) {
                result[i][c] = Math.sqrt(square(sums[i], none, c));
            }
        }
        return result;
    }

    /** The mean square near to a kept point without some residuals. */
    private double square(double[] sums, double[] without, int c) {
        int d = spread.length;
        return (Math.max(0, sums[c] - without[c]) + PRIOR * spread[c] * spread[c])
                / (Math.max(0, sums[d] - without[d]) + PRIOR);
    }

    /** By how much the residuals of a run are more likely, as Gaussians, under the spread near to them in other runs than under that of all. */
    private double gain(Matrix weights, double[][] sums, int[] nearest, long[] runs) {
        double gains = 0;
        int counted = 0;
        int end;
        for (int begin = 0; begin < vectors.length; begin = end) {
            end = begin + 1;
            while (end < vectors.length && runs[end] == runs[begin]) {
                end++;
            }
            double[][] ofRun = sums(weights, begin, end);
            double gain = 0;
            int varying = 0;
            for (int j = begin; j < end; j++) {
                for (int c = 0; c < spread.length; c++) {
                    double all = spread[c] * spread[c];
                    if (all > 0) {
                        double local = square(sums[nearest[j]], ofRun[nearest[j]], c);
                        double square = vectors[j][c] * vectors[j][c];
                        gain += square / all - square / local + StrictMath.log(all / local);
                        varying++;
                    }
                }
            }
            gains += varying == 0 ? 0 : gain / varying;
            counted++;
        }
        return gains / counted;
    }

    /** True if residuals depend on where a state is. */
    boolean isLocal() {
        return near != null;
    }

    /** True if paths need Newton coordinates: the rounding of kernel coordinates would show among the residuals. */
    boolean needsExact() {
        return exact;
    }

    /** One of them, written to {@code out}, as large as near to a kept point. */
    void draw(int nearest, SplittableRandom random, double[] out) {
        double[] one = vectors[random.nextInt(vectors.length)];
        for (int c = 0; c < out.length; c++) {
            out[c] = near == null ? one[c] : near[nearest][c] * one[c];
        }
    }
}
