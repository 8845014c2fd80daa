package io.koopstream.cli;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;

/** The states of a model that rows of data stand for: the rows themselves, or delay vectors of them. */
final class DelayedStates {

    private final SampleFeeder feeder;

    DelayedStates(SampleReader reader, Model model) {
        int delays = model.labels().delays();
        feeder = delays == 0
                ? null
                : new SampleFeeder(
                        reader,
                        new PairCollector(model.operator().domain()),
                        Double.NaN,
                        delays,
                        model.labels().stride());
    }

    /** The state that ends with this row; null when too few rows of its trajectory came before. */
    double[] state(Sample sample) {
        if (feeder == null) {
            return sample.state();
        }
        feeder.accept(sample);
        return feeder.state(sample.trajectory()).orElse(null);
    }

    void interrupt(BadRowException e) {
        if (feeder != null) {
            feeder.interrupt(e.trajectory());
        }
    }
}
