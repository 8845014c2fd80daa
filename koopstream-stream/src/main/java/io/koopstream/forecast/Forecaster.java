package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Forecasts of the observation from what a learner knows. Least squares adds increments, f(x) = x + (V/n)(S/n + λ)⁻¹ β(x). With a {@link ForecastRecord}
 * the answer is the mixture of its members, and bands are as wide as its errors were; without one it is the path of increments, with bands from paths
 * simulated with residuals. A model of SOGD has its operator alone.
 *
 * <p>Immutable; any number of threads may ask at once.
 */
public final class Forecaster {

    /** Below this share of a state inside the dictionary an answer deserves a warning. */
    public static final double WARN_BELOW = 0.5;

    /** Below this share there is no answer unless it is asked for {@link ForecastRequest#anyway}. */
    public static final double REFUSE_BELOW = 0.1;

    /** Koopman members matter from this share in a coordinate on: where they have less than it in all, they need not know the start. */
    private static final double MIN_SHARE = 0.1;

    private final DelayLayout layout;
    /** Null for SOGD. */
    private final IncrementMap map;

    private final int dictionarySize;
    private final OptionalDouble lambda;

    private final Lazy<OperatorPath> operator;
    private final Lazy<Residuals> residuals;
    /** Null where forecasts were not judged. */
    private final ForecastRecord record;

    /** Computes once, on first use. */
    static final class Lazy<T> {
        private final Supplier<T> source;
        private volatile T value;

        Lazy(Supplier<T> source) {
            this.source = source;
        }

        T get() {
            T known = value;
            if (known == null) {
                synchronized (this) {
                    known = value;
                    if (known == null) {
                        known = source.get();
                        value = known;
                    }
                }
            }
            return known;
        }
    }

    private Forecaster(
            LearnerState state,
            DelayLayout layout,
            Supplier<KoopmanOperator> operator,
            OptionalDouble given,
            ForecastRecord record) {
        this.layout = layout;
        if (state.input().dimension() != layout.dimension()) {
            throw new InvalidQueryException("states of " + state.input().dimension() + " coordinates are not "
                    + (layout.delays() + 1) + " observations of " + layout.observed());
        }
        LearnerState settled = state.settled();
        if (settled.dictionarySize() == 0) {
            throw new InvalidQueryException("nothing was learned yet; learn samples first");
        }
        dictionarySize = settled.dictionarySize();
        this.operator = new Lazy<>(() -> new OperatorPath(operator.get(), layout.observed()));
        if (!(settled instanceof LeastSquaresState learned)) {
            lambda = OptionalDouble.empty();
            map = null;
            residuals = null;
            this.record = null;
            return;
        }
        double ridge = given.orElseGet(() -> ridge(learned));
        lambda = OptionalDouble.of(ridge);
        map = new IncrementMap(learned, layout, ridge);
        residuals = new Lazy<>(() -> learned.holdOut().size() >= Residuals.MIN_PAIRS
                ? new Residuals(map, learned.holdOut())
                : fitted(learned, ridge));
        this.record = record != null && record.isJudged() ? record : null;
    }

    private Forecaster(Forecaster other, ForecastRecord record) {
        layout = other.layout;
        dictionarySize = other.dictionarySize;
        operator = other.operator;
        lambda = other.lambda;
        map = other.map;
        residuals = other.residuals;
        this.record = record;
    }

    /**
     * The same with another record; what is computed once for all forecasts is shared.
     *
     * @param judged of the same stream, to be read only
     */
    public Forecaster judgedBy(ForecastRecord judged) {
        return new Forecaster(this, map != null && judged.isJudged() ? judged : null);
    }

    /** The ridge of the increments. */
    static double ridge(LeastSquaresState state) {
        return state.config().lambda().orElseGet(() -> state.forecastChoice().forecast());
    }

    /** Expected residuals of the regression where too few pairs were held out to see it. */
    private Residuals fitted(LeastSquaresState learned, double ridge) {
        double[] squares = learned.family().expectedSquares(ridge, learned.weight(), learned.squaredIncrements());
        return new Residuals(
                Arrays.stream(squares, 0, layout.observed()).map(Math::sqrt).toArray());
    }

    /** A forecaster for states that are observations. */
    public static Forecaster of(LearnerState state) {
        return of(state, DelayLayout.none(state.input().dimension()));
    }

    /** A forecaster for states that are made of observations in some way. */
    public static Forecaster of(LearnerState state, DelayLayout layout) {
        return of(state, layout, null);
    }

    /**
     * A forecaster that mixes as a record says.
     *
     * @param record of the same stream, to be read only; null for none
     */
    public static Forecaster of(LearnerState state, DelayLayout layout, ForecastRecord record) {
        return new Forecaster(
                state,
                layout,
                () -> state.settled() instanceof LeastSquaresState learned
                        ? operator(learned)
                        : state.forecastOperator().asKoopman(),
                OptionalDouble.empty(),
                record);
    }

