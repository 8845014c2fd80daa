package io.koopstream.answers;

import io.koopstream.change.DriftEvent;
import io.koopstream.io.Json;
import java.util.List;

/**
 * A change of the dynamics in the names and times of the data.
 *
 * @param sample pair at which it was noticed
 * @param since pair at which it began, as estimated
 * @param errorBefore one-step error before
 * @param errorAfter one-step error since
 * @param score how sure it is
 * @param change what has changed, where the settings ask for kinds; null elsewhere
 * @param sentence all of it in words
 */
public record ChangeEvent(
        long sample, long since, double errorBefore, double errorAfter, double score, Change change, String sentence) {

    /**
     * A kind of change.
     *
     * @param kind {@code slow drift}, {@code level shift}, {@code variance change} or {@code changed spectrum}
     * @param coordinate where it shows most, from 1
     * @param from its value before
     * @param to its value since
     * @param onsetRow row at which it began
     * @param onset time of that row as the data writes it; null without times
     * @param row row at which it was noticed
     * @param time time of that row
     */
    public record Change(
            String kind, int coordinate, double from, double to, long onsetRow, String onset, long row, String time)
            implements Json.Part {}

    /** An event. */
    public static ChangeEvent of(DriftEvent event, List<String> names, Clock clock) {
        DriftEvent.Change change = event.change();
        return new ChangeEvent(
                event.sample(),
                event.since(),
                event.errorBefore(),
                event.errorAfter(),
                event.score(),
                change == null
                        ? null
                        : new Change(
                                change.kind().text(),
                                change.coordinate() + 1,
                                change.from(),
                                change.to(),
                                change.onsetRow(),
                                clock.ifKnown(change.onsetTime()),
                                change.row(),
                                clock.ifKnown(change.time())),
                event.sentence(names, clock::at));
    }

    /** Events in their order. */
    public static List<ChangeEvent> of(List<DriftEvent> events, List<String> names, Clock clock) {
        return events.stream().map(event -> of(event, names, clock)).toList();
    }
}
