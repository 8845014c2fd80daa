package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.KoopstreamException;
import io.koopstream.change.Watch;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.KnownAhead;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.MissingValues;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.rows.UsualInterval;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.ChosenSettings.Explained;
import io.koopstream.tuning.Proposal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Learns a model from observations: trajectories and delay vectors, the choice of settings from the first observations, the watch over the one-step
 * error, and the learner, which holds pairs out by itself. A function of its settings and of the observations in their order alone: the same
 * observations give the same state, bit for bit, whoever brings them and whether or not it was stored and resumed in between.
 *
 * <p>One writer. Memory is bounded by the dictionary, the open trajectories and, at first, a million waiting numbers.
 *
 * <pre>{@code
 * LearningStream stream = LearningStream.of(StreamConfig.defaults());
 * for (double[] state : states) {
 *     stream.accept(Observation.of("sensor", state));
 * }
 * stream.endWarmUp();
 * KoopmanOperator learned = stream.learner().orElseThrow().snapshot();
 * }</pre>
 */
public final class LearningStream {

    private final StreamConfig settings;
    private int dimension;
    private int delays;
    private final int stride;
    private long observations;
    private long pairs;
    private long refused;
    private long unreadable;
    private final MissingValues missing;
    private Preparation preparation;
    private MaxGap maxGap;
    private Trajectories trajectories;
    /** Null once settings are chosen. */
    private WarmUp warmUp;

    private List<Explained> explained = List.of();
    private List<String> warnings = List.of();
    private Watch watch;
    private Learner<KoopmanOperator> learner;
    private double[] from;
    private double[] to;
    private final Scores scores;
    /** Null where the learner has no increments to judge. */
    private ForecastRecord record;

    private LearningStream(StreamConfig settings, int delays, int stride) {
        this.settings = settings;
        this.preparation = settings.preparation();
        this.maxGap = settings.maxGap();
        this.delays = delays;
        this.stride = stride;
        this.missing = new MissingValues(
                settings.get(StreamOption.FILL), settings.get(StreamOption.FILL_MAX), settings.openTrajectories());
        this.scores = new Scores(settings);
    }

    /** A stream that has seen nothing; the first observation says how many coordinates there are. */
    public static LearningStream of(StreamConfig settings) {
        LearningStream stream = new LearningStream(settings, settings.delays().orElse(0), settings.stride());
        stream.watch = settings.newWatch();
        return stream;
    }

    /** A stream of observations with so many coordinates that has seen nothing. */
    public static LearningStream of(StreamConfig settings, int dimension) {
        LearningStream stream = of(settings);
        stream.begin(dimension);
        return stream;
    }

    /**
     * A stream that continues with what a learner knows already.
     *
     * @param settings without words about the method, which the learner has
     * @param delays earlier observations that are part of the learner's states
     * @param stride steps between them
     */
    public static LearningStream startingFrom(StreamConfig settings, LearnerState state, int delays, int stride) {
        settings.givenForMethod().forEach((name, value) -> {
            throw new InvalidConfigException(name, value, "the model has its own settings; leave this out");
        });
        LearningStream stream = new LearningStream(settings, delays, stride);
        stream.watch = settings.newWatch();
        stream.dimension = settings.preparation()
                .observed(DelayVectors.observationDimension(state.input().dimension(), delays));
        stream.learnWith(state.resumeKoopman(), settings.interval());
        stream.pairs = state.pairs();
        return stream;
    }

    /** Goes on from a stored state, bit for bit. */
    public static LearningStream resume(LearningStreamState state) {
        LearningStream stream = new LearningStream(state.settings(), state.delays(), state.stride());
        stream.watch = state.watch().copy();
        if (state.dimension() > 0) {
            stream.dimension = state.dimension();
            if (state.learner() != null) {
                stream.explained = state.explained();
                stream.preparation = state.preparation();
                stream.maxGap = state.maxGap();
                stream.warnings = state.warnings();
                stream.learnWith(state.learner().resumeKoopman(), Double.NaN);
                stream.scores.resume(state.scorer());
                // A state written before there were records begins one.
                stream.record =
                        state.record() == null ? stream.record : state.record().copy();
                stream.trajectories.resume(state.trajectories());
            } else {
                stream.begin(state.dimension());
                stream.warmUp.resume(state.nextChoice());
                state.waiting().forEach(stream::await);
            }
        }
        stream.observations = state.counts().observations();
        stream.pairs = state.counts().pairs();
        stream.refused = state.counts().refused();
        stream.unreadable = state.counts().unreadable();
        stream.missing.resume(
                state.missing(), state.counts().missing(), state.counts().filled());
        return stream;
    }

