package io.koopstream.io;

import io.koopstream.InvalidStateException;
import io.koopstream.change.ChangeWatch;
import io.koopstream.change.DriftDetector;
import io.koopstream.change.DriftEvent;
import io.koopstream.change.LearningCurve;
import io.koopstream.change.Watch;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The part of {@link StreamFile} that holds the watch over the one-step error. */
final class WatchCodec {

    /** As they are numbered in files. */
    private static final List<DriftEvent.Kind> KINDS = List.of(DriftEvent.Kind.values());

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
            if (watch.kinds()) {
                writeChange(out, event.change());
            }
        }
        out.writeLong(watch.changes());
        out.writeLong(watch.nextRenewal());
        out.writeBoolean(watch.operator() != null);
        if (watch.operator() != null) {
            writeOperator(out, watch.operator());
        }
        if (watch.kinds()) {
            writeChangeWatch(out, watch.changeWatch());
        }
    }

    private static void writeOperator(DataOutput out, KoopmanOperator operator) throws IOException {
        ModelFile.writeFramed(out, new StoredModel(SogdState.holding(operator), StateLabels.NONE));
    }

    private static void writeChange(DataOutput out, DriftEvent.Change change) throws IOException {
        out.writeInt(KINDS.indexOf(change.kind()));
        out.writeInt(change.coordinate());
        out.writeDouble(change.from());
        out.writeDouble(change.to());
        out.writeLong(change.onsetRow());
        out.writeDouble(change.onsetTime());
        out.writeLong(change.row());
        out.writeDouble(change.time());
    }

    private static DriftEvent.Change change(DataInput in) throws IOException {
        int kind = in.readInt();
        if (kind < 0 || kind >= KINDS.size()) {
            throw new InvalidStateException("changes", "kind " + kind);
        }
        return new DriftEvent.Change(
                KINDS.get(kind),
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readDouble(),
                in.readLong(),
                in.readDouble());
    }

    private static void writeChangeWatch(DataOutput out, ChangeWatch.State state) throws IOException {
        out.writeBoolean(state != null);
        if (state != null) {
            out.writeInt(state.observed());
            out.writeBoolean(state.reference() != null);
            if (state.reference() != null) {
                writeOperator(out, state.reference());
            }
            StreamFile.writeNumbers(out, state.numbers());
        }
    }

    private static ChangeWatch.State changeWatch(StreamFile file, DataInput in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        int observed = in.readInt();
        KoopmanOperator reference = in.readBoolean() ? file.model().operator().asKoopman() : null;
        return new ChangeWatch.State(observed, reference, file.list());
    }

    /** @param kinds whether the settings ask for the kinds of changes; nothing of them is stored elsewhere */
    static Watch.State read(StreamFile file, DataInput in, boolean kinds) throws IOException {
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
            events.add(new DriftEvent(
                    in.readLong(),
                    in.readLong(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    kinds ? change(in) : null));
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
                nextRenewal,
                kinds,
                kinds ? changeWatch(file, in) : null);
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
