package io.koopstream.state;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;

/**
 * Receives the parts of a state, each with a name, in an order that the state alone decides. What stores them (a model file, a snapshot, a savepoint, a
 * digest) implements this once for all states; a state that is written here and read back from the {@link StateSource} of the same format is equal bit for bit.
 *
 * <p>Arrays are read before the call returns and are neither changed nor kept. One thread.
 */
public interface StateSink {

    /** A yes or a no. */
    void flag(String name, boolean value);

    /** A number of items, a dimension, or an ordinal: a whole number that fits 32 bits. */
    void size(String name, int value);

    /** A counter: a whole number of 64 bits. */
    void count(String name, long value);

    /** A real number; NaN and infinities are written as they are. */
    void number(String name, double value);

    /** A text. */
    void text(String name, String value);

    /** Counters; their number is stored with them. */
    void counts(String name, long[] values);

    /** Real numbers; their number is stored with them. */
    void numbers(String name, double[] values);

    /** Points of one dimension. */
    void points(String name, Points points);

    /** A matrix. */
    void matrix(String name, Matrix matrix);
}
