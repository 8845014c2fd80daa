package io.koopstream.io.samples;

import io.koopstream.InvalidSampleException;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.Learner;
import io.koopstream.learner.TrajectoryFeeder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Feeds rows to a learner as pairs. Two rows are a pair only when they belong to one trajectory and follow each other: steps differ by
 * one, or times by about the usual interval, or, when neither is given, nothing bad came between them. States may be made of several rows
 * (delay vectors). One writer.
 */
public final class SampleFeeder {

    /** Trajectories that are followed at once; one that has not been seen for as many others is forgotten and starts anew. */
    private static final int MOST_OPEN = 100_000;

    private final String source;
    private final List<String> names;
    private final Learner<?> learner;
    private final int delays;
    private final int stride;
    private final Map<String, Track> tracks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Track> eldest) {
            return size() > MOST_OPEN;
        }
    };
    private String currentName;
    private Track current;
    private final RowSuccession succession;
    private long pairs;
    private long gaps;

    /** One trajectory: what feeds its pairs, and where it stands. */
    private final class Track {
        /** One of the two: rows are the states, or parts of them. */
        private final TrajectoryFeeder states;

        private final DelayEmbedding observations;
        private boolean started;
        private double step = Double.NaN;
        private double time = Double.NaN;
        private double[] last;

        Track() {
            states = delays == 0 ? new TrajectoryFeeder(learner) : null;
            observations = delays == 0 ? null : new DelayEmbedding(learner, delays, stride);
        }

        boolean next(double[] row) {
            if (states != null) {
                boolean pair = states.next(row);
                last = row;
                return pair;
            }
            last = null;
            boolean pair = observations.next(row);
            last = observations.isComplete() ? observations.current() : null;
            return pair;
        }

        void interrupt() {
            if (states == null) {
                observations.breakTrajectory();
            } else {
                states.breakTrajectory();
            }
        }
    }

    /**
     * @param reader where the rows come from
     * @param learner what learns from them
     * @param interval the usual time between two rows, or not-a-number to take it from the first two
     */
    public SampleFeeder(SampleReader reader, Learner<?> learner, double interval) {
        this(reader, learner, interval, 0, 1);
    }

    /**
     * A feeder of delay vectors (o_t, o_{t−s}, …, o_{t−ks}), see {@link DelayEmbedding}.
     *
     * @param delays k, how many earlier rows a state holds; 0 for none
     * @param stride s, steps between them
     */
    public SampleFeeder(SampleReader reader, Learner<?> learner, double interval, int delays, int stride) {
        if (delays > 0 && reader.isPairs()) {
            throw new SampleFormatException(
                    reader.source(), "rows are pairs, and delays need trajectories; leave out the delays");
        }
        this.delays = delays;
        this.stride = stride;
        this.source = reader.source();
        this.names = reader.names();
        this.learner = learner;
        this.succession = new RowSuccession(interval);
    }

    /**
     * Learns from a row what can be learned.
     *
     * @return whether it completed a pair
     * @throws BadRowException if the row's numbers cannot be used; its trajectory is interrupted then
     */
    public boolean accept(Sample sample) {
        try {
            boolean pair = sample.next() != null ? explicit(sample) : follow(sample);
            pairs += pair ? 1 : 0;
            return pair;
        } catch (InvalidSampleException e) {
            interrupt(sample.trajectory());
            String column = e.index() >= 0 && e.index() < names.size() ? names.get(e.index()) : null;
            throw new BadRowException(source, sample.row(), column, e.getMessage(), sample.trajectory());
        }
    }

    private boolean explicit(Sample sample) {
        learner.update(sample.state(), sample.next());
        return true;
    }

    private boolean follow(Sample sample) {
        Track track = track(sample.trajectory());
        succession.see(sample);
        if (track.started && succession.isGap(track.step, track.time, sample)) {
            gaps++;
            track.interrupt();
        }
        track.started = true;
        track.step = sample.step();
        track.time = sample.time();
        return track.next(sample.state());
    }

    private Track track(String name) {
        String key = name == null ? "" : name;
        if (current == null || !key.equals(currentName)) {
            currentName = key;
            current = tracks.computeIfAbsent(key, k -> new Track());
        }
        return current;
    }

    /** The state that the last row of a trajectory completed; empty while rows for a delay vector are missing. */
    public Optional<double[]> state(String trajectory) {
        Track track = tracks.get(trajectory == null ? "" : trajectory);
        return track == null ? Optional.empty() : Optional.ofNullable(track.last);
    }

    /** Nothing that comes pairs with what came before: in one trajectory, or in all when the name is unknown. */
    public void interrupt(String trajectory) {
        if (trajectory == null) {
            tracks.clear();
            current = null;
        } else {
            tracks.remove(trajectory);
            current = trajectory.equals(currentName) ? null : current;
        }
    }

    /** Pairs learned. */
    public long pairs() {
        return pairs;
    }

    /** Rows that did not follow the one before in their trajectory. */
    public long gaps() {
        return gaps;
    }

    /** The usual time between two rows, or not-a-number when the source has no times. */
    public double interval() {
        return succession.interval();
    }
}
