package io.koopstream.forecast;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * Of what a forecast is made at each horizon: the weights of five kinds of forecasts, as the starts held out say. Where they say little, the weights are
 * near to those that need no evidence, and near to the last observation. Immutable.
 */
final class Mixture {

    static final int PATH = 0;
    static final int OPERATOR = 1;
    static final int LAST = 2;
    static final int SEASON = 3;
    static final int LINEAR = 4;
    static final int KINDS = 5;
    static final double[] ONLY_PATH = {1, 0, 0, 0, 0};
    private static final double[] ONLY_LAST = {0, 0, 1, 0, 0};
    private static final double[] ONLY_LINEAR = {0, 0, 0, 0, 1};

    /** In standard deviations: a forecast that is off by more follows the truth no longer. */
    private static final double NEAR = 0.4;

    /** While most paths are near to the truth a mixture must lower the squared error by this share. */
    private static final double MIN_GAIN = 0.03;

    /**
     * A gain over the last observation by so many standard errors is certain. A smaller one may be that of a random walk, which returns to its own mean in every
     * sample of it, held out or not (Dickey and Fuller, JASA 74, 1979): then only what is judged after it was fitted tells, which is the linear kind.
     */
    private static final double MIN_ERRORS = 3;

    /** One step ahead the squared gain in standard errors need not be more: a wrong return to the mean costs hardly anything there. */
    private static final double NEXT_STEP = 2;

    /** Fewer independent starts say nothing that was not said of shorter horizons. */
    private static final int MIN_BLOCKS = 4;

    /** What is believed by less is not carried on to horizons that are judged on what was learned. */
    private static final double CERTAIN = 0.9;

    /** A forecast with less than this share of the last observation's squared error, and a gain by a standard error, is believed. */
    private static final double PLAIN_SHARE = 0.5;

    /** The same where it is judged on what was learned later: of a random walk the path remembers where it went, but by far not so well. */
    private static final double PLAIN_SHARE_LEARNED = 0.1;

    /** Beyond this horizon only what was not learned tells what is plain: a trend leaves what was seen. */
    private static final int MAX_PLAIN = 30;

    /** Weights that need no evidence count as much as so many independent starts. */
    private static final double PRIOR_STARTS = 1;

    /** Horizons up to this factor apart are near to each other. */
    private static final double NEAR_HORIZONS = 1.3;

    /** The linear kind is judged in turn: on each part of the stream after it was fitted to the parts before. */
    private static final int PARTS = 4;

    private final int period;
    private final RidgeAutoregression linear;
    /** For horizon h at h − 1; the last entry serves beyond. */
    private final double[][] weights;

    /**
     * @param operator null when the operator plays no part
     * @param centres is given the mixture from every start that judges, for horizon h at h − 1
     */
    Mixture(IncrementMap map, OperatorPath operator, HeldOutStarts starts, double[][][] centres) {
        period = starts.period();
        RidgeAutoregression[] fits = starts.horizon() == 0 || map.layout().stride() > 1
                ? null
                : RidgeAutoregression.inTurn(starts.series(), map.layout(), PARTS)
                        .orElse(null);
        linear = fits == null ? null : fits[PARTS];
        weights = judged(map, operator, starts, fits, centres);
    }

