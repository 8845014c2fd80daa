package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Points;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The forecast distribution of the state at one step: probabilities on the kept outputs, none negative, sum 1.
 *
 * <p>They are those whose kernel mean embedding is nearest to the learned one, not the weights α themselves, which may be negative; see
 * docs/answers.md for what that changes. Quantiles are read off a distribution function that is piecewise linear through
 * ((v_i, F_i)), F_i the probability below the value v_i of the i-th kept output plus half its own, so that few kept points do not make
 * steps. They are as fine as kernel and dictionary: detail below the kernel's width is not in an embedding to be read.
 *
 * <p>Immutable. A quantile costs O(m log m).
 */
public final class StateDistribution {

    private final Points points;
    private final double[] probabilities;

    StateDistribution(Points points, double[] probabilities) {
        this.points = points;
        this.probabilities = probabilities;
    }

    /** The states that carry probability, one per row: the kept outputs, copied. */
    public double[][] states() {
        return points.toRows();
    }

    /** Their probabilities, copied. */
    public double[] probabilities() {
        return probabilities.clone();
    }

    /** The probability of an event. */
    public double probability(Predicate<double[]> event) {
        double sum = 0;
        for (int i = 0; i < probabilities.length; i++) {
            sum += event.test(points.get(i)) ? probabilities[i] : 0;
        }
        return Math.min(1.0, sum);
    }

    /**
     * The value that coordinate {@code coordinate} stays below with probability {@code p}.
     *
     * @param p between 0 and 1, exclusive
     */
    public double quantile(int coordinate, double p) {
        if (coordinate < 0 || coordinate >= points.dimension()) {
            throw new InvalidQueryException(
                    "coordinate " + coordinate + ": the state has coordinates 0 to " + (points.dimension() - 1));
        }
        return quantile(state -> state[coordinate], p);
    }

    /** The value that a scalar observable stays below with probability {@code p}. */
    public double quantile(ToDoubleFunction<double[]> observable, double p) {
        if (!(p > 0 && p < 1)) {
            throw new InvalidQueryException(
                    "p = " + p + ": a quantile needs a level between 0 and 1, e.g. 0.05, 0.5, 0.95");
        }
        double[] values = new double[probabilities.length];
        for (int i = 0; i < values.length; i++) {
            double[] point = points.get(i);
            values[i] = observable.applyAsDouble(point);
            if (!Double.isFinite(values[i])) {
                throw new InvalidQueryException("the observable is " + values[i] + " at " + Arrays.toString(point)
                        + ": must be finite at every dictionary point");
            }
        }
        Integer[] order = new Integer[values.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
        double below = 0;
        double previousValue = Double.NaN;
        double previousLevel = 0;
        for (int i : order) {
            if (probabilities[i] > 0) {
                double level = below + probabilities[i] / 2;
                if (level >= p) {
                    double share = (p - previousLevel) / (level - previousLevel);
                    return Double.isNaN(previousValue)
                            ? values[i]
                            : previousValue + share * (values[i] - previousValue);
                }
                below += probabilities[i];
                previousValue = values[i];
                previousLevel = level;
            }
        }
        return previousValue;
    }
}
