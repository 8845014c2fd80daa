package io.koopstream.cli;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.util.function.BiConsumer;

/** Stands where a learner would and hands every pair on, so that data for testing is paired exactly as data for learning. */
final class PairCollector implements Learner<KoopmanOperator> {

    private final Rkhs space;
    private final BiConsumer<double[], double[]> action;
    private long pairs;

    PairCollector(Rkhs space, BiConsumer<double[], double[]> action) {
        this.space = space;
        this.action = action;
    }

    void over(SampleReader reader, Data data, Sample sample) throws IOException {
        SampleFeeder feeder = new SampleFeeder(reader, this, Double.NaN);
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
        return StepOutcome.PROJECTED;
    }

    @Override
    public KoopmanOperator snapshot() {
        throw new UnsupportedOperationException("nothing is learned here");
    }

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
        pairs = 0;
    }

    @Override
    public Learner<KoopmanOperator> copy() {
        return new PairCollector(space, action);
    }
}
