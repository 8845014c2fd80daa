package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
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
    private final LinkedHashMap<String, Track> tracks = new LinkedHashMap<>();

    private final UsualInterval interval;
    private long gaps;
    private long late;
    private long duplicates;
    private long forgotten;
    private Track givenUp;

    /** Bits of the code of a saved trajectory: an observation that came too late follows; a place other than the time follows. */
    private static final int LATE = 1;

    private static final int JITTERS = 2;

    /** One open trajectory. */
    private final class Track {
        private String name;
        private final DelayVectors vectors = newVectors();
        private double step = Double.NaN;
        private double time = Double.NaN;
        /** The time less the jitter of its clock, as {@link UsualInterval#place} estimates it. */
        private double place = Double.NaN;
        /** The newest state, with which the next one makes a pair; null when there is none. */
        private double[] previous;
        /** The level of the newest observation, where states are made of differences. */
        private double[] level;
        /** The last observation that came too late: the trajectory starts over with it if the next one follows it. */
        private Observation late;

        Track(String name) {
            this.name = name;
        }

        void begin() {
            vectors.clear();
            previous = null;
            level = null;
        }

        boolean isBegun() {
            return !vectors.isEmpty() || level != null;
        }

        void parts(StateParts parts) {
            name = parts.text("name", name);
            step = parts.number("step", step);
            time = parts.number("time", time);
            List<double[]> recent = parts.list(
                    "recent",
                    vectors.recent(),
                    (sink, row) -> sink.numbers("row", row),
                    source -> source.numbers("row"));
            double[] known = parts.numbers("level", level == null ? new double[0] : level);
            // States of rows that do not jitter are written as they were before there were places.
            boolean jitters = Double.compare(place, time) != 0;
            int code = parts.code("late", (late == null ? 0 : LATE) + (jitters ? JITTERS : 0));
            Trajectories.require(code <= LATE + JITTERS, "a trajectory of code " + code);
            late = (code & LATE) != 0
                    ? parts.part(late, (sink, one) -> one.save(sink, false), Observation::read)
                    : null;
            place = (code & JITTERS) != 0 ? parts.number("place", place) : time;
            if (parts.restores()) {
                restore(recent, known);
            }
        }

        private void restore(List<double[]> recent, double[] known) {
            Trajectories.require(recent.size() <= vectors.remembered(), recent.size() + " observations of one");
            for (double[] row : recent) {
                Rkhs.requirePoint(row, preparation.dimension(dimension), "observation");
                vectors.add(row);
            }
            previous = vectors.isComplete() ? vectors.current() : null;
            if (known.length > 0) {
                Trajectories.require(preparation.needsLevel(), "a level where states have no differences");
                Rkhs.requirePoint(known, dimension, "observation");
                level = known;
            }
            if (late != null) {
                Trajectories.require(!late.isUnreadable() && !late.isMissing(), "a late observation without values");
                late.requireDimension(dimension);
            }
        }

        Open open() {
            return new Open(
                    name,
                    step,
                    time,
                    vectors.recent().stream().map(double[]::clone).toList(),
                    level == null ? List.of() : Arrays.stream(level).boxed().toList());
        }
    }

    /**
     * An open trajectory as it stands.
     *
     * @param name its name
     * @param step of its newest observation
     * @param time of its newest observation
     * @param recent the observations that are remembered as they were prepared, oldest first
     * @param level of its newest observation, where states are made of differences; empty elsewhere
     */
    public record Open(String name, double step, double time, List<double[]> recent, List<Double> level) {

        /** Keeps its own lists. */
        public Open {
            recent = List.copyOf(recent);
            level = List.copyOf(level);
        }
    }

    /**
     * No trajectory yet.
     *
     * @param dimension coordinates of an observation
     * @param domain the space whose points observations must be; null where any point will do
     * @param delays earlier observations that are part of a state, >= 0
     * @param stride steps between them, >= 1
     * @param usual the usual time between two observations; NaN to find it
     * @param maxGap largest gap between observations that follow each other
     * @param maxOpen trajectories followed at once
     */
    public Trajectories(
            Preparation prepared,
            int dimension,
            Rkhs domain,
            int delays,
            int stride,
            double usual,
            MaxGap maxGap,
            int maxOpen) {
        DelayVectors.requireLegal(delays, stride);
        this.domain = domain;
        this.dimension = dimension;
        this.preparation = prepared;
        this.delays = delays;
        this.stride = stride;
        this.interval = new UsualInterval(usual, maxGap);
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
        return givenUp == null ? null : givenUp.open();
    }

    /**
     * Takes the next observation, of a trajectory or an explicit pair.
     *
     * @return its outcome, {@link Outcome.Kind#WAITING} with a pair
     * @throws InvalidSampleException if it is no point; the caller {@linkplain #interrupt interrupts} its trajectory then
     */
    public Outcome next(Observation observation) {
        if (observation.isUnreadable()) {
            interrupt(observation.trajectory());
            return Outcome.unreadable();
        }
        if (observation.isMissing() && observation.values().length == dimension) {
            if (!observation.isPair()) {
                interrupt(observation.trajectory());
            }
            return Outcome.missing();
        }
        if (observation.isPair()) {
            return explicit(observation);
        }
        // Before anything changes: what is refused leaves no trace but the interruption.
        require(observation);
        preparation.require(observation);
        double[] level = level(observation.values());
        if (observation.isFirst()) {
            interrupt(observation.trajectory());
        }
        Track track = track(observation.trajectory());
        Outcome.Kind kind = Outcome.Kind.STARTED;
        String message = "";
        if (!hasStep(track.step, observation) || observation.step() - track.step == 1) {
            interval.saw(track.time, observation.time());
        }
        Succession succession = succession(track.step, track.time, track.place, observation);
        boolean restarts = track.late != null
                && succession != Succession.FOLLOWS
                && succession(track.late.step(), track.late.time(), track.late.time(), observation)
                        == Succession.FOLLOWS;
        if (restarts) {
            late--;
            gaps++;
            track.begin();
            add(track, track.late, preparation.level(track.late.values()));
        } else if (succession == Succession.REPEATS || succession == Succession.EARLIER) {
            return leftOut(track, succession, observation);
        } else if (succession == Succession.GAP && track.isBegun()) {
            kind = Outcome.Kind.GAP;
            message = observation.place() + " after " + Observation.place(track.step, track.time)
                    + ": no pair over the gap";
            gaps++;
            track.begin();
        }
        track.late = null;
        double[] before = track.previous;
        add(track, observation, level);
        double[] state = track.previous;
        return before != null && state != null
                ? new Outcome(Outcome.Kind.WAITING, null, -1, "", before, state)
                : new Outcome(kind, null, -1, message, null, state);
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
        return new Outcome(Outcome.Kind.WAITING, null, -1, "", level(observation.values()), level(observation.next()));
    }

    private double[] level(double[] values) {
        return preparation.isNone() ? values : preparation.level(values);
    }

    private Outcome leftOut(Track track, Succession succession, Observation observation) {
        if (succession == Succession.REPEATS) {
            duplicates++;
            return Outcome.of(Outcome.Kind.DUPLICATE, observation.place() + " was there already; it is left out");
        }
        late++;
        track.late = observation.copy();
        return Outcome.of(
                Outcome.Kind.LATE,
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
        track.place = interval.place(track.place, track.time);
        track.previous = track.vectors.isComplete() ? track.vectors.current() : null;
    }

    private Succession succession(double step, double time, double place, Observation observation) {
        double passed = observation.step() - step;
        return hasStep(step, observation)
                ? Succession.of(passed, passed == 1)
                : interval.succession(time, place, observation.time());
    }

    private static boolean hasStep(double step, Observation observation) {
        return !Double.isNaN(observation.step()) || !Double.isNaN(step);
    }

    /** The trajectory of an observation, which is now the one seen last. */
    private Track track(String name) {
        Track found = tracks.remove(name);
        Track track = found == null ? new Track(name) : found;
        tracks.put(name, track);
        while (tracks.size() > maxOpen) {
            givenUp = tracks.remove(tracks.keySet().iterator().next());
            forgotten++;
        }
        return track;
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
        return trajectory != null
                ? tracks.remove(trajectory) != null
                : tracks.values()
                        .removeIf(track ->
                                Double.isNaN(track.step) && (Double.isNaN(track.time) || Double.isNaN(interval.get())));
    }

    /** The open trajectories, least recently seen first. */
    public List<Open> open() {
        return tracks.values().stream().map(Track::open).toList();
    }

    /** The open trajectory of this name. */
    public Optional<Open> open(String name) {
        return Optional.ofNullable(tracks.get(name)).map(Track::open);
    }

    /** The open trajectory that was seen last among those with enough observations for a state. */
    public Optional<Open> newest() {
        return tracks.values().stream()
                .filter(track -> track.vectors.isComplete())
                .reduce((before, track) -> track)
                .map(Track::open);
    }

    /** Continues where others with the same settings stand, which stay as they are; called on new trajectories. */
    public Trajectories resume(Trajectories stored) {
        return parts(StateParts.copied(stored::parts));
    }

    /**
     * Everything needed to continue beside the settings; restored into new trajectories with the same ones.
     *
     * @throws InvalidStateException for what no trajectories with these settings can have
     */
    public Trajectories parts(StateParts parts) {
        interval.parts(parts);
        gaps = parts.count("gaps", gaps);
        late = parts.count("late", late);
        duplicates = parts.count("duplicates", duplicates);
        forgotten = parts.count("forgotten", forgotten);
        List<Track> all = parts.states("open", tracks.values(), () -> new Track(""), track -> track.parts(parts));
        if (parts.restores()) {
            require(gaps >= 0 && late >= 0 && duplicates >= 0 && forgotten >= 0, "negative counts");
            all.forEach(track -> tracks.put(track.name, track));
        }
        return this;
    }

    private static void require(boolean holds, String problem) {
        InvalidStateException.require(holds, "trajectories", problem);
    }

    /** True if these are trajectories of such states. */
    public boolean isOf(Preparation prepared, int coordinates, int earlier, int steps) {
        return preparation.equals(prepared) && dimension == coordinates && delays == earlier && stride == steps;
    }
}
