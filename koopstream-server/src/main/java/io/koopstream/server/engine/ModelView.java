package io.koopstream.server.engine;

import io.koopstream.InvalidQueryException;
import io.koopstream.change.DriftEvent;
import io.koopstream.change.LearningCurve;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.io.TimeAxis;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.RidgeFamily;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.Preparation;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A model as it was at one moment. Immutable: any number of threads may ask while learning goes on. What is costly is computed when first asked
 * for, once, and shared by all who ask.
 */
public final class ModelView {

    /** Fewer pairs held out say nothing about trust. */
    private static final int MIN_HELD_OUT = 48;

    /** Spectra are computed for so many eigenpairs at least, so that readers who ask for different numbers share one. */
    private static final int MIN_EIGENPAIRS = 8;

    /**
     * A stream.
     *
     * @param name empty for the one without a name
     * @param next the number expected next; -1 when its items have none
     */
    public record StreamInfo(String name, long next) {}

    /**
     * How far the choice of settings is.
     *
     * @param waiting observations that came
     * @param awaited observations from which settings are chosen; 0 once they are
     */
    public record WarmUp(int waiting, int awaited) {}

    /**
     * An operator and how it was regularised.
     *
     * @param operator the operator
     * @param lambda the ridge
     * @param rank the most directions that it keeps
     */
    public record Regularised(KoopmanOperator operator, double lambda, int rank) {}

    private final ModelSettings settings;
    private final HeavyWork heavy;
    private final ViewFacts facts;
    private final LearnerState state;
    private final double[][] recent;
    private final HeavyWork.Once<LearnerState> settled;
    private final HeavyWork.Once<Regularised> operator;
    private final HeavyWork.Once<Regularised> forecastOperator;
    private final HeavyWork.Once<Forecaster> forecaster;
    private final Map<Integer, HeavyWork.Once<Spectrum>> spectra = new ConcurrentHashMap<>();
    private final Map<Integer, HeavyWork.Once<TrustReport>> reports = new ConcurrentHashMap<>();
    private final ResponseCache answers = new ResponseCache();

    /** Takes over its arguments. */
    ModelView(
            ModelSettings settings,
            HeavyWork heavy,
            ViewFacts facts,
            LearnerState state,
            ForecastRecord record,
            double[][] recent) {
        this.settings = settings;
        this.heavy = heavy;
        this.facts = facts;
        this.state = state;
        this.recent = recent;
        this.settled = heavy.new Once<>(() -> state.settled());
        this.operator = heavy.new Once<>(() -> usual(false));
        this.forecastOperator = heavy.new Once<>(() -> usual(true));
        this.forecaster = heavy.new Once<>(() -> Forecaster.of(all(), layout(), record));
    }

    /** The statistics with nothing waiting; whoever computes from them has asked for them before, so that it is done once. */
    private LearnerState all() {
        return settled.known().orElseGet(state::settled);
    }

    /** Whether λ is chosen, one for spectra and one for forecasts. */
    private boolean isChosen() {
        return state.config().fixedLambda().isEmpty();
    }

    private Regularised usual(boolean forecasts) {
        KoopmanOperator learned = (forecasts ? all().forecastOperator() : all().operator()).asKoopman();
        return new Regularised(learned, usualLambda(all(), forecasts), rank(learned));
    }

    private static double usualLambda(LearnerState state, boolean forecasts) {
        return state.config().fixedLambda().orElseGet(() -> chosenLambda((LeastSquaresState) state, forecasts));
    }

    private static double chosenLambda(LeastSquaresState statistics, boolean forecasts) {
        return forecasts ? statistics.choice().forecast() : statistics.choice().spectrum();
    }

    private static int rank(KoopmanOperator learned) {
        return Math.min(learned.rank(), learned.inputBasis().size());
    }

    /** Items that made a pair when they came, learned, held out or waiting for settings: it never falls, and grows with everything that changes the model. */
    public long version() {
        return facts.version();
    }

    /** Items accepted and applied: pairs, or states. */
    public long received() {
        return facts.received();
    }

    /** What became of the rows. */
    public RowCounts rows() {
        return facts.rows();
    }

    /** How far it has come. */
    public Phase phase() {
        return facts.phase();
    }

    /** How far the choice of settings is. */
    public WarmUp warmUp() {
        return facts.warmUp();
    }

    /** Pairs learned. */
    public long samples() {
        return state == null ? 0 : state.samples();
    }

    /** How many samples are kept in the dictionary; those that wait for their block are not among them yet. */
    public int dictionarySize() {
        return state == null
                ? 0
                : Math.max(state.inputBasis().size(), state.outputBasis().size());
    }

    /** Coordinates of an observation; 0 before it is known. */
    public int dimension() {
        return facts.dimension();
    }

