package io.koopstream.testkit;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.state.StateSource;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The parts of a state as plain numbers in a row, to show that they are all it takes to go on. Settings are not stored. */
final class PlainStateFormat implements StateSource {

    private final ByteBuffer stored;

    private PlainStateFormat(byte[] stored) {
        this.stored = ByteBuffer.wrap(stored);
    }

    static byte[] write(LearnerState state) {
        RecordedState parts = RecordedState.of(state::save);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object value : parts.values()) {
            for (long bits : bits(value)) {
                bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(bits).array());
            }
        }
        return bytes.toByteArray();
    }

    static SogdState read(SogdConfig config, byte[] stored) {
        return SogdState.read(config, new PlainStateFormat(stored));
    }

    static LeastSquaresState read(LeastSquaresConfig config, byte[] stored) {
        return LeastSquaresState.read(config, new PlainStateFormat(stored));
    }

    private static long[] bits(Object value) {
        if (value instanceof Long count) {
            return new long[] {count};
        }
        if (value instanceof Double number) {
            return new long[] {Double.doubleToRawLongBits(number)};
        }
        if (value instanceof long[] counts) {
            return withSizes(counts, counts.length);
        }
        if (value instanceof Points points) {
            return withSizes(bits(points.toRows()), points.size(), points.dimension());
        }
        Matrix matrix = (Matrix) value;
        return bits(matrix.toRows());
    }

    private static long[] bits(double[][] rows) {
        return Arrays.stream(rows)
                .flatMapToDouble(Arrays::stream)
                .mapToLong(Double::doubleToRawLongBits)
                .toArray();
    }

    private static long[] withSizes(long[] numbers, long... sizes) {
        return LongStream.concat(Arrays.stream(sizes), Arrays.stream(numbers)).toArray();
    }

    @Override
    public long count(String name) {
        return stored.getLong();
    }

    @Override
    public double number(String name) {
        return stored.getDouble();
    }

    @Override
    public long[] counts(String name) {
        long[] counts = new long[(int) count(name)];
        Arrays.setAll(counts, i -> count(name));
        return counts;
    }

    @Override
    public Points points(String name) {
        int size = (int) count(name);
        int dimension = (int) count(name);
        return Points.of(dimension, rows(size, dimension));
    }

    private double[][] rows(int rows, int columns) {
        double[][] all = new double[rows][columns];
        for (double[] row : all) {
            Arrays.setAll(row, j -> stored.getDouble());
        }
        return all;
    }

    @Override
    public Matrix matrix(String name, int rows, int columns) {
        return Matrix.ofRows(rows(rows, columns), columns);
    }

    @Override
    public Matrix symmetric(String name, int size) {
        return matrix(name, size, size);
    }
}
