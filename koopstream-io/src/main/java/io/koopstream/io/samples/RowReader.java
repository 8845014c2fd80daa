package io.koopstream.io.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What all readers answer alike: where the rows come from, and what they hold. */
abstract class RowReader implements SampleReader {

    final String source;
    private List<String> names = List.of();
    private boolean pairs;
    private TimeStyle timeStyle;
    private final List<String> notes = new ArrayList<>();

    RowReader(String source) {
        this.source = source;
    }

    /** Called once, when the reader knows what a row holds. */
    final void describe(List<String> coordinateNames, boolean rowsArePairs) {
        names = List.copyOf(coordinateNames);
        pairs = rowsArePairs;
    }

    /** Called once, when rows have times. */
    final void describeTime(TimeStyle style) {
        timeStyle = style;
    }

    /** Adds a line about what was told from the rows. */
    final void note(String line) {
        notes.add(line);
    }

    @Override
    public final Optional<TimeStyle> timeStyle() {
        return Optional.ofNullable(timeStyle);
    }

    @Override
    public final List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public final String source() {
        return source;
    }

    @Override
    public final List<String> names() {
        return names;
    }

    @Override
    public final boolean isPairs() {
        return pairs;
    }
}