    /** Coordinates of a state of the model, delays included; 0 before they are known. */
    public int stateDimension() {
        return facts.dimension() == 0
                ? 0
                : DelayVectors.dimension(preparation().dimension(facts.dimension()), facts.delays());
    }

    /** What is done to observations before they are learned, a calendar that was chosen included. */
    public Preparation preparation() {
        return facts.preparation();
    }

    /** Earlier observations that are part of a state: those of the settings, or those that were chosen. */
    public int delays() {
        return facts.delays();
    }

    /** Steps between them. */
    public int stride() {
        return facts.stride();
    }

    /** What the coordinates are called. */
    public StateLabels labels() {
        return settings.labels(facts.delays(), facts.stride(), preparation(), facts.interval(), facts.maxGap());
    }

    /** Time between two states, as said or as found; one when nobody knows. */
    public double dt() {
        double known = labels().time().interval();
        return Double.isNaN(known) ? 1 : known;
    }

    /** What was asked for. */
    public ModelSettings settings() {
        return settings;
    }

    /** What is set, to what, and why; empty while settings are not chosen. */
    public List<Explained> explained() {
        return facts.explained();
    }

    /** What the settings do not promise, in words. */
    public List<String> warnings() {
        return facts.warnings();
    }

    /** Running mean of the error of predicting pairs before they are learned; NaN before there is one. */
    public double oneStepError() {
        return facts.oneStepError();
    }

    /** The error and the dictionary along the stream. */
    public List<LearningCurve.Reading> curve() {
        return facts.curve();
    }

    /** The newest changes of the dynamics that were noticed, oldest first; sample numbers count pairs. */
    public List<DriftEvent> driftEvents() {
        return facts.driftEvents();
    }

    /** How unusual the newest rows were; empty where rows are not scored. */
    public Optional<ScoreBoard.Facts> scores() {
        return Optional.ofNullable(facts.scores());
    }

    /** How many pairs were held out; none by {@code sogd}, which learns every pair. */
    public long heldOut() {
        return state instanceof LeastSquaresState statistics
                ? statistics.holdOut().offered()
                : 0;
    }

    /** The ridge that spectra are computed with; empty while it is to be chosen and nobody has asked for what needs it. */
    public OptionalDouble spectrumLambda() {
        return knownLambda(operator);
    }

    /** The ridge that forecasts are computed with; empty while it is to be chosen and nobody has asked for what needs it. */
    public OptionalDouble forecastLambda() {
        Optional<Forecaster> known = forecaster.known();
        return known.isPresent() && known.get().lambda().isPresent()
                ? known.get().lambda()
                : knownLambda(forecastOperator);
    }

    private OptionalDouble knownLambda(HeavyWork.Once<Regularised> answer) {
        if (state == null || isChosen()) {
            return answer.known()
                    .map(known -> OptionalDouble.of(known.lambda()))
                    .orElse(OptionalDouble.empty());
        }
        return state.config().fixedLambda();
    }

    /** The streams, in the order in which they came. */
    public List<StreamInfo> streams() {
        return facts.streams();
    }

    /** The newest states as they were sent, oldest first, copied. */
    public double[][] recentStates() {
        double[][] rows = new double[recent.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = recent[i].clone();
        }
        return rows;
    }

    /** The learner's state, with samples that may wait for their block; empty before the first pair was learned. */
    public Optional<LearnerState> state() {
        return samples() > 0 ? Optional.of(state) : Optional.empty();
    }

    /**
     * The model as a file would hold it, nothing waiting.
     *
     * @throws InvalidQueryException before the first pair was learned
     */
    public StoredModel model() {
        requireLearned();
        return new StoredModel(settled.get(), labels());
    }

    /** The operator as it serves spectra; empty before the first pair was learned. */
    public Optional<KoopmanOperator> operator() {
        return samples() > 0 ? Optional.of(forSpectra(Regularisation.USUAL).operator()) : Optional.empty();
    }

    /**
     * The operator as it serves spectra.
     *
     * @throws InvalidQueryException before the first pair was learned, or if the wish cannot be met
     */
    public Regularised forSpectra(Regularisation wish) {
        return regularised(wish, false);
    }

    /**
     * The operator as it serves forecasts.
     *
     * @throws InvalidQueryException before the first pair was learned, or if the wish cannot be met
     */
    public Regularised forForecasts(Regularisation wish) {
        return regularised(wish, true);
    }

    private DelayLayout layout() {
        return DelayLayout.of(preparation(), dimension(), delays(), stride());
    }

    /** Where the trajectory stands that was seen last; empty while there is none, or too little of it for a state. */
    public Optional<Start> newest() {
        return facts.newest();
    }

