package io.koopstream.cli.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Keeps pairs to judge on. Of a long stream it keeps every second, then every fourth pair and so on: bounded, in order, from the whole of it.
 */
final class PairCollector implements BiConsumer<double[], double[]> {

    private static final int MAX_PAIRS = 6000;

    private List<double[]> inputs = new ArrayList<>();
    private List<double[]> outputs = new ArrayList<>();
    private long pairs;
    private long every = 1;

    @Override
    public void accept(double[] x, double[] xNext) {
        if (pairs % every == 0 && inputs.size() == MAX_PAIRS) {
            inputs = everySecond(inputs);
            outputs = everySecond(outputs);
            every *= 2;
        }
        if (pairs % every == 0) {
            inputs.add(x.clone());
            outputs.add(xNext.clone());
        }
        pairs++;
    }

    private static List<double[]> everySecond(List<double[]> rows) {
        List<double[]> kept = new ArrayList<>(MAX_PAIRS);
        for (int i = 0; i < rows.size(); i += 2) {
            kept.add(rows.get(i));
        }
        return kept;
    }

    double[][] inputs() {
        return inputs.toArray(double[][]::new);
    }

    double[][] outputs() {
        return outputs.toArray(double[][]::new);
    }

    /** How many pairs there were, kept or not. */
    long pairs() {
        return pairs;
    }
}
