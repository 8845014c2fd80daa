package io.koopstream.flink;

import io.koopstream.InvalidSampleException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.io.samples.Succession;
import io.koopstream.learner.DelayVectors;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Turns the records of one key into pairs: a pair needs two records of one trajectory that follow each other, and nothing bad between
 * them. Holds of every open trajectory what the next pair needs. Mutable, one writer.
 */
final class Trajectories {

    private final int dimension;
    private final int delays;
    private final int stride;
    private final int most;
    /** Least recently seen first. */
    private final LinkedHashMap<String, Track> tracks = new LinkedHashMap<>(16, 0.75f, true);

    private double interval;
    private long forgotten;

    /** One open trajectory. */
    private static final class Track {
        private final DelayVectors vectors;
        private double step;
        private double time;

        Track(DelayVectors vectors) {
            this.vectors = vectors;
        }
    }

    /**
     * What became of a record: a start, a pair, a refusal, or a start with a remark.
     *
     * @param x the first state of a pair; null when there is none
     * @param xNext the newest state; null when it is not complete or was refused
     * @param rejected the refusal or remark; null when there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on within one call, never compared
    record Pairing(double[] x, double[] xNext, RejectedSample rejected) {

        boolean isPair() {
            return x != null && xNext != null;
        }
    }

    Trajectories(int dimension, int delays, int stride, double interval, int most) {
        this.dimension = dimension;
        this.delays = delays;
        this.stride = stride;
        this.interval = interval;
        this.most = most;
    }

    static Trajectories of(LearnSettings settings) {
        return new Trajectories(
                settings.observationDimension(),
                settings.start().labels().delays(),
                settings.start().labels().stride(),
                settings.interval(),
                settings.openTrajectories());
    }

    /** The same trajectories with room for another number of them. */
    Trajectories withRoomFor(int count) {
        Trajectories others = new Trajectories(dimension, delays, stride, interval, count);
        others.forgotten = forgotten;
        tracks.forEach((name, track) -> others.tracks.put(name, copy(track)));
        others.forgetEldest();
        return others;
    }

    int most() {
        return most;
    }

    Trajectories copy() {
        return withRoomFor(most);
    }

    private Track copy(Track track) {
        Track copy = new Track(new DelayVectors(dimension, delays, stride));
        for (double[] observation : track.vectors.recent()) {
            copy.vectors.add(observation);
        }
        copy.step = track.step;
        copy.time = track.time;
        return copy;
    }

    /** Trajectories that were given up because too many were open. */
    long forgotten() {
        return forgotten;
    }

    /** Takes the next record of the key. Nothing it does can be an exception: whatever is wrong is in the answer. */
    Pairing next(String key, SampleEvent event) {
        if (event.state == null) {
            interrupt(event);
            return refusal(key, event, Reason.NULL, "the record has no state; its trajectory begins anew");
        }
        if (Double.isInfinite(event.step) || Double.isInfinite(event.time)) {
            return refusal(key, event, Reason.NOT_FINITE, "step " + event.step + ", time " + event.time);
        }
        return event.next != null ? explicit(key, event) : follow(key, event);
    }

    private Pairing explicit(String key, SampleEvent event) {
        if (delays > 0 && !event.embedded) {
            return refusal(
                    key,
                    event,
                    Reason.PAIR_WITH_DELAYS,
                    "states are made of " + (delays + 1)
                            + " observations, which a pair does not have; send a trajectory");
        }
        return new Pairing(event.state, event.next, null);
    }

