package io.koopstream.io;

import io.koopstream.internal.dictionary.NamedParts;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import java.util.Arrays;
import java.util.function.IntFunction;

/** The parts of a model by their names: shared with a state to be written, or arrays of the right sizes that are filled from a file. */
final class ModelTensors extends NamedParts {

    // The first number that is not finite: told only after the checksum has been compared.
    private String strangeTensor;
    private double strangeNumber;
    private long strangeOffset;

    private ModelTensors() {}

    /** Those of a state, for reading. */
    static ModelTensors of(LearnerState state) {
        ModelTensors tensors = new ModelTensors();
        state.save(tensors);
        return tensors;
    }

    /** Takes the memory, which is about as much as the file has bytes; the layout has been checked against its size. */
    static ModelTensors allocate(ModelSource source, ModelLayout layout) {
        long heap = Runtime.getRuntime().maxMemory();
        String found = "a heap of " + heap + " bytes";
        try {
            if (layout.length() < heap) {
                ModelTensors tensors = new ModelTensors();
                layout.parts().forEach(tensors::allocate);
                return tensors;
            }
        } catch (OutOfMemoryError e) {
            // Nothing has changed and what was taken is free again, so this is an answer like any other.
            found += ", too little of it free";
        }
        throw source.fault(Reason.TOO_LARGE, -1, "room for " + layout.length() + " bytes of tensors", found);
    }

    private void allocate(ModelPart part) {
        switch (part.kind()) {
            case POINTS ->
                points(part.name(), Points.ofCoordinates(new double[part.columns()][part.rows()], part.rows()));
            case MATRIX, VECTOR -> matrix(part.name(), new Matrix(part.rows(), part.columns()));
            case TRANSPOSED -> matrix(part.name(), new Matrix(part.columns(), part.rows()));
            case NUMBERS -> counts(part.name(), new long[part.rows()]);
        }
    }

    /** Fills them in the order of the file. */
    void readFrom(TensorStream stream, ModelLayout layout) {
        for (ModelPart part : layout.parts()) {
            String name = part.name();
            switch (part.kind()) {
                case POINTS -> readRows(stream, part, points(name)::coordinate);
                case MATRIX, VECTOR -> readRows(stream, part, matrix(name)::column);
                case TRANSPOSED -> {
                    for (int i = 0; i < part.rows(); i++) {
                        read(stream, name, matrix(name).column(i), part.columns());
                    }
                }
                case NUMBERS -> stream.next(counts(name));
            }
        }
    }

    private void readRows(TensorStream stream, ModelPart part, IntFunction<double[]> columns) {
        RowTile tile = new RowTile(columns, part.rows(), part.columns());
        while (tile.next()) {
            read(stream, part.name(), tile.numbers(), tile.size());
            tile.scatter();
        }
    }

    private void read(TensorStream stream, String name, double[] target, int count) {
        long begin = stream.offset();
        stream.next(target, count);
        if (strangeTensor == null && !isFinite(target, count)) {
            int i = 0;
            while (Double.isFinite(target[i])) {
                i++;
            }
            strangeTensor = name;
            strangeNumber = target[i];
            strangeOffset = begin + (long) i * Double.BYTES;
        }
    }

    /** Whether no exponent is the largest one; without a branch per number. */
    static boolean isFinite(double[] numbers, int count) {
        long carry = 0;
        for (int i = 0; i < count; i++) {
            carry |= (Double.doubleToRawLongBits(numbers[i]) & Long.MAX_VALUE) + (1L << 52);
        }
        return carry >= 0;
    }

    void requireFinite(ModelSource source) {
        if (strangeTensor != null) {
            throw source.fault(
                    Reason.NOT_FINITE,
                    strangeOffset,
                    "finite numbers in tensor " + strangeTensor,
                    Double.toString(strangeNumber));
        }
    }

    /** The larger number of points that came with a sample; those of a dictionary that was there before are numbered 0. */
    int kept() {
        return Math.max(kept(ModelLayout.X_SAMPLE), has(ModelLayout.X_NEXT) ? kept(ModelLayout.X_NEXT_SAMPLE) : 0);
    }

    private int kept(String name) {
        return (int) Arrays.stream(counts(name)).filter(number -> number != 0).count();
    }
}
