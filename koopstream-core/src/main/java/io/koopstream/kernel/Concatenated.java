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
public record Concatenated(List<Part> parts) implements PrintedKernel {

    /**
     * One part of a concatenated vector.
     *
     * @param dimension how many coordinates it takes
     * @param kernel the kernel on them
     */
    public record Part(int dimension, Kernel kernel) {

        /** Refuses a part without coordinates, or of another dimension than its kernel takes. */
        public Part {
            if (dimension < 1) {
                throw new InvalidConfigException("concat", dimension, "a part needs at least one coordinate");
            }
            if (kernel.requiredDimension() != 0 && kernel.requiredDimension() != dimension) {
                throw new InvalidConfigException(
                        "concat", dimension, kernel.text() + " takes " + kernel.requiredDimension() + " coordinates");
            }
        }
    }

    /** Refuses an empty list. */
    public Concatenated {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new InvalidConfigException("concat", "()", "needs at least one part");
        }
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        double product = 1;
        int offset = 0;
        for (Part part : parts) {
            product *= part.kernel().value(view.part(offset, part.dimension()), x, y);
            offset += part.dimension();
        }
        return product;
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        java.util.Arrays.fill(out, 0, points.size(), 1.0);
        int offset = 0;
        for (Part part : parts) {
            Composites.multiplyRow(part.kernel(), view.part(offset, part.dimension()), points, x, out, scratch);
            offset += part.dimension();
        }
    }

    @Override
    public void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        java.util.Arrays.fill(out, 0, points.size(), 1.0);
        int offset = 0;
        for (Part part : parts) {
            CoordinateView own = view.part(offset, part.dimension());
            Composites.multiplySquaredNorms(part.kernel(), own, points, out, scratch);
            offset += part.dimension();
        }
    }

    @Override
    public double bound() {
        double bound = 1;
        for (Part part : parts) {
            bound *= part.kernel().bound();
        }
        return bound;
    }

    @Override
    public int requiredDimension() {
        return parts.stream().mapToInt(Part::dimension).sum();
    }

    @Override
    public String objection(CoordinateView view, double[] x) {
        int offset = 0;
        for (Part part : parts) {
            String objection = part.kernel().objection(view.part(offset, part.dimension()), x);
            if (objection != null) {
                return objection;
            }
            offset += part.dimension();
        }
        return null;
    }

    @Override
    public String toString() {
        return text(Kernel::text);
    }

    /** The text, with its parts as the writer writes them. */
    String text(Function<Kernel, String> writer) {
        return parts.stream()
                .map(part -> part.dimension() + ":" + writer.apply(part.kernel()))
                .collect(Collectors.joining(", ", "concat(", ")"));
    }
}
