package io.koopstream.cli.learn;

import io.koopstream.change.DriftEvent;
import io.koopstream.cli.shell.Clock;
import io.koopstream.io.samples.SampleReader;
import java.util.List;
import java.util.Map;

/** How changes of the dynamics are told, in the names and times of the data. */
final class Drifts {

    private final List<String> names;
    private final Clock clock;

    Drifts(SampleReader reader) {
        this.names = reader.names();
        this.clock = Clock.of(reader, Double.NaN);
    }

    /** A sentence. */
    String sentence(DriftEvent event) {
        return event.sentence(names, clock::at);
    }

    /** For programs. */
    List<Map<String, Object>> document(List<DriftEvent> events) {
        return events.stream().map(event -> event.document(names, clock::at)).toList();
    }
}
