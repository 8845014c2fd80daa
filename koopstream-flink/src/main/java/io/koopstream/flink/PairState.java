package io.koopstream.flink;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** What {@link PairFunction} remembers: open trajectories, and how many pairs were dealt out. Mutable, one writer. */
final class PairState {

    static final Serializer SERIALIZER = new Serializer();

    private final Trajectories trajectories;
    private long pairs;

    PairState(Trajectories trajectories) {
        this.trajectories = trajectories;
    }

    Trajectories trajectories() {
        return trajectories;
    }

    /** The number of the next pair, from 0. */
    long countPair() {
        return pairs++;
    }

    /** It in Flink's state. */
    static final class Serializer extends VersionedSerializer<PairState> {

        private static final long serialVersionUID = 1L;

        @Override
        String what() {
            return "the pairs of a stream";
        }

        @Override
        int format() {
            return 1;
        }

        @Override
        void write(PairState state, DataOutput target) throws IOException {
            target.writeLong(state.pairs);
            state.trajectories.writeTo(target);
        }

        @Override
        PairState read(DataInput source, int format) throws IOException {
            long pairs = source.readLong();
            PairState state = new PairState(Trajectories.readFrom(source));
            state.pairs = pairs;
            return state;
        }

        @Override
        public PairState createInstance() {
            return new PairState(new Trajectories(1, 0, 1, Double.NaN, 1));
        }

        @Override
        public PairState copy(PairState from) {
            PairState copy = new PairState(from.trajectories.copy());
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
