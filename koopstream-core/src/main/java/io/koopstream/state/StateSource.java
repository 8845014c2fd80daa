package io.koopstream.state;

import io.koopstream.KoopstreamException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives back what a {@link StateSink} received, asked for by the same names. The source checks what every format can check (a part is there, is of this type and
 * size); the state that reads checks what the parts mean.
 *
 * <p>Every method throws a {@link KoopstreamException} where the part is missing or another one. What it gives belongs to the caller. One thread.
 */
public interface StateSource {

    /** See {@link StateSink#count}. */
    long count(String name);

    /** See {@link StateSink#number}. */
    double number(String name);

    /** See {@link StateSink#counts}. */
    long[] counts(String name);

    /** See {@link StateSink#points}. */
    Points points(String name);

    /** See {@link StateSink#matrix}. */
    Matrix matrix(String name, int rows, int columns);

    /** See {@link StateSink#symmetric}; both halves are there. */
    Matrix symmetric(String name, int size);

    /** Gives back what a {@link StateSink.Ordered} received, in the same order. */
    interface Ordered extends StateSource {

        /** See {@link StateSink.Ordered#code}. */
        int code(String name);

        /** See {@link StateSink.Ordered#size}; never negative. */
        int size(String name);

        /** See {@link StateSink.Ordered#text}. */
        String text(String name);

        /** See {@link StateSink.Ordered#flag}. */
        default boolean flag(String name) {
            return code(name) != 0;
        }

        /** See {@link StateSink.Ordered#numbers}. */
        default double[] numbers(String name) {
            return matrix(name, size(name), 1).column(0);
        }

        /** See {@link StateSink.Ordered#list}. The list grows as its items are read: a size alone takes no memory. */
        default <T> List<T> list(String name, Supplier<T> read) {
            List<T> items = new ArrayList<>();
            for (int i = size(name); i > 0; i--) {
                items.add(read.get());
            }
            return items;
        }
    }
}
