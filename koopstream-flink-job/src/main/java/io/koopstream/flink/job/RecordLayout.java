package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which fields of a record mean what.
 *
 * @param key the field that tells streams apart; empty: the key of the Kafka record does
 * @param trajectory the field that tells the trajectories of a stream apart; empty: there is one
 * @param step the field with the number of the record within its trajectory; empty: there is none
 * @param time the field with its time, used where there are no steps; empty: records of a trajectory come in order and without gaps
 * @param state the fields of the state, in order; or one field that holds an array of {@code dimension} numbers (JSON)
 * @param next the fields of the next state when records are pairs; empty when they are states
 * @param dimension numbers a state has
 */
record RecordLayout(
        String key, String trajectory, String step, String time, List<String> state, List<String> next, int dimension)
        implements Serializable {

    /** What a field of a record is for. */
    enum Role {
        KEY,
        TRAJECTORY,
        STEP,
        TIME,
        STATE,
        NEXT,
        IGNORED
    }

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
        Set<String> all = new LinkedHashSet<>();
        for (List<String> part : List.of(named(key), named(trajectory), named(step), named(time), state, next)) {
            for (String field : part) {
                if (!all.add(field)) {
                    throw new InvalidConfigException("source", field, "this field is given two meanings");
                }
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

    Role role(String field) {
        if (field.equals(key)) {
            return Role.KEY;
        }
        if (field.equals(trajectory)) {
            return Role.TRAJECTORY;
        }
        if (field.equals(step)) {
            return Role.STEP;
        }
        if (field.equals(time)) {
            return Role.TIME;
        }
        return state.contains(field) ? Role.STATE : next.contains(field) ? Role.NEXT : Role.IGNORED;
    }

    /** Which coordinate a field of the state, or of the next state, is. */
    int coordinate(String field) {
        int index = state.indexOf(field);
        return index >= 0 ? index : next.indexOf(field);
    }

    /** Every field that a record must have. */
    List<String> required() {
        Set<String> all = new LinkedHashSet<>();
        all.addAll(named(key));
        all.addAll(named(trajectory));
        all.addAll(named(step));
        all.addAll(named(time));
        all.addAll(state);
        all.addAll(next);
        return List.copyOf(all);
    }
}
