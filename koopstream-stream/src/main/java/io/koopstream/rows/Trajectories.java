package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Rkhs;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Turns observations into states and pairs: a pair needs two observations of one trajectory that follow each other, and nothing bad between them.
 * States are the observations themselves or delay vectors of them. Remembers of every open trajectory what the next pair needs. One writer.
 */
public final class Trajectories {

    /** Trajectories that are followed at once unless said otherwise; the one not seen for longest is forgotten first. */
    public static final int DEFAULT_OPEN = 10_000;

    /** The time of an observation without place in a trajectory whose others have one: nothing follows it. */
    private static final double NOWHERE = Double.NEGATIVE_INFINITY;

    /** The space whose points observations must be; null where any point will do. */
    private final Rkhs domain;

    private final int dimension;
    private final Preparation preparation;
    private final int delays;
    private final int stride;
    private final int maxOpen;
    /** Least recently seen first. */
    private final LinkedHashMap<String, Track> tracks = new LinkedHashMap<>(16, 0.75f, true);

    private Track current;
    private final UsualInterval interval;
    private long gaps;
    private long late;
    private long duplicates;
    private long forgotten;
    private double[] from;
    private double[] state;
    private Track givenUp;

    /** One open trajectory. */
    private static final class Track {
        private final String name;
        private final DelayVectors vectors;
        private double step = Double.NaN;
        private double time = Double.NaN;
        /** The newest state, with which the next one makes a pair; null when there is none. */
        private double[] previous;
        /** The level of the newest observation, where states are made of differences. */
        private double[] level;
        /** The last observation that came too late: the trajectory starts over with it if the next one follows it. */
        private Observation late;

        Track(String name, DelayVectors vectors) {
            this.name = name;
            this.vectors = vectors;
        }

        void begin() {
            vectors.clear();
            previous = null;
            level = null;
        }

        boolean isBegun() {
            return !vectors.isEmpty() || level != null;
        }
    }

    /**
     * No trajectory yet.
     *
     * @param dimension coordinates of an observation
     * @param domain the space whose points observations must be; null where any point will do
     * @param delays earlier observations that are part of a state, >= 0
     * @param stride steps between them, >= 1
     * @param usual the usual time between two observations
     * @param maxOpen trajectories followed at once
     */
    public Trajectories(
            Preparation prepared,
            int dimension,
            Rkhs domain,
            int delays,
            int stride,
            UsualInterval usual,
            int maxOpen) {
        DelayVectors.requireLegal(delays, stride);
        this.domain = domain;
        this.dimension = dimension;
        this.preparation = prepared;
        this.delays = delays;
        this.stride = stride;
        this.interval = usual;
        this.maxOpen = maxOpen;
        preparation.requireOf(dimension);
    }

    /** Coordinates of an observation. */
    public int dimension() {
        return dimension;
    }

    private void require(Observation observation) {
        if (domain == null) {
            observation.requireDimension(dimension);
        } else {
            observation.requireIn(domain);
        }
    }

    /** The usual time between two observations, or NaN while it is unknown. */
    public double interval() {
        return interval.get();
    }

    /** Observations that did not follow the one before. */
    public long gaps() {
        return gaps;
    }

    /** Observations that came too late and were left out. */
    public long late() {
        return late;
    }

    /** Observations that were there already and were left out. */
    public long duplicates() {
        return duplicates;
    }

    /** Trajectories that were given up because too many were open. */
    public long forgotten() {
        return forgotten;
    }

    /** The trajectory that was given up last, as it stood, because too many were open; null when none was since the start or a resumption. */
    public Open lastGivenUp() {
        return givenUp == null ? null : open(givenUp);
    }

    /** The first state of the pair that the last observation made; null when it made none. */
    public double[] from() {
        return from;
    }

    /** The state that the last observation completed; null when it completed none. */
    public double[] state() {
        return state;
    }

    /**
     * The prepared observations of the trajectory up to the last one that are remembered, oldest first, at least as many as a state is made of; null when
     * there are too few, or the last observation began, continued or made no trajectory.
     */
    public double[][] history() {
        return state == null || current == null ? null : current.vectors.recent();
    }