    /**
     * What forecasts observations, with the settings that are chosen for forecasts or with others.
     *
     * @throws InvalidQueryException before the first pair was learned, or if the wish cannot be met
     */
    public ObservedForecaster forecaster(Regularisation wish) {
        requireLearned();
        settled.get();
        Forecaster learned = forecaster.get();
        if (!wish.equals(Regularisation.USUAL)) {
            Regularised other = forForecasts(wish);
            learned = heavy.compute(() -> Forecaster.of(all(), layout(), other.operator(), other.lambda()));
        }
        TimeAxis time = labels().time();
        return new ObservedForecaster(learned, preparation(), time.interval(), time.maxGap());
    }

    private Regularised regularised(Regularisation wish, boolean forecasts) {
        requireLearned();
        settled.get();
        if (wish.equals(Regularisation.USUAL)) {
            return (forecasts && isChosen() ? forecastOperator : operator).get();
        }
        if (!(state instanceof LeastSquaresState statistics)) {
            throw new InvalidQueryException(
                    "lambda and rank are part of what sogd has learned: leave them out, or learn with least-squares");
        }
        // Not kept: anybody may ask for any of them.
        return heavy.compute(() -> {
            double lambda = wish.lambda()
                    .orElseGet(() -> wish.choosesLambda()
                            ? chosenLambda(statistics, forecasts)
                            : usualLambda(statistics, forecasts));
            if (!wish.choosesRank() && wish.rank().isEmpty()) {
                KoopmanOperator learned = statistics.operator(lambda).asKoopman();
                return new Regularised(learned, lambda, rank(learned));
            }
            int rank = wish.rank().orElseGet(() -> statistics.chosenRank(lambda));
            KoopmanOperator learned =
                    statistics.operator(lambda, rank, RidgeFamily.By.PREDICTION).asKoopman();
            return new Regularised(learned, lambda, rank(learned));
        });
    }

    private void requireLearned() {
        if (samples() == 0) {
            throw new InvalidQueryException(
                    facts.phase() == Phase.WARMING
                            ? "nothing is learned yet: " + warmUp().waiting() + " of "
                                    + warmUp().awaited()
                                    + " observations needed to choose settings have arrived; send more"
                            : "nothing is learned yet; send samples first");
        }
    }

    /**
     * The leading eigenpairs: at least this many, or all there are.
     *
     * @param k how many, >= 1
     * @throws InvalidQueryException before the first pair was learned
     */
    public Spectrum spectrum(int k) {
        return spectrum(forSpectra(Regularisation.USUAL), k);
    }

    /**
     * The leading eigenpairs of an operator that this view gave: at least this many, or all there are.
     *
     * @param k how many, >= 1
     */
    public Spectrum spectrum(Regularised learned, int k) {
        if (k < 1) {
            throw new InvalidQueryException("k = " + k + ": must be at least 1");
        }
        if (learned.rank() == 0) {
            throw new InvalidQueryException("nothing was kept yet: no eigenpairs; send more samples");
        }
        int count = Math.min(shared(k), learned.rank());
        if (isUsual(learned)) {
            return spectra.computeIfAbsent(count, n -> heavy.new Once<>(() -> Spectrum.leading(learned.operator(), n)))
                    .get();
        }
        return heavy.compute(() -> Spectrum.leading(learned.operator(), count));
    }

    private boolean isUsual(Regularised learned) {
        return operator.known().filter(known -> known.equals(learned)).isPresent();
    }

    /** The next power of two. */
    private static int shared(int k) {
        return k <= MIN_EIGENPAIRS ? MIN_EIGENPAIRS : Integer.highestOneBit(Math.min(k, 1 << 29) - 1) << 1;
    }

    /** How far the eigenpairs of {@link #spectrum} can be trusted, in the same order; empty while too few pairs were held out. */
    public Optional<TrustReport> trust(int k) {
        Regularised learned = forSpectra(Regularisation.USUAL);
        return trust(learned, spectrum(learned, k));
    }

    /** How far the eigenpairs of a spectrum that this view gave can be trusted; empty while too few pairs were held out. */
    public Optional<TrustReport> trust(Regularised learned, Spectrum judged) {
        if (!(state instanceof LeastSquaresState statistics)
                || statistics.holdOut().size() < MIN_HELD_OUT) {
            return Optional.empty();
        }
        if (isUsual(learned)) {
            return Optional.of(reports.computeIfAbsent(
                            judged.size(),
                            n -> heavy.new Once<>(() -> Judgement.of(settings, learned, judged, statistics)))
                    .get());
        }
        return Optional.of(heavy.compute(() -> Judgement.of(settings, learned, judged, statistics)));
    }

    /** Answers that were given about it. */
    public ResponseCache answers() {
        return answers;
    }

    /** Computes something costly about this view, when there is room for it beside what others compute. */
    public <T> T compute(Supplier<T> answer) {
        return heavy.compute(answer);
    }
}
