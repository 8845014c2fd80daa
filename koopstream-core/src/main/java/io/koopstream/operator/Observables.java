package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

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
}
