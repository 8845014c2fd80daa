package io.koopstream.io.samples;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What the columns of a table mean: {@code trajectory} tells trajectories apart, {@code time} and {@code step} order them, columns
 * {@code a_next} hold the next state of {@code a}, and all others are the state in the order of the table. Columns that are named as
 * actions stand among the coordinates, but have no next value: in a pair theirs is the same again.
 */
final class Columns {

    /** What a column holds. */
    enum Role {
        TRAJECTORY,
        STEP,
        TIME,
        STATE,
        NEXT
    }

    private static final String NEXT_SUFFIX = "_next";

    private final List<String> header;
    private final Role[] roles;
    /** For a state or next column, the coordinate. */
    private final int[] coordinates;

    private final List<String> names = new ArrayList<>();
    private final boolean pairs;
    private final Set<String> actions;

    private Columns(List<String> header, boolean pairs, Set<String> actions) {
        this.header = header;
        this.actions = actions;
        this.pairs = pairs;
        this.roles = new Role[header.size()];
        this.coordinates = new int[header.size()];
    }

    static Columns of(String source, List<String> given, Set<String> actions) {
        List<String> header = given.stream().map(String::strip).toList();
        Set<String> seen = new LinkedHashSet<>();
        for (String name : header) {
            if (name.isEmpty()) {
                throw new SampleFormatException(source, "the header has a column without a name; name every column");
            }
            if (!seen.add(name)) {
                throw new SampleFormatException(source, "the header names column '" + name + "' twice");
            }
        }
        Columns columns = new Columns(header, header.stream().anyMatch(name -> isNextOf(name, seen)), actions);
        columns.assign(source);
        return columns;
    }

    /** A name that only ends with _next but has no partner is a state like any other. */
    private static boolean isNextOf(String name, Set<String> all) {
        return name.endsWith(NEXT_SUFFIX) && all.contains(name.substring(0, name.length() - NEXT_SUFFIX.length()));
    }

    private void assign(String source) {
        Set<String> all = Set.copyOf(header);
        for (int i = 0; i < header.size(); i++) {
            String name = header.get(i);
            roles[i] = switch (name.toLowerCase(Locale.ROOT)) {
                case "trajectory" -> Role.TRAJECTORY;
                case "time" -> Role.TIME;
                case "step" -> Role.STEP;
                default -> isNextOf(name, all) ? Role.NEXT : Role.STATE;
            };
            if (roles[i] == Role.STATE) {
                coordinates[i] = names.size();
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            throw new SampleFormatException(
                    source,
                    "no state column; found only " + String.join(", ", header)
                            + " (trajectory, time and step are not state)");
        }
        for (int i = 0; i < header.size(); i++) {
            if (roles[i] == Role.NEXT) {
                String name = header.get(i);
                coordinates[i] = names.indexOf(name.substring(0, name.length() - NEXT_SUFFIX.length()));
            }
        }
        for (String name : names) {
            if (pairs && !actions.contains(name) && !all.contains(name + NEXT_SUFFIX)) {
                throw new SampleFormatException(
                        source,
                        "columns with '_next' make every row a pair, but '" + name + NEXT_SUFFIX
                                + "' is missing; add it, or remove the others");
            }
        }
    }

    /** Names for coordinates that have none of their own: x1, x2, … */
    static List<String> numbered(int dimension) {
        return IntStream.rangeClosed(1, dimension).mapToObj(c -> "x" + c).toList();
    }

    int count() {
        return roles.length;
    }

    String name(int column) {
        return header.get(column);
    }

    Role role(int column) {
        return roles[column];
    }

    List<String> stateNames() {
        return names;
    }

    int dimension() {
        return names.size();
    }

    boolean isPairs() {
        return pairs;
    }

    /** Puts a number where it belongs. */
    void put(Sample sample, int column, double value) {
        switch (roles[column]) {
            case STATE -> {
                sample.state()[coordinates[column]] = value;
                if (pairs && actions.contains(header.get(column))) {
                    sample.next()[coordinates[column]] = value;
                }
            }
            case NEXT -> sample.next()[coordinates[column]] = value;
            case STEP -> sample.setStep(value);
            case TIME -> sample.setTime(value);
            case TRAJECTORY -> throw new IllegalStateException("a trajectory is a name");
        }
    }
}
