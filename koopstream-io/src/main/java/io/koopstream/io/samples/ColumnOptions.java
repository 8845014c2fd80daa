package io.koopstream.io.samples;

import java.util.List;
import java.util.Set;

/**
 * What somebody says about the columns of a table; what is not said is told from the rows.
 *
 * @param columns the columns of the state, in order; empty: all that hold numbers and mean nothing else
 * @param ignored columns that are ignored
 * @param time the column with the time; null: told from the rows, {@code none}: there is none
 * @param timeFormat how times are written, a pattern of {@link java.time.format.DateTimeFormatter}; null: told from the rows
 * @param group the column that tells trajectories apart; null: {@code trajectory} if there is one
 * @param header whether the first line of a CSV names the columns; null: told from that line
 * @param names names of the state's coordinates instead of their own; empty: their own
 * @param actions columns that stand among the coordinates, but have no next value: in a pair theirs is the same again
 * @param preferred the columns of the state, in order, where the table has all of them and {@code columns} is empty: those of a model
 * @param preferredGroup the column that tells trajectories apart where the table has it and {@code group} is null: that of a model; empty for none
 */
public record ColumnOptions(
        List<String> columns,
        List<String> ignored,
        String time,
        String timeFormat,
        String group,
        Boolean header,
        List<String> names,
        Set<String> actions,
        List<String> preferred,
        String preferredGroup) {

    /** Nothing is said. */
    public static final ColumnOptions NONE =
            new ColumnOptions(List.of(), List.of(), null, null, null, null, List.of(), Set.of(), List.of(), "");

    /** The {@link #time} that says there is no time column. */
    public static final String NO_TIME = "none";

    /** Keeps copies. */
    public ColumnOptions {
        columns = List.copyOf(columns);
        ignored = List.copyOf(ignored);
        names = List.copyOf(names);
        actions = Set.copyOf(actions);
        preferred = List.copyOf(preferred);
    }

    /** Without a column that a model tells trajectories apart by. */
    public ColumnOptions(
            List<String> columns,
            List<String> ignored,
            String time,
            String timeFormat,
            String group,
            Boolean header,
            List<String> names,
            Set<String> actions,
            List<String> preferred) {
        this(columns, ignored, time, timeFormat, group, header, names, actions, preferred, "");
    }

    /** The same with other columns of the state. */
    public ColumnOptions withColumns(List<String> other) {
        return new ColumnOptions(
                other, ignored, time, timeFormat, group, header, names, actions, preferred, preferredGroup);
    }

    /** The same with other actions. */
    public ColumnOptions withActions(Set<String> other) {
        return new ColumnOptions(
                columns, ignored, time, timeFormat, group, header, names, other, preferred, preferredGroup);
    }

    /** The same with columns of the state for tables that have all of them. */
    public ColumnOptions preferring(List<String> other) {
        return new ColumnOptions(
                columns, ignored, time, timeFormat, group, header, names, actions, other, preferredGroup);
    }

    /** Tells trajectories apart by this column in tables that have it; empty for none. */
    public ColumnOptions preferringGroup(String other) {
        return new ColumnOptions(columns, ignored, time, timeFormat, group, header, names, actions, preferred, other);
    }
}
