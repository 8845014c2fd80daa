package io.koopstream.answers;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Projection;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.spectrum.VampScores;
import io.koopstream.stream.LearningStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A model that has learned, as it was at one moment: what every answer is made from, whether it comes from a file or from a stream that learns on. Immutable: any number of
 * threads may ask. What is costly is computed when first asked for, once, and shared by all who ask.
 */
public final class LearnedModel {

    /** Spectra are computed for at least this many eigenpairs, so that readers who ask for different numbers share one. */
    private static final int MIN_EIGENPAIRS = 8;

    /**
     * An operator and how it was regularised.
     *
     * @param operator the operator
     * @param lambda the ridge
     * @param rank the most directions that it keeps
     */
    public record Regularised(KoopmanOperator operator, double lambda, int rank) {

        private boolean isOfFullRank() {
            return rank >= operator.inputBasis().size();
        }
    }

    private final LearnerState state;
    private final StateLabels labels;
    private final Projection projection;
    private final TrustRule rule;
    private final HeavyWork heavy;
    private final HeavyWork.Once<LearnerState> settled;
    private final HeavyWork.Once<Optional<StreamFacts>> facts;
    private final HeavyWork.Once<Regularised> operator;
    private final HeavyWork.Once<Regularised> forecastOperator;
    private final HeavyWork.Once<Forecaster> forecaster;
    private final Map<Integer, HeavyWork.Once<Spectrum>> spectra = new ConcurrentHashMap<>();
    private final Map<Integer, HeavyWork.Once<TrustReport>> reports = new ConcurrentHashMap<>();

    /**
     * A model.
     *
     * @param state of the learner, with samples that may wait for their block
     * @param labels what its coordinates are called
     * @param facts about the stream that learned it; empty where nothing is known of it
     * @param rule by which eigenvalues are trusted
     * @param heavy where costly answers are computed
     */
    public LearnedModel(
            LearnerState state,
            StateLabels labels,
            Supplier<Optional<StreamFacts>> facts,
            TrustRule rule,
            HeavyWork heavy) {
        this(new StoredModel(state, labels), facts, rule, heavy);
    }

    private LearnedModel(StoredModel stored, Supplier<Optional<StreamFacts>> facts, TrustRule rule, HeavyWork heavy) {
        this.state = stored.state();
        this.labels = stored.labels();
        this.projection = stored.projection();
        this.rule = rule;
        this.heavy = heavy;
        this.settled = heavy.new Once<>(state::settled);
        // Known or quickly read: who asks for them alone must not wait for what others compute.
        this.facts = new HeavyWork(Integer.MAX_VALUE).new Once<>(facts);
        this.operator = heavy.new Once<>(() -> usual(false));
        this.forecastOperator = heavy.new Once<>(() -> usual(true));
        this.forecaster = heavy.new Once<>(() -> Forecaster.of(all(), layout(), record()));
    }

    /** The model of a file, for one who asks alone. */
    public static LearnedModel of(StoredModel stored, TrustRule rule) {
        return new LearnedModel(stored, () -> facts(stored), rule, new HeavyWork(Integer.MAX_VALUE));
    }

    /** A file may hold no stream, or one of an earlier version: the model itself serves. */
    private static Optional<StreamFacts> facts(StoredModel stored) {
        try {
            return stored.stream().map(LearningStream::resume).map(StreamFacts::of);
        } catch (ModelFormatException e) {
            return Optional.empty();
        }
    }

    /** The statistics with nothing waiting; whoever computes from them has asked for them before, so that it is done once. */
    private LearnerState all() {
        return settled.known().orElseGet(state::settled);
    }

    private ForecastRecord record() {
        return facts.known()
                .flatMap(known -> known)
                .flatMap(StreamFacts::record)
                .orElse(null);
    }

    /** True if λ is chosen, one for spectra and one for forecasts. */
    private boolean isChosen() {
        return state.config().fixedLambda().isEmpty();
    }

