package io.koopstream.cli.learn;

import io.koopstream.cli.shell.Clock;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.stream.DriftEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How changes of the dynamics are told. */
final class Drifts {

    private final List<String> names;
    private final Clock clock;

    Drifts(SampleReader reader) {
        this.names = reader.names();
        this.clock = Clock.of(reader, Double.NaN);
    }

    /** A sentence. */
    String sentence(DriftEvent event) {
        return event.change() != null
                ? event.change().kind().text() + ": " + event.change().sentence(names, clock::at)
                : String.format(
                        Locale.ROOT,
                        "the dynamics changed at about sample %,d: one-step error %.3f before, %.3f since (noticed at sample %,d)",
                        event.since(),
                        event.errorBefore(),
                        event.errorAfter(),
                        event.sample());
    }

    /** For programs. */
    List<Object> document(List<DriftEvent> events) {
        List<Object> list = new ArrayList<>();
        for (DriftEvent event : events) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("sample", event.sample());
            entry.put("since", event.since());
            entry.put("errorBefore", event.errorBefore());
            entry.put("errorAfter", event.errorAfter());
            DriftEvent.Change change = event.change();
            if (change != null) {
                entry.put("kind", change.kind().text());
                entry.put("coordinate", change.coordinate() + 1);
                entry.put("from", change.from());
                entry.put("to", change.to());
                entry.put("onsetRow", change.onsetRow());
                entry.put("onset", time(change.onsetTime()));
                entry.put("row", change.row());
                entry.put("time", time(change.time()));
                entry.put("sentence", sentence(event));
            }
            list.add(entry);
        }
        return list;
    }

    private String time(double time) {
        return Double.isNaN(time) ? null : clock.at(time);
    }
}
