package io.koopstream.io;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads what {@link StateOutput} wrote. Parts that cannot be are refused with a {@link ModelFormatException}; an {@link IOException} of the source comes as an
 * {@link UncheckedIOException}.
 */
final class StateInput implements LearnerState.Source {

    private static final int MAX_TEXT = 1 << 24;
    /** No state announces more items than this, and none is made before it is read. */
    private static final int MAX_SIZE = 1 << 28;

    /** Columns without numbers take memory though nothing is read. */
    private static final int MAX_COLUMNS = 1 << 20;

    /** Numbers that are read at once. */
    private static final int CHUNK = 1 << 16;

    private final String what;
    private final DataInput in;
    private final boolean framed;

    /**
     * @param what the state is, for messages
     * @param framed whether models have a CRC; older ones have the SHA-256 of a file instead
     */
    StateInput(String what, DataInput in, boolean framed) {
        this.what = what;
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
            throw fault(Reason.BAD_COUNT, name + " from 0 to " + most, Integer.toString(size), null);
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
            throw fault(Reason.NOT_UTF8, name + " in UTF-8", "other bytes", e);
        }
    }

    @Override
    public long[] counts(String name) {
        List<Long> counts = list(name, () -> count(name));
        return counts.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public Points points(String name) {
        int dimension = size("dimension of " + name, ModelFile.MAX_DIMENSION);
        int size = size(name);
        double[][] coordinates = new double[dimension][];
        for (int c = 0; c < dimension; c++) {
            coordinates[c] = row(size);
        }
        return Points.ofCoordinates(coordinates, size);
    }

    @Override
    public Matrix matrix(String name, int rows, int columns) {
        return matrix(rows, columns, false);
    }

    @Override
    public Matrix symmetric(String name, int size) {
        Matrix matrix = matrix(size, size, true);
        matrix.mirrorLower();
        return matrix;
    }

    private Matrix matrix(int rows, int columns, boolean lower) {
        if (rows == 0 && columns > MAX_COLUMNS) {
            throw fault(Reason.BAD_COUNT, "at most " + MAX_COLUMNS + " empty columns", columns + " columns", null);
        }
        List<double[]> all = new ArrayList<>();
        for (int j = 0; j < columns; j++) {
            double[] column = row(lower ? rows - j : rows);
            if (lower) {
                double[] whole = new double[rows];
                System.arraycopy(column, 0, whole, j, column.length);
                column = whole;
            }
            all.add(column);
        }
        return Matrix.ofColumns(all.toArray(double[][]::new), rows);
    }

    /** Grows as it is read: a count alone takes no memory. */
    private double[] row(int count) {
        double[] row = new double[Math.min(count, CHUNK)];
        for (int from = 0; from < count; from += CHUNK) {
            int some = Math.min(CHUNK, count - from);
            if (from + some > row.length) {
                row = Arrays.copyOf(row, (int) Math.min(count, 2L * row.length));
            }
            bytes(some * Double.BYTES).asDoubleBuffer().get(row, from, some);
        }
        return row;
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

    private ModelFormatException fault(Reason reason, String expected, String actual, Throwable cause) {
        return new ModelFormatException(reason, what, -1, expected, actual, cause);
    }
}