    /** Everything needed to continue. */
    public LearningStreamState state() {
        return new LearningStreamState(
                settings,
                dimension,
                delays,
                stride,
                counts(),
                learner == null ? settings.preparation() : preparation,
                learner == null ? settings.maxGap() : maxGap,
                learner == null ? null : trajectories.capture(),
                missing.capture(),
                warmUp == null ? List.of() : warmUp.waiting(),
                warmUp == null ? 0 : warmUp.awaited(),
                explained,
                warnings,
                watch.copy(),
                learner == null ? null : learner.state(),
                scores.state(),
                record == null ? null : record.copy());
    }

    /** The first time the dimension is known. */
    private void begin(int observed) {
        dimension = observed;
        if (settings.choosesKernel()) {
            warmUp = new WarmUp(settings, stateDimension());
            trajectories = newTrajectories(settings.interval());
        } else {
            learnWith(settings.choose(stateDimension(), preparedDimension(), null), settings.interval());
        }
    }

    /** Each observation is checked once, when it comes: without delays it is the learner's point itself. */
    private Trajectories newTrajectories(double interval) {
        Rkhs domain = learner != null && isObserved() ? learner.input() : null;
        return new Trajectories(
                preparation,
                dimension,
                domain,
                delays,
                stride,
                new UsualInterval(interval, maxGap),
                settings.openTrajectories());
    }

    /** True if a state is an observation as it came. */
    private boolean isObserved() {
        return delays == 0 && preparation.isNone();
    }

    private int preparedDimension() {
        return preparation.dimension(dimension);
    }

    private int stateDimension() {
        return DelayVectors.dimension(preparedDimension(), delays);
    }

    private void learnWith(ChosenSettings chosen, double interval) {
        explained = chosen.explained();
        warnings = chosen.config().warnings();
        learnWith(chosen.newLearner(), interval);
    }

    private void learnWith(Learner<KoopmanOperator> ready, double interval) {
        warmUp = null;
        learner = ready;
        trajectories = newTrajectories(interval);
        scores.begin(preparedDimension());
        record = learner instanceof LeastSquaresLearner<?> ? new ForecastRecord(layout(), settings.horizons()) : null;
        if (settings.driftDiscount() < 1 && !(learner instanceof LeastSquaresLearner)) {
            // Refused now, not at the first change.
            throw new InvalidConfigException(
                    "driftDiscount",
                    settings.driftDiscount(),
                    "method " + learner.config().method()
                            + " has no weights of the past to discount; use least squares, or no discount");
        }
    }

    /** Scores the pair, watches it for changes, then gives it to the learner. */
    private Outcome update(Observation observation, Long position) {
        if (scores.accept(pairs, learner, position, from, to)) {
            return Outcome.HELD_BACK;
        }
        long row = observation.numbered(observations).row();
        if (watch.accept(pairs, learner, preparedDimension(), from, to, row, observation.time())
                        .isPresent()
                && settings.driftDiscount() < 1
                && learner instanceof LeastSquaresLearner<?> leastSquares) {
            leastSquares.discount(settings.driftDiscount());
        }
        return Outcome.of(learner.updateChecked(from, to));
    }

    /** Takes the next observation. Never throws for what is wrong with it: the outcome says what was wrong, and the model is unchanged. */
    public Outcome accept(Observation given) {
        Observation observation = given.numbered(++observations);
        from = null;
        to = null;
        scores.next();
        if (observation.isUnreadable()) {
            unreadable++;
            interrupt(observation.trajectory());
            return Outcome.UNREADABLE;
        }
        boolean wide = dimension == 0 || observation.values().length == dimension;
        if (wide && observation.isMissing()) {
            if (!missing.hold(observation)) {
                interrupt(observation.trajectory());
            }
            return Outcome.MISSING;
        }
        if (wide) {
            missing.before(observation).forEach(this::counted);
        }
        return counted(observation);
    }

