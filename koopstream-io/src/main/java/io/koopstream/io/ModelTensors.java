package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Points;
import io.koopstream.learner.Counters;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StoredSide;
import io.koopstream.linalg.Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tensors of a model while they are read: arrays of the right sizes, filled in the order of the file. */
final class ModelTensors {

    private final Points inputs;
    private final Points outputs;
    private final Matrix inputFactor;
    private final Matrix outputFactor;
    private final ModelMethod method;
    private final List<Matrix> matrices = new ArrayList<>();
    private final long[] inputSamples;
    private final long[] outputSamples;
    private final Points pendingInputs;
    private final Points pendingOutputs;
    private final int pending;

    // The first number that is not finite: told only after the checksum has been compared.
    private String strangeTensor;
    private double strangeNumber;
    private long strangeOffset;

    private ModelTensors(ModelLayout layout) {
        int m = layout.inputs();
        int n = layout.outputs();
        inputs = new Points(layout.inputDimension());
        inputs.reserve(m);
        outputs = new Points(layout.outputDimension());
        outputs.reserve(n);
        inputFactor = new Matrix(m, m);
        outputFactor = new Matrix(n, n);
        method = layout.method();
        for (String name : method.matrices()) {
            matrices.add(new Matrix(layout.rows(name), m));
        }
        inputSamples = new long[m];
        outputSamples = new long[n];
        pending = layout.pending();
        pendingInputs = new Points(layout.inputDimension());
        pendingInputs.reserve(pending);
        pendingOutputs = new Points(layout.outputDimension());
        pendingOutputs.reserve(pending);
    }

    /** Takes the memory, which is about as much as the file has bytes; the layout has been checked against its size. */
    static ModelTensors allocate(ModelSource source, ModelLayout layout) {
        long heap = Runtime.getRuntime().maxMemory();
        String found = "a heap of " + heap + " bytes";
        try {
            if (layout.length() < heap) {
                return new ModelTensors(layout);
            }
        } catch (OutOfMemoryError e) {
            // Nothing has changed and what was taken is free again, so this is an answer like any other.
            found += ", too little of it free";
        }
        throw source.fault(Reason.TOO_LARGE, -1, "room for " + layout.length() + " bytes of tensors", found);
    }

    void readFrom(TensorStream stream) {
        readPoints(stream, inputs, inputSamples.length, ModelLayout.X);
        readPoints(stream, outputs, outputSamples.length, ModelLayout.X_NEXT);
        readMatrix(stream, inputFactor, ModelLayout.L_X);
        readMatrix(stream, outputFactor, ModelLayout.L_X_NEXT);
        for (int k = 0; k < matrices.size(); k++) {
            readMatrix(stream, matrices.get(k), method.matrices().get(k));
        }
        Arrays.setAll(inputSamples, i -> stream.nextLong());
        Arrays.setAll(outputSamples, i -> stream.nextLong());
        readPoints(stream, pendingInputs, pending, ModelLayout.PENDING_X);
        readPoints(stream, pendingOutputs, pending, ModelLayout.PENDING_X_NEXT);
    }

    private void readPoints(TensorStream stream, Points points, int count, String name) {
        double[] point = new double[points.dimension()];
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < point.length; c++) {
                point[c] = number(stream, name);
            }
            points.add(point);
        }
    }

    private void readMatrix(TensorStream stream, Matrix target, String name) {
        for (int i = 0; i < target.rows(); i++) {
            for (int j = 0; j < target.columns(); j++) {
                target.set(i, j, number(stream, name));
            }
        }
    }

    private double number(TensorStream stream, String name) {
        double value = stream.nextDouble();
        if (!Double.isFinite(value) && strangeTensor == null) {
            strangeTensor = name;
            strangeNumber = value;
            strangeOffset = stream.offset() - Double.BYTES;
        }
        return value;
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
        return (int) Math.max(
                Arrays.stream(inputSamples).filter(number -> number != 0).count(),
                Arrays.stream(outputSamples).filter(number -> number != 0).count());
    }

    /** The state, checked by the core; takes over the arrays. */
    LearnerState restore(ModelMetadata metadata, CustomSchedules schedules, Counters counters) {
        return learned(metadata, schedules, counters).withPending(pendingInputs, pendingOutputs);
    }

    private LearnerState learned(ModelMetadata metadata, CustomSchedules schedules, Counters counters) {
        StoredSide input = new StoredSide(inputs, inputFactor, inputSamples);
        StoredSide output = new StoredSide(outputs, outputFactor, outputSamples);
        return switch (method) {
            case SOGD -> SogdState.restore(metadata.sogdConfig(schedules), counters, input, output, matrices.get(0));
            case SOGD_AVERAGED ->
                SogdState.restore(
                        metadata.sogdConfig(schedules),
                        counters,
                        input,
                        output,
                        matrices.get(0),
                        matrices.get(1),
                        metadata.averageLoss());
            case LEAST_SQUARES ->
                LeastSquaresState.restore(
                        metadata.leastSquaresConfig(),
                        counters,
                        input,
                        output,
                        metadata.weight(),
                        matrices.get(0),
                        matrices.get(1));
        };
    }
}
