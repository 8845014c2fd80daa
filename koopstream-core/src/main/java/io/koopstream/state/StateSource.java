package io.koopstream.state;

import io.koopstream.KoopstreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives back what a {@link StateSink} received, asked for by the same names in the same order. The source checks what every format can check (a part is there,
 * is of this type, is no longer than what was stored); the state that reads checks what the parts mean.
 *
 * <p>Every method throws a {@link KoopstreamException} where the part is missing or of another type. Arrays are the caller's own. One thread.
 */
public interface StateSource {

    /** See {@link StateSink#flag}. */
    boolean flag(String name);

    /** See {@link StateSink#code}. */
    int code(String name);

    /** See {@link StateSink#size}; never negative. */
    int size(String name);

    /** See {@link StateSink#count}. */
    long count(String name);

    /** See {@link StateSink#number}. */
    double number(String name);

    /** See {@link StateSink#text}. */
    String text(String name);

    /** See {@link StateSink#numbers}. */
    double[] numbers(String name);

    /** See {@link StateSink#list}. The list grows as its items are read: a size alone takes no memory. */
    default <T> List<T> list(String name, Supplier<T> read) {
        List<T> items = new ArrayList<>();
        for (int i = size(name); i > 0; i--) {
            items.add(read.get());
        }
        return items;
    }
}