    private double[][] judged(
            IncrementMap map,
            OperatorPath operator,
            HeldOutStarts starts,
            RidgeAutoregression[] fits,
            double[][][] centres) {
        int horizon = starts.horizon();
        int all = starts.size();
        double[][][] histories = new double[all][][];
        double[][] states = new double[all][];
        LinearPath[] lines = new LinearPath[all];
        for (int i = 0; i < all; i++) {
            histories[i] = starts.history(i);
            states[i] = starts.state(i);
            lines[i] = fits == null ? null : new LinearPath(fits[starts.part(i, PARTS)], map, histories[i]);
        }
        PathBlock paths = new PathBlock(map, histories, new Products());
        Matrix seen = operator == null ? null : operator.start(states);
        double[] prior = prior();
        double[][] each = new double[horizon][];
        double[][][][] forecasts = new double[horizon][][][];
        double[] carried = {1};
        double[] judged = ONLY_LAST;
        for (int h = 1; h <= horizon; h++) {
            int at = h;
            paths.step(KnownAhead.NOTHING);
            int n = starts.reaching(h);
            double judges =
                    IntStream.range(0, n).filter(i -> starts.judges(i, at)).count();
            forecasts[h - 1] = new double[n][][];
            double[][] products = new double[KINDS][KINDS];
            for (int i = 0; i < n; i++) {
                starts.putKnown(i, h, paths.newest(i));
                double[] line = lines[i] == null ? null : lines[i].step();
                if (line != null) {
                    starts.putKnown(i, h, line);
                }
                double[] expected = operator == null ? null : operator.expected(seen, i);
                forecasts[h - 1][i] = kinds(paths.newest(i).clone(), expected, line, histories[i], h);
                if (starts.judges(i, h)) {
                    addProducts(forecasts[h - 1][i], starts.truth(i, h), starts.deviations(), judges, products);
                }
            }
            boolean follows = h > 1 && !starts.isWithin(h) && blocks(starts, h) < MIN_BLOCKS;
            judged = follows ? judged : weights(forecasts[h - 1], products, prior, starts, h, carried, false);
            each[h - 1] = judged;
            if (!starts.isWithin(h) && h <= MAX_PLAIN) {
                double[] bold = weights(forecasts[h - 1], products, prior, starts, h, carried, true);
                boolean plain = Blend.value(products, bold) < PLAIN_SHARE_LEARNED * products[LAST][LAST];
                each[h - 1] = plain ? bold : judged;
            }
            seen = operator == null || h == horizon ? seen : operator.next(seen);
        }
        double[][] result = new double[horizon + 1][];
        for (int h = 1; h <= horizon; h++) {
            boolean alone = each[h - 1][PATH] == 1;
            result[h - 1] = alone ? ONLY_PATH.clone() : average(each, nearestFrom(h) - 1, nearestTo(h, horizon));
            for (int i = 0; i < forecasts[h - 1].length; i++) {
                centres[h - 1][i] = mixed(result[h - 1], forecasts[h - 1][i]);
            }
        }
        result[horizon] = horizon == 0 ? ONLY_PATH.clone() : average(result, horizon * 2 / 3, horizon);
        return result;
    }

    /** Equal weights of all that there is, but for the operator. */
    private double[] prior() {
        double[] prior = {1, 0, 1, period > 0 ? 1 : 0, linear == null ? 0 : 1};
        double sum = Arrays.stream(prior).sum();
        return Arrays.stream(prior).map(weight -> weight / sum).toArray();
    }

    /**
     * @param carried how much is believed at the longest horizon so far that is judged on nothing that was learned, read and written: what follows held-out
     *     runs was learned, and a random walk passes most places once
     * @param bold whether what is plain is believed although it is judged on what was learned
     */
    private double[] weights(
            double[][][] forecasts,
            double[][] products,
            double[] prior,
            HeldOutStarts starts,
            int h,
            double[] carried,
            boolean bold) {
        double limit = limit(forecasts, starts, h);
        double pull = PRIOR_STARTS / blocks(starts, h);
        double[] best = Blend.weights(products, prior, pull);
        if (limit < Double.POSITIVE_INFINITY) {
            double gain = Arrays.stream(gains(best, ONLY_PATH, forecasts, starts, h, limit, 0, error -> error))
                    .sum();
            double whole = Arrays.stream(gains(ONLY_PATH, null, forecasts, starts, h, limit, 0, error -> error))
                    .sum();
            best = gain > MIN_GAIN * -whole ? best : ONLY_PATH.clone();
        }
        double certainty = certainty(best, forecasts, starts, h, limit, 0, error -> error);
        if (best[OPERATOR] > 0 && certainty < MIN_ERRORS) {
            best = Blend.weights(without(products, OPERATOR, PATH), prior, pull);
            best[PATH] += best[OPERATOR];
            best[OPERATOR] = 0;
            certainty = certainty(best, forecasts, starts, h, limit, 0, error -> error);
        }
        double share = bold ? PLAIN_SHARE_LEARNED : PLAIN_SHARE;
        boolean plain = Blend.value(products, best) < share * products[LAST][LAST] && certainty > 1;
        double inTurn = linear == null
                ? 0
                : believed(
                        h,
                        Math.max(
                                certainty(ONLY_LINEAR, forecasts, starts, h, limit, 1, error -> error),
                                certainty(ONLY_LINEAR, forecasts, starts, h, limit, 1, Math::sqrt)));
        double believed = plain ? 1 : believed(h, certainty);
        if (starts.isWithin(h)) {
            believed = Math.max(believed, inTurn);
            carried[0] = believed;
        } else if (!plain || !bold) {
            believed = Math.min(believed, Math.max(inTurn, carried[0] > CERTAIN || linear == null ? carried[0] : 0));
        }
        double[] result = new double[KINDS];
        for (int k = 0; k < KINDS; k++) {
            result[k] = believed * best[k] + (1 - believed) * ONLY_LAST[k];
        }
        return result;
    }

