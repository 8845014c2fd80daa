package io.koopstream.io;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Writes the parts of a state one behind the other, without their names; docs/formats.md has the widths. An {@link IOException} of the target comes as
 * an {@link UncheckedIOException}.
 */
final class StateOutput implements LearnerState.Sink {

    private final DataOutput out;

    StateOutput(DataOutput out) {
        this.out = out;
    }

    private interface Write {
        void run() throws IOException;
    }

    private static void write(Write write) {
        try {
            write.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void section() {
        write(() -> ModelWriter.section(out));
    }

    @Override
    public void code(String name, int value) {
        write(() -> out.writeByte(value));
    }

    @Override
    public void size(String name, int value) {
        write(() -> out.writeInt(value));
    }

    @Override
    public void count(String name, long value) {
        write(() -> out.writeLong(value));
    }

    @Override
    public void number(String name, double value) {
        write(() -> out.writeDouble(value));
    }

    @Override
    public void text(String name, String value) {
        byte[] bytes = EncodableText.utf8(value);
        size(name, bytes.length);
        write(() -> out.write(bytes));
    }

    @Override
    public void counts(String name, long[] values) {
        size(name, values.length);
        for (long value : values) {
            count(name, value);
        }
    }

    @Override
    public void points(String name, Points points) {
        size(name, points.dimension());
        size(name, points.size());
        for (int c = 0; c < points.dimension(); c++) {
            write(points.coordinate(c), 0, points.size());
        }
    }

    @Override
    public void matrix(String name, Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            write(matrix.column(j), 0, matrix.rows());
        }
    }

    @Override
    public void symmetric(String name, Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            write(matrix.column(j), j, matrix.rows());
        }
    }

    private void write(double[] values, int from, int to) {
        byte[] bytes = new byte[Math.multiplyExact(to - from, Double.BYTES)];
        ByteBuffer.wrap(bytes).asDoubleBuffer().put(values, from, to - from);
        write(() -> out.write(bytes));
    }

    @Override
    public void model(String name, LearnerState state) {
        write(() -> ModelFile.writeFramed(out, new StoredModel(state, StateLabels.NONE)));
    }
}
