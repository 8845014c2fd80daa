package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.flink.state.VersionedSerializer;
import io.koopstream.flink.state.VersionedSnapshot;
import io.koopstream.flink.state.Wire;
import io.koopstream.io.StreamFile;
import io.koopstream.stream.Observation;
import io.koopstream.stream.Outcome;
import io.koopstream.stream.StreamSettings;
import io.koopstream.stream.Trajectories;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** What {@link PairFunction} remembers: open trajectories, losses, and how many pairs were dealt out. Mutable, one writer. */
final class PairState {

    static final Serializer SERIALIZER = new Serializer();

    private static final int MAX_COUNT = 1 << 20;

    private final Trajectories trajectories;
    private final StreamSettings settings;
    private final Losses losses;
    private long pairs;

    private PairState(StreamSettings settings, Trajectories trajectories, Losses losses) {
        this.settings = settings;
        this.trajectories = trajectories;
        this.losses = losses;
    }

    static PairState start(LearnSettings settings) {
        if (settings.stream().isFilling()) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE,
                    "fill",
                    settings.stream().given().get("fill"),
                    "not where one stream is learned in parts; leave it out, or learn in one part");
        }
        return new PairState(settings.stream(), settings.newTrajectories(), new Losses());
    }

    /** Takes the next event of the stream, which is no explicit pair. */
    Outcome next(SampleEvent event) {
        losses.tell(event, lost -> trajectories.interrupt(null));
        Observation observation = event.observation();
        try {
            return trajectories.next(observation);
        } catch (InvalidSampleException e) {
            trajectories.interrupt(observation.trajectory());
            return new Outcome(Outcome.Kind.REFUSED, e.reason(), e.index(), e.getMessage());
        }
    }

    /** A record was left out: nothing pairs across it, where neither step nor time would show that. */
    void leftOut(SampleEvent event) {
        if (!event.isPair() && Double.isNaN(event.step) && Double.isNaN(event.time)) {
            trajectories.interrupt(event.trajectory == null ? "" : event.trajectory);
        }
    }

    /** The first state of the pair that the last event made. */
    double[] from() {
        return trajectories.from();
    }

    /** The second state of the pair that the last event made. */
    double[] to() {
        return trajectories.state();
    }

    /** The number of the next pair, from 0. */
    long countPair() {
        return pairs++;
    }

    /** It in Flink's state. */
    static final class Serializer extends VersionedSerializer<PairState> {

        private static final long serialVersionUID = 1L;

        @Override
        protected String what() {
            return "the pairs of a stream";
        }

        @Override
        protected int format() {
            return 3;
        }

        @Override
        protected int oldestFormat() {
            return 3;
        }

        @Override
        protected void write(PairState state, DataOutput target) throws IOException {
            target.writeLong(state.pairs);
            target.writeInt(state.trajectories.dimension());
            target.writeInt(state.trajectories.delays());
            target.writeInt(state.trajectories.stride());
            StreamFile.writeSettings(target, state.settings);
            StreamFile.writeTrajectories(target, state.trajectories.capture());
            state.losses.writeTo(target);
        }

        @Override
        protected PairState read(DataInput source) throws IOException {
            long pairs = source.readLong();
            int dimension = Wire.readCount(source, "coordinates", 1, MAX_COUNT);
            int delays = Wire.readCount(source, "delays", 0, MAX_COUNT);
            int stride = Wire.readCount(source, "stride", 1, MAX_COUNT);
            StreamSettings settings = StreamFile.readSettings(source);
            Trajectories trajectories =
                    new Trajectories(settings, dimension, delays, stride).resume(StreamFile.readTrajectories(source));
            PairState state = new PairState(settings, trajectories, Losses.readFrom(source));
            state.pairs = pairs;
            return state;
        }

        @Override
        public PairState createInstance() {
            StreamSettings none = StreamSettings.defaults();
            return new PairState(none, new Trajectories(none, 1, 0, 1), new Losses());
        }

        @Override
        public PairState copy(PairState from) {
            Trajectories open = from.trajectories;
            PairState copy = new PairState(
                    from.settings,
                    new Trajectories(from.settings, open.dimension(), open.delays(), open.stride())
                            .resume(open.capture()),
                    from.losses.copy());
            copy.pairs = from.pairs;
            return copy;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Serializer;
        }

        @Override
        public int hashCode() {
            return Serializer.class.hashCode();
        }

        @Override
        public TypeSerializerSnapshot<PairState> snapshotConfiguration() {
            return new Snapshot();
        }
    }

    /** The version of the format in a savepoint. */
    public static final class Snapshot extends VersionedSnapshot<PairState> {
        /** For Flink, and for the serializer. */
        public Snapshot() {
            super(SERIALIZER, SERIALIZER.format());
        }
    }
}