    private Regularised usual(boolean forecasts) {
        KoopmanOperator learned = (forecasts ? all().forecastOperator() : all().operator()).asKoopman();
        return regularised(learned, usualLambda(all(), forecasts));
    }

    private static Regularised regularised(KoopmanOperator learned, double lambda) {
        return new Regularised(
                learned, lambda, Math.min(learned.rank(), learned.inputBasis().size()));
    }

    private static double usualLambda(LearnerState state, boolean forecasts) {
        return state.config().fixedLambda().orElseGet(() -> chosenLambda((LeastSquaresState) state, forecasts));
    }

    private static double chosenLambda(LeastSquaresState statistics, boolean forecasts) {
        return forecasts ? statistics.choice().forecast() : statistics.choice().spectrum();
    }

    /** Of which model answers are. */
    public Version version() {
        return new Version(state.pairs(), state.samples());
    }

    /** The learner's state, with samples that may wait for their block. */
    public LearnerState state() {
        return state;
    }

    /** The learner's state with nothing waiting. */
    public LearnerState settled() {
        return settled.get();
    }

    /** The model as a file holds it, nothing waiting. */
    public StoredModel stored() {
        return new StoredModel(settled.get(), labels).projectedBy(projection);
    }

    /** Names, delays, preparation and times of its coordinates. */
    public StateLabels labels() {
        return labels;
    }

    /** The projection of rows to the coordinates that it was learned from; empty where it was learned from their columns. */
    public Optional<Projection> projection() {
        return Optional.ofNullable(projection);
    }

    /** Facts about the stream that learned it; empty where a file does not hold it. */
    public Optional<StreamFacts> facts() {
        return facts.get();
    }

    /** Coordinates of a state, delays included. */
    public int dimension() {
        return state.input().dimension();
    }

    /** Names of the columns that the model was learned from, the coordinates of an observation. */
    public List<String> names() {
        return labels.observed(dimension());
    }

    /** Names of the columns that drive the others. */
    public List<String> inputs() {
        List<String> all = names();
        return all.subList(all.size() - labels.preparation().inputs(), all.size());
    }

    /** Names of the columns that are forecast: all but inputs. */
    public List<String> driven() {
        List<String> all = names();
        return all.subList(0, all.size() - labels.preparation().inputs());
    }

    /** Names of the coordinates of a state without its delays: columns, or their logarithms and differences, and the calendar. */
    public List<String> coordinates() {
        return labels.preparation().names(names());
    }

    /** Length of a step and notation of times. */
    public Clock clock() {
        return Clock.of(labels.time(), null);
    }

    /** The statistics of a least-squares model. */
    public Optional<LeastSquaresState> leastSquares() {
        return settled.get() instanceof LeastSquaresState statistics ? Optional.of(statistics) : Optional.empty();
    }