    /**
     * Takes the next observation, of a trajectory or an explicit pair.
     *
     * @return {@link Outcome.Kind#WAITING} when {@link #from()} and {@link #state()} are a pair now
     * @throws InvalidSampleException if it is no point; the caller {@linkplain #interrupt interrupts} its trajectory then
     */
    public Outcome next(Observation observation) {
        from = null;
        state = null;
        if (observation.isUnreadable()) {
            interrupt(observation.trajectory());
            return Outcome.UNREADABLE;
        }
        if (observation.isMissing() && observation.values().length == dimension) {
            if (!observation.isPair()) {
                interrupt(observation.trajectory());
            }
            return Outcome.MISSING;
        }
        if (observation.isPair()) {
            return explicit(observation);
        }
        // Before anything changes: what is refused leaves no trace but the interruption.
        require(observation);
        preparation.require(observation);
        double[] level = preparation.isNone() ? observation.values() : preparation.level(observation.values());
        if (observation.isFirst()) {
            interrupt(observation.trajectory());
        }
        Track track = track(observation.trajectory());
        Outcome remark = Outcome.STARTED;
        if (!hasStep(track.step, observation) || observation.step() - track.step == 1) {
            interval.saw(track.time, observation.time());
        }
        Succession succession = succession(track.step, track.time, observation);
        boolean restarts = track.late != null
                && succession != Succession.FOLLOWS
                && succession(track.late.step(), track.late.time(), observation) == Succession.FOLLOWS;
        if (restarts) {
            late--;
            gaps++;
            track.begin();
            add(track, track.late, preparation.level(track.late.values()));
        } else if (succession == Succession.REPEATS || succession == Succession.EARLIER) {
            return leftOut(track, succession, observation);
        } else if (succession == Succession.GAP && track.isBegun()) {
            remark = gap(observation.place() + " after " + Observation.place(track.step, track.time));
            track.begin();
        }
        track.late = null;
        from = track.previous;
        add(track, observation, level);
        state = track.previous;
        from = state == null ? null : from;
        return from != null ? Outcome.WAITING : remark;
    }

    private Outcome explicit(Observation observation) {
        if (delays > 0 || preparation.needsLevel()) {
            throw new InvalidSampleException(
                    Reason.PAIR_WITH_DELAYS,
                    -1,
                    "states are made of " + (delays + (preparation.needsLevel() ? 2 : 1))
                            + " observations, which a pair does not have; send a trajectory");
        }
        require(observation);
        preparation.require(observation);
        if (preparation.isNone()) {
            from = observation.values();
            state = observation.next();
        } else {
            from = preparation.level(observation.values());
            state = preparation.level(observation.next());
        }
        return Outcome.WAITING;
    }

    private Outcome gap(String where) {
        gaps++;
        return new Outcome(Outcome.Kind.GAP, null, -1, where + ": no pair over the gap");
    }

    private Outcome leftOut(Track track, Succession succession, Observation observation) {
        boolean repeats = succession == Succession.REPEATS;
        if (repeats) {
            duplicates++;
            return new Outcome(
                    Outcome.Kind.DUPLICATE, null, -1, observation.place() + " was there already; it is left out");
        }
        late++;
        track.late = observation.copy();
        return new Outcome(
                Outcome.Kind.LATE,
                null,
                -1,
                observation.place() + " comes after " + Observation.place(track.step, track.time)
                        + "; it is left out unless the next one follows it");
    }

    private void add(Track track, Observation observation, double[] level) {
        boolean placed = !Double.isNaN(track.step) || !Double.isNaN(track.time);
        double[] row = preparation.isNone() ? level : preparation.prepared(level, track.level, observation.time());
        if (row != null) {
            track.vectors.add(row);
        }
        track.level = preparation.needsLevel() ? level : null;
        track.step = observation.step();
        track.time = observation.time();
        if (placed && Double.isNaN(track.step) && Double.isNaN(track.time)) {
            track.time = NOWHERE;
        }
        track.previous = track.vectors.isComplete() ? track.vectors.current() : null;
    }

    private Succession succession(double step, double time, Observation observation) {
        return hasStep(step, observation)
                ? Succession.ofSteps(step, observation.step())
                : interval.succession(time, observation.time());
    }

    private static boolean hasStep(double step, Observation observation) {
        return !Double.isNaN(observation.step()) || !Double.isNaN(step);
    }

    private Track track(String name) {
        if (current == null || !current.name.equals(name)) {
            current = tracks.get(name);
            if (current == null) {
                current = new Track(name, newVectors());
                tracks.put(name, current);
                while (tracks.size() > maxOpen) {
                    givenUp = tracks.remove(tracks.keySet().iterator().next());
                    forgotten++;
                }
            }
        }
        return current;
    }

    private DelayVectors newVectors() {
        return new DelayVectors(preparation.dimension(dimension), delays, stride);
    }

    /**
     * Nothing that comes in a trajectory pairs with what came before: it starts over, wherever its steps and times begin. When the name is null, any
     * trajectory may be meant; those whose steps or times will show that something is missing continue.
     *
     * @return whether there was anything to pair with
     */
    public boolean interrupt(String trajectory) {
        current = null;
        return trajectory != null
                ? tracks.remove(trajectory) != null
                : tracks.values()
                        .removeIf(track ->
                                Double.isNaN(track.step) && (Double.isNaN(track.time) || Double.isNaN(interval.get())));
    }

