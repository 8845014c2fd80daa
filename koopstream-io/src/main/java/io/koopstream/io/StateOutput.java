package io.koopstream.io;

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
    public void flag(String name, boolean value) {
        write(() -> out.writeBoolean(value));
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
        bytes(EncodableText.utf8(value), 1);
    }

    @Override
    public void numbers(String name, double[] values) {
        byte[] bytes = new byte[Math.multiplyExact(values.length, Double.BYTES)];
        ByteBuffer.wrap(bytes).asDoubleBuffer().put(values);
        bytes(bytes, Double.BYTES);
    }

    private void bytes(byte[] bytes, int width) {
        write(() -> {
            out.writeInt(bytes.length / width);
            out.write(bytes);
        });
    }

    @Override
    public void model(String name, LearnerState state) {
        write(() -> ModelFile.writeFramed(out, new StoredModel(state, StateLabels.NONE)));
    }
}
