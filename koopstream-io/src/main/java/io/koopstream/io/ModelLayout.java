package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.SafetensorsHeader.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What lies where in the data of a model of version 1: a function of the method and five sizes, so that there is nothing to choose.
 *
 * @param method the learning method
 * @param inputs m, the number of kept inputs
 * @param outputs n, the number of kept outputs
 * @param inputDimension d, the number of coordinates of an input
 * @param outputDimension d', the number of coordinates of an output
 * @param pending how many samples wait for their block to be full
 */
record ModelLayout(ModelMethod method, int inputs, int outputs, int inputDimension, int outputDimension, int pending) {

    static final String X = "x";
    static final String X_NEXT = "x_next";
    static final String L_X = "L_x";
    static final String L_X_NEXT = "L_x_next";
    static final String M = "M";
    static final String M_AVERAGE = "M_average";
    static final String S = "S";
    static final String T = "T";
    static final String X_SAMPLE = "x_sample";
    static final String X_NEXT_SAMPLE = "x_next_sample";
    static final String PENDING_X = "pending_x";
    static final String PENDING_X_NEXT = "pending_x_next";

    private static final int BYTES = 8;

    /** The tensors in the order of the file. */
    List<Tensor> tensors() {
        List<Tensor> tensors = new ArrayList<>();
        append(tensors, X, inputs, inputDimension);
        append(tensors, X_NEXT, outputs, outputDimension);
        append(tensors, L_X, inputs, inputs);
        append(tensors, L_X_NEXT, outputs, outputs);
        for (String matrix : method.matrices()) {
            append(tensors, matrix, rows(matrix), inputs);
        }
        append(tensors, X_SAMPLE, inputs);
        append(tensors, X_NEXT_SAMPLE, outputs);
        append(tensors, PENDING_X, pending, inputDimension);
        append(tensors, PENDING_X_NEXT, pending, outputDimension);
        return tensors;
    }

    /** Rows of one of the method's matrices; all of them have one column an input. */
    int rows(String matrix) {
        return matrix.equals(S) ? inputs : outputs;
    }

    private static void append(List<Tensor> tensors, String name, long... shape) {
        long begin = tensors.isEmpty() ? 0 : tensors.get(tensors.size() - 1).end();
        long count = 1;
        List<Long> extents = new ArrayList<>();
        for (long extent : shape) {
            count *= extent;
            extents.add(extent);
        }
        String dtype = name.equals(X_SAMPLE) || name.equals(X_NEXT_SAMPLE) ? "I64" : "F64";
        tensors.add(new Tensor(name, dtype, List.copyOf(extents), begin, begin + BYTES * count, -1));
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
     * The layout that a header describes, if it describes one: all tensors of version 1 and no others, types, extents that fit each
     * other and the dimensions, one tensor after another.
     *
     * @param source named in errors
     * @param header as read
     * @param method according to the metadata
     * @param inputDimension d according to the metadata
     * @param outputDimension d' according to the metadata
     */
    static ModelLayout require(
            ModelSource source, SafetensorsHeader header, ModelMethod method, int inputDimension, int outputDimension) {
        Map<String, Tensor> found = new HashMap<>();
        header.tensors().forEach(tensor -> found.put(tensor.name(), tensor));
        List<Tensor> names = new ModelLayout(method, 0, 0, inputDimension, outputDimension, 0).tensors();
        for (Tensor tensor : header.tensors()) {
            if (names.stream().noneMatch(name -> name.name().equals(tensor.name()))) {
                throw source.fault(
                        Reason.UNKNOWN_SECTION, tensor.offset(), "the tensors of version 1", "tensor " + tensor.name());
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
                method,
                extent(found.get(X)),
                extent(found.get(X_NEXT)),
                inputDimension,
                outputDimension,
                extent(found.get(PENDING_X)));
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
        return Math.toIntExact(tensor.shape().get(0));
    }

    private static void requireForm(ModelSource source, Tensor tensor, Tensor expected) {
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

    private static void requireContiguous(ModelSource source, List<Tensor> tensors) {
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
