package io.koopstream.testkit;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Pairs (x, x⁺) to learn from, in order, with the seed that makes them again. Rows are copies; nobody can change them. */
public final class Samples {

    private final String origin;
    private final double[][] inputs;
    private final double[][] outputs;

    /**
     * Pairs from two arrays of rows, copied.
     *
     * @param origin generator and seed, for failure messages
     */
    public Samples(String origin, double[][] inputs, double[][] outputs) {
        if (inputs.length != outputs.length) {
            throw new IllegalArgumentException(inputs.length + " inputs, " + outputs.length + " outputs");
        }
        this.origin = origin;
        this.inputs = copy(inputs);
        this.outputs = copy(outputs);
    }

    /** The successive pairs of one trajectory. */
    public static Samples ofTrajectory(String origin, double[][] states) {
        return new Samples(
                origin, Arrays.copyOf(states, states.length - 1), Arrays.copyOfRange(states, 1, states.length));
    }

    private static double[][] copy(double[][] rows) {
        double[][] copied = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            copied[i] = rows[i].clone();
        }
        return copied;
    }

    /** Number of pairs. */
    public int size() {
        return inputs.length;
    }

    /** x of pair i, copied. */
    public double[] input(int i) {
        return inputs[i].clone();
    }

    /** x⁺ of pair i, copied. */
    public double[] output(int i) {
        return outputs[i].clone();
    }

    /** All inputs, copied. */
    public double[][] inputs() {
        return copy(inputs);
    }

    /** All outputs, copied. */
    public double[][] outputs() {
        return copy(outputs);
    }

    /** Pairs from (inclusive) to (exclusive). */
    public Samples range(int from, int to) {
        return new Samples(
                origin + "[" + from + ".." + to + ")",
                Arrays.copyOfRange(inputs, from, to),
                Arrays.copyOfRange(outputs, from, to));
    }

    /** The pairs after a change of every point. */
    public Samples map(String change, UnaryOperator<double[]> point) {
        return new Samples(
                origin + " " + change,
                Arrays.stream(copy(inputs)).map(point).toArray(double[][]::new),
                Arrays.stream(copy(outputs)).map(point).toArray(double[][]::new));
    }

    /** The pairs moved: every coordinate of every point plus the offset. */
    public Samples shifted(double offset) {
        return map(
                "+ " + offset,
                point -> Arrays.stream(point).map(c -> c + offset).toArray());
    }

    /** The pairs in other units: every coordinate of every point times the factor. */
    public Samples scaled(double factor) {
        return map(
                "* " + factor,
                point -> Arrays.stream(point).map(c -> c * factor).toArray());
    }

    /** Where the pairs come from: generator, size and seed. */
    @Override
    public String toString() {
        return origin;
    }
}