    private Pairing follow(String key, SampleEvent event) {
        Track track = tracks.get(name(event));
        RejectedSample remark = null;
        if (track != null) {
            Succession succession = succession(track, event);
            if (succession == Succession.REPEATS || succession == Succession.EARLIER) {
                boolean repeats = succession == Succession.REPEATS;
                return refusal(
                        key,
                        event,
                        repeats ? Reason.DUPLICATE : Reason.OUT_OF_ORDER,
                        where(event) + (repeats ? " was there already" : " comes after " + where(track))
                                + "; it is left out");
            }
            if (succession == Succession.GAP) {
                if (track.vectors.recent().length > 0) {
                    remark = RejectedSample.of(
                            key, event, Reason.GAP, where(event) + " after " + where(track) + ": no pair over the gap");
                }
                track.vectors.clear();
            }
        } else {
            track = new Track(new DelayVectors(dimension, delays, stride));
            tracks.put(name(event), track);
            forgetEldest();
        }
        track.step = event.step;
        track.time = event.time;
        double[] x = track.vectors.isComplete() ? track.vectors.current() : null;
        try {
            track.vectors.add(event.state);
        } catch (InvalidSampleException e) {
            track.vectors.clear();
            return refusal(key, event, Reason.of(e.reason()), e.getMessage() + "; its trajectory begins anew");
        }
        return new Pairing(x, track.vectors.isComplete() ? track.vectors.current() : null, remark);
    }

    private Succession succession(Track track, SampleEvent event) {
        if (!Double.isNaN(event.step) || !Double.isNaN(track.step)) {
            return Succession.ofSteps(track.step, event.step);
        }
        if (Double.isNaN(event.time) && Double.isNaN(track.time)) {
            return Succession.FOLLOWS;
        }
        if (Double.isNaN(interval) && event.time > track.time) {
            interval = event.time - track.time;
        }
        return Succession.ofTimes(track.time, event.time, interval);
    }

    private static String where(SampleEvent event) {
        return Double.isNaN(event.step) ? "time " + event.time : "step " + event.step;
    }

    private static String where(Track track) {
        return Double.isNaN(track.step) ? "time " + track.time : "step " + track.step;
    }

    private static Pairing refusal(String key, SampleEvent event, Reason reason, String message) {
        return new Pairing(null, null, RejectedSample.of(key, event, reason, message));
    }

    /** No pair with what came before, in any trajectory if a record without a state names none: the record's own value was refused. */
    void interrupt(SampleEvent event) {
        if (event.state == null && event.trajectory == null) {
            tracks.values().forEach(each -> each.vectors.clear());
        }
        Track track = tracks.get(name(event));
        if (track != null) {
            track.vectors.clear();
        }
    }

    private static String name(SampleEvent event) {
        return event.trajectory == null ? "" : event.trajectory;
    }

    private void forgetEldest() {
        while (tracks.size() > most) {
            tracks.remove(tracks.keySet().iterator().next());
            forgotten++;
        }
    }

    void writeTo(DataOutput target) throws IOException {
        target.writeInt(dimension);
        target.writeInt(delays);
        target.writeInt(stride);
        target.writeInt(most);
        target.writeDouble(interval);
        target.writeLong(forgotten);
        target.writeInt(tracks.size());
        for (Map.Entry<String, Track> entry : tracks.entrySet()) {
            Track track = entry.getValue();
            Wire.writeText(target, entry.getKey());
            target.writeDouble(track.step);
            target.writeDouble(track.time);
            double[][] recent = track.vectors.recent();
            target.writeInt(recent.length);
            for (double[] observation : recent) {
                for (double coordinate : observation) {
                    target.writeDouble(coordinate);
                }
            }
        }
    }

    static Trajectories readFrom(DataInput source) throws IOException {
        int dimension = Wire.readCount(source, "coordinates", 1, 1 << 17);
        int delays = Wire.readCount(source, "delays", 0, 100_000);
        int stride = Wire.readCount(source, "stride", 1, 100_000);
        int most = Wire.readCount(source, "trajectories", 1, Integer.MAX_VALUE);
        Trajectories trajectories = new Trajectories(dimension, delays, stride, source.readDouble(), most);
        trajectories.forgotten = source.readLong();
        int count = Wire.readCount(source, "open trajectories", 0, most);
        double[] observation = new double[dimension];
        for (int i = 0; i < count; i++) {
            String name = Wire.readText(source);
            Track track = new Track(new DelayVectors(dimension, delays, stride));
            track.step = source.readDouble();
            track.time = source.readDouble();
            int observations = Wire.readCount(source, "observations", 0, delays * stride + 1);
            for (int k = 0; k < observations; k++) {
                for (int c = 0; c < dimension; c++) {
                    observation[c] = source.readDouble();
                }
                track.vectors.add(observation);
            }
            trajectories.tracks.put(name, track);
        }
        return trajectories;
    }
}
