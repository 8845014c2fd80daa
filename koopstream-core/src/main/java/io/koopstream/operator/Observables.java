package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Points;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/** Calls a user's observable and names it when it returns something that is not a number. */
final class Observables {

    private Observables() {}

    static double value(ToDoubleFunction<double[]> observable, double[] point) {
        double value = observable.applyAsDouble(point);
        if (!Double.isFinite(value)) {
            throw new InvalidQueryException("the observable is " + value + " at " + Arrays.toString(point)
                    + ": must be finite at every dictionary point");
        }
        return value;
    }

    /** Σ_i w_i f(p_i). */
    static double[] mean(UnaryOperator<double[]> observable, Points points, double[] weights) {
        double[] sum = null;
        for (int i = 0; i < weights.length; i++) {
            double[] point = points.get(i);
            double[] value = observable.apply(point);
            if (sum == null) {
                sum = new double[value.length];
            }
            if (value.length != sum.length) {
                throw new InvalidQueryException("the observable has " + sum.length + " components at one point and "
                        + value.length + " at " + Arrays.toString(point));
            }
            for (int c = 0; c < value.length; c++) {
                if (!Double.isFinite(value[c])) {
                    throw new InvalidQueryException("component " + c + " of the observable is " + value[c] + " at "
                            + Arrays.toString(point) + ": must be finite at every dictionary point");
                }
                sum[c] = Math.fma(weights[i], value[c], sum[c]);
            }
        }
        if (sum == null) {
            throw new InvalidQueryException("nothing was learned yet: the dictionary is empty");
        }
        return sum;
    }
}
