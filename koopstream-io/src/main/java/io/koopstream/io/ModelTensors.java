package io.koopstream.io;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.StoredSide;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The tensors of a model by their names: shared with a state to be written, or arrays of the right sizes that are filled from a file. */
final class ModelTensors {

    private final Map<String, Points> points = new HashMap<>();
    private final Map<String, Matrix> matrices = new HashMap<>();
    private final Map<String, long[]> numbers = new HashMap<>();

    // The first number that is not finite: told only after the checksum has been compared.
    private String strangeTensor;
    private double strangeNumber;
    private long strangeOffset;

    private ModelTensors() {}

    /** Those of a state, for reading. */
    static ModelTensors of(LearnerState state) {
        ModelTensors tensors = new ModelTensors();
        tensors.putSide(state.inputBasis(), ModelLayout.X, ModelLayout.L_X, ModelLayout.X_SAMPLE);
        // A learner with one dictionary has one basis for both sides.
        if (state.outputBasis() != state.inputBasis()) {
            tensors.putSide(state.outputBasis(), ModelLayout.X_NEXT, ModelLayout.L_X_NEXT, ModelLayout.X_NEXT_SAMPLE);
        }
        tensors.put(ModelLayout.PENDING_X, state.pendingInputs());
        tensors.put(ModelLayout.PENDING_X_NEXT, state.pendingOutputs());
        ModelMethod.of(state).section().putTensors(state, tensors);
        return tensors;
    }

    private void putSide(NewtonBasis basis, String name, String factor, String samples) {
        long[] sampleNumbers = new long[basis.size()];
        Arrays.setAll(sampleNumbers, basis::sampleNumber);
        put(name, basis.points());
        put(factor, basis.factor());
        put(samples, sampleNumbers);
    }

    void put(String name, Points value) {
        points.put(name, value);
    }

    void put(String name, Matrix value) {
        matrices.put(name, value);
    }

    void put(String name, long[] value) {
        numbers.put(name, value);
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
            case POINTS -> put(part.name(), Points.ofCoordinates(new double[part.columns()][part.rows()], part.rows()));
            case MATRIX, VECTOR -> put(part.name(), new Matrix(part.rows(), part.columns()));
            case TRANSPOSED -> put(part.name(), new Matrix(part.columns(), part.rows()));
            case NUMBERS -> put(part.name(), new long[part.rows()]);
        }
    }

    /** Fills them in the order of the file. */
    void readFrom(TensorStream stream, ModelLayout layout) {
        for (ModelPart part : layout.parts()) {
            String name = part.name();
            switch (part.kind()) {
                case POINTS -> readRows(stream, part, points.get(name)::coordinate);
                case MATRIX, VECTOR -> readRows(stream, part, matrices.get(name)::column);
                case TRANSPOSED -> {
                    for (int i = 0; i < part.rows(); i++) {
                        read(stream, name, matrices.get(name).column(i), part.columns());
                    }
                }
                case NUMBERS -> stream.next(numbers.get(name));
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

    /** Whether there is a tensor of this name. */
    boolean has(String name) {
        return points.containsKey(name) || matrices.containsKey(name) || numbers.containsKey(name);
    }

    Points points(String name) {
        return points.get(name);
    }

    /** As it is in memory. */
    Matrix matrix(String name) {
        return matrices.get(name);
    }

    long[] numbers(String name) {
        return numbers.get(name);
    }

    /** The larger number of points that came with a sample; those of a dictionary that was there before are numbered 0. */
    int kept() {
        return Math.max(kept(ModelLayout.X_SAMPLE), has(ModelLayout.X_NEXT) ? kept(ModelLayout.X_NEXT_SAMPLE) : 0);
    }

    private int kept(String name) {
        return (int) Arrays.stream(numbers(name)).filter(number -> number != 0).count();
    }

    /** The kept inputs. */
    StoredSide inputs() {
        return side(ModelLayout.X, ModelLayout.L_X, ModelLayout.X_SAMPLE);
    }

    /** The kept outputs; what is given for the inputs where there is one dictionary. */
    StoredSide outputs(StoredSide inputs) {
        return has(ModelLayout.X_NEXT)
                ? side(ModelLayout.X_NEXT, ModelLayout.L_X_NEXT, ModelLayout.X_NEXT_SAMPLE)
                : inputs;
    }

    private StoredSide side(String name, String factor, String samples) {
        return new StoredSide(points(name), matrix(factor), numbers(samples));
    }

    /** The state with the samples that wait for their block, checked by the core. */
    LearnerState pending(LearnerState learned) {
        return learned.withPending(points(ModelLayout.PENDING_X), points(ModelLayout.PENDING_X_NEXT));
    }
}
