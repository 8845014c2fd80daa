package io.koopstream.io.samples;

import io.koopstream.io.samples.TableColumn.Meaning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells what the columns of a table mean, from their names, some rows and what somebody says: one rule for all formats. Rows are looked at
 * until every column has shown a value.
 */
final class ColumnFinder {

    /** So many rows are looked at for columns that have shown nothing yet. */
    static final int MAX_LOOKED = 100;

    /** So many rows are looked at where day and month cannot be told apart yet. */
    static final int MAX_LOOKED_FOR_DAYS = 1_000;

    /** Stands for a cell that holds a structure. */
    static final String NESTED = "nested values";

    private static final String NEXT_SUFFIX = "_next";
    private static final int MAX_TEXT_NOTES = 3;

    private enum Kind {
        /** Nothing was found in the rows that were looked at. */
        EMPTY,
        NUMBER,
        DATE,
        CLOCK,
        TEXT
    }

    /** A column as far as it was seen. */
    private static final class Column {
        private final String name;
        private final boolean unnamed;
        private final int position;
        private final List<String> values = new ArrayList<>();
        private Kind kind = Kind.EMPTY;
        /** How dates are written in it; null when that cannot be told. */
        private TimeStyle dates;
        /** Whether it has a meaning already, or none at all. */
        private boolean used;

