package io.koopstream.io.samples;

import io.koopstream.io.samples.SeenColumn.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tells which column of a table is the time, and which one beside it the clock. */
final class TimeColumnFinder {

    /** Columns that hold times together by their names and patterns, in order. */
    private static final String[][] PIECES = {
        {"year", "yyyy"}, {"quarter", "q"}, {"month", "M"}, {"day", "d"}, {"hour", "H"}, {"minute", "m"}
    };

    private final String source;
    private final ColumnOptions options;
    private final List<SeenColumn> columns;
    private final List<SeenColumn> free;
    private final List<String> notes;
    private final int rows;
    private SeenColumn time;
    private TimeStyle style;
    private SeenColumn clock;
    private List<SeenColumn> pieces = List.of();

    /**
     * @param columns all of the table
     * @param wanted those that are the state, as somebody says
     * @param said the one that is the time, as somebody says; null when nobody does
     * @param rows how many were looked at
     * @param notes takes what was told
     */
    TimeColumnFinder(
            String source,
            ColumnOptions options,
            List<SeenColumn> columns,
            List<String> wanted,
            SeenColumn said,
            int rows,
            List<String> notes) {
        this.source = source;
        this.options = options;
        this.columns = columns;
        this.rows = rows;
        this.notes = notes;
        this.free = columns.stream()
                .filter(column -> !column.used && !wanted.contains(column.name))
                .toList();
        find(said);
    }

    /** The column with the time; null for none. */
    SeenColumn time() {
        return time;
    }

    /** How it is written. */
    TimeStyle style() {
        return style;
    }

    /** The column with the clock where that of the time holds dates alone; null for none. */
    SeenColumn clock() {
        return clock;
    }

    /** The columns of which times are put together, in the order of the pattern; empty where one column holds them. */
    List<SeenColumn> pieces() {
        return pieces;
    }

    private void find(SeenColumn said) {
        if (ColumnOptions.NO_TIME.equals(options.time())) {
            free.forEach(column -> column.used |= candidate(column) != null);
            return;
        }
        if (options.time() != null) {
            time = said;
            style = saidStyle(time);
        } else if (options.timeFormat() != null) {
            findByFormat();
        } else {
            findByContent();
        }
        if (!pieces.isEmpty()) {
            notes.add("times in "
                    + pieces.stream().map(piece -> "'" + piece.name + "'").collect(Collectors.joining(" and ")) + " ("
                    + style + "); --time and --time-format change that");
            return;
        }
        if (time == null) {
            return;
        }
        time.used = true;
        for (SeenColumn column : free) {
            if (!column.used && candidate(column) != null) {
                column.used = true;
                notes.add("column '" + column.name + "' also holds times and is ignored; --time " + column.name
                        + " takes it instead of '" + time.name + "'");
            }
        }
        boolean dateOnly = style.isPattern() && !style.pattern().contains("m");
        for (SeenColumn column : free) {
            if (dateOnly && clock == null && column.kind == Kind.CLOCK) {
                clock = column;
                clock.used = true;
            }
        }
        if (style.isDated() && (options.time() == null || options.timeFormat() == null)) {
            notes.add("times in '" + time.name + "' (" + style + ")"
                    + (clock == null ? "" : " and '" + clock.name + "' (" + clock.dates + ")")
                    + "; --time and --time-format change that");
        }
    }

    /** The style of the column that somebody named. */
    private TimeStyle saidStyle(SeenColumn column) {
        if (options.timeFormat() != null) {
            return TimeStyle.ofPattern(options.timeFormat());
        }
        if (column.kind == Kind.TEXT) {
            throw new SampleFormatException(
                    source,
                    "column '" + column.name + "': " + column.example()
                            + " is not a known time format; say with --time-format how it is written, such as 'd MMM yy HH:mm'");
        }
        return column.mayBeNumber() ? numberStyle(column, true) : dateStyle(column);
    }

    /** How numbers are written that are times. */
    private static TimeStyle numberStyle(SeenColumn column, boolean sure) {
        TimeStyle epoch = column.values.isEmpty() ? null : TimeFinder.epoch(column.values);
        if (epoch != null || !TimeFinder.speaksOfTime(column.name)) {
            return epoch == null && sure ? TimeStyle.NUMBER : epoch;
        }
        return column.dates != null ? column.dates : sure ? TimeStyle.NUMBER : null;
    }

    private TimeStyle dateStyle(SeenColumn column) {
        if (column.dates == null) {
            throw new SampleFormatException(
                    source,
                    "column '" + column.name + "': " + column.example()
                            + " may have the day or the month first, and the first " + rows
                            + " rows do not tell; add --time-format " + suggestion(column, "d/M/yyyy") + " or "
                            + suggestion(column, "M/d/yyyy"));
        }
        return column.dates;
    }

