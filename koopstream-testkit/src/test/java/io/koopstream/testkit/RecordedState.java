package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
            Object value = part.value() instanceof double[] numbers
                    ? Arrays.toString(numbers)
                    : part.value() instanceof LearnerState model ? model.digest() : part.value();
            all.append(part.name()).append(' ').append(value).append('\n');
        }
        return all.toString();
    }

    private <T> T read(String name, Class<T> type) {
        Part part = parts.get(next++);
        assertThat(part.name()).isEqualTo(name);
        return type.cast(part.value());
    }

    @Override
    public void flag(String name, boolean value) {
        parts.add(new Part(name, value));
    }

    @Override
    public boolean flag(String name) {
        return read(name, Boolean.class);
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
    public void numbers(String name, double[] values) {
        parts.add(new Part(name, values.clone()));
    }

    @Override
    public double[] numbers(String name) {
        return read(name, double[].class).clone();
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
