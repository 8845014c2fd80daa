package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Forecasts of the observation from what a learner knows. Least squares adds increments, f(x) = x + (V/n)(S/n + λ)⁻¹ β(x), and what is best at each
 * horizon is decided on its held-out runs; bands come from paths simulated with held-out residuals. A model of SOGD has its operator alone.
 *
 * <p>Immutable; any number of threads may ask at once. What held-out runs say is found on first use and kept.
 */
public final class Forecaster {

    /** Below this share of a state inside the dictionary an answer deserves a warning. */
    public static final double WARN_BELOW = 0.5;

    /** Below this share there is no answer unless it is asked for {@link ForecastRequest#anyway}. */
    public static final double REFUSE_BELOW = 0.1;

    /** One step ahead at this share of persistence's error there is no noise to speak of: the operator has nothing to add to the path. */
    private static final double NOISE_FREE = 0.05;

    private final DelayLayout layout;
    /** Null for SOGD. */
    private final IncrementMap map;

    private final int dictionarySize;
    private final OptionalDouble lambda;

    private final Lazy<OperatorPath> operator;
    private final Lazy<Residuals> residuals;
    private final Lazy<Calibration> calibration;
    private final boolean judges;

    /** A cache that keeps calibrations from one forecaster of a model to the next. */
    @FunctionalInterface
    public interface CalibrationKeeper {
        /** The kept calibration, or a fresh one. */
        Calibration get(Supplier<Calibration> fresh);
    }

    /** Computes once, on first use. */
    private static final class Lazy<T> {
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
            Function<LambdaChoice, KoopmanOperator> operator,
            OptionalDouble given,
            CalibrationKeeper keeper) {
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
        if (!(settled instanceof LeastSquaresState learned)) {
            this.operator = new Lazy<>(() -> new OperatorPath(operator.apply(null), layout.observed()));
            lambda = OptionalDouble.empty();
            map = null;
            residuals = null;
            calibration = null;
            judges = false;
            return;
        }
        LambdaChoice choice = learned.forecastChoice();
        this.operator = new Lazy<>(() -> new OperatorPath(operator.apply(choice), layout.observed()));
        double ridge = given.orElseGet(() -> learned.config().lambda().orElseGet(choice::forecast));
        lambda = OptionalDouble.of(ridge);
        map = new IncrementMap(learned, layout, ridge);
        judges = learned.holdOut().size() >= Residuals.MIN_PAIRS;
        residuals = new Lazy<>(() -> judges ? new Residuals(map, learned.holdOut()) : fitted(learned, ridge));
        boolean noisy = !(choice.forecastError() < NOISE_FREE);
        calibration = new Lazy<>(() -> keeper.get(() -> new Calibration(
                map,
                noisy ? this.operator.get() : null,
                residuals.get(),
                new HeldOutStarts(layout, learned.holdOut(), learned.config().holdOut()),
                learned.samples())));
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
        return of(state, layout, Supplier::get);
    }

    /** A forecaster that takes its calibration from the keeper where that has one. */
    public static Forecaster of(LearnerState state, DelayLayout layout, CalibrationKeeper keeper) {
        return new Forecaster(state, layout, choice -> operator(state, choice), OptionalDouble.empty(), keeper);
    }

    /** With a ridge that is small enough for many steps: what it takes off in one it takes off in all. */
    private static KoopmanOperator operator(LearnerState state, LambdaChoice choice) {
        if (!(state instanceof LeastSquaresState learned)
                || learned.config().lambda().isPresent()) {
            return state.forecastOperator().asKoopman();
        }
        double usual = LeastSquaresConfig.DEFAULT_LAMBDA * learned.family().scale();
        return learned.operator(Math.min(usual, choice.forecast())).asKoopman();
    }

