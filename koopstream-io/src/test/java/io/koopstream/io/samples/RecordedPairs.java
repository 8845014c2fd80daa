package io.koopstream.io.samples;

import io.koopstream.InvalidSampleException;
import io.koopstream.io.StateLabels;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The pairs of a source, as texts. */
final class RecordedPairs {

    private RecordedPairs() {}

    /** All pairs of a file as texts like {@code [1.0]->[2.0]}; bad rows interrupt. */
    static List<String> of(Path file) throws IOException {
        try (SampleReader reader = SampleReaders.open(file)) {
            return of(reader);
        }
    }

    static List<String> of(SampleReader reader) throws IOException {
        return of(reader, 0, 1);
    }

    static List<String> of(SampleReader reader, int delays, int stride) throws IOException {
        List<String> pairs = new ArrayList<>();
        Trajectories trajectories = new StateLabels(List.of(), delays, stride)
                .newTrajectories(reader.names().size());
        Sample sample = new Sample();
        boolean more = true;
        while (more) {
            try {
                more = reader.read(sample);
                if (more) {
                    add(pairs, trajectories, sample.observation());
                }
            } catch (BadRowException e) {
                trajectories.interrupt(e.trajectory());
                pairs.add("bad " + e.row());
            } catch (InvalidSampleException e) {
                trajectories.interrupt(sample.observation().trajectory());
                pairs.add("bad " + sample.row());
            }
        }
        return pairs;
    }

    private static void add(List<String> pairs, Trajectories trajectories, Observation observation) {
        Outcome outcome = trajectories.next(observation);
        if (outcome.isPair()) {
            pairs.add(Arrays.toString(outcome.from()) + "->" + Arrays.toString(outcome.to()));
        }
    }
}
