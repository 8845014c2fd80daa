package io.koopstream.forecast;

import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Start of a forecast of observations.
 *
 * @param history prepared observations up to the start, oldest first, as many as a state is made of or more
 * @param level of the newest one, see {@link io.koopstream.rows.Preparation#level}
 * @param time of the newest one; NaN when unknown
 */
public record Start(List<double[]> history, List<Double> level, double time) {

    /** Keeps its own lists. */
    public Start {
        history = List.copyOf(history);
        level = List.copyOf(level);
    }

    /**
     * The start after the newest observation of a trajectory; empty where it has too few of them.
     *
     * @param layout of a state made of prepared observations
     * @param dimension coordinates of an observation as it came
     */
    public static Optional<Start> after(Trajectories.Open trajectory, DelayLayout layout, int dimension) {
        List<double[]> recent = trajectory.recent();
        if (recent.size() < layout.history()) {
            return Optional.empty();
        }
        double[] newest = recent.get(recent.size() - 1);
        List<Double> level = trajectory.level().isEmpty()
                ? Arrays.stream(newest, 0, dimension).boxed().toList()
                : trajectory.level();
        return Optional.of(new Start(recent, level, trajectory.time()));
    }

    /** The rows up to the start in the units of the data, oldest first; one more than observations where these are differences. */
    public double[][] past(DelayLayout layout, Preparation preparation) {
        return Arrays.stream(layout.summed(rows(), levels()))
                .map(row -> IntStream.range(0, level.size())
                        .mapToDouble(c -> preparation.value(c, row[c]))
                        .toArray())
                .toArray(double[][]::new);
    }

    double[][] rows() {
        return history.toArray(double[][]::new);
    }

    double[] levels() {
        return level.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
