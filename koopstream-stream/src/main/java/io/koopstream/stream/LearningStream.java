package io.koopstream.stream;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.KoopstreamException;
import io.koopstream.change.Watch;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.StepOutcome;
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
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import io.koopstream.tuning.ChosenSettings;
import io.koopstream.tuning.ChosenSettings.Explained;
import io.koopstream.tuning.Proposal;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
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

    /** Positions beyond are not told apart by numbers. */
    private static final double MAX_POSITION = 1e15;

    private final StreamConfig settings;
    private int dimension;
    private int delays;
    private final int stride;
    private long observations;
    private long pairs;
    private long refused;
    private long unreadable;
    private long missing;
    private long filled;
    private final MissingValues incomplete;
    private Preparation preparation;
    private MaxGap maxGap;
    private Trajectories trajectories;
    /** Null once settings are chosen. */
    private WarmUp warmUp;

    private List<Explained> explained = List.of();
    private List<String> warnings = List.of();
    private Watch watch;
    private Learner<KoopmanOperator> learner;
    /** Null where observations are not scored, and before there is a learner. */
    private Scorer scorer;

    private BiConsumer<Observation, Score> listener = (observation, score) -> {};
    private BiConsumer<Learner<KoopmanOperator>, StepOutcome> stepListener = (learner, outcome) -> {};
    /** Null where the learner has no increments to judge, and where nobody asks for it. */
    private ForecastRecord record;

    private RecordKeeper keeper;
    private boolean judgesForecasts = true;

    private LearningStream(StreamConfig settings, int delays, int stride) {
        this.settings = settings;
        this.preparation = settings.preparation();
        this.maxGap = settings.maxGap();
        this.delays = delays;
        this.stride = stride;
        this.incomplete = new MissingValues(
                settings.get(StreamOption.FILL), settings.get(StreamOption.FILL_MAX), settings.openTrajectories());
    }

    /** A stream that has seen nothing; the first observation says how many coordinates there are. */
    public static LearningStream of(StreamConfig settings) {
        LearningStream stream = new LearningStream(settings, settings.delays().orElse(0), settings.stride());
        stream.watch = settings.newWatch();
        return stream;
    }

    /** A stream that has seen nothing, of observations with this number of coordinates. */
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

    /** Restores a saved state, bit for bit. */
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
                stream.scorer = state.scorer() == null
                        ? null
                        : state.scorer().copy(state.settings().alarmRate());
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
        stream.missing = state.counts().missing();
        stream.filled = state.counts().filled();
        stream.incomplete.resume(state.missing());
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
                learner == null ? null : newTrajectories(Double.NaN).resume(trajectories),
                incomplete.capture(),
                warmUp == null ? List.of() : warmUp.waiting(),
                warmUp == null ? 0 : warmUp.awaited(),
                explained,
                warnings,
                watch.copy(),
                learner == null ? null : learner.state(),
                scorer == null ? null : scorer.copy(settings.alarmRate()),
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
                preparation, dimension, domain, delays, stride, interval, maxGap, settings.openTrajectories());
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
        scorer = settings.scores() ? new Scorer(preparedDimension(), settings.alarmRate()) : null;
        record = judgesForecasts && learner instanceof LeastSquaresLearner<?>
                ? new ForecastRecord(layout(), settings.horizons())
                : null;
        keeper = new RecordKeeper(preparation, maxGap, dimension);
        if (settings.driftDiscount() < 1 && !(learner instanceof LeastSquaresLearner)) {
            // Refused now, not at the first change.
            throw new InvalidConfigException(
                    "driftDiscount",
                    settings.driftDiscount(),
                    "method " + learner.config().method()
                            + " has no weights of the past to discount; use least squares, or no discount");
        }
    }

    /** Takes the next observation. Never throws for what is wrong with it: the outcome says what was wrong, and the model is unchanged. */
    public Outcome accept(Observation given) {
        Observation observation = given.numbered(++observations);
        if (observation.isUnreadable()) {
            unreadable++;
            interrupt(observation.trajectory());
            return Outcome.unreadable();
        }
        boolean wide = dimension == 0 || observation.values().length == dimension;
        if (wide && observation.isMissing()) {
            missing++;
            if (!incomplete.hold(observation)) {
                interrupt(observation.trajectory());
            }
            return Outcome.missing();
        }
        if (wide) {
            List<Observation> completed = incomplete.before(observation);
            filled += completed.size();
            completed.forEach(this::take);
        }
        return take(observation);
    }

    /** Counts records of unknown trajectories that could not be read. */
    public void lost(long records) {
        observations += records;
        unreadable += records;
        interrupt(null);
    }

    /** Learns an observation, or keeps it until settings are chosen. */
    private Outcome take(Observation observation) {
        try {
            if (dimension == 0) {
                begin(observation.requireDimension());
            }
            return learner == null ? await(observation) : learn(observation);
        } catch (InvalidSampleException e) {
            refused++;
            if (!observation.isPair()) {
                interrupt(observation.trajectory());
            }
            if (scorer != null) {
                listener.accept(observation, null);
            }
            return Outcome.refused(e);
        }
    }

    /**
     * Nothing that comes in a trajectory pairs with what came before: it starts over. When the name is null, any trajectory may be meant; those whose
     * steps or times will show that something is missing continue.
     */
    public void interrupt(String trajectory) {
        incomplete.interrupt(trajectory);
        // What interrupts nothing need not be remembered, so what waits is bounded whatever comes.
        if (trajectories != null && trajectories.interrupt(trajectory) && warmUp != null) {
            warmUp.add(Observation.unreadable(trajectory));
        }
    }

    private Outcome await(Observation observation) {
        Outcome outcome = trajectories.next(observation);
        warmUp.add(observation);
        if (warmUp.isFull()) {
            choose(false);
        }
        return outcome;
    }

    /** Scores what an observation leads to; a pair is then watched for changes and given to the learner. */
    private Outcome learn(Observation observation) {
        Long position = position(observation.time(), trajectories.interval());
        Outcome outcome = trajectories.next(observation);
        double[] from = outcome.from();
        double[] to = outcome.to();
        if (to != null && !isObserved()) {
            // Its observations were checked, the vector was not; the one before was when it came.
            learner.input().requireSample(to, "state");
        }
        Score score = null;
        if (scorer != null && to != null) {
            score = outcome.isPair()
                    ? scorer.score(pairs, learner::state, position, from, to)
                    : scorer.first(position, to);
        }
        if (outcome.isPair()) {
            outcome = outcome.as(update(observation, from, to, score));
            pairs += outcome.kind() == Outcome.Kind.HELD_BACK ? 0 : 1;
        }
        if (record != null) {
            keeper.add(record, observation, from, to, trajectories.interval(), () ->
                    (LeastSquaresState) learner.state().settled());
        }
        if (scorer != null) {
            listener.accept(observation, score);
        }
        return outcome;
    }

    /**
     * The position of an observation among those of a regular stream.
     *
     * @param time NaN where it has none
     * @param interval NaN where none is known
     * @return null where nothing is known
     */
    private static Long position(double time, double interval) {
        return Math.abs(time / interval) < MAX_POSITION ? Math.round(time / interval) : null;
    }

    private Outcome.Kind update(Observation observation, double[] from, double[] to, Score score) {
        if (settings.get(StreamOption.ROBUST) && scorer.holdBack(score)) {
            return Outcome.Kind.HELD_BACK;
        }
        long row = observation.numbered(observations).row();
        if (watch.accept(pairs, learner, preparedDimension(), from, to, row, observation.time())
                        .isPresent()
                && settings.driftDiscount() < 1
                && learner instanceof LeastSquaresLearner<?> leastSquares) {
            leastSquares.discount(settings.driftDiscount());
        }
        StepOutcome outcome = learner.updateChecked(from, to);
        stepListener.accept(learner, outcome);
        return outcome == StepOutcome.HELD_OUT ? Outcome.Kind.HELD_OUT : Outcome.Kind.LEARNED;
    }

    /** The layout of states. */
    public DelayLayout layout() {
        return DelayLayout.of(preparation, dimension, delays, stride);
    }

    /** Drops the record of forecasts for as long as this object lives. It is most of the work of a short stream; what is learned does not depend on it. */
    public LearningStream withoutRecord() {
        judgesForecasts = false;
        record = null;
        return this;
    }

    /** The record of forecasts, to be read only; empty while settings are not chosen, where the learner has no increments to judge, and without record. */
    public Optional<ForecastRecord> record() {
        return Optional.ofNullable(record);
    }

    /**
     * Ends the wait for settings, if it lasts: they are chosen from the observations there are.
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
                take(observation);
            }
        }
    }

    /**
     * A listener for scores, where the settings ask for them; it replaces the one before. It is told of every observation in their order, as it came or as it
     * was filled in, also of those that waited when they are learned at last; the score is null when there was nothing to score: it came late or twice, was
     * refused, or completed no state.
     */
    public void listen(BiConsumer<Observation, Score> scored) {
        listener = scored;
    }

    /** A listener for steps of the learner, told after each pair given to it, for reading; it replaces the one before. */
    public void listenToSteps(BiConsumer<Learner<KoopmanOperator>, StepOutcome> learned) {
        stepListener = learned;
    }

    /** The scorer of observations, for reading; empty where the settings do not ask for it, and before there is a learner. */
    public Optional<Scorer> scorer() {
        return Optional.ofNullable(scorer);
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
        return new LearningStreamState.Counts(observations, pairs, refused, unreadable, missing, filled);
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
