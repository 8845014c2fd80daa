package io.koopstream.io.samples;

import java.util.List;
import java.util.Optional;

/** What all readers answer alike: where the rows come from, and what they hold. */
abstract class RowReader implements SampleReader {

    final String source;
    private List<String> names = List.of();
    private List<TableColumn> columns = List.of();
    private boolean pairs;
    private TimeStyle timeStyle;
    private List<String> notes = List.of();

    RowReader(String source) {
        this.source = source;
    }

    /** Called once, when the reader knows what a row holds. */
    final void describe(List<String> coordinateNames, boolean rowsArePairs) {
        names = List.copyOf(coordinateNames);
        columns = names.stream()
                .map(name -> new TableColumn(name, TableColumn.Meaning.STATE))
                .toList();
        pairs = rowsArePairs;
    }

    /** The same for the columns of a table. */
    final void describe(TableColumns table) {
        describe(table.stateNames(), table.roles().isPairs());
        columns = table.described();
        timeStyle = table.timeStyle();
        notes = table.notes();
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
    public final List<TableColumn> columns() {
        return columns;
    }

    @Override
    public final boolean isPairs() {
        return pairs;
    }
}
