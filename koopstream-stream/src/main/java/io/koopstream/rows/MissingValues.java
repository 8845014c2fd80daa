package io.koopstream.rows;

import io.koopstream.InvalidStateException;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Observations of which values are missing, until it is known what comes after them: short runs are filled in between two that are
 * whole, more are a gap. One writer.
 */
public final class MissingValues {

    private final Fill fill;
    private final int longest;
    private final int maxOpen;
    /** Least recently seen first. */
    private final LinkedHashMap<String, Track> tracks = new LinkedHashMap<>(16, 0.75f, true);

    /** Way to fill in a missing value. */
    public enum Fill {
        /** Not at all. */
        NONE,
        /** On a line between the values before and after. */
        LINEAR,
        /** With the value before. */
        PREVIOUS
    }

    /**
     * Memory of one trajectory.
     *
     * @param whole the last observation without a missing value
     * @param pending those since, oldest first
     */
    public record Track(Observation whole, List<Observation> pending) {

        /** Keeps its own list. */
        public Track {
            pending = List.copyOf(pending);
        }

        /** @param withRows whether row numbers are saved */
        public void save(StateSink.Ordered sink, boolean withRows) {
            whole.save(sink, withRows);
            sink.list("pending", pending, one -> one.save(sink, withRows));
        }

        /** Reads what {@link #save} wrote. */
        public static Track read(StateSource.Ordered source) {
            return new Track(Observation.read(source), source.list("pending", () -> Observation.read(source)));
        }

        /** Refuses what cannot be remembered. */
        void requireOf(int dimension, int longest) {
            whole.requireDimension(dimension);
            for (Observation one : pending) {
                InvalidStateException.require(
                        one.isMissing()
                                && one.values().length == dimension
                                && one.trajectory().equals(whole.trajectory()),
                        "missing",
                        "an observation that is not one with missing values");
            }
            InvalidStateException.require(
                    pending.size() <= longest && !whole.isMissing() && !whole.isPair(),
                    "missing",
                    pending.size() + " observations in a row");
        }
    }

    /** Nothing seen yet. */
    public MissingValues(Fill fill, int longest, int maxOpen) {
        this.fill = fill;
        this.longest = longest;
        this.maxOpen = maxOpen;
    }

    /** Takes an observation of which values are missing; false when it is a gap: nothing of its trajectory can be filled in then. */
    public boolean hold(Observation observation) {
        if (observation.isPair() || fill == Fill.NONE) {
            return observation.isPair();
        }
        Track track = tracks.get(observation.trajectory());
        if (track == null || observation.isFirst() || track.pending.size() == longest) {
            tracks.remove(observation.trajectory());
            return false;
        }
        List<Observation> pending = new ArrayList<>(track.pending);
        pending.add(observation.copy());
        tracks.put(observation.trajectory(), new Track(track.whole, pending));
        return true;
    }

    /** The observations that can be filled in now that a whole one has come, oldest first. */
    public List<Observation> before(Observation whole) {
        if (fill == Fill.NONE || whole.isPair()) {
            return List.of();
        }
        Track track = tracks.put(whole.trajectory(), new Track(whole.copy(), List.of()));
        if (tracks.size() > maxOpen) {
            tracks.remove(tracks.keySet().iterator().next());
        }
        return track == null || track.pending.isEmpty() || whole.isFirst() ? List.of() : filled(track, whole.values());
    }

    private List<Observation> filled(Track track, double[] after) {
        int pending = track.pending.size();
        double[][] rows = new double[pending][];
        for (int i = 0; i < pending; i++) {
            rows[i] = track.pending.get(i).values().clone();
        }
        for (int c = 0; c < after.length; c++) {
            int known = -1;
            double value = track.whole.values()[c];
            for (int i = 0; i <= pending; i++) {
                double here = i == pending ? after[c] : rows[i][c];
                if (!Double.isNaN(here)) {
                    for (int k = known + 1; k < i; k++) {
                        double share = fill == Fill.PREVIOUS ? 0 : (double) (k - known) / (i - known);
                        rows[k][c] = (1 - share) * value + share * here;
                    }
                    known = i;
                    value = here;
                }
            }
        }
        List<Observation> whole = new ArrayList<>(pending);
        for (int i = 0; i < pending; i++) {
            Observation one = track.pending.get(i);
            whole.add(Observation.at(one.trajectory(), one.step(), one.time(), rows[i])
                    .withRow(one.row()));
        }
        return whole;
    }

    /** Nothing is filled in over this; null stands for any trajectory. */
    public void interrupt(String trajectory) {
        if (trajectory == null) {
            tracks.clear();
        } else {
            tracks.remove(trajectory);
        }
    }

    /** Everything needed to continue, least recently seen first. */
    public List<Track> capture() {
        return List.copyOf(tracks.values());
    }

    /** Restores a saved state. */
    public void resume(List<Track> stored) {
        stored.forEach(track -> tracks.put(track.whole.trajectory(), track));
    }

    /** Refuses tracks that these settings do not have. */
    public static void require(List<Track> tracks, Fill fill, int longest, int dimension) {
        Set<String> names = new HashSet<>();
        for (Track track : tracks) {
            InvalidStateException.require(
                    fill != Fill.NONE && names.add(track.whole.trajectory()),
                    "missing",
                    "observations that are not to be filled in");
            track.requireOf(dimension, longest);
        }
    }
}