    /**
     * A forecaster with another ridge, and an operator of the same state that was regularised like it.
     *
     * @param lambda ridge of the increments
     */
    public static Forecaster of(LearnerState state, DelayLayout layout, KoopmanOperator operator, double lambda) {
        return new Forecaster(state, layout, choice -> operator, OptionalDouble.of(lambda), Supplier::get);
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

    /** Number of samples learned when held-out runs said what to mix and how wide bands are; empty while nobody has asked for that. */
    public OptionalLong calibratedOn() {
        Calibration known = calibration == null ? null : calibration.value;
        return known == null ? OptionalLong.empty() : OptionalLong.of(known.samples());
    }

    /** The longest horizon that held-out runs have judged; 0 when there are none. */
    public int judgedHorizon() {
        return judges ? calibration.get().mixture().horizon() : 0;
    }

    /**
     * Of what {@link Mode#AUTO} is made at a horizon: the weights of path, operator, last observation, last season and linear regression.
     *
     * @param step >= 1
     */
    public double[] mixture(int step) {
        return map == null
                ? Mixture.ONLY_PATH.clone()
                : calibration.get().mixture().weights(step).clone();
    }

    /** Knownness of a state, ‖β‖²/κ from 0 to 1. */
    public double known(double[] state) {
        requireState(state);
        return map == null
                ? operator.get().operator().coverage(state)
                : block(new double[][][] {layout.history(state)}).known()[0];
    }

    private PathBlock block(double[][][] starts) {
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
     * @throws InvalidQueryException if the state is none, or known by less than {@link #REFUSE_BELOW} unless that is allowed
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
     * The forecast after successive observations.
     *
     * @param history oldest first, as many as {@link DelayLayout#history()} or more, which the linear kind and the season look back on
     */
    public Forecast forecast(double[][] history, ForecastRequest request) {
        double[] state = layout.state(history);
        requireState(state);
        if (map == null) {
            return ofOperator(state, request);
        }
        Means means = new Means(new double[][][] {history}, request);
        double start = means.known[0][0];
        if (start < REFUSE_BELOW && !request.anyway()) {
            throw new InvalidQueryException(refusal(start));
        }
        if (request.paths() == 0) {
            return new Forecast(means.mean[0], means.known[0], null, null, null, null);
        }
        double[][][] values = new double[request.steps()][layout.observed()][request.paths()];
        double[][][] outputs = new double[request.steps()][request.outputs().count()][request.paths()];
        simulate(history, request, means.moved(0), values, outputs);
        return new Forecast(means.mean[0], means.known[0], values, outputs, judges ? calibration.get() : null, null);
    }

    private static String refusal(double known) {
        return String.format(
                Locale.ROOT,
                "the start is known by %.2g only, less than %s: nothing like it was learned; start nearer to the data, or ask anyway",
                known,
                REFUSE_BELOW);
    }

    private Forecast ofOperator(double[] state, ForecastRequest request) {
        if (request.mode() == Mode.PATH) {
            throw new InvalidQueryException("a model of sogd holds no increments: ask for the operator's forecast");
        }
        OperatorPath path = operator.get();
        double start = path.operator().coverage(state);
        if (start < REFUSE_BELOW && !request.anyway()) {
            throw new InvalidQueryException(refusal(start));
        }
        double[][] mean = new double[request.steps()][];
        Matrix seen = path.start(new double[][] {state});
        for (int s = 0; s < mean.length; s++) {
            mean[s] = path.expected(seen, 0);
            request.known().fill(s + 1, mean[s]);
            seen = s + 1 < mean.length ? path.next(seen) : seen;
        }
        double[] known = new double[mean.length + 1];
        Arrays.fill(known, start);
        return new Forecast(
                mean, known, null, null, null, request.paths() == 0 ? null : path.distributions(state, mean.length));
    }

    /**
     * Paths from one start: for each step the values of each coordinate and of each further output, ascending. Further outputs are read off paths that were
     * moved and widened as held-out runs say, as the bands of the coordinates are.
     *
     * @param moved by how much what is expected differs from the path at each step
     */
    private void simulate(
            double[][] history, ForecastRequest request, double[][] moved, double[][][] values, double[][][] outputs) {
        int n = request.paths();
        PathBlock block = block(PathBlock.repeated(history, n));
        SplittableRandom[] random = PathBlock.generators(request.seed(), n);
        Residuals drawn = residuals.get();
        double[][] memories = new double[n][];
        Arrays.setAll(memories, p -> request.outputs().memory());
        double[] numbers = new double[request.outputs().count()];
        for (int s = 0; s < values.length; s++) {
            block.step(drawn.needsExact(), drawn, random, request.known());
            for (int p = 0; p < n; p++) {
                put(block.newest(p), values[s], p);
            }
            double[] means = numbers.length == 0 ? null : Forecast.means(values[s]);
            double factor = numbers.length > 0 && judges ? calibration.get().factor(s + 1, 0) : 1;
            for (int p = 0; p < n && numbers.length > 0; p++) {
                double[] place = moved[s].clone();
                for (int c = 0; c < place.length; c++) {
                    place[c] += means[c] + factor * (values[s][c][p] - means[c]);
                }
                request.known().fill(s + 1, place);
                request.outputs().read(place, memories[p], numbers);
                put(numbers, outputs[s], p);
            }
            for (double[] sample : values[s]) {
                Arrays.sort(sample);
            }
            for (double[] sample : outputs[s]) {
                Arrays.sort(sample);
            }
        }
    }

    private static void put(double[] numbers, double[][] samples, int p) {
        for (int c = 0; c < samples.length; c++) {
            samples[c][p] = numbers[c];
        }
    }

    /**
     * Forecasts from many states.
     *
     * @param states delay vectors, one per row
     * @param levels of quantiles, none for means alone
     * @return NaN for starts that are refused
     */
    public BatchForecast forecasts(double[][] states, ForecastRequest request, double... levels) {
        double[][][] histories = new double[states.length][][];
        for (int i = 0; i < states.length; i++) {
            requireState(states[i]);
            histories[i] = layout.history(states[i]);
        }
        int n = states.length;
        double[][][] means = new double[n][][];
        double[] known = new double[n];
        if (map != null && n > 0) {
            Means all = new Means(histories, request);
            for (int i = 0; i < n; i++) {
                means[i] = all.mean[i];
                known[i] = all.known[i][0];
            }
        }
        double[][][][] quantiles = new double[levels.length][n][][];
        int refused = 0;
        ForecastRequest each = levels.length == 0 ? request.paths(0, request.seed()) : request;
        for (int i = 0; i < n; i++) {
            known[i] = map == null ? known(states[i]) : known[i];
            boolean answers = known[i] >= REFUSE_BELOW || request.anyway();
            refused += answers ? 0 : 1;
            Forecast one = answers && (map == null || levels.length > 0) ? forecast(histories[i], each) : null;
            if (!answers) {
                means[i] = nothing(request.steps());
            } else if (map == null) {
                means[i] = one.means();
            }
            for (int q = 0; q < levels.length; q++) {
                quantiles[q][i] = answers ? one.quantiles(levels[q]) : nothing(request.steps());
            }
        }
        return new BatchForecast(means, quantiles, known, refused);
    }

    private double[][] nothing(int steps) {
        double[][] rows = new double[steps][layout.observed()];
        for (double[] row : rows) {
            Arrays.fill(row, Double.NaN);
        }
        return rows;
    }

    /** Expected paths from many starts at once, of a least-squares model. */
    private final class Means {
        private final double[][][] mean;
        private final double[][][] path;
        private final double[][] known;

        Means(double[][][] histories, ForecastRequest request) {
            int n = histories.length;
            int steps = request.steps();
            mean = new double[n][steps][];
            path = new double[n][steps][];
            known = new double[n][steps + 1];
            // Held-out runs were judged with what is always known ahead; of anything else only the path can follow it.
            boolean judged = request.known() == KnownAhead.NOTHING || layout.ahead() > 0;
            boolean blends = request.mode() == Mode.AUTO && judged;
            Mixture blend = blends ? calibration.get().mixture() : null;
            boolean asksOperator = request.mode() == Mode.OPERATOR || (blends && blend.uses(Mixture.OPERATOR, steps));
            PathBlock paths = block(histories);
            LinearMember.Path[] lines = new LinearMember.Path[n];
            for (int i = 0; i < n && blends; i++) {
                lines[i] = blend.line(map, histories[i], steps);
            }
            Matrix seen = asksOperator ? operator.get().start(states(histories)) : null;
            for (int s = 0; s < steps; s++) {
                keep(paths.stepAndKnown(request.known()), s);
                for (int i = 0; i < n; i++) {
                    path[i][s] = paths.newest(i).clone();
                    double[] expected = asksOperator ? operator.get().expected(seen, i) : null;
                    double[] line = lines[i] == null ? null : lines[i].step();
                    if (line != null) {
                        request.known().fill(s + 1, line);
                    }
                    mean[i][s] = request.mode() == Mode.OPERATOR
                            ? expected
                            : blend == null
                                    ? path[i][s]
                                    : Mixture.mixed(
                                            blend.weights(s + 1),
                                            blend.kinds(path[i][s].clone(), expected, line, histories[i], s + 1));
                    request.known().fill(s + 1, mean[i][s]);
                }
                seen = asksOperator && s + 1 < steps ? operator.get().next(seen) : seen;
            }
            keep(paths.known(), steps);
        }

        /** Expected value less the path. */
        private double[][] moved(int start) {
            double[][] moved = new double[mean[start].length][];
            for (int s = 0; s < moved.length; s++) {
                double[] of = path[start][s];
                double[] to = mean[start][s];
                moved[s] = new double[of.length];
                Arrays.setAll(moved[s], c -> Double.isFinite(to[c]) ? to[c] - of[c] : 0);
            }
            return moved;
        }

        private void keep(double[] shares, int s) {
            for (int i = 0; i < shares.length; i++) {
                known[i][s] = shares[i];
            }
        }

        private double[][] states(double[][][] histories) {
            return Arrays.stream(histories).map(layout::state).toArray(double[][]::new);
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
