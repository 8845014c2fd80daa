package io.koopstream.io.samples;

import io.koopstream.io.samples.SeenColumn.Kind;
import io.koopstream.io.samples.TableColumn.Meaning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
    private static final int MAX_NAMED = 8;

    private final String source;
    private ColumnOptions options;
    private final List<SeenColumn> columns = new ArrayList<>();
    private final Map<String, SeenColumn> byName = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int rows;
    private SeenColumn time;
    private SeenColumn clock;
    private List<SeenColumn> pieces = List.of();

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
        SeenColumn known = byName.get(name.strip());
        return known != null ? known.position : add(name);
    }

    private int add(String given) {
        int position = columns.size();
        String name = given.strip();
        boolean unnamed = name.isEmpty() || (position == 0 && name.equals("Unnamed: 0"));
        String used = name.isEmpty() ? "column" + (position + 1) : name;
        SeenColumn column = new SeenColumn(used, unnamed, position);
        SeenColumn same = byName.put(used, column);
        if (same != null) {
            throw new SampleFormatException(
                    source,
                    "duplicate column '" + used + "': columns " + (same.position + 1) + " and " + (position + 1)
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
        boolean more = rows < MAX_LOOKED && columns.stream().noneMatch(SeenColumn::showsNumbers);
        for (SeenColumn column : columns) {
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
        columns.forEach(SeenColumn::classify);
        recall();
        requireKnown("--columns", options.columns());
        requireKnown("--ignore", options.ignored());
        for (String name : options.ignored()) {
            byName.get(name).used = true;
        }
        List<String> wanted = !options.columns().isEmpty() || !byName.keySet().containsAll(options.preferred())
                ? options.columns()
                : options.preferred();
        SeenColumn trajectory = trajectory();
        boolean said = options.time() != null && !options.time().equals(ColumnOptions.NO_TIME);
        requireKnown("--time", said ? List.of(options.time()) : List.of());
        TimeColumnFinder times = new TimeColumnFinder(
                source, options, columns, wanted, said ? byName.get(options.time()) : null, rows, notes);
        time = times.time();
        clock = times.clock();
        SeenColumn step = step(wanted);
        List<SeenColumn> state = state(wanted);
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
        TimeStyle written = times.style();
        if (time != null) {
            styles[time.position] = written;
        }
        pieces = times.pieces();
        pieces.forEach(piece -> styles[piece.position] = times.style());
        if (clock != null) {
            styles[clock.position] = clock.dates;
            written = TimeStyle.ofPattern(written.pattern() + " " + clock.dates.pattern());
        }
        boolean[] commas = new boolean[columns.size()];
        for (SeenColumn column : state) {
            commas[column.position] = column.values.stream().anyMatch(Cells::hasDecimalComma);
        }
        Set<String> states = new HashSet<>(stateNames);
        Set<String> nexts = new HashSet<>(next);
        return new TableColumns(
                roles,
                styles,
                commas,
                columns.stream()
                        .map(column -> new TableColumn(column.name, meaning(column, trajectory, step, states, nexts)))
                        .toList(),
                options.names().isEmpty() ? stateNames : options.names(),
                written,
                pieces.stream().mapToInt(piece -> piece.position).toArray(),
                notes);
    }

    private Meaning meaning(
            SeenColumn column, SeenColumn trajectory, SeenColumn step, Set<String> state, Set<String> next) {
        if (column == time || column == clock || pieces.contains(column)) {
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

    private static String nameOf(SeenColumn column) {
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

    private boolean isFreeColumn(String name) {
        return byName.containsKey(name)
                && !byName.get(name).used
                && !options.columns().contains(name);
    }

    /** Reads times as those of the model's own data, where nothing else is said and the table has such times. */
    private void recall() {
        String known = options.known().time();
        String column = options.time() == null && (known.equals(ColumnOptions.NO_TIME) || isFreeColumn(known))
                ? known
                : options.time();
        TimeStyle style = options.timeFormat() == null && !options.knownTimes().isEmpty()
                ? TimeStyle.parse(options.knownTimes())
                : TimeStyle.NUMBER;
        boolean fits = style.isPattern()
                && columns.stream()
                        .filter(seen -> column == null ? seen.kind != Kind.NUMBER : seen.name.equals(column))
                        .anyMatch(seen -> !seen.values.isEmpty()
                                && seen.values.stream().noneMatch(value -> Double.isNaN(style.read(value))));
        options = options.withTime(column, fits ? style.pattern() : options.timeFormat());
    }

    private SeenColumn trajectory() {
        SeenColumn found = null;
        if (options.group() != null) {
            requireKnown("--group", List.of(options.group()));
            found = byName.get(options.group());
        } else if (isFreeColumn(options.known().group())) {
            found = byName.get(options.known().group());
        }
        for (SeenColumn column : columns) {
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

    private SeenColumn step(List<String> wanted) {
        for (SeenColumn column : columns) {
            boolean index = column.position == 0 && column.unnamed && column.isWhole();
            boolean named = column.isAnyOf("step") && column.mayBeNumber();
            if (!column.used && (index || named) && !wanted.contains(column.name)) {
                column.used = true;
                return column;
            }
        }
        return null;
    }

    private List<SeenColumn> state(List<String> wanted) {
        if (!wanted.isEmpty()) {
            List<SeenColumn> chosen = wanted.stream().map(byName::get).toList();
            for (SeenColumn column : chosen) {
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
        List<SeenColumn> found = columns.stream()
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

    private String described(SeenColumn column) {
        String what = column == time || column == clock || pieces.contains(column)
                ? "the time"
                : column.kind == Kind.EMPTY ? "empty" : column.used ? "ignored" : column.example();
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
        SeenColumn column = byName.get(name);
        return column != null && !column.used && column.mayBeNumber() && !state.contains(name);
    }

    /** Says which columns mean nothing, where nobody has said so. */
    private void setRestAside(List<String> wanted, List<String> next) {
        List<SeenColumn> texts = new ArrayList<>();
        for (SeenColumn column : columns) {
            boolean rest = rows > 0 && !column.used && wanted.isEmpty() && !next.contains(column.name);
            if (rest && column.kind == Kind.EMPTY) {
                notes.add("column '" + column.name + "' is empty in the first " + rows
                        + " rows and is ignored; --columns includes it anyway");
            } else if (rest && column.kind == Kind.NUMBER && column.unnamed) {
                notes.add("column " + (column.position + 1) + " has no name and is called '" + column.name
                        + "'; --ignore " + column.name + " leaves it out");
            } else if (rest && column.kind != Kind.NUMBER) {
                texts.add(column);
            }
        }
        if (texts.size() > MAX_TEXT_NOTES) {
            notes.add("columns "
                    + texts.stream()
                            .limit(MAX_NAMED)
                            .map(column -> "'" + column.name + "'")
                            .collect(Collectors.joining(", "))
                    + (texts.size() > MAX_NAMED ? " and " + (texts.size() - MAX_NAMED) + " more" : "")
                    + " hold text and are ignored; --group NAME makes one of them identify trajectories");
            return;
        }
        for (SeenColumn column : texts) {
            if (column.values.get(0).equals(NESTED)) {
                notes.add("column '" + column.name
                        + "' holds nested values and is ignored; write them as separate columns to use them");
                continue;
            }
            boolean thousands = Cells.mayHaveThousands(column.values.get(0));
            notes.add("column '" + column.name + "' holds text (" + column.example() + ")"
                    + (thousands
                            ? ", perhaps numbers with thousands separators, and is ignored; write them without separators to use it"
                            : Cells.mayHaveUnit(column.values.get(0))
                                    ? ", perhaps numbers with a unit, and is ignored; write bare numbers to use it"
                                    : " and is ignored; --group " + column.name + " makes it identify trajectories"));
        }
    }
}
