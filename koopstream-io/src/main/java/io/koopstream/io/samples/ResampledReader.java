package io.koopstream.io.samples;

import io.koopstream.rows.Trajectories;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/** Rows of another reader at regular times, trajectory by trajectory. Times without rows are rows of missing values, unless there are too many to fill in. */
final class ResampledReader extends WrappedReader {

    /** More missing rows than this in a row are a gap. */
    private static final int MAX_MISSING = 1000;

    /** A time that is a whole multiple of the interval up to rounding counts as that multiple. */
    private static final double ROUNDING = 1e-9;

    private final Resampling resampling;
    private final Sample read = new Sample();
    /** One a trajectory, least recently seen first. */
    private final Map<String, Track> tracks = new LinkedHashMap<>(16, 0.75f, true);

    private final Queue<Sample> ready = new ArrayDeque<>();
    private boolean ended;

    /** The rows of a trajectory that the next new row is made of. */
    private static final class Track {
        private final Sample last = new Sample();
        /** Number of the interval in which the last row lies. */
        private long index;

        private double[] sums;
        private int[] counts;
    }

    ResampledReader(SampleReader rows, Resampling resampling) {
        super(rows);
        if (rows.isPairs()) {
            throw new SampleFormatException(rows.source(), "rows are pairs, and --resample needs rows in their order");
        }
        if (rows.timeStyle().isEmpty()) {
            throw new SampleFormatException(
                    rows.source(), "--resample needs times, and no column holds any; name it with --time");
        }
        this.resampling = resampling;
    }

    @Override
    public boolean read(Sample into) throws IOException {
        while (ready.isEmpty() && !ended) {
            if (rows.read(read)) {
                take();
            } else {
                ended = true;
                tracks.values().forEach(this::close);
            }
        }
        if (ready.isEmpty()) {
            return false;
        }
        into.copyOf(ready.remove());
        return true;
    }

    private void take() {
        if (!Double.isFinite(read.time())) {
            throw new BadRowException(
                    source(), read.row(), null, "has no time, which --resample needs", read.trajectory());
        }
        Track track = tracks.get(read.trajectory());
        boolean first = track == null;
        if (first) {
            track = new Track();
            tracks.put(read.trajectory(), track);
            if (tracks.size() > Trajectories.DEFAULT_OPEN) {
                close(tracks.remove(tracks.keySet().iterator().next()));
            }
        }
        long index = (long) Math.floor(read.time() / resampling.interval() + ROUNDING);
        if (resampling.how() == Resampling.How.LINEAR) {
            interpolate(track, first, index);
        } else if (first || index != track.index) {
            if (!first) {
                close(track);
                missing(track, track.index + 1, index);
            }
            track.sums = new double[read.state().length];
            track.counts = new int[read.state().length];
        }
        track.index = index;
        if (track.sums != null) {
            collect(track);
        }
        track.last.copyOf(read);
    }

    private void collect(Track track) {
        for (int c = 0; c < track.sums.length; c++) {
            double value = read.state()[c];
            if (!Double.isNaN(value)) {
                boolean mean = resampling.how() == Resampling.How.MEAN;
                track.sums[c] = mean ? track.sums[c] + value : value;
                track.counts[c] = mean ? track.counts[c] + 1 : 1;
            }
        }
    }

    /** Makes the row of the interval that ends, of means or last values; of interpolated ones nothing is left to make. */
    private void close(Track track) {
        if (track.sums != null) {
            double[] values = new double[track.sums.length];
            Arrays.setAll(values, c -> track.counts[c] == 0 ? Double.NaN : track.sums[c] / track.counts[c]);
            add(track.last, track.index, values);
        }
    }

    private void missing(Track track, long from, long to) {
        for (long index = from; to - from <= MAX_MISSING && index < to; index++) {
            double[] values = new double[read.state().length];
            Arrays.fill(values, Double.NaN);
            add(track.last, index, values);
        }
    }

    /** Rows at the times after the row before, up to this one. */
    private void interpolate(Track track, boolean first, long index) {
        double interval = resampling.interval();
        if (first) {
            if (Math.abs(index * interval - read.time()) <= ROUNDING * interval) {
                add(read, index, read.state().clone());
            }
            return;
        }
        double before = track.last.time();
        double passed = read.time() - before;
        if (passed > 2 * interval) {
            missing(track, track.index + 1, index);
            return;
        }
        for (long k = track.index + 1; k <= index; k++) {
            double time = k * interval;
            double share = (time - before) / passed;
            boolean near = time - before <= interval && read.time() - time <= interval;
            double[] values = new double[read.state().length];
            Arrays.setAll(
                    values, c -> near ? (1 - share) * track.last.state()[c] + share * read.state()[c] : Double.NaN);
            add(read, k, values);
        }
    }

    private void add(Sample like, long index, double[] values) {
        Sample made = new Sample();
        made.copyOf(like);
        made.setStep(Double.NaN);
        made.setTime(index * resampling.interval());
        System.arraycopy(values, 0, made.state(), 0, values.length);
        ready.add(made);
    }
}