    /** With a ridge that is small enough for many steps: what it takes off in one it takes off in all. */
    static KoopmanOperator operator(LeastSquaresState state) {
        if (state.config().lambda().isPresent()) {
            return state.forecastOperator().asKoopman();
        }
        double usual = LeastSquaresConfig.DEFAULT_LAMBDA * state.family().scale();
        return state.operator(Math.min(usual, ridge(state))).asKoopman();
    }

    /**
     * A forecaster with another ridge, and an operator of the same state that was regularised like it.
     *
     * @param lambda ridge of the increments
     */
    public static Forecaster of(LearnerState state, DelayLayout layout, KoopmanOperator operator, double lambda) {
        return new Forecaster(state, layout, () -> operator, OptionalDouble.of(lambda), null);
    }

    /** Layout of states. */
    public DelayLayout layout() {
        return layout;
    }

    /** The ridge of the increments; empty for a model of SOGD. */
    public OptionalDouble lambda() {
        return lambda;
    }

    /** Kept samples. */
    public int dictionarySize() {
        return dictionarySize;
    }

    /** The record that says of what forecasts are made, to be read only; empty where there is none. */
    public Optional<ForecastRecord> record() {
        return Optional.ofNullable(record);
    }

    /** Knownness of a state, ‖β‖²/κ from 0 to 1. */
    public double known(double[] state) {
        requireState(state);
        return map == null
                ? operator.get().operator().coverage(state)
                : block(new double[][][] {layout.history(state)}).known()[0];
    }

    PathBlock block(double[][][] starts) {
        return new PathBlock(map, Arrays.stream(starts).map(this::newest).toArray(double[][][]::new), new Products());
    }

    /** The observations that a state is made of. */
    private double[][] newest(double[][] history) {
        return Arrays.copyOfRange(history, history.length - layout.history(), history.length);
    }

    /**
     * The forecast from a state.
     *
     * @param state a delay vector, newest observation first
     * @throws InvalidQueryException if the state is none
     * @throws UnknownStartException if the answer rests on the kernel and the state is known by less than {@link #REFUSE_BELOW}, unless that is allowed
     */
    public Forecast forecast(double[] state, ForecastRequest request) {
        requireState(state);
        return forecast(layout.history(state), request);
    }

    private void requireState(double[] state) {
        if (map == null) {
            operator.get().operator().domain().requireQuery(state, "start");
        } else {
            map.basis().space().requireQuery(state, "start");
        }
    }

    /**
     * The forecast after successive observations. Coordinates that are differences are added up from the start on.
     *
     * @param history oldest first, as many as {@link DelayLayout#history()} or more, which the linear kind and the season look back on
     */
    public Forecast forecast(double[][] history, ForecastRequest request) {
        return forecast(history, null, request);
    }

    /** @param given units of the answer, with the level of the newest observation; null for levels that count from there on */
    Forecast forecast(double[][] history, Forecast.Units given, ForecastRequest request) {
        Forecast one = forecasts(new double[][][] {history}, given, request).get(0);
        if (one.isRefused()) {
            throw new UnknownStartException(one.known(0));
        }
        return one;
    }

    /**
     * Forecasts from many states, which cost less together.
     *
     * @param states delay vectors, one per row
     * @return {@linkplain Forecast#isRefused refused} ones for starts from which there is no answer
     */
    public List<Forecast> forecasts(double[][] states, ForecastRequest request) {
        double[][][] histories = new double[states.length][][];
        for (int i = 0; i < states.length; i++) {
            requireState(states[i]);
            histories[i] = layout.history(states[i]);
        }
        return forecasts(histories, null, request);
    }

    private List<Forecast> forecasts(double[][][] histories, Forecast.Units given, ForecastRequest asked) {
        ForecastRequest request = asked.knowing(asked.knownAhead(layout));
        double[][][] levels = new double[histories.length][][];
        for (int i = 0; i < levels.length; i++) {
            requireState(layout.state(histories[i]));
            levels[i] = layout.summed(histories[i], given == null ? null : given.start());
        }
        if (levels.length == 0) {
            return List.of();
        }
        Means means = new Means(histories, levels, request);
        return IntStream.range(0, levels.length)
                .mapToObj(i -> {
                    double[] last = levels[i][levels[i].length - 1];
                    return means.forecast(i, histories[i], last, given == null ? Forecast.Units.of(last) : given);
                })
                .toList();
    }

    int observed() {
        return layout.observed();
    }

    Residuals residuals() {
        return residuals.get();
    }

    /** Expected paths from many starts at once. */
    private final class Means {
        private final ForecastRequest request;
        private final double[][][] mean;
        private final double[][] known;
        /** Of the record's members, by start, step and coordinate; null where the record plays no part. */
        private final double[][][][] shares;
        /** Starts after the newest row of a trajectory that the record follows: it judged forecasts from there. */
        private final boolean[] follows;

        private final ForecastRecord.Members[] members;
        /** The record of forecasts that knew as much of inputs; null where there is none. */
        private final ForecastRecord record;

