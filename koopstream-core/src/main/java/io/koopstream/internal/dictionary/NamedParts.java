package io.koopstream.internal.dictionary;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.HashMap;
import java.util.Map;

/** The parts of a state by their names, each once, shared with whoever put them; in any order. One thread. */
public class NamedParts implements StateSink, StateSource {

    private final Map<String, Object> parts = new HashMap<>();

    /** True if there is a part of this name. */
    public final boolean has(String name) {
        return parts.containsKey(name);
    }

    /** The part of this name, of whatever type; null when there is none. */
    final Object part(String name) {
        return parts.get(name);
    }

    private <T> T get(String name, Class<T> type) {
        Object part = parts.get(name);
        InvalidStateException.require(type.isInstance(part), name, part == null ? "is missing" : "is of another type");
        return type.cast(part);
    }

    @Override
    public final void count(String name, long value) {
        parts.put(name, value);
    }

    @Override
    public final long count(String name) {
        return get(name, Long.class);
    }

    @Override
    public final void number(String name, double value) {
        parts.put(name, value);
    }

    @Override
    public final double number(String name) {
        return get(name, Double.class);
    }

    @Override
    public final void counts(String name, long[] values) {
        parts.put(name, values);
    }

    @Override
    public final long[] counts(String name) {
        return get(name, long[].class);
    }

    @Override
    public final void points(String name, Points points) {
        parts.put(name, points);
    }

    @Override
    public final Points points(String name) {
        return get(name, Points.class);
    }

    @Override
    public final void matrix(String name, Matrix matrix) {
        parts.put(name, matrix);
    }

    /** A matrix of any size. */
    public final Matrix matrix(String name) {
        return get(name, Matrix.class);
    }

    @Override
    public final Matrix matrix(String name, int rows, int columns) {
        Matrix matrix = matrix(name);
        InvalidStateException.require(
                matrix.rows() == rows && matrix.columns() == columns,
                name,
                matrix.rows() + "x" + matrix.columns() + " where " + rows + "x" + columns + " is kept");
        return matrix;
    }

    @Override
    public final void symmetric(String name, Matrix matrix) {
        parts.put(name, matrix);
    }

    @Override
    public final Matrix symmetric(String name, int size) {
        return matrix(name, size, size);
    }
}
