package io.koopstream.io.samples;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Stands where a learner would and writes down the pairs it is given. */
final class RecordedPairs implements Learner<KoopmanOperator> {

    private final Rkhs space;
    private final List<String> pairs = new ArrayList<>();

    private RecordedPairs(int dimension) {
        this.space = new Rkhs(Kernels.gaussian(1), dimension);
    }

    /** All pairs of a file as texts like {@code [1.0]->[2.0]}; bad rows interrupt. */
    static List<String> of(Path file) throws IOException {
        try (SampleReader reader = SampleReaders.open(file)) {
            return of(reader);
        }
    }

    /** The pairs among the rows that were looked at ahead. */
    static List<String> waiting(LookaheadReader reader) {
        RecordedPairs learner = new RecordedPairs(reader.names().size());
        reader.feed(new SampleFeeder(reader, learner, Double.NaN));
        return learner.pairs;
    }

    static List<String> of(SampleReader reader) throws IOException {
        return of(reader, 0, 1);
    }

    static List<String> of(SampleReader reader, int delays, int stride) throws IOException {
        RecordedPairs learner = new RecordedPairs((delays + 1) * reader.names().size());
        SampleFeeder feeder = new SampleFeeder(reader, learner, Double.NaN, delays, stride);
        Sample sample = new Sample();
        boolean more = true;
        while (more) {
            try {
                more = reader.read(sample);
                if (more) {
                    feeder.accept(sample);
                }
            } catch (BadRowException e) {
                feeder.interrupt(e.trajectory());
                learner.pairs.add("bad " + e.row());
            }
        }
        return learner.pairs;
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
        pairs.add(Arrays.toString(x) + "->" + Arrays.toString(xNext));
        return StepOutcome.PROJECTED;
    }

    @Override
    public KoopmanOperator snapshot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long samples() {
        return pairs.size();
    }

    @Override
    public int dictionarySize() {
        return 0;
    }

    @Override
    public void reset() {
        pairs.clear();
    }

    @Override
    public Learner<KoopmanOperator> copy() {
        throw new UnsupportedOperationException();
    }
}
