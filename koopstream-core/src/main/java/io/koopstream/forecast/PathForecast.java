package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;

/**
 * The expected path of the state after a start, with the spread of the states around it at every step.
 *
 * <p>Means and second moments are propagated with the embedding, μ ← U μ, and divided by the mass Σ α_i of its weights: the ridge
 * shrinks that mass a little with every step, which would otherwise pull every path towards the origin. Quantiles come from the
 * distribution on the kept outputs whose embedding is nearest, see {@link StateDistribution}.
 *
 * <p>Immutable; any number of threads may ask at once. Keeps the operator it was made from.
 */
public final class PathForecast {

    private final KoopmanOperator operator;
    private final double[] start;
    private final double[][] mean;
    private final double[][] spread;
    private final double[] mass;

    private PathForecast(KoopmanOperator operator, double[] start, double[][] mean, double[][] spread, double[] mass) {
        this.operator = operator;
        this.start = start.clone();
        this.mean = mean;
        this.spread = spread;
        this.mass = mass;
    }

    /**
     * The path from a start over some steps.
     *
     * @throws InvalidQueryException if the start is not a state, the number of steps is out of range, or the start lies where nothing
     *     was learned, so that no mass is left to divide by
     */
    public static PathForecast of(KoopmanOperator operator, double[] start, int steps) {
        int d = operator.domain().dimension();
        // One propagation serves all moments: (1, x_1 .. x_d, x_1² .. x_d²).
        double[][] moments = operator.forecast(state -> moments(state), start, steps);
        double[][] mean = new double[steps][d];
        double[][] spread = new double[steps][d];
        double[] mass = new double[steps];
        for (int s = 0; s < steps; s++) {
            mass[s] = moments[s][0];
            if (!(mass[s] > MIN_MASS)) {
                throw new InvalidQueryException("after " + (s + 1) + " steps the forecast has mass " + mass[s]
                        + " left: the start lies where nothing was learned; start nearer to the data");
            }
            for (int c = 0; c < d; c++) {
                mean[s][c] = moments[s][1 + c] / mass[s];
                // Weights may be negative, so the variance can come out slightly below zero.
                double variance = moments[s][1 + d + c] / mass[s] - mean[s][c] * mean[s][c];
                spread[s][c] = Math.sqrt(Math.max(0.0, variance));
            }
        }
        return new PathForecast(operator, start, mean, spread, mass);
    }

    private static final double MIN_MASS = 1e-3;

    private static double[] moments(double[] state) {
        int d = state.length;
        double[] values = new double[1 + 2 * d];
        values[0] = 1;
        for (int c = 0; c < d; c++) {
            values[1 + c] = state[c];
            values[1 + d + c] = state[c] * state[c];
        }
        return values;
    }

    /** Number of steps. */
    public int steps() {
        return mean.length;
    }

    /** E[x_s | x_0] for step s = 1 .. {@link #steps()}, copied. */
    public double[] mean(int step) {
        return mean[index(step)].clone();
    }

    /** The standard deviation of every coordinate of x_s given x_0, for step s = 1 .. {@link #steps()}, copied. */
    public double[] spread(int step) {
        return spread[index(step)].clone();
    }

    /** The mass of the embedding at step s before it was divided out: near 1 where much was learned. */
    public double mass(int step) {
        return mass[index(step)];
    }

    /**
     * The distribution of the state at step s, for quantiles and probabilities. Its mean is near {@link #mean} but not equal: there weights
     * may be negative, here they are not. O(s m² + 200 m²), m the dictionary size.
     */
    public StateDistribution distribution(int step) {
        double[] weights = operator.embedding(start, index(step) + 1).weights();
        return new StateDistribution(operator.outputBasis().points(), new NearestDistribution(operator).of(weights));
    }

    /**
     * A quantile of every coordinate at every step: result[s][c] for step s + 1; a band is two of these. One propagation and one
     * distribution a step, O(200 m² steps).
     *
     * @param p between 0 and 1, exclusive
     */
    public double[][] quantiles(double p) {
        NearestDistribution nearest = new NearestDistribution(operator);
        double[][] weights = operator.weights(start, steps());
        double[][] result = new double[steps()][mean[0].length];
        for (int s = 0; s < result.length; s++) {
            StateDistribution distribution =
                    new StateDistribution(operator.outputBasis().points(), nearest.of(weights[s]));
            for (int c = 0; c < result[s].length; c++) {
                result[s][c] = distribution.quantile(c, p);
            }
        }
        return result;
    }

    private int index(int step) {
        if (step < 1 || step > mean.length) {
            throw new InvalidQueryException("step " + step + ": the forecast has steps 1 to " + mean.length);
        }
        return step - 1;
    }
}
