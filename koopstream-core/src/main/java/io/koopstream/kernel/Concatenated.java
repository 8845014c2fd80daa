package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kernel on concatenated vectors such as z = (state, action): the product of one kernel a part, κ_X(x, x') κ_U(u, u').
 *
 * @param parts the parts in order, at least one
 */
public record Concatenated(List<Part> parts) implements Factors {

    /**
     * One part of a concatenated vector.
     *
     * @param dimension how many coordinates it takes
     * @param kernel the kernel on them
     */
    public record Part(int dimension, Kernel kernel) {

        /** Refuses a part without coordinates, or of another dimension than its kernel takes. */
        public Part {
            InvalidConfigException.require(dimension >= 1, "concat", dimension, "a part needs at least one coordinate");
            if (kernel.requiredDimension() != 0 && kernel.requiredDimension() != dimension) {
                throw new InvalidConfigException(
                        "concat", dimension, kernel.text() + " takes " + kernel.requiredDimension() + " coordinates");
            }
        }
    }

    /** Refuses an empty list. */
    public Concatenated {
        parts = List.copyOf(parts);
        InvalidConfigException.require(!parts.isEmpty(), "concat", "()", "needs at least one part");
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public Kernel part(int k) {
        return parts.get(k).kernel();
    }

    @Override
    public CoordinateView view(int k, CoordinateView whole) {
        int offset = 0;
        for (int i = 0; i < k; i++) {
            offset += parts.get(i).dimension();
        }
        return whole.part(offset, parts.get(k).dimension());
    }

    @Override
    public int requiredDimension() {
        return parts.stream().mapToInt(Part::dimension).sum();
    }

    @Override
    public String toString() {
        return text(Kernel::text);
    }

    @Override
    public String text(Function<Kernel, String> writer) {
        return parts.stream()
                .map(part -> part.dimension() + ":" + writer.apply(part.kernel()))
                .collect(Collectors.joining(", ", "concat(", ")"));
    }
}
