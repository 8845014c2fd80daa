package io.koopstream.io;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.score.OneStep;
import io.koopstream.score.ScorerState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The part of {@link StreamFile} that holds what scores observations. */
final class ScorerCodec {

    /** Of the first byte: whether seasons and heights of alarms follow, which they did not at first. */
    private static final int WITH_SEASON = 2;

    private ScorerCodec() {}

    static void write(DataOutput out, ScorerState state) throws IOException {
        out.writeByte(WITH_SEASON + (state.predictor() != null ? 1 : 0));
        if (state.predictor() != null) {
            writePredictor(out, state.predictor());
        }
        out.writeDouble(state.lambda());
        out.writeLong(state.nextChoice());
        out.writeLong(state.nextRenewal());
        out.writeLong(state.judged());
        StreamFile.writeNumbers(out, state.sizes());
        StreamFile.writeNumbers(out, state.nearSums());
        StreamFile.writeNumbers(out, state.nearCounts());
        writePast(out, state.residuals());
        writePast(out, state.evidences());
        writePast(out, state.rarities());
        out.writeDouble(state.lastingRarity());
        writePast(out, state.excesses());
        out.writeDouble(state.lastingExcess());
        StreamFile.writeNumbers(out, state.season().history());
        out.writeLong(state.season().last());
        out.writeInt(state.season().period());
        StreamFile.writeNumbers(out, state.season().units());
        out.writeInt(state.season().untilSearch());
        StreamFile.writeNumbers(out, state.window());
        out.writeInt(state.held());
        out.writeInt(state.quiet());
        out.writeLong(state.alarms());
        out.writeLong(state.heldBack());
        out.writeInt(state.heldBackInARow());
    }

    static ScorerState read(StreamFile file, DataInput in, Rkhs space) throws IOException {
        int layout = in.readUnsignedByte();
        boolean season = (layout & WITH_SEASON) != 0;
        OneStep predictor = (layout & 1) != 0 ? predictor(file, in, space) : null;
        double lambda = in.readDouble();
        long nextChoice = in.readLong();
        long nextRenewal = in.readLong();
        long judged = in.readLong();
        List<Double> sizes = file.list();
        return new ScorerState(
                predictor,
                lambda,
                nextChoice,
                nextRenewal,
                judged,
                sizes,
                file.list(),
                file.list(),
                past(file, in, season),
                past(file, in, season),
                past(file, in, season),
                in.readDouble(),
                season ? past(file, in, true) : ScorerState.Past.NONE,
                season ? in.readDouble() : 0,
                season
                        ? new ScorerState.Cycle(file.list(), in.readLong(), in.readInt(), file.list(), in.readInt())
                        : ScorerState.Cycle.none(sizes.size()),
                file.list(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readInt());
    }

    /** Kept states with the numbers of their samples, the columns of the factor from the diagonal down, and the readout. */
    private static void writePredictor(DataOutput out, OneStep predictor) throws IOException {
        NewtonBasis basis = predictor.basis();
        int m = basis.size();
        out.writeInt(m);
        for (int i = 0; i < m; i++) {
            out.writeLong(basis.sampleNumber(i));
            for (double value : basis.points().get(i)) {
                out.writeDouble(value);
            }
            for (int k = i; k < m; k++) {
                out.writeDouble(basis.factor().get(k, i));
            }
        }
        out.writeInt(predictor.readout().columns());
        for (int c = 0; c < predictor.readout().columns(); c++) {
            for (int i = 0; i < m; i++) {
                out.writeDouble(predictor.readout().get(i, c));
            }
        }
        out.writeBoolean(predictor.increments());
        out.writeBoolean(predictor.density().columns() > 0);
        for (int i = 0; i < m * predictor.density().columns(); i++) {
            out.writeDouble(predictor.density().get(i, 0));
        }
    }

    private static OneStep predictor(StreamFile file, DataInput in, Rkhs space) throws IOException {
        int m = file.count("kept states");
        long[] numbers = new long[0];
        Points points = new Points(space.dimension());
        // Grows as its columns are read: a count alone takes no memory.
        double[][] columns = new double[0][];
        for (int i = 0; i < m; i++) {
            if (i == columns.length) {
                int more = Math.min(m, Math.max(64, 2 * i));
                columns = Arrays.copyOf(columns, more);
                numbers = Arrays.copyOf(numbers, more);
            }
            numbers[i] = in.readLong();
            double[] point = new double[space.dimension()];
            for (int c = 0; c < point.length; c++) {
                point[c] = in.readDouble();
            }
            space.requireSample(point, "kept state");
            points.add(point);
            columns[i] = new double[m];
            for (int k = i; k < m; k++) {
                columns[i][k] = StreamFile.finite(in.readDouble());
            }
        }
        NewtonBasis basis = NewtonBasis.restore(space, points, Matrix.ofColumns(columns, m), numbers);
        int observed = file.count("coordinates");
        double[][] readout = new double[Math.min(observed, space.dimension())][m];
        for (double[] column : readout) {
            for (int i = 0; i < m; i++) {
                column[i] = StreamFile.finite(in.readDouble());
            }
        }
        boolean increments = in.readBoolean();
        double[][] density = new double[in.readBoolean() ? 1 : 0][m];
        for (double[] column : density) {
            for (int i = 0; i < m; i++) {
                column[i] = StreamFile.finite(in.readDouble());
            }
        }
        return new OneStep(basis, Matrix.ofColumns(readout, m), increments, Matrix.ofColumns(density, m));
    }

    private static void writePast(DataOutput out, ScorerState.Past past) throws IOException {
        StreamFile.writeNumbers(out, past.values());
        out.writeDouble(past.threshold());
        out.writeDouble(past.scale());
        out.writeDouble(past.shape());
        out.writeInt(past.sinceFit());
        StreamFile.writeNumbers(out, past.peaks());
        out.writeDouble(past.peak());
    }

    private static ScorerState.Past past(StreamFile file, DataInput in, boolean peaks) throws IOException {
        return new ScorerState.Past(
                file.list(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readInt(),
                peaks ? file.list() : List.of(),
                peaks ? in.readDouble() : Double.NaN);
    }
}
