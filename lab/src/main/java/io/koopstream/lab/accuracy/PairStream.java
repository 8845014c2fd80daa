package io.koopstream.lab.accuracy;

import io.koopstream.learner.Learner;
import io.koopstream.systems.BenchmarkSystem;
import java.util.Arrays;

/** Pairs (x, x⁺) of a system in trajectory order: all of the first path, then all of the second. */
final class PairStream {

    private final double[][] inputs;
    private final double[][] outputs;

    private PairStream(double[][] inputs, double[][] outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
    }

    static PairStream of(BenchmarkSystem system, int trajectories, int steps, long seed) {
        double[][] x = new double[trajectories * steps][];
        double[][] y = new double[trajectories * steps][];
        int filled = 0;
        for (double[][] path : system.simulate(trajectories, steps, seed)) {
            for (int t = 0; t < steps; t++) {
                x[filled] = path[t];
                y[filled++] = path[t + 1];
            }
        }
        return new PairStream(x, y);
    }

    /** The pairs of one path, a state a row. */
    static PairStream of(double[][] path) {
        return new PairStream(Arrays.copyOf(path, path.length - 1), Arrays.copyOfRange(path, 1, path.length));
    }

    /** The first so many pairs. */
    PairStream first(int pairs) {
        return new PairStream(Arrays.copyOf(inputs, pairs), Arrays.copyOf(outputs, pairs));
    }

    /** The same pairs with coordinate {@code c} measured in another unit. */
    PairStream inUnit(int c, double unit) {
        return new PairStream(scaled(inputs, c, unit), scaled(outputs, c, unit));
    }

    private static double[][] scaled(double[][] rows, int c, double unit) {
        double[][] scaled = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            scaled[i] = rows[i].clone();
            scaled[i][c] *= unit;
        }
        return scaled;
    }

    int size() {
        return inputs.length;
    }

    double[][] inputs() {
        return inputs;
    }

    double[][] outputs() {
        return outputs;
    }

    /** Lets a learner have the pairs from one position to before another. */
    void feed(Learner<?> learner, int from, int to) {
        learner.partialFit(Arrays.copyOfRange(inputs, from, to), Arrays.copyOfRange(outputs, from, to));
    }
}
