package io.koopstream.control.dynamics;

import java.util.Arrays;

/**
 * A distribution of the next state on the support points of a {@link SuccessorModel}, as a sparse vector: weights on a few points.
 * Non-negative with a sum of at most one; what is missing to one is probability of the unknown. Reused by its owner.
 */
public final class SuccessorWeights {

    private int[] points = new int[16];
    private double[] weights = new double[16];
    private int count;

    /** Number of points with weight. */
    public int count() {
        return count;
    }

    /** Index of the i-th point. */
    public int point(int i) {
        return points[i];
    }

    /** Weight of the i-th point. */
    public double weight(int i) {
        return weights[i];
    }

    /** Forgets everything. */
    public void clear() {
        count = 0;
    }

    /** Appends a point. */
    public void add(int point, double weight) {
        if (count == points.length) {
            points = Arrays.copyOf(points, 2 * count);
            weights = Arrays.copyOf(weights, 2 * count);
        }
        points[count] = point;
        weights[count] = weight;
        count++;
    }

    /** Sum of the weights. */
    public double sum() {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i];
        }
        return sum;
    }

    /** Σ w_i v_i + (1 − Σ w_i) unknown: the expected value of the next state. */
    public double expect(double[] values, double unknown) {
        double sum = 0;
        double mass = 0;
        for (int i = 0; i < count; i++) {
            sum = Math.fma(weights[i], values[points[i]], sum);
            mass += weights[i];
        }
        return Math.fma(Math.max(0.0, 1 - mass), unknown, sum);
    }
}
