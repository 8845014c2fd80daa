package io.koopstream.io;

import io.koopstream.learner.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.stream.DriftDetector;
import io.koopstream.stream.DriftEvent;
import io.koopstream.stream.LearningCurve;
import io.koopstream.stream.Watch;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The part of {@link StreamFile} that holds the watch over the one-step error. */
final class WatchCodec {

    private WatchCodec() {}

    static void write(DataOutput out, Watch.State watch) throws IOException {
        LearningCurve.State curve = watch.curve();
        out.writeDouble(curve.growth());
        out.writeLong(curve.nextReading());
        out.writeLong(curve.errors());
        out.writeDouble(curve.error());
        out.writeInt(curve.readings().size());
        for (LearningCurve.Reading reading : curve.readings()) {
            out.writeLong(reading.pairs());
            out.writeDouble(reading.error());
            out.writeInt(reading.dictionary());
        }
        DriftDetector.State detector = watch.detector();
        out.writeBoolean(detector != null);
        if (detector != null) {
            out.writeLong(detector.samples());
            out.writeLong(detector.sinceEvent());
            out.writeDouble(detector.blockSum());
            out.writeInt(detector.blockSize());
            out.writeLong(detector.baselineBlocks());
            out.writeDouble(detector.baselineMean());
            out.writeDouble(detector.baselineSquares());
            out.writeDouble(detector.score());
            out.writeLong(detector.riseStart());
            out.writeDouble(detector.riseSum());
            out.writeLong(detector.riseBlocks());
        }
        out.writeInt(watch.events().size());
        for (DriftEvent event : watch.events()) {
            out.writeLong(event.sample());
            out.writeLong(event.since());
            out.writeDouble(event.errorBefore());
            out.writeDouble(event.errorAfter());
            out.writeDouble(event.score());
        }
        out.writeLong(watch.changes());
        out.writeLong(watch.nextRenewal());
        out.writeBoolean(watch.operator() != null);
        if (watch.operator() != null) {
            ModelFile.writeFramed(out, new StoredModel(SogdState.holding(watch.operator()), StateLabels.NONE));
        }
    }

    static Watch.State read(StreamFile file, DataInput in) throws IOException {
        double growth = in.readDouble();
        long nextReading = in.readLong();
        long errors = in.readLong();
        double error = in.readDouble();
        List<LearningCurve.Reading> readings = new ArrayList<>();
        for (int i = file.count("readings"); i > 0; i--) {
            readings.add(new LearningCurve.Reading(in.readLong(), in.readDouble(), in.readInt()));
        }
        DriftDetector.State detector = in.readBoolean() ? detector(in) : null;
        List<DriftEvent> events = new ArrayList<>();
        for (int i = file.count("events"); i > 0; i--) {
            events.add(new DriftEvent(in.readLong(), in.readLong(), in.readDouble(), in.readDouble(), in.readDouble()));
        }
        long changes = in.readLong();
        long nextRenewal = in.readLong();
        KoopmanOperator operator = in.readBoolean() ? file.model().operator().asKoopman() : null;
        return new Watch.State(
                new LearningCurve.State(growth, nextReading, errors, error, readings),
                detector,
                events,
                changes,
                operator,
                nextRenewal);
    }

    private static DriftDetector.State detector(DataInput in) throws IOException {
        return new DriftDetector.State(
                in.readLong(),
                in.readLong(),
                in.readDouble(),
                in.readInt(),
                in.readLong(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readDouble(),
                in.readLong());
    }
}
