package io.koopstream.io.samples;

import io.koopstream.io.Reading;
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
 * @param resampling regular times at which rows are made of those of the data; null for those of the data, or as {@code known} says
 * @param known what reading the data of a model took: it holds where nothing else is said, and the table has the columns
 * @param knownTimes how the times of that model are written; empty: told from the rows
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
        Resampling resampling,
        Reading known,
        String knownTimes) {

    /** Nothing is said. */
    public static final ColumnOptions NONE =
            new ColumnOptions(List.of(), List.of(), null, null, null, null, List.of(), Set.of(), List.of());

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

    /** Without what a model knows. */
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
        this(columns, ignored, time, timeFormat, group, header, names, actions, preferred, null, Reading.NONE, "");
    }

    private ColumnOptions with(List<String> state, Set<String> acting, String times, String format, String grouped) {
        return new ColumnOptions(
                state,
                ignored,
                times,
                format,
                grouped,
                header,
                names,
                acting,
                preferred,
                resampling,
                known,
                knownTimes);
    }

    /** The same with other columns of the state. */
    public ColumnOptions withColumns(List<String> other) {
        return with(other, actions, time, timeFormat, group);
    }

    /** The same with other actions. */
    public ColumnOptions withActions(Set<String> other) {
        return with(columns, other, time, timeFormat, group);
    }

    /** The same with another column that tells trajectories apart. */
    public ColumnOptions withGroup(String other) {
        return with(columns, actions, time, timeFormat, other);
    }

    /** The same with another column and format of the times. */
    ColumnOptions withTime(String column, String format) {
        return with(columns, actions, column, format, group);
    }

    /** The same with rows at regular times. */
    public ColumnOptions withResampling(Resampling other) {
        return new ColumnOptions(
                columns, ignored, time, timeFormat, group, header, names, actions, preferred, other, known, knownTimes);
    }

    /** The same with columns of the state for tables that have all of them. */
    public ColumnOptions preferring(List<String> state) {
        return preferring(state, known, knownTimes);
    }

    /**
     * The same for data of a model.
     *
     * @param state the columns of the state for tables that have all of them
     * @param reading what reading the model's own data took
     * @param times how their times are written, as {@link TimeStyle#text} tells it; empty when they had none
     */
    public ColumnOptions preferring(List<String> state, Reading reading, String times) {
        return new ColumnOptions(
                columns,
                ignored,
                time,
                timeFormat,
                group,
                header,
                names,
                actions,
                state,
                resampling == null && !reading.resample().isEmpty() ? Resampling.parse(reading.resample()) : resampling,
                reading,
                times);
    }
}
