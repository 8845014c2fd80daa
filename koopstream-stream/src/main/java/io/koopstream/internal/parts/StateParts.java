package io.koopstream.internal.parts;

import io.koopstream.learner.LearnerState;
import io.koopstream.state.StateSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The parts of a mutable state, named once in their order for all that is done with them. A method takes a part as it stands and gives it as it is to stand:
 * unchanged where the state is written, as it was stored where it is read, as the original has it where it is a copy. One thread.
 */
public final class StateParts {

    /** Null unless the state is written. */
    private final LearnerState.Sink sink;
    /** Null unless the state is read. */
    private final LearnerState.Source source;
    /** The parts of the original, of which null cannot be one. */
    private final Deque<Object> original = new ArrayDeque<>();

    private final boolean restores;

    private StateParts(LearnerState.Sink sink, LearnerState.Source source, boolean restores) {
        this.sink = sink;
        this.source = source;
        this.restores = restores;
    }

    /** Parts of a state that is written. */
    public static StateParts to(LearnerState.Sink sink) {
        return new StateParts(sink, null, false);
    }

    /** Parts of a state that is read. */
    public static StateParts from(LearnerState.Source source) {
        return new StateParts(null, source, true);
    }

    /** Parts of a copy of a state that names its own. */
    public static StateParts copied(Consumer<StateParts> state) {
        StateParts originals = new StateParts(null, null, false);
        state.accept(originals);
        StateParts parts = new StateParts(null, null, true);
        parts.original.addAll(originals.original);
        return parts;
    }

    /** True where the state takes the parts it is given, so that they must be checked. */
    public boolean restores() {
        return restores;
    }

    /** See {@link StateSink#section}. */
    public void section() {
        if (sink != null) {
            sink.section();
        }
    }

    /** An immutable part with its own way to be written; a copy shares it. */
    public <T> T part(T value, BiConsumer<LearnerState.Sink, T> write, Function<LearnerState.Source, T> read) {
        if (source != null) {
            return read.apply(source);
        }
        if (restores) {
            @SuppressWarnings("unchecked") // The state itself put it there.
            T next = (T) original.remove();
            return next;
        }
        if (sink != null) {
            write.accept(sink, value);
        } else {
            original.add(value);
        }
        return value;
    }

    /** See {@link StateSink#count}. */
    public long count(String name, long value) {
        return part(value, (to, v) -> to.count(name, v), from -> from.count(name));
    }

    /** See {@link StateSink#number}. */
    public double number(String name, double value) {
        return part(value, (to, v) -> to.number(name, v), from -> from.number(name));
    }

    /** See {@link StateSink.Ordered#size}. */
    public int size(String name, int value) {
        return part(value, (to, v) -> to.size(name, v), from -> from.size(name));
    }

    /** See {@link StateSink.Ordered#code}. */
    public int code(String name, int value) {
        return part(value, (to, v) -> to.code(name, v), from -> from.code(name));
    }

    /** See {@link StateSink.Ordered#flag}. */
    public boolean flag(String name, boolean value) {
        return part(value, (to, v) -> to.flag(name, v), from -> from.flag(name));
    }

    /** See {@link StateSink.Ordered#text}. */
    public String text(String name, String value) {
        return part(value, (to, v) -> to.text(name, v), from -> from.text(name));
    }

    /** See {@link StateSink.Ordered#numbers}; a copy has its own. */
    public double[] numbers(String name, double[] values) {
        double[] stands = part(values, (to, v) -> to.numbers(name, v), from -> from.numbers(name));
        return restores && source == null ? stands.clone() : stands;
    }

    /** An immutable part that may be null, see {@link #part}. */
    public <T> T optional(
            String name, T value, BiConsumer<LearnerState.Sink, T> write, Function<LearnerState.Source, T> read) {
        return flag(name, value != null) ? part(value, write, read) : null;
    }

    /** An immutable part that is stored as the model that holds it; a copy shares it. */
    public <T> T model(String name, T value, Function<T, LearnerState> hold, Function<LearnerState, T> held) {
        return part(value, (to, v) -> to.model(name, hold.apply(v)), from -> held.apply(from.model(name)));
    }

    /** Immutable items, see {@link #part}. */
    public <T> List<T> list(
            String name,
            Collection<T> items,
            BiConsumer<LearnerState.Sink, T> write,
            Function<LearnerState.Source, T> read) {
        return part(
                List.copyOf(items),
                (to, all) -> to.list(name, all, one -> write.accept(to, one)),
                from -> from.list(name, () -> read.apply(from)));
    }

    /** Mutable items, each of which names its parts. */
    public <T> List<T> states(String name, Collection<T> items, Supplier<T> fresh, Consumer<T> parts) {
        List<T> all = new ArrayList<>(restores ? List.of() : items);
        for (int i = 0, n = size(name, all.size()); i < n; i++) {
            if (restores) {
                all.add(fresh.get());
            }
            parts.accept(all.get(i));
        }
        return all;
    }
}
