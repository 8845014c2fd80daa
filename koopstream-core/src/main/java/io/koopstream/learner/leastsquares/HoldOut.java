package io.koopstream.learner.leastsquares;

import static io.koopstream.InvalidStateException.require;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;

/**
 * Pairs (x, x⁺) held out from a stream, so that what was learned can be judged on samples it has not seen, in runs of consecutive pairs. Which
 * pairs are kept is a function of their position in the stream and of the settings alone. Immutable; rows are copied out.
 */
public final class HoldOut {

    /** Nothing. */
    public static final HoldOut NOTHING = new HoldOut(List.of(), 0, 0);

    private final List<Run> runs;
    private final long seen;
    private final long offered;

    private HoldOut(List<Run> runs, long seen, long offered) {
        this.runs = runs;
        this.seen = seen;
        this.offered = offered;
    }

    /** Writes the pairs with their runs, and what followed those, part by part. */
    void save(StateSink sink, int input, int output, int observed) {
        sink.count("hold_out_seen", seen);
        sink.count("held_out", offered);
        sink.points("held_x", Points.of(input, inputs()));
        sink.points("held_x_next", Points.of(output, outputs()));
        sink.counts("held_run", runNumbers());
        sink.points("held_after", Points.of(observed, after()));
        sink.counts("held_after_run", afterRuns());
    }

    /**
     * Reads what {@link #save} wrote, all checked.
     *
     * @throws InvalidStateException naming the part at fault
     */
    static HoldOut read(StateSource source, HoldOutConfig config, Rkhs input, Rkhs output) {
        long seen = source.count("hold_out_seen");
        long offered = source.count("held_out");
        Points x = source.points("held_x");
        Points xNext = source.points("held_x_next");
        require(
                x.size() <= (long) config.slots() * HoldOutConfig.RUN,
                "held_out",
                x.size() + " pairs of " + offered + " that were held out");
        KeptSamples.requireMembers(input, x, "held_x");
        KeptSamples.requireMembers(output, xNext, "held_x_next");
        long[] numbers = source.counts("held_run");
        HoldOut all = of(
                seen,
                offered,
                new Rows(x, xNext, numbers),
                Rows.of(source.points("held_after"), source.counts("held_after_run")));
        require(all.runs.size() <= config.slots(), "held_run", all.runs.size() + " runs: some in excess");
        return all;
    }

    /** Writes the same row by row, as parts of one stream send it to each other. */
    void saveRows(StateSink.Ordered sink) {
        sink.count("seen", seen);
        sink.count("offered", offered);
        saveRows(sink, runNumbers(), inputs(), outputs());
        saveRows(sink, afterRuns(), after(), new double[0][]);
    }

    private static void saveRows(StateSink.Ordered sink, long[] runs, double[][] rows, double[][] nextRows) {
        sink.size("rows", rows.length);
        sink.size("dimension", rows.length == 0 ? 0 : rows[0].length);
        for (int i = 0; i < rows.length; i++) {
            saveRow(sink, rows[i]);
            if (nextRows.length > 0) {
                saveRow(sink, nextRows[i]);
            }
            sink.count("run", runs[i]);
        }
    }

    private static void saveRow(StateSink.Ordered sink, double[] row) {
        sink.matrix("row", Matrix.ofColumns(new double[][] {row}, row.length));
    }

    /** @param following whether what followed the runs was saved */
    static HoldOut readRows(StateSource.Ordered source, boolean following) {
        long seen = source.count("seen");
        long offered = source.count("offered");
        Rows pairs = Rows.read(source, true);
        return of(seen, offered, pairs, following ? Rows.read(source, false) : Rows.of(new Points(0), new long[0]));
    }

    /** Stored rows with the numbers of their runs: pairs, or the observations that followed runs, which have no second side. */
    @SuppressWarnings("ArrayRecordComponent") // read once, compared nowhere
    private record Rows(Points x, Points xNext, long[] runs) {

        static Rows of(Points x, long[] runs) {
            return new Rows(x, new Points(0), runs);
        }

        static Rows read(StateSource.Ordered source, boolean pairs) {
            int count = source.size("rows");
            int dimension = source.size("dimension");
            // They grow as they are read: a stored number alone takes no memory.
            List<double[]> x = new ArrayList<>();
            List<double[]> xNext = new ArrayList<>();
            LongStream.Builder runs = LongStream.builder();
            for (int i = 0; i < count; i++) {
                x.add(source.matrix("row", dimension, 1).column(0));
                if (pairs) {
                    xNext.add(source.matrix("row", dimension, 1).column(0));
                }
                runs.add(source.count("run"));
            }
            return new Rows(points(x), points(xNext), runs.build().toArray());
        }

        private static Points points(List<double[]> rows) {
            return Points.of(rows.isEmpty() ? 0 : rows.get(0).length, rows.toArray(double[][]::new));
        }
    }

