package io.koopstream.io.samples;

import java.util.ArrayList;
import java.util.List;

/** A column of a table as far as it was seen; what it means is found out by {@link ColumnFinder}. */
final class SeenColumn {

    /** What its values are. */
    enum Kind {
        /** Nothing was found in the rows that were looked at. */
        EMPTY,
        NUMBER,
        DATE,
        CLOCK,
        TEXT
    }

    final String name;
    /** Whether the name is one that was made up. */
    final boolean unnamed;

    final int position;
    /** Those that are not missing. */
    final List<String> values = new ArrayList<>();

    Kind kind = Kind.EMPTY;
    /** How dates are written in it; null when that cannot be told. */
    TimeStyle dates;

    /** Whether it has a meaning already, or none at all. */
    boolean used;

    SeenColumn(String name, boolean unnamed, int position) {
        this.name = name;
        this.unnamed = unnamed;
        this.position = position;
    }

    void classify() {
        if (values.isEmpty()) {
            return;
        }
        TimeFinder.Found found = TimeFinder.dates(values);
        if (showsNumbers()) {
            kind = Kind.NUMBER;
            dates = found == null ? null : found.style();
        } else if (found != null) {
            kind = Kind.DATE;
            dates = found.style();
        } else {
            dates = TimeFinder.clocks(values);
            kind = dates == null ? Kind.TEXT : Kind.CLOCK;
        }
    }

    /** Whether most values are numbers: a stray cell is a bad row, not another kind of column. */
    boolean showsNumbers() {
        return !values.isEmpty() && 2 * values.stream().filter(Cells::isNumber).count() >= values.size();
    }

    boolean isAnyOf(String... names) {
        return List.of(names).stream().anyMatch(name::equalsIgnoreCase);
    }

    boolean isWhole() {
        return kind == Kind.NUMBER
                && values.stream().allMatch(value -> value.strip().matches("[-+]?\\d+"));
    }

    boolean mayBeNumber() {
        return kind == Kind.NUMBER || kind == Kind.EMPTY;
    }

    String example() {
        return Cells.quote(values.get(0));
    }
}
