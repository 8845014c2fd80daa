package io.koopstream.forecast;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import java.util.Arrays;

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
    static final double[] ONLY_LAST = {0, 0, 1, 0, 0};
    private static final double[] ONLY_LINEAR = {0, 0, 0, 0, 1};

    /** While most paths are near to the truth a mixture must lower the squared error by this share. */
    private static final double MIN_GAIN = 0.03;

    /**
     * A gain over the last observation by so many standard errors is certain. A smaller one may be that of a random walk, which returns to its own mean in every
     * sample of it, held out or not (Dickey and Fuller, JASA 74, 1979): then only what is judged after it was fitted tells, which is the linear kind.
     */
    private static final double MIN_ERRORS = 3;

    /** One step ahead the squared gain in standard errors need not be more: a wrong return to the mean costs hardly anything there. */
    private static final double NEXT_STEP = 2;

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

    /** A mean squared error, in variances, below which all are equal. */
    private static final double MIN_ERROR = 1e-12;

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
        linear = fits == null ? null : fits[fits.length - 1];
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
            lines[i] = fits == null ? null : new LinearPath(fits[starts.part(i, fits.length - 1)], map, histories[i]);
        }
        PathBlock paths = new PathBlock(map, histories, new Products());
        Matrix seen = operator == null ? null : operator.start(states);
        double[][][][] forecasts = new double[horizon][][][];
        for (int h = 1; h <= horizon; h++) {
            paths.step(KnownAhead.NOTHING);
            forecasts[h - 1] = new double[starts.reaching(h)][][];
            for (int i = 0; i < forecasts[h - 1].length; i++) {
                starts.putKnown(i, h, paths.newest(i));
                double[] line = lines[i] == null ? null : lines[i].step();
                if (line != null) {
                    starts.putKnown(i, h, line);
                }
                double[] expected = operator == null ? null : operator.expected(seen, i);
                forecasts[h - 1][i] = kinds(paths.newest(i).clone(), expected, line, histories[i], h);
            }
            seen = operator == null || h == horizon ? seen : operator.next(seen);
        }
        double[][] result = new double[horizon + 1][];
        double carried = 1;
        boolean wanders = starts.wanders(PARTS);
        boolean leaves = wanders && linear != null && map.fades();
        for (int h = 1; h <= horizon; h++) {
            Evidence evidence = new Evidence(starts, forecasts, h, fits == null ? 1 : fits.length - 1);
            double[] best = leaves && !starts.isWithin(h) ? withoutPath(evidence) : best(evidence);
            double believed = believed(evidence, best, carried);
            carried = starts.isWithin(h) ? believed : carried;
            double[] rest = wanders ? ONLY_LAST : plain(evidence.products);
            result[h - 1] = new double[KINDS];
            for (int k = 0; k < KINDS; k++) {
                result[h - 1][k] = believed * best[k] + (1 - believed) * rest[k];
            }
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
     * What is forecast where there is little evidence for more: the last observation, the season and the linear regression, each the more the less it erred
     * (inverse squares of mean squared errors; Bates and Granger, <i>The combination of forecasts</i>, Operational Research Quarterly 20, 1969).
     */
    private double[] plain(double[][] products) {
        double[] plain = new double[KINDS];
        double sum = 0;
        for (int k : new int[] {LAST, SEASON, LINEAR}) {
            boolean exists = k == LAST || (k == SEASON ? period > 0 : linear != null);
            double error = Math.max(products[k][k], MIN_ERROR);
            plain[k] = exists ? 1 / (error * error) : 0;
            sum += plain[k];
        }
        for (int k = 0; k < KINDS; k++) {
            plain[k] /= sum;
        }
        return plain;
    }

    /** The best weights of what needs no path and no operator. */
    private double[] withoutPath(Evidence evidence) {
        double[][] products = without(without(evidence.products, PATH, LINEAR), OPERATOR, LINEAR);
        double[] best = Blend.weights(products, prior(), PRIOR_STARTS / evidence.blocks());
        best[LINEAR] += best[PATH] + best[OPERATOR];
        best[PATH] = 0;
        best[OPERATOR] = 0;
        return best;
    }

    /** The weights with the least error, as far as there is evidence for them. */
    private double[] best(Evidence evidence) {
        double pull = PRIOR_STARTS / evidence.blocks();
        double[] best = Blend.weights(evidence.products, prior(), pull);
        if (evidence.limit < Double.POSITIVE_INFINITY) {
            double gain = Arrays.stream(evidence.gains(best, ONLY_PATH, 0, error -> error))
                    .sum();
            double whole = Arrays.stream(evidence.gains(ONLY_PATH, null, 0, error -> error))
                    .sum();
            best = gain > MIN_GAIN * -whole ? best : ONLY_PATH.clone();
        }
        if (best[OPERATOR] > 0 && evidence.certainty(best) < MIN_ERRORS) {
            best = Blend.weights(without(evidence.products, OPERATOR, PATH), prior(), pull);
            best[PATH] += best[OPERATOR];
            best[OPERATOR] = 0;
        }
        return best;
    }

    /**
     * How far weights are believed; the rest is the last observation, or what is plain.
     *
     * @param carried how far at the longest horizon that is judged on nothing that was learned: what follows held-out runs was learned, and a random walk
     *     passes most places once
     */
    private double believed(Evidence evidence, double[] best, double carried) {
        int h = evidence.h;
        double certainty = evidence.certainty(best);
        double share = Blend.value(evidence.products, best) / evidence.products[LAST][LAST];
        double own = certainty > 1 && share < PLAIN_SHARE ? 1 : believed(h, certainty);
        double inTurn = linear == null ? 0 : inTurn(evidence);
        if (evidence.starts.isWithin(h)) {
            return Math.max(own, inTurn);
        }
        return h <= MAX_PLAIN && certainty > 1 && share < PLAIN_SHARE_LEARNED
                ? 1
                : Math.min(own, Math.max(inTurn, carried > CERTAIN || linear == null ? carried : 0));
    }

    /** How far the linear kind is believed, judged after it was fitted. */
    private static double inTurn(Evidence evidence) {
        double squares = Evidence.standardErrors(evidence.gains(ONLY_LINEAR, ONLY_LAST, 1, error -> error));
        double roots = Evidence.standardErrors(evidence.gains(ONLY_LINEAR, ONLY_LAST, 1, Math::sqrt));
        return believed(evidence.h, Math.max(squares, roots));
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

    private static double[] average(double[][] weights, int from, int to) {
        double[] result = new double[KINDS];
        for (int i = from; i < to; i++) {
            for (int k = 0; k < KINDS; k++) {
                result[k] += weights[i][k] / (to - from);
            }
        }
        return result;
    }

    /** Horizons that differ little are judged together, so that a forecast does not jump from one to the next. */
    static int nearestFrom(int h) {
        return Math.max(1, (int) Math.ceil(h / NEAR_HORIZONS));
    }

    static int nearestTo(int h, int horizon) {
        return Math.min(horizon, (int) Math.floor(h * NEAR_HORIZONS));
    }

    /** In units of the standard deviations. */
    static double squaredError(double[] forecast, double[] truth, double[] units) {
        double sum = 0;
        for (int c = 0; c < units.length; c++) {
            double off = units[c] > 0 ? (truth[c] - forecast[c]) / units[c] : 0;
            sum = Math.fma(off, off, sum);
        }
        return sum;
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
