package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.ModelPart.Kind;
import io.koopstream.io.SafetensorsHeader.Tensor;
import io.koopstream.rows.Projection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What lies where in the data of a model: a function of the method and a few sizes, so that there is nothing to choose.
 *
 * @param outline which tensors there are
 * @param inputs m, the number of kept inputs
 * @param outputs n, the number of kept outputs; m where there is one dictionary
 * @param pending how many samples wait for their block to be full
 * @param held how many held-out pairs are remembered
 * @param first how many pairs of the start of the stream are remembered
 * @param scales how many numbers each tensor of scales has
 * @param rank how many coordinates rows are projected to; 0 where they are not
 */
record ModelLayout(
        Outline outline, int inputs, int outputs, int pending, int held, int first, List<Integer> scales, int rank) {

    static final String X = "x";
    static final String X_NEXT = "x_next";
    static final String L_X = "L_x";
    static final String L_X_NEXT = "L_x_next";
    static final String M = "M";
    static final String M_AVERAGE = "M_average";
    static final String S = "S";
    static final String T = "T";
    static final String V = "V";
    static final String SQUARES = "squares";
    static final String X_SAMPLE = "x_sample";
    static final String X_NEXT_SAMPLE = "x_next_sample";
    static final String PENDING_X = "pending_x";
    static final String PENDING_X_NEXT = "pending_x_next";
    static final String FIRST_X = "first_x";
    static final String FIRST_X_NEXT = "first_x_next";
    static final String HELD_X = "held_x";
    static final String HELD_X_NEXT = "held_x_next";
    static final String HELD_RUN = "held_run";
    static final String HELD_AFTER = "held_after";
    static final String HELD_AFTER_RUN = "held_after_run";
    static final String STREAM = "stream";

    private static final int BYTES = 8;

    /**
     * What decides which tensors there are.
     *
     * @param method the learning method
     * @param oneBasis whether inputs and outputs are kept in one dictionary
     * @param holdsOut whether pairs are held out
     * @param inputDimension d, the number of coordinates of an input
     * @param outputDimension d', the number of coordinates of an output
     * @param targets how many of those are predicted
     * @param after how many observations that followed held-out runs are remembered
     * @param streamBytes length of the stream's state; 0 where there is none
     * @param scaleNames the tensors of scales that kernels refer to; empty when their texts say all
     * @param columns of the rows that are projected; 0 where they are not
     */
    record Outline(
            ModelMethod method,
            boolean oneBasis,
            boolean holdsOut,
            int inputDimension,
            int outputDimension,
            int targets,
            int after,
            int streamBytes,
            List<String> scaleNames,
            int columns) {}

    /** The layout of tensors in memory. */
    static ModelLayout of(Outline outline, ModelTensors tensors) {
        int inputs = tensors.points(X).size();
        return new ModelLayout(
                outline,
                inputs,
                outline.oneBasis ? inputs : tensors.points(X_NEXT).size(),
                tensors.points(PENDING_X).size(),
                outline.holdsOut ? tensors.points(HELD_X).size() : 0,
                tensors.has(FIRST_X) ? tensors.points(FIRST_X).size() : 0,
                outline.scaleNames.stream()
                        .map(name -> tensors.matrix(name).rows())
                        .toList(),
                outline.columns == 0 ? 0 : tensors.matrix(Projection.BASIS).columns());
    }

    /** The tensors in the order of the file. */
    List<ModelPart> parts() {
        int d = outline.inputDimension;
        int dNext = outline.outputDimension;
        boolean two = !outline.oneBasis;
        List<ModelPart> parts = new ArrayList<>();
        for (int i = 0; i < scales.size(); i++) {
            parts.add(new ModelPart(outline.scaleNames.get(i), Kind.VECTOR, scales.get(i), 1));
        }
        parts.add(new ModelPart(X, Kind.POINTS, inputs, d));
        addIf(two, parts, new ModelPart(X_NEXT, Kind.POINTS, outputs, dNext));
        parts.add(new ModelPart(L_X, Kind.MATRIX, inputs, inputs));
        addIf(two, parts, new ModelPart(L_X_NEXT, Kind.MATRIX, outputs, outputs));
        if (outline.method == ModelMethod.LEAST_SQUARES) {
            // Symmetric, so that its rows are its columns.
            parts.add(new ModelPart(S, Kind.TRANSPOSED, inputs, inputs));
            parts.add(new ModelPart(T, Kind.MATRIX, outputs, inputs));
            parts.add(new ModelPart(V, Kind.TRANSPOSED, outline.targets + 1, inputs));
            parts.add(new ModelPart(SQUARES, Kind.VECTOR, outline.targets, 1));
        } else {
            parts.add(new ModelPart(M, Kind.MATRIX, outputs, inputs));
            boolean averaged = outline.method == ModelMethod.SOGD_AVERAGED;
            addIf(averaged, parts, new ModelPart(M_AVERAGE, Kind.MATRIX, outputs, inputs));
        }
        parts.add(new ModelPart(X_SAMPLE, Kind.NUMBERS, inputs, 1));
        addIf(two, parts, new ModelPart(X_NEXT_SAMPLE, Kind.NUMBERS, outputs, 1));
        parts.add(new ModelPart(PENDING_X, Kind.POINTS, pending, d));
        parts.add(new ModelPart(PENDING_X_NEXT, Kind.POINTS, pending, dNext));
        if (outline.method == ModelMethod.LEAST_SQUARES) {
            parts.add(new ModelPart(FIRST_X, Kind.POINTS, first, d));
            parts.add(new ModelPart(FIRST_X_NEXT, Kind.POINTS, first, dNext));
            addIf(outline.holdsOut, parts, new ModelPart(HELD_X, Kind.POINTS, held, d));
            addIf(outline.holdsOut, parts, new ModelPart(HELD_X_NEXT, Kind.POINTS, held, dNext));
            addIf(outline.holdsOut, parts, new ModelPart(HELD_RUN, Kind.NUMBERS, held, 1));
            addIf(outline.after > 0, parts, new ModelPart(HELD_AFTER, Kind.POINTS, outline.after, outline.targets));
            addIf(outline.after > 0, parts, new ModelPart(HELD_AFTER_RUN, Kind.NUMBERS, outline.after, 1));
        }
        int words = (int) (((long) outline.streamBytes + Long.BYTES - 1) / Long.BYTES);
        addIf(words > 0, parts, new ModelPart(STREAM, Kind.NUMBERS, words, 1));
        addIf(outline.columns > 0, parts, new ModelPart(Projection.MEAN, Kind.VECTOR, outline.columns, 1));
        addIf(outline.columns > 0, parts, new ModelPart(Projection.BASIS, Kind.TRANSPOSED, rank, outline.columns));
        addIf(outline.columns > 0, parts, new ModelPart(Projection.ENERGIES, Kind.VECTOR, rank, 1));
        return parts;
    }

    private static void addIf(boolean there, List<ModelPart> parts, ModelPart part) {
        if (there) {
            parts.add(part);
        }
    }

    /** The tensors with their places, in the order of the file. */
    List<Tensor> tensors() {
        List<Tensor> tensors = new ArrayList<>();
        long begin = 0;
        for (ModelPart part : parts()) {
            long end = begin + (long) BYTES * part.rows() * part.columns();
            tensors.add(new Tensor(part.name(), part.dtype(), part.shape(), begin, end, -1));
            begin = end;
        }
        return tensors;
    }

    /** How many bytes the tensors take. */
    long length() {
        List<Tensor> tensors = tensors();
        return tensors.get(tensors.size() - 1).end();
    }

    /** Where a tensor begins, counted from the end of the header. */
    long begin(String name) {
        return tensors().stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow()
                .begin();
    }

    /**
     * The layout that a header describes, if it describes one: all tensors of the outline and no others, types, extents that fit each
     * other and the dimensions, one tensor after another.
     *
     * @param source named in errors
     * @param header as read
     * @param outline according to the metadata
     */
    static ModelLayout require(ModelSource source, SafetensorsHeader header, Outline outline) {
        Map<String, Tensor> found = new HashMap<>();
        header.tensors().forEach(tensor -> found.put(tensor.name(), tensor));
        List<Tensor> names =
                new ModelLayout(outline, 0, 0, 0, 0, 0, Collections.nCopies(outline.scaleNames.size(), 0), 0).tensors();
        for (Tensor tensor : header.tensors()) {
            if (names.stream().noneMatch(name -> name.name().equals(tensor.name()))) {
                throw source.fault(
                        Reason.UNKNOWN_SECTION,
                        tensor.offset(),
                        "the tensors of such a model",
                        "tensor " + tensor.name());
            }
        }
        for (Tensor expected : names) {
            Tensor tensor = found.get(expected.name());
            if (tensor == null) {
                throw source.fault(Reason.MISSING_SECTION, -1, "tensor " + expected.name(), "none");
            }
            requireForm(source, tensor, expected);
        }
        requireContiguous(source, header.tensors());
        ModelLayout layout = new ModelLayout(
                outline,
                extent(found.get(X)),
                extent(found.get(outline.oneBasis ? X : X_NEXT)),
                extent(found.get(PENDING_X)),
                extent(found.get(HELD_X)),
                extent(found.get(FIRST_X)),
                outline.scaleNames.stream().map(name -> extent(found.get(name))).toList(),
                extent(found.get(Projection.ENERGIES)));
        for (Tensor expected : layout.tensors()) {
            Tensor tensor = found.get(expected.name());
            if (!tensor.shape().equals(expected.shape())) {
                throw source.fault(
                        Reason.BAD_COUNT,
                        tensor.offset(),
                        "tensor " + tensor.name() + " of shape " + expected.shape(),
                        "shape " + tensor.shape());
            }
        }
        return layout;
    }

    private static int extent(Tensor tensor) {
        // Fits, because no extent that is larger has passed requireForm.
        return tensor == null ? 0 : Math.toIntExact(tensor.shape().get(0));
    }

    /** Refuses a tensor of another type or number of extents, or whose bytes do not fit its shape. */
    static void requireForm(ModelSource source, Tensor tensor, Tensor expected) {
        String name = "tensor " + tensor.name();
        if (!tensor.dtype().equals(expected.dtype())) {
            throw source.fault(Reason.BAD_TYPE, tensor.offset(), name + " of " + expected.dtype(), tensor.dtype());
        }
        if (tensor.shape().size() != expected.shape().size()) {
            throw source.fault(
                    Reason.BAD_COUNT,
                    tensor.offset(),
                    name + " with " + expected.shape().size() + " extents",
                    "shape " + tensor.shape());
        }
        long count = 1;
        for (long extent : tensor.shape()) {
            if (extent < 0) {
                throw source.fault(
                        Reason.BAD_COUNT, tensor.offset(), name + " with extents >= 0", "shape " + tensor.shape());
            }
            // Both at most 2^31 - 1 before the product, which therefore fits in 64 bits.
            long product = extent > Integer.MAX_VALUE ? Long.MAX_VALUE : count * extent;
            if (product > Integer.MAX_VALUE) {
                throw source.fault(
                        Reason.OVERFLOW,
                        tensor.offset(),
                        name + " of at most " + Integer.MAX_VALUE + " elements",
                        "shape " + tensor.shape());
            }
            count = product;
        }
        long begin = tensor.begin();
        long end = tensor.end();
        if (begin < 0 || end < begin || end - begin != BYTES * count) {
            throw source.fault(
                    Reason.BAD_COUNT,
                    tensor.offset(),
                    name + " of shape " + tensor.shape() + " in " + BYTES * count + " bytes",
                    "data_offsets [" + begin + ", " + end + "]");
        }
    }

    /** Refuses tensors that do not lie one after another. */
    static void requireContiguous(ModelSource source, List<Tensor> tensors) {
        List<Tensor> sorted = new ArrayList<>(tensors);
        sorted.sort(Comparator.comparingLong(Tensor::begin).thenComparingLong(Tensor::end));
        long previous = 0;
        for (Tensor tensor : sorted) {
            if (tensor.begin() != previous) {
                throw source.fault(
                        tensor.begin() < previous ? Reason.OVERLAP : Reason.HOLE,
                        tensor.offset(),
                        "tensor " + tensor.name() + " to begin at " + previous,
                        "begin " + tensor.begin());
            }
            previous = tensor.end();
        }
    }
}
