package io.koopstream.testkit;

import io.koopstream.kernel.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Online least squares on one dictionary of states as its definition says, in O(n m²): the Gram matrix is factored from nothing whenever a state is
 * kept, every state is measured alone, every sum is a loop over pairs. No limit to the dictionary, no held-out pairs, one space. For comparison only.
 *
 * <p>Sums over pair i have the coordinates that its states have along the points kept up to then, x before its own x⁺; while the pairs are few enough
 * to be remembered, they have all coordinates along all points.
 */
public final class LiteralLeastSquares {

    private final Kernel kernel;
    private final double epsilon;
    private final double forgetting;
    private final int remembered;
    private final List<double[]> points = new ArrayList<>();
    private double[][] factor = {};
    /** x, x⁺ of each pair, and the coordinates with which it counts. */
    private final List<double[][]> pairs = new ArrayList<>();

    private final List<double[][]> counted = new ArrayList<>();

    /** @param remembered the first so many pairs are counted again once they have all come */
    public LiteralLeastSquares(Kernel kernel, double epsilon, double forgetting, int remembered) {
        this.kernel = kernel;
        this.epsilon = epsilon;
        this.forgetting = forgetting;
        this.remembered = remembered;
    }

    /** One pair. */
    public void update(double[] x, double[] xNext) {
        keepIfNovel(x);
        double[] beta = coordinates(x);
        keepIfNovel(xNext);
        pairs.add(new double[][] {x.clone(), xNext.clone()});
        counted.add(new double[][] {beta, coordinates(xNext)});
        if (pairs.size() == remembered) {
            countAgain();
        }
    }

    private void countAgain() {
        for (int i = 0; i < pairs.size(); i++) {
            counted.set(i, new double[][] {coordinates(pairs.get(i)[0]), coordinates(pairs.get(i)[1])});
        }
    }

    /** Kept when b² > ε² κ(z, z). */
    private void keepIfNovel(double[] z) {
        double norm = kernel.value(z, z);
        double missed = norm - squares(coordinates(z));
        if (missed > epsilon * epsilon * norm) {
            points.add(z.clone());
            factor = cholesky();
        }
    }

    /** L with L Lᵀ = G. */
    private double[][] cholesky() {
        int m = points.size();
        double[][] lower = new double[m][m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = kernel.value(points.get(i), points.get(j));
                for (int k = 0; k < j; k++) {
                    sum -= lower[i][k] * lower[j][k];
                }
                lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
            }
        }
        return lower;
    }

    /** β(z) = L⁻¹ κ(z). */
    public double[] coordinates(double[] z) {
        double[] beta = new double[points.size()];
        for (int i = 0; i < beta.length; i++) {
            double sum = kernel.value(points.get(i), z);
            for (int k = 0; k < i; k++) {
                sum -= factor[i][k] * beta[k];
            }
            beta[i] = sum / factor[i][i];
        }
        return beta;
    }

    private static double squares(double[] vector) {
        return Arrays.stream(vector).map(v -> v * v).sum();
    }

    /** The kept states, in order. */
    public double[][] points() {
        return points.toArray(double[][]::new);
    }

    /** The sums of a question now: pairs that are all remembered are counted again for it. */
    public Sums sums() {
        if (pairs.size() <= remembered) {
            countAgain();
        }
        int m = points.size();
        int d = pairs.get(0)[1].length;
        Sums sums = new Sums(new double[m][m], new double[m][m], new double[m][d + 1], new double[d], new double[1]);
        for (int p = 0; p < pairs.size(); p++) {
            double weight = Math.pow(forgetting, pairs.size() - 1.0 - p);
            double[] beta = Arrays.copyOf(counted.get(p)[0], m);
            double[] alpha = Arrays.copyOf(counted.get(p)[1], m);
            sums.weight[0] += weight;
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < m; j++) {
                    sums.input[i][j] += weight * beta[i] * beta[j];
                    sums.cross[i][j] += weight * alpha[i] * beta[j];
                }
                for (int c = 0; c <= d; c++) {
                    sums.increments[i][c] += weight * beta[i] * increment(p, c);
                }
            }
            for (int c = 0; c < d; c++) {
                sums.squares[c] += weight * increment(p, c) * increment(p, c);
            }
        }
        return sums;
    }

    /** Coordinate c of x⁺ − x of pair p; one for the coordinate after the last. */
    private double increment(int p, int c) {
        double[] x = pairs.get(p)[0];
        return c == x.length ? 1 : pairs.get(p)[1][c] - x[c];
    }

    /**
     * S, T and Vᵀ by rows, Σ (x⁺ − x)² and n.
     *
     * @param input S
     * @param cross T
     * @param increments Vᵀ
     * @param squares Σ (x⁺ − x)²
     * @param weight n, alone in its array
     */
    @SuppressWarnings("ArrayRecordComponent") // filled by loops, compared entry by entry, never as a value
    public record Sums(double[][] input, double[][] cross, double[][] increments, double[] squares, double[] weight) {}
}