    /** How much a gain of so many standard errors counts: the farther ahead, the more a wrong return to the mean costs. */
    private static double believed(int h, double certainty) {
        double far = Math.min(1, (h - 1.0) / HeldOutStarts.WITHIN);
        double needed = NEXT_STEP + (MIN_ERRORS * MIN_ERRORS - NEXT_STEP) * far;
        return Math.min(1, certainty * certainty / needed);
    }

    /** The products where one kind is replaced by another. */
    private static double[][] without(double[][] products, int kind, int other) {
        double[][] result = new double[KINDS][KINDS];
        for (int a = 0; a < KINDS; a++) {
            for (int b = 0; b < KINDS; b++) {
                result[a][b] = products[a == kind ? other : a][b == kind ? other : b];
            }
        }
        return result;
    }

    /** How many independent starts judge a horizon. */
    static int blocks(HeldOutStarts starts, int h) {
        Set<Integer> blocks = new HashSet<>();
        for (int i = 0; i < starts.reaching(h); i++) {
            if (starts.judges(i, h)) {
                blocks.add(starts.block(i, h));
            }
        }
        return Math.max(1, blocks.size());
    }

    private static double[] average(double[][] weights, int from, int to) {
        double[] result = new double[KINDS];
        for (int i = from; i < to; i++) {
            for (int k = 0; k < KINDS; k++) {
                result[k] += weights[i][k] / (to - from);
            }
        }
        return result;
    }

    /** Horizons that differ little answer alike: they are judged together, so that a forecast does not jump from one to the next. */
    static int nearestFrom(int h) {
        return Math.max(1, (int) Math.ceil(h / NEAR_HORIZONS));
    }

    static int nearestTo(int h, int horizon) {
        return Math.min(horizon, (int) Math.floor(h * NEAR_HORIZONS));
    }

    /**
     * What a squared error counts at most: while most paths stay near to the truth, that is what counts, and the few that part from it must not ask for
     * a mixture that is worse for all others. Later it is the mean square that counts.
     */
    private static double limit(double[][][] forecasts, HeldOutStarts starts, int h) {
        double near = NEAR * NEAR * starts.deviations().length;
        int count = 0;
        int all = 0;
        for (int i = 0; i < forecasts.length; i++) {
            if (!starts.judges(i, h)) {
                continue;
            }
            all++;
            count += squaredError(forecasts[i][PATH], starts.truth(i, h), starts.deviations()) < near ? 1 : 0;
        }
        return 2 * count > all ? near : Double.POSITIVE_INFINITY;
    }

    /**
     * By how much a mixture has less loss, a function of the squared error, than another at horizon h, on average over each block of held-out pairs.
     *
     * @param rival null for the truth
     * @param fromPart starts in earlier parts of the stream do not count
     */
    private static double[] gains(
            double[] weights,
            double[] rival,
            double[][][] forecasts,
            HeldOutStarts starts,
            int h,
            double limit,
            int fromPart,
            DoubleUnaryOperator loss) {
        Map<Integer, double[]> gains = new TreeMap<>();
        for (int i = 0; i < forecasts.length; i++) {
            if (starts.part(i, PARTS) < fromPart || !starts.judges(i, h)) {
                continue;
            }
            double[] truth = starts.truth(i, h);
            double[] sum = gains.computeIfAbsent(starts.block(i, h), key -> new double[2]);
            double other = rival == null ? 0 : squaredError(mixed(rival, forecasts[i]), truth, starts.deviations());
            double own = squaredError(mixed(weights, forecasts[i]), truth, starts.deviations());
            sum[0] += loss.applyAsDouble(Math.min(limit, other)) - loss.applyAsDouble(Math.min(limit, own));
            sum[1]++;
        }
        return gains.values().stream().mapToDouble(sum -> sum[0] / sum[1]).toArray();
    }

