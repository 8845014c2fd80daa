package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.TimeReader;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which fields of a record mean what.
 *
 * @param key the field that tells streams apart; empty: the key of the Kafka record does
 * @param trajectory the field that tells the trajectories of a stream apart; empty: there is one
 * @param step the field with the number of the record within its trajectory; empty: there is none
 * @param time the field with its time, used where there are no steps; empty: records of a trajectory come in order and without gaps
 * @param dates reads times that are no numbers
 * @param state the fields of the state, in order; or one field that holds an array of {@code dimension} numbers (JSON)
 * @param next the fields of the next state when records are pairs; empty when they are states
 * @param dimension numbers that a state has
 */
record RecordLayout(
        String key,
        String trajectory,
        String step,
        String time,
        TimeReader dates,
        List<String> state,
        List<String> next,
        int dimension)
        implements Serializable {

    RecordLayout {
        state = List.copyOf(state);
        next = List.copyOf(next);
        if (state.isEmpty()) {
            throw new InvalidConfigException("source.state", null, "is missing; e.g. [x1, x2]");
        }
        if (state.size() > 1 && state.size() != dimension) {
            throw new InvalidConfigException(
                    "source.dimension",
                    dimension,
                    "is not the number of state fields, " + state.size() + "; leave it out");
        }
        if (!next.isEmpty() && next.size() != state.size()) {
            throw new InvalidConfigException(
                    "source.next", next, "must have one field for each of the state, which has " + state.size());
        }
        Set<String> all = new HashSet<>();
        for (String field : required(key, trajectory, step, time, state, next)) {
            if (!all.add(field)) {
                throw new InvalidConfigException("source", field, "this field has two roles");
            }
        }
    }

    private static List<String> named(String field) {
        return field.isEmpty() ? List.of() : List.of(field);
    }

    boolean pairs() {
        return !next.isEmpty();
    }

    /** Whether the state is one field with an array. */
    boolean arrays() {
        return state.size() == 1 && dimension > 1;
    }

    /** Reads a time that is written as text. */
    double time(String text) {
        double seconds = dates.read(text);
        if (Double.isNaN(seconds)) {
            throw new BadRecordException(
                    time,
                    "'" + (text.length() <= 40 ? text : text.substring(0, 40) + "…") + "' is "
                            + (dates.hasPattern()
                                    ? "not written as source.timeFormat says"
                                    : "neither a number nor a date such as 2026-11-19T12:00:00Z; say how it is written as"
                                            + " source.timeFormat, e.g. d/M/yyyy HH:mm"));
        }
        return seconds;
    }

    /** What columns in this order mean. */
    RowRoles roles(List<String> columns) {
        for (String field : required()) {
            if (!columns.contains(field)) {
                throw new InvalidConfigException("source.columns", columns, "has no column '" + field + "'");
            }
        }
        return RowRoles.of(columns, new RowRoles.Names(key, trajectory, step, time, state, next), dimension);
    }

    /** Every field that a record must have. */
    List<String> required() {
        return required(key, trajectory, step, time, state, next);
    }

    private static List<String> required(
            String key, String trajectory, String step, String time, List<String> state, List<String> next) {
        return Stream.of(named(key), named(trajectory), named(step), named(time), state, next)
                .flatMap(List::stream)
                .toList();
    }
}