    private Outcome counted(Observation observation) {
        scores.next();
        boolean waits = learner == null;
        Outcome outcome = taken(observation);
        scores.tell(observation, waits);
        refused += outcome.kind() == Outcome.Kind.REFUSED ? 1 : 0;
        return outcome;
    }

    /** Counts records of unknown trajectories that could not be read. */
    public void lost(long records) {
        observations += records;
        unreadable += records;
        interrupt(null);
    }

    private Outcome taken(Observation observation) {
        try {
            if (dimension == 0) {
                begin(observation.requireDimension());
            }
            if (warmUp != null) {
                return await(observation);
            }
            return learn(observation);
        } catch (InvalidSampleException e) {
            from = null;
            to = null;
            if (!observation.isPair()) {
                interrupt(observation.trajectory());
            }
            return Outcome.refused(e);
        }
    }

    /**
     * Nothing that comes in a trajectory pairs with what came before: it starts over. When the name is null, any trajectory may be meant; those whose
     * steps or times will show that something is missing continue.
     */
    public void interrupt(String trajectory) {
        missing.interrupt(trajectory);
        // What interrupts nothing need not be remembered, so what waits is bounded whatever comes.
        if (trajectories != null && trajectories.interrupt(trajectory) && warmUp != null) {
            warmUp.add(Observation.unreadable(trajectory));
        }
    }

    /** Passes an observation to its trajectory; a pair leaves its states in {@link #from()} and {@link #to()}. */
    private Outcome paired(Observation observation) {
        Outcome outcome = trajectories.next(observation);
        from = trajectories.from();
        to = trajectories.state();
        return outcome;
    }

    private Outcome await(Observation observation) {
        Outcome outcome = paired(observation);
        warmUp.add(observation);
        if (warmUp.isFull()) {
            choose(false);
        }
        return outcome;
    }

    private Outcome learn(Observation observation) {
        Long position = Scores.position(observation.time(), trajectories.interval());
        Outcome outcome = paired(observation);
        if (to != null && !isObserved()) {
            // Its observations were checked, the vector was not; the one before was when it came.
            learner.input().requireSample(to, "state");
        }
        if (!outcome.isPair()) {
            record(observation, false);
            scores.first(position, to);
            return outcome;
        }
        Outcome learned = update(observation, position);
        pairs += learned.kind() == Outcome.Kind.HELD_BACK ? 0 : 1;
        record(observation, true);
        return learned;
    }

    /** Judges earlier forecasts by the state that an observation completed. */
    private void record(Observation observation, boolean goesOn) {
        if (record == null || to == null) {
            return;
        }
        Supplier<LeastSquaresState> known =
                () -> (LeastSquaresState) learner.state().settled();
        KnownAhead ahead = knownAhead(observation.time());
        String name = observation.trajectory();
        if (observation.isPair()) {
            record.begin(name, from, from, ahead, known);
            record.advance(name, to, to, ahead, known);
            return;
        }
        double[] level = preparation.isNone() ? to : preparation.level(observation.values());
        if (goesOn) {
            record.advance(name, to, level, ahead, known);
        } else {
            record.begin(name, to, level, ahead, known);
        }
    }

    /** The calendar of the rows to come; null where there is one but no times. */
    private KnownAhead knownAhead(double time) {
        if (!preparation.hasCalendar()) {
            return KnownAhead.NOTHING;
        }
        double interval = trajectories.interval();
        return Double.isFinite(time) && Double.isFinite(interval)
                ? (step, row) -> preparation.putCalendar(maxGap.after(time, interval, step), row, dimension)
                : null;
    }

    /** The layout of states. */
    public DelayLayout layout() {
        return DelayLayout.of(preparation, dimension, delays, stride);
    }

    /** The record of forecasts, to be read only; empty while settings are not chosen, and where the learner has no increments to judge. */
    public Optional<ForecastRecord> record() {
        return Optional.ofNullable(record);
    }

