package io.koopstream.cli;

import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Stands where a learner would and keeps pairs, so that data for testing is paired exactly as data for learning. Of a long stream it keeps
 * every second, then every fourth pair and so on: bounded, in order, from the whole of it.
 */
final class PairCollector implements Learner<KoopmanOperator> {

    private static final int MOST_PAIRS = 6000;

    private final Rkhs space;
    private final BiConsumer<double[], double[]> action;
    private List<double[]> inputs = new ArrayList<>();
    private List<double[]> outputs = new ArrayList<>();
    private long pairs;
    private long every = 1;

    PairCollector(Rkhs space) {
        this.space = space;
        this.action = this::keep;
    }

    /** Hands every pair on instead of keeping some; the arrays may not be kept. */
    PairCollector(Rkhs space, BiConsumer<double[], double[]> action) {
        this.space = space;
        this.action = action;
    }

    void over(SampleReader reader, Data data, StateLabels labels) throws IOException {
        Sample sample = new Sample();
        SampleFeeder feeder = new SampleFeeder(reader, this, Double.NaN, labels.delays(), labels.stride());
        boolean[] more = {true};
        while (more[0]) {
            data.attempt(new Data.RowAction() {
                @Override
                public void run() throws IOException {
                    more[0] = reader.read(sample);
                    if (more[0]) {
                        feeder.accept(sample);
                    }
                }

                @Override
                public void skipped(BadRowException e) {
                    feeder.interrupt(e.trajectory());
                }
            });
        }
        data.reportSkipped();
    }

    double[][] inputs() {
        return inputs.toArray(double[][]::new);
    }

    double[][] outputs() {
        return outputs.toArray(double[][]::new);
    }

    @Override
    public Rkhs input() {
        return space;
    }

    @Override
    public Rkhs output() {
        return space;
    }

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        space.requireSample(x, "x");
        space.requireSample(xNext, "xNext");
        action.accept(x, xNext);
        pairs++;
        return StepOutcome.HELD_OUT;
    }

    private void keep(double[] x, double[] xNext) {
        if (pairs % every == 0) {
            if (inputs.size() == MOST_PAIRS) {
                inputs = everySecond(inputs);
                outputs = everySecond(outputs);
                every *= 2;
            }
            if (pairs % every == 0) {
                inputs.add(x.clone());
                outputs.add(xNext.clone());
            }
        }
    }

    private static List<double[]> everySecond(List<double[]> rows) {
        List<double[]> kept = new ArrayList<>(MOST_PAIRS);
        for (int i = 0; i < rows.size(); i += 2) {
            kept.add(rows.get(i));
        }
        return kept;
    }

    @Override
    public KoopmanOperator snapshot() {
        throw new UnsupportedOperationException("nothing is learned here");
    }

    /** How many pairs there were, kept or not. */
    @Override
    public long samples() {
        return pairs;
    }

    @Override
    public int dictionarySize() {
        return 0;
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("pairs are collected once");
    }

    @Override
    public Learner<KoopmanOperator> copy() {
        throw new UnsupportedOperationException("pairs are collected once");
    }
}
