package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.LearnerState;
import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link StateOutput} wrote. Parts that cannot be are refused with a {@link ModelFormatException}; an {@link IOException} of the source comes as an
 * {@link UncheckedIOException}.
 */
final class StateInput implements LearnerState.Source {

    private static final int MAX_TEXT = 1 << 24;
    /** No state announces more items than this, and none is made before it is read. */
    private static final int MAX_SIZE = 1 << 28;

    private final DataInput in;
    private final boolean framed;

    /** @param framed whether models have a CRC; older ones have the SHA-256 of a file instead */
    StateInput(DataInput in, boolean framed) {
        this.in = in;
        this.framed = framed;
    }

    private interface Read<T> {
        T run() throws IOException;
    }

    private static <T> T read(Read<T> read) {
        try {
            return read.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean flag(String name) {
        return read(in::readBoolean);
    }

    @Override
    public int code(String name) {
        return read(in::readByte);
    }

    @Override
    public int size(String name) {
        return size(name, MAX_SIZE);
    }

    private int size(String name, int most) {
        int size = read(in::readInt);
        if (size < 0 || size > most) {
            throw StreamFile.fault(Reason.BAD_COUNT, name + " from 0 to " + most, Integer.toString(size), null);
        }
        return size;
    }

    @Override
    public long count(String name) {
        return read(in::readLong);
    }

    @Override
    public double number(String name) {
        return read(in::readDouble);
    }

    @Override
    public String text(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes(size("length of " + name, MAX_TEXT)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw StreamFile.fault(Reason.NOT_UTF8, name + " in UTF-8", "other bytes", e);
        }
    }

    @Override
    public double[] numbers(String name) {
        double[] numbers = new double[size("number of " + name, ModelFile.MAX_DIMENSION)];
        bytes(numbers.length * Double.BYTES).asDoubleBuffer().get(numbers);
        return numbers;
    }

    private ByteBuffer bytes(int length) {
        return read(() -> {
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            return ByteBuffer.wrap(bytes);
        });
    }

    @Override
    public LearnerState model(String name) {
        return read(() -> ModelFile.readFramed(in, framed).state());
    }
}