    /**
     * Restores pairs of a stream, and the observations that followed their runs; what belongs together in any stream is checked.
     *
     * @param after the observations of one run are consecutive, in their order
     * @throws InvalidStateException naming the part at fault
     */
    private static HoldOut of(long seen, long offered, Rows pairs, Rows after) {
        require(offered >= 0 && offered <= seen, "held_out", offered + " of " + seen + " pairs held out");
        int size = pairs.x.size();
        require(
                size == pairs.xNext.size() && size == pairs.runs.length && size <= offered,
                "held_out",
                size + " inputs, " + pairs.xNext.size() + " outputs and " + pairs.runs.length
                        + " run numbers held out");
        require(
                after.x.size() == after.runs.length,
                "held_after",
                after.x.size() + " observations and " + after.runs.length + " run numbers");
        Map<Long, Run> runs = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            long number = pairs.runs[i];
            Run run = runs.computeIfAbsent(number, Run::new);
            // Messages only where something is wrong: a stored stream has thousands of these rows.
            if (i > 0 && number != pairs.runs[i - 1] && !run.x.isEmpty()) {
                throw new InvalidStateException("held_run", "run " + number + " in two places");
            }
            if (run.x.size() >= HoldOutConfig.RUN) {
                throw new InvalidStateException("held_run", "run " + number + " has too many pairs");
            }
            run.x.add(pairs.x.get(i));
            run.xNext.add(pairs.xNext.get(i));
        }
        for (int i = 0; i < after.runs.length; i++) {
            long number = after.runs[i];
            Run run = runs.get(number);
            if (run == null) {
                throw new InvalidStateException("held_after_run", "run " + number + " is none");
            }
            boolean inPlace = run.after.isEmpty() || number == after.runs[i - 1];
            if (!inPlace || run.after.size() == run.mostAfter(1)) {
                throw new InvalidStateException("held_after_run", "run " + number + " has too many, or gaps");
            }
            double[] row = after.x.get(i);
            if (row.length > run.xNext.get(0).length || !Arrays.stream(row).allMatch(Double::isFinite)) {
                throw new InvalidStateException("held_after", Arrays.toString(row) + " is no observation");
            }
            run.after.add(row);
        }
        return new HoldOut(new ArrayList<>(runs.values()), seen, offered);
    }

    /** Merges the pairs held out by several streams: runs from all of them, as many as are remembered, in turn. */
    static HoldOut merged(HoldOutConfig config, List<HoldOut> parts) {
        if (!config.isOn()) {
            return NOTHING;
        }
        List<Run> runs = new ArrayList<>();
        long seen = 0;
        long offered = 0;
        int longest = 0;
        for (HoldOut part : parts) {
            seen += part.seen;
            offered += part.offered;
            longest = Math.max(longest, part.runs.size());
        }
        for (int i = 0; i < longest; i++) {
            for (HoldOut part : parts) {
                if (i < part.runs.size() && runs.size() < config.slots()) {
                    // A number that no run of the stream itself has.
                    runs.add(part.runs.get(i).renumbered(-1 - runs.size()));
                }
            }
        }
        return new HoldOut(runs, seen, offered);
    }

    /** The first runs of it; where it stands in the stream stays. */
    HoldOut first(int count) {
        return runs.size() <= count ? this : new HoldOut(List.copyOf(runs.subList(0, count)), seen, offered);
    }

    /** Number of pairs remembered. */
    public int size() {
        return runs.stream().mapToInt(run -> run.x.size()).sum();
    }

    /** Number of pairs ever held out. */
    public long offered() {
        return offered;
    }

    /** Number of pairs seen, learned or held out. */
    public long seen() {
        return seen;
    }

    /** The inputs, one per row, copied; pairs of a run are consecutive. */
    public double[][] inputs() {
        return rows(run -> run.x);
    }

    /** The outputs, one per row, copied. */
    public double[][] outputs() {
        return rows(run -> run.xNext);
    }

    /** The observations that followed runs, one per row, copied; those of a run are consecutive, in their order. */
    public double[][] after() {
        return rows(run -> run.after);
    }

    /** For each of them the number of the run. */
    public long[] afterRuns() {
        return numbers(run -> run.after.size());
    }

    /** For each remembered pair the number of its run. */
    public long[] runNumbers() {
        return numbers(run -> run.x.size());
    }

    private double[][] rows(Function<Run, List<double[]>> part) {
        List<double[]> rows = new ArrayList<>();
        runs.forEach(run -> part.apply(run).forEach(row -> rows.add(row.clone())));
        return rows.toArray(double[][]::new);
    }

    private long[] numbers(ToIntFunction<Run> size) {
        long[] numbers = new long[runs.stream().mapToInt(size).sum()];
        int from = 0;
        for (Run run : runs) {
            int to = from + size.applyAsInt(run);
            Arrays.fill(numbers, from, to, run.number);
            from = to;
        }
        return numbers;
    }

    /** Consecutive pairs that are held out, and what followed them. Rows are never written to again, so they can be shared. One writer. */
    private static final class Run {

        /** Number of observations after a run that are remembered, though they are learned: on them, forecasts made within the run are judged when their time comes. */
        private static final int MAX_AFTER = 100;

        /** After the first runs it is all that comes: of a short stream every row is needed. */
        private static final int EARLY_RUNS = 6;

        private static final int MAX_AFTER_EARLY = 500;

        /** Numbers in what is remembered after a run, whatever the dimension: half a megabyte. */
        private static final int MAX_AFTER_NUMBERS = 1 << 16;

        final long number;
        final List<double[]> x = new ArrayList<>();
        final List<double[]> xNext = new ArrayList<>();
        /** The observations that came after the last output, one for each pair that followed it without a gap. */
        final List<double[]> after = new ArrayList<>();

        Run(long number) {
            this.number = number;
        }

        Run copy() {
            return renumbered(number);
        }

        Run renumbered(long other) {
            Run copy = new Run(other);
            copy.x.addAll(x);
            copy.xNext.addAll(xNext);
            copy.after.addAll(after);
            return copy;
        }

        /**
         * Number of observations that follow it and are remembered, at most.
         *
         * @param observed coordinates of an observation
         */
        int mostAfter(int observed) {
            return Math.min(number < EARLY_RUNS ? MAX_AFTER_EARLY : MAX_AFTER, MAX_AFTER_NUMBERS / observed);
        }
    }

    /** The store behind it. One writer. */
    static final class Store {

        /** Added to the state of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) by every draw. */
        private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

        private final HoldOutConfig config;
        /** Coordinates of an observation, the first ones of an output. */
        private final int observed;

        private List<Run> slots = new ArrayList<>();
        private long seen;
        private long offered;
        /** Number of the present run, or of the next one: a function of the pairs seen. */
        private long begun;
        /** The run being filled; null when it is not remembered. */
        private Run current;
        /** The last run, as long as observations that follow it are remembered; null when there is none. */
        private Run followed;

        Store(HoldOutConfig config, int observed) {
            this.config = config;
            this.observed = observed;
        }

        /** True if the next pair is held out; takes a copy of it then. Either way it has been seen. */
        boolean takes(double[] x, double[] xNext) {
            if (!config.isOn()) {
                return false;
            }
            boolean heldOut = seen >= config.begin(begun);
            if (heldOut) {
                double[] fromCopy = x.clone();
                double[] toCopy = xNext.clone();
                if (seen == config.begin(begun)) {
                    begin();
                }
                if (current != null) {
                    current.x.add(fromCopy);
                    current.xNext.add(toCopy);
                }
                offered++;
            } else if (followed != null) {
                follow(x, xNext);
            }
            seen++;
            if (seen == config.end(begun)) {
                followed = current;
                begun++;
            }
            return heldOut;
        }

        /** Remembers the output of a pair that begins where the last one ended: after a gap the numbers do not fit any more. */
        private void follow(double[] x, double[] xNext) {
            List<double[]> after = followed.after;
            if (after.size() == followed.mostAfter(observed)
                    || seen != config.end(begun - 1) + after.size()
                    || x.length != xNext.length) {
                return;
            }
            double[] last =
                    after.isEmpty() ? followed.xNext.get(followed.xNext.size() - 1) : after.get(after.size() - 1);
            if (Arrays.equals(x, 0, observed, last, 0, observed)) {
                after.add(Arrays.copyOf(xNext, observed));
            }
        }

        private void begin() {
            followed = null;
            long slot = slot();
            current = slot < 0 ? null : new Run(begun);
            if (slot == slots.size()) {
                slots.add(current);
            } else if (slot >= 0) {
                slots.set((int) slot, current);
            }
        }

        /** Slot of the run; −1 when it is not remembered. */
        private long slot() {
            int most = config.slots();
            if (slots.size() < most) {
                return slots.size();
            }
            if (config.keep() == HoldOutConfig.Keep.NEWEST) {
                return slots.indexOf(Collections.min(slots, Comparator.comparingLong(run -> run.number)));
            }
            // A fresh value for every run instead of a generator with a state: copies and restarts need nothing more.
            long chosen = Long.remainderUnsigned(new SplittableRandom(begun * GOLDEN_GAMMA).nextLong(), begun + 1);
            return chosen < most ? chosen : -1;
        }

        /** Number of pairs seen, learned or held out. */
        long seen() {
            return seen;
        }

        /** The remembered pairs. */
        HoldOut value() {
            List<Run> copies = new ArrayList<>(slots.size());
            slots.forEach(run -> copies.add(run.copy()));
            return new HoldOut(copies, seen, offered);
        }

        /** Restores a value. */
        void restore(HoldOut value) {
            clear();
            slots = new ArrayList<>();
            value.runs.forEach(run -> slots.add(run.copy()));
            seen = value.seen;
            offered = value.offered;
            begun = config.isOn() ? config.runAfter(seen) : 0;
            for (Run run : slots) {
                if (run.number == begun && seen > config.begin(begun)) {
                    current = run;
                }
                // Before the first run numbers below zero are those of merged streams.
                if (begun > 0 && run.number == begun - 1 && seen <= config.begin(begun)) {
                    followed = run;
                }
            }
        }

        /** Forgets the pairs, not the position in the stream. */
        void clear() {
            slots = new ArrayList<>();
            current = null;
            followed = null;
        }

        void reset() {
            clear();
            seen = 0;
            offered = 0;
            begun = 0;
        }
    }
}