    /**
     * The observations are over, or somebody wants to begin: settings are chosen from what there is, if that did not happen yet.
     *
     * @throws KoopstreamException if nothing can be told from them; they wait on then
     */
    public void endWarmUp() {
        if (warmUp != null && warmUp.usable() > 0) {
            choose(true);
        }
    }

    /** Chooses settings from what waits, and learns it; waits for more when nothing can be told from it, more may come and nobody waits for scores. */
    private void choose(boolean last) {
        if (!last && !settings.scores() && !warmUp.varies() && warmUp.waitsLonger()) {
            return;
        }
        // The usual interval as all that waits shows it: the first two observations may have a gap between them.
        double interval = trajectories.interval();
        preparation = warmUp.preparation(interval);
        maxGap = warmUp.maxGap(interval);
        Proposal proposal = null;
        try {
            proposal = warmUp.proposal(newTrajectories(interval));
        } catch (KoopstreamException e) {
            if (last) {
                throw e;
            }
        } finally {
            if (proposal == null) {
                preparation = settings.preparation();
                maxGap = settings.maxGap();
            }
        }
        if (proposal == null && !last && warmUp.waitsLonger()) {
            return;
        }
        List<Observation> all = warmUp.waiting();
        if (proposal != null) {
            delays = Math.max(delays, proposal.delays());
        }
        learnWith(settings.choose(stateDimension(), preparedDimension(), proposal), interval);
        if (proposal != null) {
            warnings = Stream.concat(proposal.warnings().stream(), warnings.stream())
                    .toList();
            explained = WarmUp.explained(settings, explained, delays, preparation, maxGap);
        }
        for (Observation observation : all) {
            if (observation.isUnreadable()) {
                trajectories.interrupt(observation.trajectory());
            } else {
                counted(observation);
            }
        }
    }

    /** Scores of the observations, where the settings ask for them. */
    public Scores scores() {
        return scores;
    }

    /** Transformation of observations before they are learned. */
    public Preparation preparation() {
        return preparation;
    }

    /** Largest gap between observations that follow each other. */
    public MaxGap maxGap() {
        return maxGap;
    }

    /** The settings as supplied. */
    public StreamConfig settings() {
        return settings;
    }

    /** Coordinates of an observation; 0 while that is unknown. */
    public int dimension() {
        return dimension;
    }

    /** Earlier observations that are part of a state; may grow when settings are chosen. */
    public int delays() {
        return delays;
    }

    /** Steps between them. */
    public int stride() {
        return stride;
    }

    /** The counts so far. */
    public LearningStreamState.Counts counts() {
        return new LearningStreamState.Counts(
                observations, pairs, refused, unreadable, missing.count(), missing.filled());
    }

    /** Pairs given to the learner, those it held out among them. */
    public long pairs() {
        return pairs;
    }

    /** Observations that wait for settings to be chosen; what could not be read is not among them. */
    public int waiting() {
        return warmUp == null ? 0 : warmUp.usable();
    }

    /** Number of observations waited for; 0 once settings are chosen. */
    public int awaited() {
        return learner != null ? 0 : warmUp == null ? settings.warmUp() : warmUp.awaited();
    }

    /** True if there is no learner yet. */
    public boolean isWarmingUp() {
        return learner == null;
    }

    /** State of the trajectories; null while the dimension is unknown. */
    public Trajectories trajectories() {
        return trajectories;
    }

    /** The first state of the pair that the last observation made; null when it made none. */
    public double[] from() {
        return from;
    }

    /** The state that the last observation completed; null when it completed none. */
    public double[] to() {
        return to;
    }

    /** The settings with their values and reasons; empty before settings are chosen, or where a learner came with its own. */
    public List<Explained> explained() {
        return explained;
    }

    /** Warnings about promises that the settings do not keep. */
    public List<String> warnings() {
        return warnings;
    }

    /** The watch over the one-step error. */
    public Watch watch() {
        return watch;
    }

    /** The learner, for reading; empty while settings are not chosen. */
    public Optional<Learner<KoopmanOperator>> learner() {
        return Optional.ofNullable(learner);
    }
}
