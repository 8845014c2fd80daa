package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelOutline;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Writes a state as a model of the oldest version that can hold it. Everything that the reader would refuse is refused here, in a file before the first byte: a model
 * that could not be read again must not take the place of one that can.
 */
final class ModelWriter {

    /** Bytes of a piece; the header is a piece of its own. */
    static final int BUFFER = 1 << 16;

    private static final String SOURCE = "state to be stored";

    private final StoredModel model;
    private final LearnerState state;
    private final ModelKernels kernels;
    private final ModelTensors tensors;
    private final ModelLayout layout;
    /** With zeros for the checksum. */
    private final byte[] unsigned;

    /** Takes what the writer puts out, piece by piece. */
    interface Sink {
        /** Takes the bytes between position and limit. */
        void accept(ByteBuffer bytes) throws IOException;
    }

    /** A writer of a file, which takes the place of another one. */
    static ModelWriter ofFile(StoredModel model) {
        ModelWriter writer = new ModelWriter(model);
        writer.requireSound();
        return writer;
    }

    /** A writer of a frame within something larger: what a learner holds is taken to fit together, and checked when it is read. */
    static ModelWriter ofFrame(StoredModel model) {
        return new ModelWriter(model);
    }

    private ModelWriter(StoredModel model) {
        this.model = model;
        this.state = model.state();
        StateLabels labels = model.labels();
        Rkhs input = state.input();
        Rkhs output = state.output();
        requireDimension(input);
        requireDimension(output);
        kernels = ModelKernels.of(input, output);
        requireReadable(kernels.input(), input.kernel());
        requireReadable(kernels.output(), output.kernel());
        tensors = ModelTensors.of(state);
        kernels.putTensors(tensors);
        if (model.resumable() != null) {
            tensors.counts(ModelLayout.STREAM, model.resumable().numbers());
        }
        if (model.projection() != null) {
            model.projection().save(tensors);
        }
        if (!labels.fits(input.dimension()) || !labels.areOf(model.projection())) {
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
                        model.resumable() == null ? 0 : model.resumable().length(),
                        kernels.names(),
                        model.projection() == null ? 0 : model.projection().dimension()),
                tensors);
        unsigned = header("0".repeat(Checksum.DIGITS));
        if (unsigned.length > ModelFile.MAX_HEADER) {
            throw fault(
                    Reason.TOO_LARGE,
                    "a header of at most " + ModelFile.MAX_HEADER + " bytes",
                    unsigned.length + " bytes",
                    null);
        }
        long length = Long.BYTES + unsigned.length + layout.length();
        if (length > ModelFile.MAX_FILE) {
            throw fault(Reason.TOO_LARGE, "at most " + ModelFile.MAX_FILE + " bytes", length + " bytes", null);
        }
    }

    private byte[] header(String checksum) {
        SortedMap<String, String> texts = ModelMetadata.of(model, kernels, checksum);
        texts.forEach((key, text) -> {
            if (text.length() > HeaderParser.MAX_TEXT) {
                throw tooLong(key, text);
            }
        });
        // One key is that of the texts.
        int most = HeaderParser.MAX_KEYS - 1;
        if (layout.parts().size() > most) {
            throw fault(
                    Reason.TOO_LARGE,
                    "at most " + most + " tensors",
                    layout.parts().size() + " of them",
                    null);
        }
        return SafetensorsHeader.encode(texts, layout.tensors());
    }

    private static ModelFormatException tooLong(String key, String text) {
        return fault(
                Reason.TOO_LARGE,
                key + " of at most " + HeaderParser.MAX_TEXT + " characters",
                text.length() + " characters",
                null);
    }

    /** A kernel of the caller's own without a name could not be read back. */
    private static void requireReadable(KernelOutline outline, Kernel kernel) {
        if (outline.text().length() > HeaderParser.MAX_TEXT) {
            throw tooLong("a kernel", outline.text());
        }
        Kernel read;
        try {
            read = outline.kernel(name -> Kernel.of(name, 1, (x, y) -> 0));
        } catch (InvalidConfigException e) {
            throw fault(Reason.UNKNOWN_KERNEL, "a kernel that Kernels.parse reads", e.getMessage(), e);
        }
        if (!read.equals(kernel)) {
            throw fault(
                    Reason.UNKNOWN_KERNEL,
                    "a kernel equal to " + outline.text(),
                    kernel.getClass().getName(),
                    null);
        }
    }

    private static void requireDimension(Rkhs space) {
        if (space.dimension() > ModelFile.MAX_DIMENSION) {
            throw fault(
                    Reason.TOO_LARGE,
                    "at most " + ModelFile.MAX_DIMENSION + " coordinates",
                    space.dimension() + " coordinates",
                    null);
        }
    }

    /** Refuses parts that the reader would refuse. */
    private void requireSound() {
        try {
            ModelMethod.of(state).section().read(state.config(), tensors);
        } catch (InvalidStateException e) {
            throw fault(ModelReader.reason(e.part()), "parts that make up a learner's state", e.getMessage(), e);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, SOURCE, -1, expected, actual, cause);
    }

    /** How many bytes the model has. */
    private int length() {
        return (int) (Long.BYTES + unsigned.length + layout.length());
    }

    /** The whole model. */
    byte[] encode() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length());
        emit(unsigned, bytes::put);
        Checksum checksum = Checksum.sha256();
        checksum.update(bytes.flip());
        byte[] header = header(checksum.digits());
        return bytes.put(Long.BYTES, header).array();
    }

    /** Puts out the whole model. */
    void writeTo(Sink sink) throws IOException {
        Checksum checksum = Checksum.sha256();
        emit(unsigned, checksum::update);
        emit(header(checksum.digits()), sink);
    }

    /** Writes the length, the model with zeros for its checksum, and the CRC-32C of both: in one pass, much faster than the other. */
    void writeFramed(DataOutput target) throws IOException {
        Checksum checksum = Checksum.crc32c();
        Output output = new Output(bytes -> {
            target.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            checksum.update(bytes);
        });
        section(target);
        target.writeLong(length());
        output.put(unsigned);
        section(target);
        output.put(tensors, layout.parts().stream().filter(ModelPart::isDictionary));
        section(target);
        output.put(tensors, layout.parts().stream().filter(part -> !part.isDictionary()));
        target.writeInt(checksum.crc());
        section(target);
    }

    static void section(DataOutput target) throws IOException {
        if (target instanceof StreamFile.SectionedOutput sections) {
            sections.section();
        }
    }

    private void emit(byte[] header, Sink sink) throws IOException {
        Output output = new Output(sink);
        output.put(header);
        output.put(tensors, layout.parts().stream());
    }

    /** Numbers on their way to the sink, in pieces of one size. */
    private static final class Output {

        private final Sink sink;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

        Output(Sink sink) {
            this.sink = sink;
        }

        /** A header behind its length. */
        void put(byte[] header) throws IOException {
            put(new long[] {header.length});
            flush();
            sink.accept(ByteBuffer.wrap(header));
        }

        /** Some tensors, to the last byte. */
        void put(ModelTensors tensors, Stream<ModelPart> parts) throws IOException {
            for (ModelPart part : parts.toList()) {
                put(tensors, part);
            }
            flush();
        }

        private void put(ModelTensors tensors, ModelPart part) throws IOException {
            switch (part.kind()) {
                case POINTS -> putRows(part, tensors.points(part.name())::coordinate);
                case NUMBERS -> put(tensors.counts(part.name()));
                case TRANSPOSED -> {
                    Matrix matrix = tensors.matrix(part.name());
                    for (int j = 0; j < matrix.columns(); j++) {
                        put(matrix.column(j), matrix.rows());
                    }
                }
                case MATRIX, VECTOR -> putRows(part, tensors.matrix(part.name())::column);
            }
        }

        private void put(long[] numbers) throws IOException {
            for (int from = 0; from < numbers.length; ) {
                int some = Math.min(numbers.length - from, room());
                buffer.asLongBuffer().put(numbers, from, some);
                buffer.position(buffer.position() + some * Long.BYTES);
                from += some;
            }
        }

        private void put(double[] numbers, int count) throws IOException {
            if (!ModelTensors.isFinite(numbers, count)) {
                throw fault(Reason.NOT_FINITE, "finite numbers", "one that is not", null);
            }
            for (int from = 0; from < count; ) {
                int some = Math.min(count - from, room());
                buffer.asDoubleBuffer().put(numbers, from, some);
                buffer.position(buffer.position() + some * Double.BYTES);
                from += some;
            }
        }

        private void putRows(ModelPart part, IntFunction<double[]> columns) throws IOException {
            RowTile tile = new RowTile(columns, part.rows(), part.columns());
            while (tile.next()) {
                tile.gather();
                put(tile.numbers(), tile.size());
            }
        }

        /** For how many numbers there is room, at least one. */
        private int room() throws IOException {
            if (!buffer.hasRemaining()) {
                flush();
            }
            return buffer.remaining() / Long.BYTES;
        }

        private void flush() throws IOException {
            sink.accept(buffer.flip());
            buffer.clear();
        }
    }
}
