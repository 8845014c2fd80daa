package io.koopstream.forecast;

import java.util.List;

/**
 * Where a forecast of observations begins.
 *
 * @param history prepared observations up to the start, oldest first, as many as a state is made of
 * @param level of the newest one, see {@link io.koopstream.stream.Preparation#level}
 * @param time of the newest one; NaN when unknown
 */
public record Start(List<double[]> history, List<Double> level, double time) {

    /** Keeps its own lists. */
    public Start {
        history = List.copyOf(history);
        level = List.copyOf(level);
    }

    double[][] rows() {
        return history.toArray(double[][]::new);
    }

    double[] levels() {
        return level.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
