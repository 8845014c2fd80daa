package io.koopstream.state;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * Receives the parts of a state, each with a name of its own. A format (a model file, a snapshot, a savepoint) implements this once for all states; a state that is
 * written here and read back from the {@link StateSource} of the same format is equal bit for bit.
 *
 * <p>Arrays are not changed, and are either read before the call returns or kept for reading: they belong to an immutable state. One thread.
 */
public interface StateSink {

    /** A counter: a whole number of 64 bits. */
    void count(String name, long value);

    /** A real number; NaN and infinities are written as they are. */
    void number(String name, double value);

    /** Counters; their number is stored with them. */
    void counts(String name, long[] values);

    /** Points; their number and dimension are stored with them. */
    void points(String name, Points points);

    /** A matrix whose size the reader knows. */
    void matrix(String name, Matrix matrix);

    /** A symmetric matrix whose size the reader knows; its lower half says all. */
    void symmetric(String name, Matrix matrix);

    /** A sink that keeps the order of the parts, so that names may come again: whether parts follow can depend on those before. */
    interface Ordered extends StateSink {

        /** One of a few kinds, by its number from 0 to 127. */
        void code(String name, int value);

        /** A number of items, a dimension, or an ordinal: a whole number that fits 32 bits and is not negative. */
        void size(String name, int value);

        /** A text. */
        void text(String name, String value);

        /** A yes or a no. */
        default void flag(String name, boolean value) {
            code(name, value ? 1 : 0);
        }

        /** Boundary between parts that change at different times: a format that stores only changed sections may cut here. */
        default void section() {}

        /** Real numbers; their number is stored with them. */
        default void numbers(String name, double[] values) {
            size(name, values.length);
            matrix(name, Matrix.ofColumns(new double[][] {values}, values.length));
        }

        /** Items, each of which writes its parts; their number is stored with them. */
        default <T> void list(String name, Collection<T> items, Consumer<T> write) {
            size(name, items.size());
            items.forEach(write);
        }
    }
}