    /**
     * One open trajectory as it is stored.
     *
     * @param name its name
     * @param step of its newest observation
     * @param time of its newest observation
     * @param recent the observations that are remembered as they were prepared, oldest first
     * @param level of its newest observation, where states are made of differences; empty elsewhere
     * @param late one that came too late and may be the beginning of another; null when there is none
     */
    public record Open(
            String name, double step, double time, List<double[]> recent, List<Double> level, Observation late) {

        /** Keeps its own list. */
        public Open {
            recent = List.copyOf(recent);
            level = List.copyOf(level);
        }

        private void save(StateSink.Ordered sink) {
            sink.text("name", name);
            sink.number("step", step);
            sink.number("time", time);
            sink.list("recent", recent, row -> sink.numbers("row", row));
            sink.numbers("level", numbers(level));
            sink.flag("late", late != null);
            if (late != null) {
                late.save(sink, false);
            }
        }

        private static Open read(StateSource.Ordered source) {
            return new Open(
                    source.text("name"),
                    source.number("step"),
                    source.number("time"),
                    source.list("recent", () -> source.numbers("row")),
                    boxed(source.numbers("level")),
                    source.flag("late") ? Observation.read(source) : null);
        }
    }

    /**
     * Everything needed to continue beside the settings.
     *
     * @param interval usual time between two observations; NaN while it is not fixed
     * @param differences times between the first observations, while they decide on the interval
     * @param gaps observations that did not follow the one before
     * @param late observations that came too late
     * @param duplicates observations that were there already
     * @param forgotten trajectories given up
     * @param open the open ones, least recently seen first
     */
    public record State(
            double interval,
            List<Double> differences,
            long gaps,
            long late,
            long duplicates,
            long forgotten,
            List<Open> open) {

        /** Keeps its own list; refuses counts that cannot be. */
        public State {
            open = List.copyOf(open);
            differences = List.copyOf(differences);
            UsualInterval.require(interval, differences);
            if (gaps < 0 || late < 0 || duplicates < 0 || forgotten < 0) {
                throw new InvalidStateException("trajectories", "negative counts");
            }
        }

        /** Writes all of it. */
        public void save(StateSink.Ordered sink) {
            sink.number("interval", interval);
            sink.numbers("differences", numbers(differences));
            sink.count("gaps", gaps);
            sink.count("late", late);
            sink.count("duplicates", duplicates);
            sink.count("forgotten", forgotten);
            sink.list("open", open, one -> one.save(sink));
        }

        /** Reads what {@link #save} wrote. */
        public static State read(StateSource.Ordered source) {
            return new State(
                    source.number("interval"),
                    boxed(source.numbers("differences")),
                    source.count("gaps"),
                    source.count("late"),
                    source.count("duplicates"),
                    source.count("forgotten"),
                    source.list("open", () -> Open.read(source)));
        }

        /** Refuses observations of another dimension, or more of them than are remembered. */
        public void requireOf(Preparation preparation, int dimension, long mostRecent) {
            int prepared = preparation.dimension(dimension);
            for (Open one : open) {
                if (one.recent.size() > mostRecent
                        || (one.late != null && (one.late.isUnreadable() || one.late.isMissing()))
                        || (!one.level.isEmpty() && !preparation.needsLevel())) {
                    throw new InvalidStateException("trajectories", one.recent.size() + " observations of one");
                }
                one.recent.forEach(row -> Rkhs.requirePoint(row, prepared, "observation"));
                if (!one.level.isEmpty()) {
                    Rkhs.requirePoint(numbers(one.level), dimension, "observation");
                }
                if (one.late != null) {
                    one.late.requireDimension(dimension);
                }
            }
        }
    }

    private static List<Double> boxed(double[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    private static double[] numbers(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Everything needed to continue, as an immutable value. */
    public State capture() {
        List<Open> open = new ArrayList<>(tracks.size());
        tracks.values().forEach(track -> open.add(open(track)));
        return new State(interval.fixed(), interval.differences(), gaps, late, duplicates, forgotten, open);
    }

    /** The open trajectory that was seen last among those with enough observations for a state; null when there is none. */
    public Open newest() {
        Track last = null;
        for (Track track : tracks.values()) {
            last = track.vectors.isComplete() ? track : last;
        }
        return last == null ? null : open(last);
    }

    /** The open trajectory of this name. */
    public Optional<Open> open(String name) {
        // Not by get, which would count as use: the order of use decides which trajectory is given up.
        return tracks.values().stream()
                .filter(track -> track.name.equals(name))
                .findFirst()
                .map(Trajectories::open);
    }

    private static Open open(Track track) {
        return new Open(
                track.name,
                track.step,
                track.time,
                List.of(track.vectors.recent()),
                track.level == null ? List.of() : boxed(track.level),
                track.late);
    }

    /** Goes on from a stored state; called on new trajectories with the same settings. */
    public Trajectories resume(State stored) {
        interval.resume(stored.interval, stored.differences);
        gaps = stored.gaps;
        late = stored.late;
        duplicates = stored.duplicates;
        forgotten = stored.forgotten;
        for (Open open : stored.open) {
            Track track = new Track(open.name, newVectors());
            open.recent.forEach(track.vectors::add);
            track.previous = track.vectors.isComplete() ? track.vectors.current() : null;
            track.step = open.step;
            track.time = open.time;
            track.level = open.level.isEmpty() ? null : numbers(open.level);
            track.late = open.late;
            tracks.put(open.name, track);
        }
        return this;
    }
}
