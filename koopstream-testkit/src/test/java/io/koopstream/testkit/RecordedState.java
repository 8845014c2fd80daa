package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The parts of a state in memory, with their names: they come back only under the name and type under which they were saved. */
final class RecordedState implements LearnerState.Sink, LearnerState.Source {

    private record Part(String name, Object value) {}

    private final List<Part> parts = new ArrayList<>();
    private int next;

    static RecordedState of(Consumer<RecordedState> save) {
        RecordedState state = new RecordedState();
        save.accept(state);
        return state;
    }

    /** Unread. */
    RecordedState copy() {
        RecordedState copy = new RecordedState();
        copy.parts.addAll(parts);
        return copy;
    }

    /** With another value for the first part of a name. */
    RecordedState with(String name, Object value) {
        RecordedState copy = copy();
        int at = parts.stream().map(Part::name).toList().indexOf(name);
        assertThat(parts.get(at).value()).isInstanceOf(value.getClass());
        copy.parts.set(at, new Part(name, value));
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordedState state && toString().equals(state.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        for (Part part : parts) {
            all.append(part.name()).append(' ').append(text(part.value())).append('\n');
        }
        return all.toString();
    }

    private static Object text(Object value) {
        if (value instanceof Matrix matrix) {
            return Arrays.deepToString(matrix.toRows());
        }
        if (value instanceof Points points) {
            return Arrays.deepToString(points.toRows());
        }
        if (value instanceof long[] counts) {
            return Arrays.toString(counts);
        }
        return value instanceof LearnerState model ? model.digest() : value;
    }

    /** The values, in order. */
    List<Object> values() {
        return parts.stream().map(Part::value).toList();
    }

    private <T> T read(String name, Class<T> type) {
        Part part = parts.get(next++);
        assertThat(part.name()).isEqualTo(name);
        return type.cast(part.value());
    }

    @Override
    public void code(String name, int value) {
        parts.add(new Part(name, (byte) value));
    }

    @Override
    public int code(String name) {
        return read(name, Byte.class);
    }

    @Override
    public void size(String name, int value) {
        parts.add(new Part(name, value));
    }

    @Override
    public int size(String name) {
        return read(name, Integer.class);
    }

    @Override
    public void count(String name, long value) {
        parts.add(new Part(name, value));
    }

    @Override
    public long count(String name) {
        return read(name, Long.class);
    }

    @Override
    public void number(String name, double value) {
        parts.add(new Part(name, value));
    }

    @Override
    public double number(String name) {
        return read(name, Double.class);
    }

    @Override
    public void text(String name, String value) {
        parts.add(new Part(name, value));
    }

    @Override
    public String text(String name) {
        return read(name, String.class);
    }

    @Override
    public void counts(String name, long[] values) {
        parts.add(new Part(name, values.clone()));
    }

    @Override
    public long[] counts(String name) {
        return read(name, long[].class).clone();
    }

    @Override
    public void points(String name, Points points) {
        parts.add(new Part(name, points.copy()));
    }

    @Override
    public Points points(String name) {
        return read(name, Points.class).copy();
    }

    @Override
    public void matrix(String name, Matrix matrix) {
        parts.add(new Part(name, matrix.copy()));
    }

    @Override
    public Matrix matrix(String name, int rows, int columns) {
        Matrix matrix = read(name, Matrix.class).copy();
        assertThat(matrix.rows()).as(name).isEqualTo(rows);
        assertThat(matrix.columns()).as(name).isEqualTo(columns);
        return matrix;
    }

    @Override
    public void symmetric(String name, Matrix matrix) {
        matrix(name, matrix);
    }

    @Override
    public Matrix symmetric(String name, int size) {
        return matrix(name, size, size);
    }

    @Override
    public void model(String name, LearnerState state) {
        parts.add(new Part(name, state));
    }

    @Override
    public LearnerState model(String name) {
        return read(name, LearnerState.class);
    }
}
