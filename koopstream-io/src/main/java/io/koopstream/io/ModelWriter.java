package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.linalg.Matrix;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a state as a model of the newest version. Everything that the reader would refuse is refused here, before the first byte: a model that
 * could not be read again must not take the place of one that can.
 */
final class ModelWriter {

    /** Bytes of a piece; the header is a piece of its own. */
    static final int BUFFER = 1 << 16;

    private static final String SOURCE = "state to be stored";

    private final StoredModel model;
    private final LearnerState state;
    private final ModelTensors tensors;
    private final ModelLayout layout;
    private final byte[] header;

    /** Takes what the writer puts out, piece by piece. */
    interface Sink {
        /** Takes the bytes between position and limit. */
        void accept(ByteBuffer bytes) throws IOException;
    }

    ModelWriter(StoredModel model) {
        this.model = model;
        this.state = model.state();
        StateLabels labels = model.labels();
        Rkhs input = state.input();
        Rkhs output = state.output();
        requireReadable(input);
        requireReadable(output);
        tensors = ModelTensors.of(state);
        requireSound();
        if (model.resumable() != null) {
            tensors.put(ModelLayout.STREAM, model.resumable().numbers());
        }
        if (!labels.fits(input.dimension())) {
            throw fault(
                    Reason.BAD_SETTING,
                    "labels for " + input.dimension() + " coordinates",
                    labels.names().size() + " names with " + labels.delays() + " delays",
                    null);
        }
        layout = ModelLayout.of(
                new ModelLayout.Outline(
                        ModelMethod.of(state),
                        !tensors.has(ModelLayout.X_NEXT),
                        tensors.has(ModelLayout.HELD_X),
                        input.dimension(),
                        output.dimension(),
                        state.config().targets(),
                        tensors.has(ModelLayout.HELD_AFTER)
                                ? tensors.points(ModelLayout.HELD_AFTER).size()
                                : 0,
                        model.resumable() == null ? 0 : model.resumable().length()),
                tensors);
        byte[] unsigned = header("0".repeat(Checksum.DIGITS));
        long length = Long.BYTES + unsigned.length + layout.length();
        if (length > ModelFile.MAX_FILE) {
            throw fault(Reason.TOO_LARGE, "at most " + ModelFile.MAX_FILE + " bytes", length + " bytes", null);
        }
        header = header(digest(unsigned));
    }

    private byte[] header(String checksum) {
        return SafetensorsHeader.encode(ModelMetadata.of(model, checksum), layout.tensors());
    }

    private String digest(byte[] unsigned) {
        Checksum checksum = new Checksum();
        try {
            emit(unsigned, checksum::update);
        } catch (IOException e) {
            throw new IllegalStateException("a checksum does no input or output", e);
        }
        return checksum.digits();
    }

    /** A kernel of the caller's own has no name that could be read back. */
    private static void requireReadable(Rkhs space) {
        Kernel kernel = space.kernel();
        Kernel read;
        try {
            read = Kernels.parse(kernel.text());
        } catch (InvalidConfigException e) {
            throw fault(Reason.UNKNOWN_KERNEL, "a kernel that Kernels.parse reads", e.getMessage(), e);
        }
        if (!read.equals(kernel)) {
            throw fault(
                    Reason.UNKNOWN_KERNEL,
                    "a kernel equal to " + read.text(),
                    kernel.getClass().getName(),
                    null);
        }
        if (space.dimension() > ModelFile.MAX_DIMENSION) {
            throw fault(
                    Reason.TOO_LARGE,
                    "at most " + ModelFile.MAX_DIMENSION + " coordinates",
                    space.dimension() + " coordinates",
                    null);
        }
    }

    private void requireSound() {
        try {
            tensors.pending(ModelMethod.of(state).section().restore(state, tensors));
        } catch (InvalidStateException e) {
            throw fault(ModelReader.reason(e.part()), "parts that make up a learner's state", e.getMessage(), e);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, SOURCE, -1, expected, actual, cause);
    }

    /** How many bytes the model has. */
    int length() {
        return (int) (Long.BYTES + header.length + layout.length());
    }

    /** Puts out the whole model. */
    void writeTo(Sink sink) throws IOException {
        emit(header, sink);
    }

    private void emit(byte[] headerBytes, Sink sink) throws IOException {
        Output output = new Output(sink);
        output.put(headerBytes.length);
        output.flush();
        sink.accept(ByteBuffer.wrap(headerBytes));
        for (ModelPart part : layout.parts()) {
            output.put(tensors, part);
        }
        output.flush();
    }

    /** Numbers on their way to the sink, in pieces of one size. */
    private static final class Output {

        private final Sink sink;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

        Output(Sink sink) {
            this.sink = sink;
        }

        void put(long number) throws IOException {
            if (!buffer.hasRemaining()) {
                flush();
            }
            buffer.putLong(number);
        }

        private void put(double number) throws IOException {
            put(Double.doubleToRawLongBits(number));
        }

        void put(ModelTensors tensors, ModelPart part) throws IOException {
            switch (part.kind()) {
                case POINTS -> put(tensors.points(part.name()));
                case NUMBERS -> {
                    for (long number : tensors.numbers(part.name())) {
                        put(number);
                    }
                }
                case TRANSPOSED -> put(tensors.matrix(part.name()).transposed());
                case MATRIX, VECTOR -> put(tensors.matrix(part.name()));
            }
        }

        private void put(Points points) throws IOException {
            for (int i = 0; i < points.size(); i++) {
                for (int c = 0; c < points.dimension(); c++) {
                    put(points.get(i, c));
                }
            }
        }

        private void put(Matrix matrix) throws IOException {
            for (int i = 0; i < matrix.rows(); i++) {
                for (int j = 0; j < matrix.columns(); j++) {
                    put(matrix.get(i, j));
                }
            }
        }

        void flush() throws IOException {
            sink.accept(buffer.flip());
            buffer.clear();
        }
    }
}
