package io.koopstream.state;

import java.util.Collection;
import java.util.function.Consumer;

/**
 * Receives the parts of a state, each with a name, in an order that the state alone decides. A format (a model file, a snapshot, a savepoint, a
 * digest) implements this once for all states; a state that is written here and read back from the {@link StateSource} of the same format is equal bit for bit.
 *
 * <p>Arrays are read before the call returns and are neither changed nor kept. One thread.
 */
public interface StateSink {

    /** A yes or a no. */
    void flag(String name, boolean value);

    /** One of a few kinds, by its number from 0 to 127. */
    void code(String name, int value);

    /** A number of items, a dimension, or an ordinal: a whole number that fits 32 bits and is not negative. */
    void size(String name, int value);

    /** A counter: a whole number of 64 bits. */
    void count(String name, long value);

    /** A real number; NaN and infinities are written as they are. */
    void number(String name, double value);

    /** A text. */
    void text(String name, String value);

    /** Real numbers; their number is stored with them. */
    void numbers(String name, double[] values);

    /** Items, each of which writes its parts; their number is stored with them. */
    default <T> void list(String name, Collection<T> items, Consumer<T> write) {
        size(name, items.size());
        items.forEach(write);
    }
}