    /** Number of pairs that were held out; none by {@code sogd}, which learns every pair. */
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
        if (isChosen()) {
            return answer.known()
                    .map(known -> OptionalDouble.of(known.lambda()))
                    .orElse(OptionalDouble.empty());
        }
        return state.config().fixedLambda();
    }

    /**
     * The operator as it serves spectra.
     *
     * @throws InvalidQueryException if the wish cannot be met
     */
    public Regularised forSpectra(Regularisation wish) {
        return regularised(wish, false);
    }

    /**
     * The operator as it serves forecasts.
     *
     * @throws InvalidQueryException if the wish cannot be met
     */
    public Regularised forForecasts(Regularisation wish) {
        return regularised(wish, true);
    }

    private void requireKept() {
        if (settled.get().dictionarySize() == 0) {
            throw new NotReadyException("nothing was kept yet; send more samples, then ask again");
        }
    }

    private Regularised regularised(Regularisation wish, boolean forecasts) {
        requireKept();
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
            if (wish.isOfFullRank()) {
                return regularised(statistics.operator(lambda).asKoopman(), lambda);
            }
            int rank = wish.rank().orElseGet(() -> statistics.chosenRank(lambda));
            return regularised(statistics.operator(lambda, rank, wish.by()).asKoopman(), lambda);
        });
    }

    /** Layout of the delays within a state. */
    public DelayLayout layout() {
        return DelayLayout.of(labels.preparation(), names().size(), labels.delays(), labels.stride());
    }

    /**
     * The forecaster of observations, with the settings that are chosen for forecasts or with others.
     *
     * @param interval how long a step lasts; NaN when nobody knows
     * @throws InvalidQueryException if the wish cannot be met
     */
    public ObservedForecaster forecaster(Regularisation wish, double interval) {
        requireKept();
        facts.get();
        Forecaster learned;
        if (wish.equals(Regularisation.USUAL)) {
            learned = forecaster.get();
        } else {
            Regularised other = forForecasts(wish);
            learned = heavy.compute(() -> Forecaster.of(all(), layout(), other.operator(), other.lambda()));
        }
        return new ObservedForecaster(
                learned, labels.preparation(), interval, labels.time().maxGap());
    }

    /** The leading eigenpairs with the settings that are chosen for spectra. */
    public Spectrum spectrum(int k) {
        return spectrum(forSpectra(Regularisation.USUAL), k);
    }

    /**
     * The leading eigenpairs of an operator of this model, or all there are; one more where that would cut a conjugate pair in two.
     *
     * @param k how many, >= 1
     */
    public Spectrum spectrum(Regularised learned, int k) {
        return shared(learned, k).first(k);
    }

    private Spectrum shared(Regularised learned, int k) {
        if (k < 1) {
            throw new InvalidQueryException("k = " + k + ": must be at least 1");
        }
        if (learned.rank() == 0) {
            throw new InvalidQueryException("nothing was kept yet: no eigenpairs; send more samples");
        }
        int count = Math.min(size(k), learned.rank());
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
    private static int size(int k) {
        return k <= MIN_EIGENPAIRS ? MIN_EIGENPAIRS : Integer.highestOneBit(Math.min(k, 1 << 29) - 1) << 1;
    }

    /** Trust in the leading eigenpairs, in the order of {@link #spectrum}, on the pairs that were held out; empty while they are too few. */
    public Optional<TrustReport> trust(Regularised learned, int k) {
        return HeldOutPairs.of(settled.get()).map(pairs -> {
            Spectrum judged = shared(learned, k);
            return isUsual(learned)
                    ? reports.computeIfAbsent(judged.size(), n -> heavy.new Once<>(() -> trust(learned, judged, pairs)))
                            .get()
                    : heavy.compute(() -> trust(learned, judged, pairs));
        });
    }

    /** Trust in eigenpairs on pairs that were not learned. */
    public TrustReport trust(Regularised learned, Spectrum judged, HeldOutPairs pairs) {
        // The spread follows from normal equations, which an operator of smaller rank and that of Algorithm 1 do not
        // solve.
        return state instanceof LeastSquaresState && learned.isOfFullRank()
                ? TrustReport.of(
                        judged,
                        EigenvalueSpread.fromHeldOut(
                                judged, pairs.x(), pairs.xNext(), learned.lambda(), all().samples()),
                        pairs.x(),
                        pairs.xNext(),
                        rule)
                : TrustReport.of(judged, pairs.x(), pairs.xNext(), rule);
    }

    /** Variational scores of eigenpairs on pairs that were not learned. */
    public VampScores scores(Spectrum spectrum, HeldOutPairs pairs) {
        double[][] covariance =
                leastSquares().map(LeastSquaresState::meanCovariance).orElse(null);
        return heavy.compute(() -> VampScores.of(spectrum, covariance, pairs.x(), pairs.xNext()));
    }

    /** Computes something costly about this model, when there is room for it beside what others compute. */
    public <T> T compute(Supplier<T> answer) {
        return heavy.compute(answer);
    }
}
