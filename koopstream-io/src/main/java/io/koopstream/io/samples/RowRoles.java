package io.koopstream.io.samples;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Which columns of a table, or fields of a record, mean what; and where their values go in a {@link Sample}. Immutable. */
public final class RowRoles implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What a column holds. */
    private enum Role {
        KEY,
        TRAJECTORY,
        STEP,
        TIME,
        STATE,
        NEXT,
        NOTHING
    }

    /**
     * The columns that mean something; a name that is empty stands for none.
     *
     * @param key the column that tells streams apart
     * @param trajectory the column that tells trajectories apart
     * @param step the column with the number of the row within its trajectory
     * @param time the column with its time
     * @param state the columns of the state, in order; or one column that holds all of it
     * @param next for each of them the column with the value one step later, which may be the same one; empty when rows are states
     */
    public record Names(String key, String trajectory, String step, String time, List<String> state, List<String> next)
            implements Serializable {

        /** Keeps copies. */
        public Names {
            state = List.copyOf(state);
            next = List.copyOf(next);
        }
    }

    private final Names names;
    private final int dimension;
    private final List<String> columns;
    private final Map<String, Integer> places = new HashMap<>();
    private final Role[] roles;
    /** For a column of a state, its first coordinate. */
    private final int[] coordinates;
    /** For a column of a state, whether the same value is one of the next state. */
    private final boolean[] repeats;

    /** For a column of a state, how many coordinates it holds. */
    private final int width;

    private RowRoles(List<String> columns, Names names, int dimension) {
        this.names = names;
        this.dimension = dimension;
        this.columns = List.copyOf(columns);
        this.width = dimension / names.state.size();
        this.roles = new Role[columns.size()];
        this.coordinates = new int[columns.size()];
        this.repeats = new boolean[columns.size()];
        Arrays.fill(roles, Role.NOTHING);
        for (int i = 0; i < roles.length; i++) {
            places.put(columns.get(i), i);
        }
        for (int i = 0; i < names.next.size(); i++) {
            assign(names.next.get(i), Role.NEXT, width * i);
        }
        for (int i = 0; i < names.state.size(); i++) {
            assign(names.state.get(i), Role.STATE, width * i);
        }
        assign(names.key, Role.KEY, 0);
        assign(names.trajectory, Role.TRAJECTORY, 0);
        assign(names.step, Role.STEP, 0);
        assign(names.time, Role.TIME, 0);
    }

    private void assign(String name, Role role, int coordinate) {
        int column = indexOf(name);
        if (column >= 0) {
            repeats[column] = roles[column] == Role.NEXT;
            roles[column] = role;
            coordinates[column] = coordinate;
        }
    }

    /**
     * The columns that somebody has named. Others mean nothing.
     *
     * @param columns all columns in their order; every named one is among them
     * @param dimension numbers that a state has
     */
    public static RowRoles of(List<String> columns, Names names, int dimension) {
        return new RowRoles(columns, names, dimension);
    }

    /** Names for coordinates that have none of their own: x1, x2, … */
    static List<String> numbered(int dimension) {
        return IntStream.rangeClosed(1, dimension).mapToObj(c -> "x" + c).toList();
    }

    /** How many columns there are. */
    public int count() {
        return roles.length;
    }

    /** The name of a column. */
    public String name(int column) {
        return columns.get(column);
    }

    /** Which column has this name; −1 for none. */
    public int indexOf(String name) {
        return places.getOrDefault(name, -1);
    }

    /** Whether a column holds a name: that of a stream or a trajectory. */
    public boolean isText(int column) {
        return roles[column] == Role.KEY || roles[column] == Role.TRAJECTORY;
    }

    /** True if a column holds the time. */
    public boolean isTime(int column) {
        return roles[column] == Role.TIME;
    }

    /** Whether nobody has said what a column means. */
    public boolean isIgnored(int column) {
        return roles[column] == Role.NOTHING;
    }

    /** How many numbers per column holds: one, unless it is a whole state. */
    public int width(int column) {
        return roles[column] == Role.STATE || roles[column] == Role.NEXT ? width : 1;
    }

    boolean isPairs() {
        return !names.next.isEmpty();
    }

    /** Makes room for a row. */
    public void begin(Sample sample, long row) {
        sample.begin(row, dimension, isPairs());
    }

    /** Puts a name where it belongs. */
    public void put(Sample sample, int column, String text) {
        if (roles[column] == Role.KEY) {
            sample.setKey(text);
        } else {
            sample.setTrajectory(text);
        }
    }

    /** Puts a number where it belongs. */
    public void put(Sample sample, int column, double value) {
        put(sample, column, 0, value);
    }

    /**
     * Puts a number where it belongs.
     *
     * @param index which number of the column
     */
    public void put(Sample sample, int column, int index, double value) {
        int coordinate = coordinates[column] + index;
        switch (roles[column]) {
            case STATE -> {
                sample.state()[coordinate] = value;
                if (repeats[column]) {
                    sample.next()[coordinate] = value;
                }
            }
            case NEXT -> sample.next()[coordinate] = value;
            case STEP -> sample.setStep(value);
            case TIME -> sample.setTime(value);
            case NOTHING -> {}
            case KEY, TRAJECTORY -> throw new IllegalStateException("column '" + columns.get(column) + "' is a name");
        }
    }
}