        Column(String name, boolean unnamed, int position) {
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
            return !values.isEmpty()
                    && 2 * values.stream().filter(Cells::isNumber).count() >= values.size();
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

    private final String source;
    private final ColumnOptions options;
    private final List<Column> columns = new ArrayList<>();
    private final Map<String, Column> byName = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int rows;
    private Column time;
    private TimeStyle timeStyle;
    private Column clock;

    ColumnFinder(String source, ColumnOptions options) {
        this.source = source;
        this.options = options;
    }

    /** The columns of a table with a header. */
    ColumnFinder named(List<String> header) {
        for (String name : header) {
            add(name);
        }
        return this;
    }

    /** Which column has this name; a new one for a name that is new. */
    int indexOf(String name) {
        Column known = byName.get(name.strip());
        return known != null ? known.position : add(name);
    }

    private int add(String given) {
        int position = columns.size();
        String name = given.strip();
        boolean unnamed = name.isEmpty() || (position == 0 && name.equals("Unnamed: 0"));
        String used = name.isEmpty() ? "column" + (position + 1) : name;
        Column column = new Column(used, unnamed, position);
        Column same = byName.put(used, column);
        if (same != null) {
            throw new SampleFormatException(
                    source,
                    "column '" + used + "' is there twice, as columns " + (same.position + 1) + " and " + (position + 1)
                            + "; give one of them another name");
        }
        columns.add(column);
        return position;
    }

    int count() {
        return columns.size();
    }

    /** Takes note of a cell. */
    void see(int column, String cell) {
        if (!Cells.isMissing(cell)) {
            columns.get(column).values.add(cell);
        }
    }

    /** Ends a row that was looked at. */
    void endRow() {
        rows++;
    }

    /** Whether no row was looked at. */
    boolean wantsRows() {
        return rows == 0;
    }

    /** Whether one more row would tell something. */
    boolean wantsMore() {
        if (rows == 0 || rows >= MAX_LOOKED_FOR_DAYS) {
            return rows == 0;
        }
        // A first row that is no row is not what the columns hold.
        boolean more = rows < MAX_LOOKED && columns.stream().noneMatch(Column::showsNumbers);
        for (Column column : columns) {
            if (options.ignored().contains(column.name) || options.columns().contains(column.name)) {
                continue;
            }
            List<String> values = column.values;
            more |= rows < MAX_LOOKED && values.isEmpty();
            more |= rows < MAX_LOOKED
                    && values.size() == 1
                    && (TimeFinder.epoch(values) != null || column.isAnyOf("year"));
            // Not after every row: all of the values are looked at.
            more |= options.time() == null
                    && options.timeFormat() == null
                    && !values.isEmpty()
                    && isUndecided(values.subList(0, 1))
                    && (rows % 16 != 0 || isUndecided(values));
        }
        return more;
    }

    private static boolean isUndecided(List<String> values) {
        TimeFinder.Found found = TimeFinder.dates(values);
        return found != null && found.style() == null;
    }

    /** What the columns mean. */
    TableColumns find() {
        columns.forEach(Column::classify);
        requireKnown("--columns", options.columns());
        requireKnown("--ignore", options.ignored());
        for (String name : options.ignored()) {
            byName.get(name).used = true;
        }
        List<String> wanted = !options.columns().isEmpty() || !byName.keySet().containsAll(options.preferred())
                ? options.columns()
                : options.preferred();
        Column trajectory = trajectory();
        findTime(wanted);
        Column step = step(wanted);
        List<Column> state = state(wanted);
        List<String> stateNames = state.stream().map(column -> column.name).toList();
        List<String> next = next(stateNames);
        if (!options.names().isEmpty() && options.names().size() != state.size()) {
            throw wrongNames(source, options.names(), state.size());
        }
        setRestAside(wanted, next);
        RowRoles roles = RowRoles.of(
                columns.stream().map(column -> column.name).toList(),
                new RowRoles.Names("", nameOf(trajectory), nameOf(step), "", stateNames, next),
                state.size());
        TimeStyle[] styles = new TimeStyle[columns.size()];
        TimeStyle written = timeStyle;
        if (time != null) {
            styles[time.position] = timeStyle;
        }
        if (clock != null) {
            styles[clock.position] = clock.dates;
            written = TimeStyle.ofPattern(timeStyle.pattern() + " " + clock.dates.pattern());
        }
        boolean[] commas = new boolean[columns.size()];
        for (Column column : state) {
            commas[column.position] = column.values.stream().anyMatch(Cells::hasDecimalComma);
        }
        return new TableColumns(
                roles,
                styles,
                commas,
                columns.stream()
                        .map(column ->
                                new TableColumn(column.name, meaning(column, trajectory, step, stateNames, next)))
                        .toList(),
                options.names().isEmpty() ? stateNames : options.names(),
                written,
                notes);
    }

    private Meaning meaning(Column column, Column trajectory, Column step, List<String> state, List<String> next) {
        if (column == time || column == clock) {
            return Meaning.TIME;
        }
        if (column == trajectory || column == step) {
            return column == step ? Meaning.STEP : Meaning.TRAJECTORY;
        }
        return state.contains(column.name)
                ? Meaning.STATE
                : next.contains(column.name)
                        ? Meaning.NEXT
                        : column.kind == Kind.TEXT && !column.used ? Meaning.TEXT : Meaning.SET_ASIDE;
    }

    static SampleFormatException wrongNames(String source, List<String> names, int coordinates) {
        return new SampleFormatException(
                source,
                "--names " + String.join(",", names) + ": " + names.size() + " names, a row has " + coordinates
                        + " coordinates");
    }

    private static String nameOf(Column column) {
        return column == null ? "" : column.name;
    }

    private void requireKnown(String option, List<String> names) {
        for (String name : names) {
            if (!byName.containsKey(name)) {
                throw new SampleFormatException(
                        source,
                        option + ": there is no column '" + name + "'; there are " + String.join(", ", names()));
            }
        }
    }

    private List<String> names() {
        return columns.stream().map(column -> column.name).toList();
    }

    private Column trajectory() {
        Column found = null;
        if (options.group() != null) {
            requireKnown("--group", List.of(options.group()));
            found = byName.get(options.group());
        }
        for (Column column : columns) {
            if (found == null
                    && column.isAnyOf("trajectory")
                    && !column.used
                    && !options.columns().contains(column.name)) {
                found = column;
            }
        }
        if (found != null) {
            found.used = true;
        }
        return found;
    }

    private void findTime(List<String> wanted) {
        List<Column> free = columns.stream()
                .filter(column -> !column.used && !wanted.contains(column.name))
                .toList();
        if (ColumnOptions.NO_TIME.equals(options.time())) {
            free.forEach(column -> column.used |= candidate(column) != null);
            return;
        }
        if (options.time() != null) {
            requireKnown("--time", List.of(options.time()));
            time = byName.get(options.time());
            timeStyle = saidStyle(time);
        } else if (options.timeFormat() != null) {
            findByFormat(free);
        } else {
            findByContent(free);
        }
        if (time == null) {
            return;
        }
        time.used = true;
        for (Column column : free) {
            if (!column.used && candidate(column) != null) {
                column.used = true;
                notes.add("column '" + column.name + "' holds times too and is set aside; --time " + column.name
                        + " takes it instead of '" + time.name + "'");
            }
        }
        boolean dateOnly = timeStyle.isPattern() && !timeStyle.pattern().contains("m");
        for (Column column : free) {
            if (dateOnly && clock == null && column.kind == Kind.CLOCK) {
                clock = column;
                clock.used = true;
            }
        }
        if (timeStyle.isDated() && (options.time() == null || options.timeFormat() == null)) {
            notes.add("times in '" + time.name + "' (" + timeStyle + ")"
                    + (clock == null ? "" : " and '" + clock.name + "' (" + clock.dates + ")")
                    + "; --time and --time-format change that");
        }
    }

    /** The style of the column that somebody named. */
    private TimeStyle saidStyle(Column column) {
        if (options.timeFormat() != null) {
            return TimeStyle.ofPattern(options.timeFormat());
        }
        if (column.kind == Kind.TEXT) {
            throw new SampleFormatException(
                    source,
                    "column '" + column.name + "': " + column.example()
                            + " is no time that is known; say with --time-format how it is written, such as 'd MMM yy HH:mm'");
        }
        return column.mayBeNumber() ? numberStyle(column, true) : dateStyle(column);
    }

    /** How numbers are written that are times. */
    private static TimeStyle numberStyle(Column column, boolean sure) {
        TimeStyle epoch = column.values.isEmpty() ? null : TimeFinder.epoch(column.values);
        if (epoch != null || !TimeFinder.speaksOfTime(column.name)) {
            return epoch == null && sure ? TimeStyle.NUMBER : epoch;
        }
        return column.dates != null ? column.dates : sure ? TimeStyle.NUMBER : null;
    }

    private TimeStyle dateStyle(Column column) {
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

    private static String suggestion(Column column, String date) {
        String value = column.values.get(0).strip();
        String pattern = value.indexOf('-') > 0 && value.indexOf('/') < 0 ? date.replace('/', '-') : date;
        boolean halves = value.toLowerCase(java.util.Locale.ROOT).endsWith("m");
        long colons = value.chars().filter(c -> c == ':').count();
        String clock = (halves ? "h:mm" : "H:mm") + (colons > 1 ? ":ss" : "") + (halves ? " a" : "");
        return colons == 0 ? pattern : "'" + pattern + " " + clock + "'";
    }

    /** How times are written in a column that holds them, as it seems; null for others. */
    private static TimeStyle candidate(Column column) {
        if (column.kind == Kind.DATE) {
            return column.dates == null ? TimeStyle.NUMBER : column.dates;
        }
        boolean says = column.isAnyOf("time", "timestamp");
        return column.mayBeNumber() && (says || TimeFinder.speaksOfTime(column.name))
                ? numberStyle(column, says)
                : null;
    }

    private void findByFormat(List<Column> free) {
        TimeStyle style = TimeStyle.ofPattern(options.timeFormat());
        List<Column> fitting = free.stream()
                .filter(column -> !column.values.isEmpty() && !Double.isNaN(style.read(column.values.get(0))))
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
        timeStyle = style;
    }

    private void findByContent(List<Column> free) {
        time = free.stream()
                .filter(column -> candidate(column) != null)
                .findFirst()
                .orElse(null);
        timeStyle = time == null ? null : time.kind == Kind.DATE ? dateStyle(time) : candidate(time);
        for (Column column : free) {
            boolean risingYears = column.isAnyOf("year")
                    && column.isWhole()
                    && column.values.size() > 1
                    && Double.parseDouble(column.values.get(1)) > Double.parseDouble(column.values.get(0));
            if (time == null && (risingYears || (column.kind == Kind.CLOCK && TimeFinder.speaksOfTime(column.name)))) {
                time = column;
                timeStyle = risingYears ? TimeStyle.NUMBER : column.dates;
            }
        }
        Column first = columns.isEmpty() ? null : columns.get(0);
        boolean others = columns.stream().anyMatch(column -> column != first && column.kind == Kind.NUMBER);
        if (time == null && others && free.contains(first) && first.isWhole() && !first.isAnyOf("step")) {
            timeStyle = TimeFinder.epoch(first.values);
            time = timeStyle == null ? null : first;
        }
    }

    private Column step(List<String> wanted) {
        for (Column column : columns) {
            boolean index = column.position == 0 && column.unnamed && column.isWhole();
            boolean named = column.isAnyOf("step") && column.mayBeNumber();
            if (!column.used && (index || named) && !wanted.contains(column.name)) {
                column.used = true;
                return column;
            }
        }
        return null;
    }

    private List<Column> state(List<String> wanted) {
        if (!wanted.isEmpty()) {
            List<Column> chosen = wanted.stream().map(byName::get).toList();
            for (Column column : chosen) {
                if (!column.mayBeNumber() && !options.columns().isEmpty()) {
                    throw new SampleFormatException(
                            source,
                            "column '" + column.name + "' holds " + column.example()
                                    + ", expected numbers; leave it out of --columns");
                }
            }
            return chosen;
        }
        Set<String> all = columns.stream()
                .filter(column -> !column.used && column.mayBeNumber())
                .map(column -> column.name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<Column> found = columns.stream()
                .filter(column -> !column.used
                        && (column.kind == Kind.NUMBER || (rows == 0 && column.kind == Kind.EMPTY))
                        && !isNext(column.name, all))
                .toList();
        if (found.isEmpty()) {
            throw new SampleFormatException(
                    source,
                    "no state column; found only "
                            + columns.stream().map(this::described).collect(Collectors.joining(", "))
                            + "; a state is made of columns of numbers, --columns names them");
        }
        return found;
    }

    private String described(Column column) {
        String what = column == time || column == clock
                ? "the time"
                : column.kind == Kind.EMPTY ? "empty" : column.used ? "set aside" : column.example();
        return column.name + " (" + what + ")";
    }

    private static boolean isNext(String name, Set<String> all) {
        if (!name.endsWith(NEXT_SUFFIX)) {
            return false;
        }
        String from = name.substring(0, name.length() - NEXT_SUFFIX.length());
        return all.contains(from) && !isNext(from, all);
    }

    /** For each column of the state the one with the next value; empty where rows are states. */
    private List<String> next(List<String> state) {
        if (state.stream().noneMatch(name -> isFree(name + NEXT_SUFFIX, state))) {
            return List.of();
        }
        List<String> next = new ArrayList<>();
        for (String name : state) {
            if (isFree(name + NEXT_SUFFIX, state)) {
                next.add(name + NEXT_SUFFIX);
            } else if (options.actions().contains(name)) {
                next.add(name);
            } else {
                throw new SampleFormatException(
                        source,
                        "columns with '_next' make every row a pair, but '" + name + NEXT_SUFFIX
                                + "' is missing; add it, or remove the others");
            }
        }
        return next;
    }

    private boolean isFree(String name, List<String> state) {
        Column column = byName.get(name);
        return column != null && !column.used && column.mayBeNumber() && !state.contains(name);
    }

    /** Says which columns mean nothing, where nobody has said so. */
    private void setRestAside(List<String> wanted, List<String> next) {
        List<Column> texts = new ArrayList<>();
        for (Column column : columns) {
            boolean rest = rows > 0 && !column.used && wanted.isEmpty() && !next.contains(column.name);
            if (rest && column.kind == Kind.EMPTY) {
                notes.add("column '" + column.name + "' is empty in the first " + rows
                        + " rows and is set aside; --columns takes it nevertheless");
            } else if (rest && column.kind == Kind.NUMBER && column.unnamed) {
                notes.add("column " + (column.position + 1) + " has no name and is called '" + column.name
                        + "'; --ignore " + column.name + " sets it aside");
            } else if (rest && column.kind != Kind.NUMBER) {
                texts.add(column);
            }
        }
        if (texts.size() > MAX_TEXT_NOTES) {
            notes.add("columns "
                    + texts.stream().map(column -> "'" + column.name + "'").collect(Collectors.joining(", "))
                    + " hold text and are set aside; --group NAME makes one of them tell trajectories apart");
            return;
        }
        for (Column column : texts) {
            if (column.values.get(0).equals(NESTED)) {
                notes.add("column '" + column.name
                        + "' holds nested values and is set aside; write them as columns of their own to use them");
                continue;
            }
            boolean thousands = Cells.mayHaveThousands(column.values.get(0));
            notes.add("column '" + column.name + "' holds text (" + column.example() + ")"
                    + (thousands
                            ? ", perhaps numbers with their thousands set apart, and is set aside; write them without separators to use it"
                            : Cells.mayHaveUnit(column.values.get(0))
                                    ? ", perhaps numbers with a unit, and is set aside; write bare numbers to use it"
                                    : " and is set aside; --group " + column.name
                                            + " makes it tell trajectories apart"));
        }
    }
}