    private static String suggestion(SeenColumn column, String date) {
        String value = column.values.get(0).strip();
        String pattern = value.indexOf('-') > 0 && value.indexOf('/') < 0 ? date.replace('/', '-') : date;
        boolean halves = value.toLowerCase(Locale.ROOT).endsWith("m");
        long colons = value.chars().filter(c -> c == ':').count();
        String clock = (halves ? "h:mm" : "H:mm") + (colons > 1 ? ":ss" : "") + (halves ? " a" : "");
        return colons == 0 ? pattern : "'" + pattern + " " + clock + "'";
    }

    /** How times are written in a column that holds them, as it seems; null for others. */
    private static TimeStyle candidate(SeenColumn column) {
        if (column.kind == Kind.DATE) {
            return column.dates == null ? TimeStyle.NUMBER : column.dates;
        }
        boolean says = column.isAnyOf("time", "timestamp");
        return column.mayBeNumber() && (says || TimeFinder.speaksOfTime(column.name))
                ? numberStyle(column, says)
                : null;
    }

    private void findByFormat() {
        TimeStyle given = TimeStyle.ofPattern(options.timeFormat());
        List<SeenColumn> fitting = free.stream()
                .filter(column -> !column.values.isEmpty() && !Double.isNaN(given.read(column.values.get(0))))
                .toList();
        time = fitting.stream()
                .filter(column -> column.kind != Kind.NUMBER || TimeFinder.speaksOfTime(column.name))
                .findFirst()
                .or(() -> fitting.stream().findFirst())
                .orElseThrow(() -> new SampleFormatException(
                        source,
                        "no column holds times written as --time-format " + options.timeFormat() + " says; found "
                                + columns.stream()
                                        .filter(column -> !column.values.isEmpty())
                                        .map(column -> column.name + " " + column.example())
                                        .collect(Collectors.joining(", "))));
        style = given;
    }

    private void findByContent() {
        time = free.stream()
                .filter(column -> candidate(column) != null)
                .findFirst()
                .orElse(null);
        style = time == null ? null : time.kind == Kind.DATE ? dateStyle(time) : candidate(time);
        if (time == null) {
            findPieces();
        }
        for (SeenColumn column : free) {
            TimeStyle years =
                    column.isAnyOf("year") && column.values.size() > 1 ? TimeFinder.years(column.values) : null;
            boolean rising = years != null && years.read(column.values.get(1)) > years.read(column.values.get(0));
            boolean clocked = time == null && column.kind == Kind.CLOCK && TimeFinder.speaksOfTime(column.name);
            // Years say more than a column called time that only counts.
            if ((rising && (time == null || !style.isDated())) || clocked) {
                time = column;
                style = rising ? years : column.dates;
            }
        }
        SeenColumn first = columns.isEmpty() ? null : columns.get(0);
        boolean others = columns.stream().anyMatch(column -> column != first && column.kind == Kind.NUMBER);
        if (time == null && others && free.contains(first) && first.isWhole() && !first.isAnyOf("step")) {
            style = TimeFinder.epoch(first.values);
            time = style == null ? null : first;
        }
    }

    /** Columns called year and quarter, or year, month and so on, hold times together. */
    private void findPieces() {
        List<SeenColumn> found = new ArrayList<>();
        StringBuilder pattern = new StringBuilder();
        for (String[] piece : PIECES) {
            SeenColumn column = free.stream()
                    .filter(one -> one.isAnyOf(piece[0]) && one.kind == Kind.NUMBER)
                    .findFirst()
                    .orElse(null);
            boolean quarters = pattern.indexOf("q") >= 0;
            if (column != null && !quarters) {
                found.add(column);
                pattern.append(found.size() > 1 ? " " : "").append(piece[1]);
            } else if (!piece[0].equals("quarter")) {
                break;
            }
        }
        if (found.size() < 2) {
            return;
        }
        TimeStyle together = TimeStyle.ofPattern(pattern.toString());
        int seen = found.stream().mapToInt(column -> column.values.size()).min().orElse(0);
        for (int i = 0; i < seen; i++) {
            int row = i;
            String text = found.stream()
                    .map(column -> TableColumns.piece(column.values.get(row)))
                    .collect(Collectors.joining(" "));
            if (Double.isNaN(together.read(text))) {
                return;
            }
        }
        pieces = found;
        time = found.get(0);
        style = together;
        pieces.forEach(column -> column.used = true);
    }
}