    /** The gain of a mixture over the last observation in standard errors. */
    private static double certainty(
            double[] weights,
            double[][][] forecasts,
            HeldOutStarts starts,
            int h,
            double limit,
            int fromPart,
            DoubleUnaryOperator loss) {
        return standardErrors(gains(weights, ONLY_LAST, forecasts, starts, h, limit, fromPart, loss));
    }

    private static double standardErrors(double[] gains) {
        double mean = Arrays.stream(gains).average().orElse(0);
        double squares = Arrays.stream(gains).map(m -> (m - mean) * (m - mean)).sum();
        double error = Math.sqrt(squares / Math.max(1, gains.length - 1) / Math.max(1, gains.length));
        return mean > 0 ? Math.min(mean / error, 1e6) : 0;
    }

    private static double squaredError(double[] forecast, double[] truth, double[] units) {
        double sum = 0;
        for (int c = 0; c < units.length; c++) {
            double off = units[c] > 0 ? (truth[c] - forecast[c]) / units[c] : 0;
            sum = Math.fma(off, off, sum);
        }
        return sum;
    }

    private static void addProducts(
            double[][] forecasts, double[] truth, double[] units, double cases, double[][] sums) {
        for (int a = 0; a < KINDS; a++) {
            for (int b = 0; b < KINDS; b++) {
                for (int c = 0; c < units.length; c++) {
                    if (units[c] > 0) {
                        double left = (truth[c] - forecasts[a][c]) / units[c];
                        double right = (truth[c] - forecasts[b][c]) / units[c];
                        sums[a][b] += left * right / cases;
                    }
                }
            }
        }
    }

    /**
     * The forecasts of all kinds; those that there are not are the path.
     *
     * @param operator may be null or NaN
     * @param line the linear one, may be null
     * @param history observations up to the start, oldest first
     */
    double[][] kinds(double[] path, double[] operator, double[] line, double[][] history, int h) {
        double[][] forecasts = new double[KINDS][];
        forecasts[PATH] = path;
        forecasts[OPERATOR] = operator == null || !Double.isFinite(operator[0]) ? path : operator;
        forecasts[LAST] = history[history.length - 1];
        forecasts[SEASON] = path;
        forecasts[LINEAR] = line == null ? path : line;
        if (period > 0) {
            int back = (h + period - 1) / period * period - h;
            forecasts[SEASON] = history[history.length - 1 - back];
        }
        return forecasts;
    }

    /** The mixture of forecasts with given weights. */
    static double[] mixed(double[] weights, double[][] forecasts) {
        double[] result = new double[forecasts[PATH].length];
        for (int k = 0; k < KINDS; k++) {
            for (int c = 0; c < result.length && weights[k] > 0; c++) {
                result[c] = Math.fma(weights[k], forecasts[k][c], result[c]);
            }
        }
        return result;
    }

    /** The weights of all kinds at a horizon, for reading. */
    double[] weights(int h) {
        return weights[Math.min(h, weights.length) - 1];
    }

    /** Whether a kind plays a part within so many steps. */
    boolean uses(int kind, int steps) {
        for (int h = 1; h <= Math.min(steps, weights.length); h++) {
            if (weights(h)[kind] > 0) {
                return true;
            }
        }
        return false;
    }

    /** A linear path from a start, null when it plays no part. */
    LinearPath line(IncrementMap map, double[][] history, int steps) {
        return linear == null || !uses(LINEAR, steps) ? null : new LinearPath(linear, map, history);
    }

    /** How many horizons were judged. */
    int horizon() {
        return weights.length - 1;
    }

    /** A linear regression iterated from a start, within the bounds of the path. Not thread-safe. */
    static final class LinearPath {
        private final RidgeAutoregression regression;
        private final IncrementMap map;
        private final double[][] rows;

        LinearPath(RidgeAutoregression regression, IncrementMap map, double[][] history) {
            this.regression = regression;
            this.map = map;
            int n = map.layout().history();
            this.rows = Arrays.copyOfRange(history, history.length - n, history.length);
        }

        /** The next observation; what is known ahead may be written to it before the next step. */
        double[] step() {
            double[] last = rows[rows.length - 1];
            double[] next = regression.next(rows, rows.length - 1);
            for (int c = 0; c < next.length; c++) {
                next[c] = map.bounded(c, last[c], next[c] - last[c]);
            }
            System.arraycopy(rows, 1, rows, 0, rows.length - 1);
            rows[rows.length - 1] = next;
            return next;
        }
    }
}