        /** @param levels of the histories */
        Means(double[][][] histories, double[][][] levels, ForecastRequest request) {
            this.request = request;
            record = request.inputs() == null
                    ? Forecaster.this.record
                    : Forecaster.this
                            .record()
                            .flatMap(ForecastRecord::given)
                            .filter(ForecastRecord::isJudged)
                            .orElse(null);
            int n = histories.length;
            int steps = request.steps();
            mean = new double[n][steps][];
            known = new double[n][steps + 1];
            boolean mixes = record != null && request.mode() == Mode.AUTO;
            shares = mixes ? new double[n][][][] : null;
            follows = new boolean[n];
            members = new ForecastRecord.Members[n];
            Map<Integer, double[][][]> sharesOf = new HashMap<>();
            boolean isOperator = map == null || request.mode() == Mode.OPERATOR;
            boolean asksOperator = isOperator;
            if (map == null && request.mode() == Mode.PATH) {
                throw new InvalidQueryException("a model of sogd holds no increments: ask for the operator's forecast");
            }
            for (int i = 0; i < n && mixes; i++) {
                RowHistory followed = record.historyOf(histories[i]);
                follows[i] = followed != null;
                members[i] = record
                .new Members(followed == null ? new RowHistory(levels[i]) : followed, steps, request.known());
                shares[i] = sharesOf.computeIfAbsent(members[i].available(), available -> {
                    double[][][] result = new double[steps][][];
                    Arrays.setAll(result, s -> record.shares(s + 1, available));
                    return result;
                });
                asksOperator |= has(shares[i], one -> ForecastRecord.Member.OPERATOR.of(one) > 0);
            }
            double[][] states = Arrays.stream(histories).map(layout::state).toArray(double[][]::new);
            PathBlock paths = map == null ? null : block(histories);
            Matrix seen = asksOperator ? operator.get().start(states) : null;
            double[][] at = new double[n][];
            Arrays.setAll(at, i -> levels[i][levels[i].length - 1]);
            for (int s = 0; s < steps; s++) {
                if (paths != null) {
                    keep(paths.stepAndKnown(request.known()), s);
                }
                for (int i = 0; i < n; i++) {
                    double[] expected = asksOperator ? operator.get().expected(seen, i) : null;
                    double[] own = isOperator ? expected : paths.newest(i).clone();
                    layout.sum(own, at[i]);
                    at[i] = own;
                    if (mixes) {
                        own = own.clone();
                        double[] mixed = record.mixture(members[i].at(s + 1, own, expected), shares[i][s]);
                        System.arraycopy(mixed, 0, own, 0, mixed.length);
                    }
                    request.known().fill(s + 1, own);
                    mean[i][s] = own;
                }
                seen = asksOperator && s + 1 < steps ? operator.get().next(seen) : seen;
            }
            if (paths != null) {
                keep(paths.known(), steps);
            } else {
                Arrays.setAll(known, i -> constant(operator.get().operator().coverage(states[i]), steps + 1));
            }
        }

        /** @param last levels of the start */
        Forecast forecast(int i, double[][] history, double[] last, Forecast.Units units) {
            if (known[i][0] < REFUSE_BELOW && !request.anyway() && needsKernel(i)) {
                return new Forecast(null, known[i], null, null, null, units);
            }
            Forecast.Judged judged = shares == null ? null : new Forecast.Judged(members[i], shares[i]);
            if (request.paths() == 0) {
                return new Forecast(mean[i], known[i], null, judged, null, units);
            }
            if (map == null) {
                StateDistribution[] band = operator.get().distributions(layout.state(history), mean[i].length);
                return new Forecast(mean[i], known[i], null, null, band, units);
            }
            Lazy<SimulatedPaths> paths = new Lazy<>(
                    () -> new SimulatedPaths(Forecaster.this, history, last, request, units, mean[i], judged));
            return new Forecast(mean[i], known[i], paths, judged, null, units);
        }

        /** True where the answer rests on the kernel, or on a start of which nothing but the kernel says whether it is like what was learned. */
        private boolean needsKernel(int start) {
            return shares == null
                    || !follows[start]
                    || has(shares[start], one -> ForecastRecord.kernelShare(one) >= MIN_SHARE);
        }

        private static boolean has(double[][][] shares, Predicate<double[]> such) {
            return Arrays.stream(shares).flatMap(Arrays::stream).anyMatch(such);
        }

        private static double[] constant(double value, int count) {
            double[] all = new double[count];
            Arrays.fill(all, value);
            return all;
        }

        private void keep(double[] shares, int s) {
            for (int i = 0; i < shares.length; i++) {
                known[i][s] = shares[i];
            }
        }
    }

    /**
     * The operator's distribution of the state after some steps, on the kept points: for observables of the whole state.
     *
     * @throws InvalidQueryException where nothing was learned, so that no mass is left
     */
    public StateDistribution distribution(double[] state, int step) {
        requireState(state);
        return operator.get().distributions(state, step)[step - 1];
    }
}
