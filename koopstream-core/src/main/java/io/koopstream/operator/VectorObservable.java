package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Points;
import java.util.Arrays;

/** An observable with several components, e.g. the state itself. */
@FunctionalInterface
public interface VectorObservable {

    /** The state itself. */
    VectorObservable STATE = state -> state;

    /** The value at a state; always of the same length. */
    double[] at(double[] state);

    /** Σ_i w_i f(p_i). */
    default double[] mean(Points points, double[] weights) {
        double[] sum = null;
        for (int i = 0; i < weights.length; i++) {
            double[] point = points.get(i);
            double[] value = at(point);
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
