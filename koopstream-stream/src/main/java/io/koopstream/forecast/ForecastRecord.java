package io.koopstream.forecast;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Autocorrelation;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.state.StateSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The running record of forecasts: every forecast is judged before its target is learned (the prequential principle, Dawid, JRSS A 147, 1984). At some rows
 * the forecasts of all members at a grid of horizons are kept open; when a target comes, their errors enter discounted sums, from which the members'
 * shares in the answer and the width of its bands follow. Nothing else decides what a forecast is made of.
 *
 * <p>Of a system with inputs there are two records. In one inputs are columns like others, and their forecasts are part of every path. In the other, the
 * record that is {@link #given} them, forecasts know the inputs of the rows ahead: what is fitted and the shares are those of a forecast's start, and its
 * path is computed when the inputs have come.
 *
 * <p>A function of the rows and of the learner, bit for bit. One thread.
 */
public final class ForecastRecord {

    /** Kinds of forecasts that are judged. */
    public enum Member {
        LAST_ROW(0, "last row"),
        DRIFT(1, "mean change"),
        SEASON(2, "last period"),
        MEAN(3, "mean"),
        LEVELS(4, "regression"),
        INCREMENTS(5, "regression of changes"),
        PATH(6, "Koopman path"),
        OPERATOR(7, "Koopman operator");

        /** Members whose forecast of a row depends on the inputs that come with it. */
        private static final List<Member> FOLLOW_INPUTS = List.of(LEVELS, INCREMENTS, PATH);

        private final int index;
        private final String text;

        Member(int index, String text) {
            this.index = index;
            this.text = text;
        }

        /** In words. */
        public String text() {
            return text;
        }

        /** Its share among those of all members. */
        public double of(double[] shares) {
            return shares[index];
        }

        private int flag() {
            return 1 << index;
        }
    }

    /** The longest horizon that may be asked for: powers of the operator are kept for every horizon, which takes a product for each row up to it. */
    public static final int MAX_HORIZON = 1000;

    private static final int MEMBERS = Member.values().length;

    /** Members are fitted anew when this share of rows has come since. */
    private static final double RENEWAL = 0.1;

    /** The record may cost this share of learning. */
    private static final double BUDGET = 0.2;

    /** Multiplications of a row apart from the learner's own, which reading and preparing it take. */
    private static final double ROW_COST = 20_000;

    /** Before so many rows nothing costs much, and every row counts. */
    private static final double EARLY = 1000;

    /** Fewer rows than this fit nothing. */
    private static final int FIRST_ROWS = 8;

    /** Evidence of the next shorter horizon counts as odds of at most ten to one, so that a few targets of the horizon itself overrule it. */
    private static final double MAX_PRIOR = StrictMath.log(10);

    /** Odds beyond which a double holds nothing: a least loss of zero makes them infinite. */
    private static final double MAX_EVIDENCE = 700;

    /** Trajectories followed at once; of more the oldest is forgotten. */
    private static final int MAX_TRACKS = 16;

    private final DelayLayout layout;
    private final int forecast;
    private final HorizonGrid grid;
    private final HorizonScores[] scores;
    /** Null where there are too many coordinates to regress on. */
    private final LinearSums linear;
    /** Of a record that is given the inputs the one beside it, which is not. Null in any other. */
    private final ForecastRecord beside;
    /** Null where there are no inputs, and in a record that is given them. */
    private final ForecastRecord given;

    private Fitted fits = new Fitted(null, null, null);
    private int period;
    private final Map<String, Track> tracks = new LinkedHashMap<>();
    private long rows;
    private long fitted;
    private long learned;
    private int stride = 1;
    private final double[] mean;
    /** Sums of squared distances from the mean. */
    private final double[] squares;

    private final double[] change;
    /** Mean absolute change. */
    private final double[] spread;

    private long changes;
    private final double[] low;
    private final double[] high;

    /**
     * Members that are fitted, as they were at some row; each may be null. Immutable.
     *
     * @param levels the regression on levels
     * @param increments the regression on changes
     * @param koopman the path and the operator
     */
    private record Fitted(LinearSums.Fit levels, LinearSums.Fit increments, KoopmanMembers koopman) {}

    /** A trajectory: its newest rows and the forecasts whose targets are to come. */
    private final class Track {
        private RowHistory history = new RowHistory(new double[0][], kept());
        private List<Open> open = new ArrayList<>();
        private long seen;

        private void parts(StateParts parts, List<Fitted> known, Function<LearnerState.Source, Open> readOpen) {
            seen = parts.count("seen", seen);
            history = new RowHistory(
                    parts.list(
                                    "history",
                                    List.of(history.last(history.size())),
                                    (sink, row) -> sink.numbers("row", row),
                                    source -> LinearSums.numbers(source, "row", layout.observed()))
                            .toArray(double[][]::new),
                    kept());
            open = new ArrayList<>(parts.list("open", open, (sink, one) -> one.save(sink, known), readOpen));
        }
    }

    /** Rows of a trajectory that are kept: those behind the starts of forecasts that wait for their inputs too. */
    private int kept() {
        return RowHistory.KEPT + (beside == null ? 0 : grid.longest());
    }

    /** A forecast that waits for its targets. Immutable. */
    private static final class Open {
        private final long at;
        private final int reach;
        private final double[][] announced;
        /** Null unless it waits for its inputs. */
        private final Fitted fits;

        /**
         * @param at number of the row of its trajectory from which it was made
         * @param reach its longest horizon
         * @param announced by horizon of the grid what {@link HorizonScores#add} takes; while inputs are awaited, shares in place of the members that follow
         *     them and the mixture of the others
         * @param fits by which it follows its inputs when they come; null where it waits for none
         */
        Open(long at, int reach, double[][] announced, Fitted fits) {
            this.at = at;
            this.reach = reach;
            this.announced = announced;
            this.fits = fits;
        }

        private void save(LearnerState.Sink sink, List<Fitted> known) {
            sink.count("at", at);
            sink.size("reach", reach);
            if (fits != null) {
                sink.size("fits", known.indexOf(fits));
            }
            for (double[] numbers : announced) {
                sink.numbers("announced", numbers);
            }
        }
    }

    /**
     * A record that has seen nothing.
     *
     * @param horizons that are judged beside the usual ones
     */
    public ForecastRecord(DelayLayout layout, Collection<Integer> horizons) {
        this(layout, HorizonGrid.with(horizons), null);
    }

    private ForecastRecord(DelayLayout layout, HorizonGrid grid, ForecastRecord beside) {
        this.layout = layout;
        this.grid = grid;
        this.beside = beside;
        forecast = beside == null ? layout.forecast() : layout.driven();
        int ahead = layout.observed() - forecast;
        linear = LinearSums.fits(layout.forecast(), ahead) ? new LinearSums(forecast, layout.forecast(), ahead) : null;
        given = beside == null && layout.inputs() > 0 ? new ForecastRecord(layout, grid, this) : null;
        scores = new HorizonScores[grid.size()];
        Arrays.setAll(scores, g -> new HorizonScores(MEMBERS, forecast));
        mean = new double[forecast];
        squares = new double[forecast];
        change = new double[forecast];
        spread = new double[forecast];
        low = new double[forecast];
        high = new double[forecast];
    }

    /** A copy that goes its own way. */
    public ForecastRecord copy() {
        ForecastRecord copy = new ForecastRecord(layout, grid, null);
        copy.parts(StateParts.copied(parts -> parts(parts, null, false)), null, false);
        return copy;
    }

    /** The record of forecasts that know the inputs of the rows ahead; empty where there are none. */
    public Optional<ForecastRecord> given() {
        return Optional.ofNullable(given);
    }

    /** The horizons that are judged, ascending: 1, 2, 3, 4, 6, 8, 12, … 128, and those asked for. */
    public int[] horizons() {
        return grid.all();
    }

    /** Number of rows seen. */
    public long rows() {
        return rows;
    }

    /** True where a forecast was judged. */
    boolean isJudged() {
        return judged(0) > 0;
    }

    /** Number of targets judged at a horizon of the grid. */
    public long judged(int g) {
        return scores[g].judged();
    }

    /**
     * Errors of the forecasts at a horizon and coverage of their bands, over all targets; a target counts in proportion to its number, because forecasts
     * learn as they go. Relative errors are root mean squares over the standard deviations of the rows, on average over the coordinates.
     *
     * @param targets how many were judged
     * @param error of the forecasts as they were announced
     * @param errors of the members that had forecasts
     * @param columns of the announced forecasts, by coordinate, in its own units
     * @param held80 share of the targets within the 80 % bands; NaN where there were none yet
     */
    public record Accuracy(
            int horizon,
            long targets,
            double error,
            Map<Member, Double> errors,
            List<Double> columns,
            double held80,
            double held95) {

        /** The least relative error among some members; NaN where none of them had forecasts. */
        public double least(Member... members) {
            return Arrays.stream(members)
                    .filter(errors::containsKey)
                    .mapToDouble(errors::get)
                    .min()
                    .orElse(Double.NaN);
        }

        /** The error over that of the best forecast that needs no kernel. */
        public double ratio() {
            return error
                    / least(
                            Member.LAST_ROW,
                            Member.DRIFT,
                            Member.SEASON,
                            Member.MEAN,
                            Member.LEVELS,
                            Member.INCREMENTS);
        }
    }

    /** Errors and coverage at a horizon of the grid. */
    public Accuracy accuracy(int g) {
        Map<Member, Double> errors = new EnumMap<>(Member.class);
        for (Member member : Member.values()) {
            boolean forecasts = switch (member) {
                case SEASON -> period > 0;
                case LEVELS, INCREMENTS -> linear != null;
                case PATH, OPERATOR -> fits.koopman() != null;
                default -> true;
            };
            if (forecasts) {
                errors.put(member, relativeError(g, member.index));
            }
        }
        List<Double> columns = IntStream.range(0, forecast)
                .mapToObj(c -> Math.sqrt(scores[g].meanSquare(MEMBERS, c)))
                .toList();
        return new Accuracy(
                grid.get(g),
                scores[g].judged(),
                relativeError(g, MEMBERS),
                errors,
                columns,
                scores[g].coverage(0),
                scores[g].coverage(1));
    }

    private double relativeError(int g, int member) {
        double sum = 0;
        int varying = 0;
        for (int c = 0; c < forecast; c++) {
            if (squares[c] > 0) {
                sum += scores[g].meanSquare(member, c) * rows / squares[c];
                varying++;
            }
        }
        return Math.sqrt(sum / varying);
    }

    /** Rows after which the data repeat; 0 where they do not. */
    public int period() {
        return period;
    }

    /**
     * Begins a trajectory with the rows of its first state.
     *
     * @param state a delay vector
     * @param level of its newest row
     */
    public void begin(
            String trajectory, double[] state, double[] level, KnownAhead ahead, Supplier<LeastSquaresState> learner) {
        forget(trajectory);
        double[][] rows = layout.summed(layout.history(state), level);
        for (int i = 0; i < rows.length - 1; i++) {
            advance(trajectory, rows[i], null, learner);
        }
        advance(trajectory, rows[rows.length - 1], ahead, learner);
    }

    /**
     * Takes the next row of a trajectory: judges the forecasts whose target it is, learns from it and opens new ones.
     *
     * @param observation as it was prepared; longer ones are cut
     * @param level of its coordinates, which stands where the observation has differences
     * @param ahead what is known of the rows to come; null where that should be known and is not, so that nothing is forecast
     * @param learner what is known after this row; null where there is no such learner
     */
    public void advance(
            String trajectory,
            double[] observation,
            double[] level,
            KnownAhead ahead,
            Supplier<LeastSquaresState> learner) {
        advance(trajectory, row(observation, level), ahead, learner);
    }

    /** An observation, with levels in place of differences. */
    private double[] row(double[] observation, double[] level) {
        double[] row = Arrays.copyOf(observation, layout.observed());
        for (int c : layout.differences()) {
            row[c] = level[c];
        }
        return row;
    }

    /**
     * Takes the next row of a trajectory without judging anything by it or learning from it: forecasts after it can look back on it.
     *
     * @param state a delay vector
     * @param level of its newest row
     * @param first true where a trajectory begins with the rows of this state
     */
    public void recall(String trajectory, double[] state, double[] level, boolean first) {
        if (first) {
            forget(trajectory);
        }
        Track track = track(trajectory);
        track.open.clear();
        double[][] rows = first ? layout.summed(layout.history(state), level) : new double[][] {row(state, level)};
        Arrays.stream(rows).forEach(track.history::add);
        track.seen += rows.length;
        if (given != null) {
            given.recall(trajectory, state, level, first);
        }
    }

    private void forget(String trajectory) {
        tracks.remove(trajectory);
        if (given != null) {
            given.tracks.remove(trajectory);
        }
    }

    /** True if a trajectory ends with the rows of a state. */
    public boolean endsWith(String trajectory, double[] state) {
        Track track = tracks.get(trajectory);
        return track != null
                && track.history.size() >= layout.levels()
                && Arrays.equals(layout.state(layout.differenced(track.history.last(layout.levels()))), state);
    }

    /** Continues a trajectory as another record of the same stream left it, with its forecasts whose targets are to come. */
    public void resume(String trajectory, ForecastRecord other) {
        Track left = other.tracks.get(trajectory);
        forget(trajectory);
        track(trajectory).parts(StateParts.copied(parts -> left.parts(parts, null, null)), null, null);
        if (given != null) {
            given.resume(trajectory, other.given);
        }
    }

    /** The trajectory of a name, now the newest one. */
    private Track track(String trajectory) {
        Track track = tracks.remove(trajectory);
        track = track == null ? new Track() : track;
        tracks.put(trajectory, track);
        if (tracks.size() > MAX_TRACKS) {
            tracks.remove(tracks.keySet().iterator().next());
        }
        return track;
    }

    private void advance(String trajectory, double[] row, KnownAhead ahead, Supplier<LeastSquaresState> learner) {
        Track track = track(trajectory);
        judge(track, row);
        learn(track.history, row);
        if (rows >= FIRST_ROWS && rows - fitted >= RENEWAL * fitted) {
            fit(track.history, learner);
        }
        if ((ahead != null || beside != null) && fitted > 0 && track.history.size() >= layout.levels()) {
            long mixed = mix(rows);
            if (Long.remainderUnsigned(mixed, stride) == 0) {
                int reach = grid.reach(Long.divideUnsigned(mixed, stride));
                track.open.add(open(track.history, track.seen, ahead, reach));
            }
        }
        if (given != null) {
            given.advance(trajectory, row, null, learner);
        }
    }

    private void judge(Track track, double[] row) {
        track.seen++;
        for (Open one : track.open) {
            int h = (int) (track.seen - one.at);
            int g = grid.indexOf(h);
            if (one.fits == null && g >= 0) {
                scores[g].add(one.announced[g], row);
            } else if (one.fits != null && h == one.reach) {
                double[][] rows = Arrays.copyOf(track.history.last(h - 1), h);
                rows[h - 1] = row;
                judge(one, track.history.without(h - 1), rows);
            }
        }
        track.open.removeIf(one -> track.seen - one.at >= one.reach);
    }

    /** Judges a forecast whose inputs and targets have come. */
    private void judge(Open one, RowHistory before, double[][] rows) {
        KnownAhead inputs =
                (step, row) -> System.arraycopy(rows[step - 1], forecast, row, forecast, layout.observed() - forecast);
        Members members = new Members(one.fits, before, rows.length, inputs);
        double[][] path = path(one.fits, before, rows.length, inputs);
        for (int g = 0; g < one.announced.length; g++) {
            int h = grid.get(g);
            double[][] forecasts = members.at(h, path == null ? null : path[h - 1], null);
            double[] announced = one.announced[g].clone();
            for (Member member : Member.FOLLOW_INPUTS) {
                for (int c = 0; c < forecast; c++) {
                    double value = forecasts[member.index][c];
                    announced[MEMBERS * forecast + c] += announced[member.index * forecast + c] * value;
                    announced[member.index * forecast + c] = value;
                }
            }
            scores[g].add(announced, rows[h - 1]);
        }
    }

    private void learn(RowHistory history, double[] row) {
        history.add(row);
        rows++;
        if (history.size() > 1) {
            double[] before = history.get(history.size() - 2);
            changes++;
            for (int c = 0; c < forecast; c++) {
                double step = row[c] - before[c];
                change[c] += (step - change[c]) / changes;
                spread[c] += (Math.abs(step) - spread[c]) / changes;
            }
        }
        for (int c = 0; c < forecast; c++) {
            low[c] = rows == 1 ? row[c] : Math.min(low[c], row[c]);
            high[c] = rows == 1 ? row[c] : Math.max(high[c], row[c]);
            double off = row[c] - mean[c];
            mean[c] += off / rows;
            squares[c] += off * (row[c] - mean[c]);
        }
        if (linear != null) {
            linear.add(history);
        }
    }

    private void fit(RowHistory history, Supplier<LeastSquaresState> learner) {
        fitted = rows;
        KoopmanMembers koopman = beside == null ? fits.koopman() : beside.fits.koopman();
        double early = Math.min(1, rows / EARLY);
        // A fit costs about as much as ten samples for each kept point, and is a part of what the record may cost.
        if (beside == null && (koopman == null || rows - learned >= 4 * koopman.size() * early)) {
            LeastSquaresState state = learner.get();
            if (koopman == null || !koopman.isOf(state)) {
                koopman = state == null || state.dictionarySize() == 0
                        ? null
                        : KoopmanMembers.of(state, layout, grid.all());
            }
            learned = rows;
        }
        fits = linear == null
                ? new Fitted(null, null, koopman)
                : new Fitted(linear.fit(false), linear.fit(true), koopman);
        double[][] all = new double[history.size()][];
        Arrays.setAll(all, i -> Arrays.copyOf(history.get(i), forecast));
        period = Autocorrelation.period(all, all.length / 3);
        double m = koopman == null ? 0 : koopman.size();
        double cost =
                (koopman == null ? 0 : koopman.stepCost()) + (linear == null ? 0 : 2.0 * linear.features() * forecast);
        double budget = layout.inputs() == 0 ? BUDGET : BUDGET / 2;
        stride = (int) Math.max(1, Math.ceil(early * grid.meanReach() * cost / (budget * (3 * m * m + ROW_COST))));
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): rows from which forecasts are opened are in step with no period. */
    private static long mix(long row) {
        long z = (row ^ row >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Number of targets at a horizon that share no rows, more or less. */
    private double independent(int g) {
        return scores[g].weight() * Math.min(1, (double) stride * grid.between(g) / grid.get(g));
    }

    private Open open(RowHistory history, long at, KnownAhead ahead, int reach) {
        double[][] announced = new double[grid.upTo(reach)][];
        double[][] path = beside == null ? path(fits, history, reach, ahead) : null;
        double[][] expected = fits.koopman() == null
                ? null
                : fits.koopman().expected(layout.differenced(history.last(layout.levels())));
        Members members = new Members(fits, history, reach, beside == null ? ahead : null);
        for (int g = 0; g < announced.length; g++) {
            int h = grid.get(g);
            double[][] forecasts =
                    members.at(h, path == null ? null : path[h - 1], expected == null ? null : expected[g]);
            double[][] shares = shares(h, members.available());
            for (Member member : beside == null ? List.<Member>of() : Member.FOLLOW_INPUTS) {
                for (int c = 0; c < forecast; c++) {
                    forecasts[member.index][c] = shares[c][member.index];
                    shares[c][member.index] = 0;
                }
            }
            double[] mixed = mixture(forecasts, shares);
            announced[g] = new double[announcedNumbers()];
            for (int c = 0; c < forecast; c++) {
                for (int k = 0; k < MEMBERS; k++) {
                    announced[g][k * forecast + c] = forecasts[k][c];
                }
                announced[g][MEMBERS * forecast + c] = mixed[c];
                for (int l = 0; l < HorizonScores.LEVELS.length; l++) {
                    announced[g][(MEMBERS + 1 + l) * forecast + c] = members.width(h, HorizonScores.LEVELS[l], c);
                }
                announced[g][(MEMBERS + 1 + HorizonScores.LEVELS.length) * forecast + c] = members.spread(h, c);
            }
        }
        return new Open(at, reach, announced, beside == null ? null : fits);
    }

    /** Levels on the Koopman path after some rows; null where there is none. */
    private double[][] path(Fitted by, RowHistory history, int steps, KnownAhead ahead) {
        if (by.koopman() == null) {
            return null;
        }
        double[][] path = by.koopman().path(layout.differenced(history.last(layout.levels())), steps, ahead);
        for (int s = 0; s < steps; s++) {
            layout.sum(path[s], s == 0 ? history.get(history.size() - 1) : path[s - 1]);
        }
        return path;
    }

    private int announcedNumbers() {
        return (MEMBERS + 2 + HorizonScores.LEVELS.length) * forecast;
    }

    /** The forecasts of the members that need no learner, from the newest of some rows, and how far they may be off. */
    final class Members {
        private final Fitted by;
        private final RowHistory history;
        private final double[] local;
        private final double[][] line;
        private final double[][] steps;

        Members(RowHistory history, int longest, KnownAhead ahead) {
            this(fits, history, longest, ahead);
        }

        /** @param ahead null while it is not known, so that no member follows it */
        private Members(Fitted by, RowHistory history, int longest, KnownAhead ahead) {
            this.by = by;
            this.history = history;
            local = history.localChanges(forecast);
            line = by.levels() == null || ahead == null ? null : by.levels().path(history, longest, ahead);
            steps = by.increments() == null || ahead == null
                    ? null
                    : by.increments().path(history, longest, ahead);
        }

        /**
         * The unit of errors at a horizon: the mean absolute change of the rows just before the start, and of all rows, which tells the more the farther
         * ahead one looks. Errors are larger after rows that moved more.
         */
        private double spread(int h, int c) {
            double mean = (local[c] + h * spread[c]) / (local[forecast] + h);
            return mean > 0 ? mean : 1;
        }

        /**
         * Half width of the band of central probability p around the mixture; NaN while too few targets were judged. Between the horizons that were it lies
         * on a line in log h, and beyond them it grows with the root of h, as the errors of a random walk. Never less than at a shorter horizon.
         */
        double width(int h, double p, int c) {
            double widest = Double.NaN;
            for (int g = 0; g < grid.size(); g++) {
                double at = scores[g].width(p, c) * spread(grid.get(g), c);
                if (Double.isNaN(at)) {
                    return g == 0 ? at : widest * Math.sqrt((double) h / grid.get(g - 1));
                }
                at = widest > at ? widest : at;
                if (grid.get(g) >= h) {
                    return g == 0 ? at : widest + grid.share(h, g) * (at - widest);
                }
                widest = at;
            }
            return widest * Math.sqrt((double) h / grid.longest());
        }

        /** Coordinates that are judged. */
        int coordinates() {
            return forecast;
        }

        /** The least value of all rows. */
        double low(int coordinate) {
            return low[coordinate];
        }

        /** The largest value of all rows. */
        double high(int coordinate) {
            return high[coordinate];
        }

        /** The members that have a forecast, one bit each: those that look back farther than the rows go have none. */
        int available() {
            int all = (1 << MEMBERS) - 1;
            int seen = history.size();
            all &= period > 0 && seen >= period ? -1 : ~Member.SEASON.flag();
            all &= by.levels() != null && seen >= by.levels().order() ? -1 : ~Member.LEVELS.flag();
            all &= by.increments() != null && seen >= by.increments().order() ? -1 : ~Member.INCREMENTS.flag();
            return by.koopman() == null ? all & ~Member.PATH.flag() & ~Member.OPERATOR.flag() : all;
        }

        /**
         * The forecasts of all members by coordinate; the last row where a member has none, as the operator of levels that are sums. None goes farther beyond the range of all rows than that is wide.
         *
         * @param path may be null
         * @param expected may be null
         */
        double[][] at(int h, double[] path, double[] expected) {
            double[] last = history.get(history.size() - 1);
            double[] drifted = new double[forecast];
            Arrays.setAll(drifted, c -> last[c] + h * change[c]);
            int back = period == 0 ? 0 : (h + period - 1) / period * period - h;
            double[] before = back < history.size() ? history.get(history.size() - 1 - back) : last;
            // In the order of the members.
            double[][] all = {
                last,
                drifted,
                before,
                mean,
                line == null ? last : line[h - 1],
                steps == null ? last : steps[h - 1],
                path == null ? last : path,
                expected == null ? last : expected
            };
            double[][] bounded = new double[MEMBERS][forecast];
            for (int k = 0; k < MEMBERS; k++) {
                for (int c = 0; c < forecast; c++) {
                    boolean has = Double.isFinite(all[k][c])
                            && !(k == Member.OPERATOR.index
                                    && layout.differences().contains(c));
                    double value = has ? all[k][c] : last[c];
                    double range = high[c] - low[c];
                    bounded[k][c] = Math.max(low[c] - range, Math.min(high[c] + range, value));
                }
            }
            return bounded;
        }
    }

    /**
     * The levels up to a start of a trajectory that ends like it; null where there is none, so that nothing like it was judged.
     *
     * @param observations up to the start
     */
    RowHistory historyOf(double[][] observations) {
        int rows = observations.length + layout.levels() - layout.history();
        for (Track track : tracks.values()) {
            if (track.history.size() >= rows
                    && Arrays.deepEquals(layout.differenced(track.history.last(rows)), observations)) {
                return track.history;
            }
        }
        return null;
    }

    /** The mixture of members' forecasts. */
    double[] mixture(double[][] forecasts, double[][] shares) {
        double[] result = new double[forecast];
        for (int c = 0; c < forecast; c++) {
            for (int k = 0; k < MEMBERS; k++) {
                result[c] = Math.fma(shares[c][k], forecasts[k][c], result[c]);
            }
        }
        return result;
    }

    /** The share of the members that rest on the kernel. */
    static double kernelShare(double[] shares) {
        return Member.PATH.of(shares) + Member.OPERATOR.of(shares);
    }

    /** Shares of the members at a horizon, by coordinate. */
    public double[][] shares(int h) {
        return shares(h, (1 << MEMBERS) - 1);
    }

    /**
     * Shares among some members. Evidence lies on a line in log h between horizons of the grid, so that a member must be good at both: the last row is exact
     * after a whole period, and not before. Beyond the longest horizon it stays as it was there.
     *
     * @param available the members among which they are shared, one bit each
     */
    double[][] shares(int h, int available) {
        int g = grid.indexOf(Math.min(h, grid.longest()));
        int above = g >= 0 ? g : -g - 1;
        double[][] shares = evidence(above, available);
        if (g < 0) {
            double[][] lower = evidence(above - 1, available);
            double share = grid.share(h, above);
            for (int c = 0; c < forecast; c++) {
                for (int k = 0; k < MEMBERS; k++) {
                    shares[c][k] = lower[c][k] + share * (shares[c][k] - lower[c][k]);
                }
            }
        }
        for (double[] ofCoordinate : shares) {
            double most = Arrays.stream(ofCoordinate).max().orElseThrow();
            double sum = 0;
            for (int k = 0; k < MEMBERS; k++) {
                ofCoordinate[k] = (available >> k & 1) == 1 ? StrictMath.exp(ofCoordinate[k] - most) : 0;
                sum += ofCoordinate[k];
            }
            for (int k = 0; k < MEMBERS; k++) {
                ofCoordinate[k] /= sum;
            }
        }
        return shares;
    }

    /**
     * Logarithms of the shares at a horizon of the grid, by coordinate: of L^(−n/2) for a member with mean squared error L at n independent targets, the
     * likelihood of its errors with an unknown variance, and of the share at the next shorter horizon, which counts little.
     */
    private double[][] evidence(int grid, int available) {
        double[][] evidence = new double[forecast][MEMBERS];
        for (int c = 0; c < forecast; c++) {
            double[] logs = evidence[c];
            for (int g = 0; g <= grid; g++) {
                double least = Double.POSITIVE_INFINITY;
                for (int k = 0; k < MEMBERS; k++) {
                    least = (available >> k & 1) == 1 ? Math.min(least, scores[g].loss(k, c)) : least;
                }
                double most = Double.NEGATIVE_INFINITY;
                for (int k = 0; k < MEMBERS; k++) {
                    double loss = scores[g].loss(k, c);
                    logs[k] -= loss > least ? 0.5 * independent(g) * StrictMath.log(loss / least) : 0;
                    most = (available >> k & 1) == 1 ? Math.max(most, logs[k]) : most;
                }
                for (int k = 0; k < MEMBERS; k++) {
                    logs[k] = Math.max(g < grid ? -MAX_PRIOR : -MAX_EVIDENCE, logs[k] - most);
                }
            }
        }
        return evidence;
    }

    /** What was judged counts by a factor less, after a change. */
    public void discount(double factor) {
        for (HorizonScores one : scores) {
            one.discount(factor);
        }
        if (linear != null) {
            linear.discount(factor);
        }
        if (given != null) {
            given.discount(factor);
        }
    }

    /** Writes all of it, so that one read back goes on bit for bit. */
    public void save(LearnerState.Sink sink) {
        sink.numbers("horizons", Arrays.stream(grid.all()).asDoubleStream().toArray());
        parts(StateParts.to(sink), null, false);
    }

    /**
     * Reads what {@link #save} wrote.
     *
     * @param space of the learner's states
     * @param first true for the first version, which judged errors as they are, not in units of the spread: another record has to begin, and null is returned
     */
    public static ForecastRecord read(LearnerState.Source source, DelayLayout layout, Rkhs space, boolean first) {
        List<Integer> horizons = first
                ? List.of()
                : Arrays.stream(source.numbers("horizons"))
                        .mapToObj(h -> (int) h)
                        .toList();
        require(horizons.stream().allMatch(h -> h >= 1 && h <= MAX_HORIZON), "horizons that cannot be");
        ForecastRecord record = new ForecastRecord(layout, horizons);
        record.parts(StateParts.from(source), space, first);
        return first ? null : record;
    }

    /** @param space of the learner's states where they are read; null otherwise */
    private void parts(StateParts parts, Rkhs space, boolean first) {
        rows = parts.count("rows", rows);
        fitted = parts.count("fitted", fitted);
        learned = parts.count("learned", learned);
        stride = parts.size("stride", stride);
        period = parts.size("period", period);
        changes = parts.count("changes", changes);
        require(rows >= fitted && fitted >= learned && learned >= 0, "rows in another order");
        require(stride > 0 && changes >= 0 && changes <= rows, "counts that cannot be");
        for (double[] numbers :
                first ? List.of(mean, squares, change, low, high) : List.of(mean, squares, change, spread, low, high)) {
            LinearSums.numbers(parts, "moments", numbers, forecast);
        }
        for (HorizonScores one : scores) {
            one.parts(parts, first);
        }
        if (linear != null) {
            linear.parts(parts);
        }
        fits = parts(parts, fits, beside == null ? null : beside.fits.koopman(), space);
        List<Fitted> known = new ArrayList<>(List.of(fits));
        if (beside != null) {
            Set<Fitted> older = new LinkedHashSet<>();
            tracks.values().forEach(track -> track.open.forEach(one -> older.add(one.fits)));
            older.remove(fits);
            Fitted none = new Fitted(null, null, null);
            List<Fitted> saved = List.copyOf(older);
            int count = parts.size("older", saved.size());
            for (int i = 0; i < count; i++) {
                known.add(parts(parts, parts.restores() ? none : saved.get(i), null, space));
            }
        }
        List<String> names = new ArrayList<>(tracks.keySet());
        int count = parts.size("tracks", names.size());
        require(count <= MAX_TRACKS, count + " trajectories");
        for (int i = 0; i < count; i++) {
            String name = parts.text("trajectory", parts.restores() ? null : names.get(i));
            Track track = parts.restores() ? new Track() : tracks.get(name);
            track.parts(parts, known, source -> readOpen(source, known, first));
            require(tracks.put(name, track) == null || !parts.restores(), "a trajectory twice");
        }
        if (given != null) {
            given.parts(parts, space, first);
        }
    }

    /** @param shared the Koopman members where they are those of another record; null for its own */
    private Fitted parts(StateParts parts, Fitted fitted, KoopmanMembers shared, Rkhs space) {
        LinearSums.Fit levels = null;
        LinearSums.Fit increments = null;
        if (parts.flag("fits", fitted.levels() != null)) {
            require(linear != null, "a regression on too many coordinates");
            levels = parts.part(fitted.levels(), (sink, fit) -> fit.save(sink), linear::readFit);
            increments = parts.part(fitted.increments(), (sink, fit) -> fit.save(sink), linear::readFit);
        }
        parts.section();
        KoopmanMembers koopman = shared != null
                ? shared
                : parts.optional(
                        "koopman",
                        fitted.koopman(),
                        (sink, members) -> members.save(sink),
                        source -> KoopmanMembers.read(source, space, layout, grid.size()));
        parts.section();
        return parts.restores() ? new Fitted(levels, increments, koopman) : fitted;
    }

    private Open readOpen(StateSource.Ordered source, List<Fitted> known, boolean first) {
        long at = source.count("at");
        int reach = source.size("reach");
        int by = beside == null ? 0 : source.size("fits");
        require(by >= 0 && by < known.size(), "a forecast by what was not fitted");
        double[][] announced = new double[grid.upTo(reach)][];
        for (int g = 0; g < announced.length; g++) {
            announced[g] = source.numbers("announced");
            require(
                    announced[g].length == announcedNumbers() - (first ? forecast : 0),
                    "a forecast of other coordinates");
        }
        return new Open(at, reach, announced, beside == null ? null : known.get(by));
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new InvalidStateException("record", problem);
        }
    }
}
