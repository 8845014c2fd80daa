package io.koopstream.testkit;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.StoredSide;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.LeastSquaresState.StoredSums;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The parts of a state as plain numbers in a row, to show that they are all it takes to go on. Settings are not stored. */
final class PlainStateFormat {

    private PlainStateFormat() {}

    static byte[] write(SogdState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, state.counters());
            write(out, state.inputBasis());
            write(out, state.outputBasis());
            write(out, state.matrix());
            if (state.average().isPresent()) {
                write(out, state.average().get());
                out.writeDouble(state.averageLoss());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static SogdState read(SogdConfig config, byte[] stored) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
            Counters counters = readCounters(in);
            StoredSide inputs = readSide(in, config.input().dimension());
            StoredSide outputs = readSide(in, config.output().dimension());
            Matrix matrix = readMatrix(in);
            return config.averaging().isOn()
                    ? SogdState.restore(config, counters, inputs, outputs, matrix, readMatrix(in), in.readDouble())
                    : SogdState.restore(config, counters, inputs, outputs, matrix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] write(LeastSquaresState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, state.counters());
            write(out, state.inputBasis());
            if (!state.config().isOneSpace()) {
                write(out, state.outputBasis());
            }
            out.writeDouble(state.weight());
            write(out, state.inputStatistics());
            write(out, state.crossStatistics());
            write(out, state.incrementStatistics());
            for (double square : state.squaredIncrements()) {
                out.writeDouble(square);
            }
            write(out, state.firstInputs(), state.firstOutputs());
            write(out, state.pendingInputs(), state.pendingOutputs());
            HoldOut aside = state.holdOut();
            out.writeLong(aside.seen());
            out.writeLong(aside.offered());
            write(
                    out,
                    Points.of(state.input().dimension(), aside.inputs()),
                    Points.of(state.output().dimension(), aside.outputs()));
            for (long number : aside.runNumbers()) {
                out.writeLong(number);
            }
            double[][] after = aside.after();
            out.writeInt(after.length);
            out.writeInt(after.length == 0 ? 0 : after[0].length);
            write(out, after);
            for (long number : aside.afterRuns()) {
                out.writeLong(number);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static LeastSquaresState read(LeastSquaresConfig config, byte[] stored) {
        int inputDimension = config.input().dimension();
        int outputDimension = config.output().dimension();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
            Counters counters = readCounters(in);
            StoredSide inputs = readSide(in, inputDimension);
            StoredSide outputs = config.isOneSpace() ? inputs : readSide(in, outputDimension);
            StoredSums sums = new StoredSums(
                    in.readDouble(),
                    readMatrix(in),
                    readMatrix(in),
                    readMatrix(in),
                    Matrix.ofRows(read(in, outputDimension, 1), 1));
            LeastSquaresState state = LeastSquaresState.restore(config, counters, inputs, outputs, sums);
            int first = in.readInt();
            state = state.withFirst(readPoints(in, first, inputDimension), readPoints(in, first, outputDimension));
            int pending = in.readInt();
            state = state.withPending(
                    readPoints(in, pending, inputDimension), readPoints(in, pending, outputDimension));
            long seen = in.readLong();
            long offered = in.readLong();
            int heldOut = in.readInt();
            Points x = readPoints(in, heldOut, inputDimension);
            Points xNext = readPoints(in, heldOut, outputDimension);
            state = state.withHeldOut(seen, offered, x, xNext, readLongs(in, heldOut));
            int after = in.readInt();
            int observed = in.readInt();
            return after == 0 ? state : state.withFollowing(readPoints(in, after, observed), readLongs(in, after));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(DataOutputStream out, Points inputs, Points outputs) throws IOException {
        out.writeInt(inputs.size());
        write(out, inputs.toRows());
        write(out, outputs.toRows());
    }

    private static long[] readLongs(DataInputStream in, int count) throws IOException {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }

    private static Points readPoints(DataInputStream in, int count, int dimension) throws IOException {
        return Points.of(dimension, read(in, count, dimension));
    }

    private static void write(DataOutputStream out, Counters counters) throws IOException {
        out.writeLong(counters.samples());
        out.writeLong(counters.dependents());
        out.writeLong(counters.removals());
        out.writeLong(counters.refusals());
        out.writeDouble(counters.loss());
    }

    private static Counters readCounters(DataInputStream in) throws IOException {
        return new Counters(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readDouble());
    }

    private static void write(DataOutputStream out, Matrix matrix) throws IOException {
        out.writeInt(matrix.rows());
        out.writeInt(matrix.columns());
        write(out, matrix.toRows());
    }

    private static Matrix readMatrix(DataInputStream in) throws IOException {
        int rows = in.readInt();
        int columns = in.readInt();
        return Matrix.ofRows(read(in, rows, columns), columns);
    }

    private static void write(DataOutputStream out, NewtonBasis basis) throws IOException {
        out.writeInt(basis.size());
        for (int i = 0; i < basis.size(); i++) {
            out.writeLong(basis.sampleNumber(i));
        }
        write(out, basis.points().toRows());
        write(out, basis.factor().toRows());
    }

    private static StoredSide readSide(DataInputStream in, int dimension) throws IOException {
        int m = in.readInt();
        long[] numbers = new long[m];
        for (int i = 0; i < m; i++) {
            numbers[i] = in.readLong();
        }
        Points points = Points.of(dimension, read(in, m, dimension));
        return new StoredSide(points, Matrix.ofRows(read(in, m, m), m), numbers);
    }

    private static void write(DataOutputStream out, double[][] rows) throws IOException {
        for (double[] row : rows) {
            for (double value : row) {
                out.writeDouble(value);
            }
        }
    }

    private static double[][] read(DataInputStream in, int rows, int columns) throws IOException {
        double[][] result = new double[rows][columns];
        for (double[] row : result) {
            for (int j = 0; j < columns; j++) {
                row[j] = in.readDouble();
            }
        }
        return result;
    }
}
