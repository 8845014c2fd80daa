package io.koopstream.forecast;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import java.util.Arrays;
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
    static final double[] ONLY_LAST = {0, 0, 1, 0, 0};

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

    /** Observations that forecasts look back on at most. */
    private static final int MAX_DEPTH = 64;

    private final int period;
    /** What bounds paths; null for a stream that wanders. */
    private final RememberedRows bounds;

    private final LinearMember linear;
    /** For horizon h at h − 1; the last entry serves beyond. */
    private final double[][] weights;

    /**
     * @param operator null when the operator plays no part
     * @param residuals what one step of the path misses
     * @param centres is given the mixture from every start that judges, for horizon h at h − 1
     */
    Mixture(IncrementMap map, OperatorPath operator, Residuals residuals, HeldOutStarts starts, double[][][] centres) {
        int depth = starts.depth(MAX_DEPTH);
        boolean returns = starts.horizon() > 0 && !starts.remembered().wanders();
        bounds = returns ? starts.remembered() : null;
        period = starts.remembered().period(depth);
        PlainMixture simple = PlainMixture.of(map, starts.remembered(), period, depth);
        linear = simple.linear();
        weights = starts.horizon() == 0
                ? unjudged(simple, residuals.meanSquare(starts.remembered().deviations()))
                : judged(map, operator, starts, simple, centres);
    }

    private double[][] judged(
            IncrementMap map, OperatorPath operator, HeldOutStarts starts, PlainMixture simple, double[][][] centres) {
        int horizon = starts.horizon();
        int all = starts.size();
        double[][][] histories = new double[all][][];
        double[][][] memories = new double[all][][];
        double[][] states = new double[all][];
        LinearMember.Path[] lines = new LinearMember.Path[all];
        for (int i = 0; i < all; i++) {
            histories[i] = starts.history(i);
            memories[i] = starts.memory(i);
            states[i] = starts.state(i);
            lines[i] = linear == null ? null : linear.path(map, starts.rememberedPart(i), memories[i]);
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
                forecasts[h - 1][i] = kinds(paths.newest(i).clone(), expected, line, memories[i], h);
            }
            seen = operator == null || h == horizon ? seen : operator.next(seen);
        }
        double[][] result = new double[horizon + 1][];
        double carried = 1;
        boolean wanders = bounds == null;
        boolean leaves = wanders && linear != null && map.fades();
        for (int h = 1; h <= horizon; h++) {
            double[] plain = simple.weights(h);
            Evidence evidence = new Evidence(starts, forecasts, h);
            double[] best = leaves && !starts.isWithin(h) ? plain : best(evidence, plain);
            double believed = believed(evidence, best, plain, wanders && map.fades(), carried);
            carried = starts.isWithin(h) ? believed : carried;
            result[h - 1] = new double[KINDS];
            for (int k = 0; k < KINDS; k++) {
                result[h - 1][k] = believed * best[k] + (1 - believed) * plain[k];
            }
            for (int i = 0; i < forecasts[h - 1].length; i++) {
                centres[h - 1][i] = mixed(result[h - 1], forecasts[h - 1][i]);
            }
        }
        result[horizon] = average(result, horizon * 2 / 3, horizon);
        return result;
    }

    /** Where nothing that was held out judges the path, what one step is to be expected to miss does, by the rule of {@link PlainMixture}. */
    private static double[][] unjudged(PlainMixture simple, double expected) {
        if (simple.horizon() == 0) {
            return new double[][] {ONLY_PATH.clone()};
        }
        double ratio = expected / simple.meanSquare();
        double share = 1 / (1 + ratio * ratio);
        double[][] result = new double[simple.horizon() + 1][];
        Arrays.setAll(result, i -> {
            double[] plain = simple.weights(i + 1);
            return IntStream.range(0, KINDS)
                    .mapToDouble(k -> share * ONLY_PATH[k] + (1 - share) * plain[k])
                    .toArray();
        });
        return result;
    }

    private static double[] prior(double[] plain) {
        double[] prior = new double[KINDS];
        Arrays.setAll(prior, k -> (ONLY_PATH[k] + plain[k]) / 2);
        return prior;
    }

    /** The weights with the least error, as far as there is evidence for them: near to half the path and half what is plain where there is little. */
    private double[] best(Evidence evidence, double[] plain) {
        double pull = PRIOR_STARTS / evidence.blocks();
        double[] prior = prior(plain);
        double[] best = Blend.weights(evidence.products, prior, pull);
        if (evidence.limit < Double.POSITIVE_INFINITY) {
            double gain = Arrays.stream(evidence.gains(best, ONLY_PATH)).sum();
            double whole = Arrays.stream(evidence.gains(ONLY_PATH, null)).sum();
            best = gain > MIN_GAIN * -whole ? best : ONLY_PATH.clone();
        }
        if (best[OPERATOR] > 0 && evidence.certainty(best, ONLY_LAST) < MIN_ERRORS) {
            best = Blend.weights(without(evidence.products, OPERATOR, PATH), prior, pull);
            best[PATH] += best[OPERATOR];
            best[OPERATOR] = 0;
        }
        return best;
    }

    /**
     * How far weights are believed; the rest is what is plain.
     *
     * @param carried how far at the longest horizon that is judged on nothing that was learned: what follows held-out runs was learned, and a random walk
     *     passes most places once
     */
    private double believed(Evidence evidence, double[] best, double[] plain, boolean wanders, double carried) {
        int h = evidence.h;
        double certainty = evidence.certainty(best, plain);
        double share = Blend.value(evidence.products, best) / Blend.value(evidence.products, plain);
        double own = certainty > 1 && share < PLAIN_SHARE ? 1 : believed(wanders ? h : 1, certainty);
        if (evidence.starts.isWithin(h) || !wanders) {
            return own;
        }
        return h <= MAX_PLAIN && certainty > 1 && share < PLAIN_SHARE_LEARNED
                ? 1
                : Math.min(own, carried > CERTAIN ? carried : 0);
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
        if (bounds != null) {
            bounds.bound(path);
        }
        forecasts[PATH] = path;
        forecasts[OPERATOR] = operator == null || !Double.isFinite(operator[0]) ? path : operator;
        forecasts[LAST] = history[history.length - 1];
        forecasts[SEASON] = path;
        forecasts[LINEAR] = line == null ? path : line;
        int back = period == 0 ? 0 : (h + period - 1) / period * period - h;
        if (period > 0 && back < history.length) {
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

    /** True if a kind plays a part within so many steps. */
    boolean uses(int kind, int steps) {
        for (int h = 1; h <= Math.min(steps, weights.length); h++) {
            if (weights(h)[kind] > 0) {
                return true;
            }
        }
        return false;
    }

    /** A linear path from a start, null when it plays no part. */
    LinearMember.Path line(IncrementMap map, double[][] history, int steps) {
        return linear == null || !uses(LINEAR, steps) ? null : linear.path(map, RememberedRows.PARTS, history);
    }

    /** Number of horizons judged. */
    int horizon() {
        return weights.length - 1;
    }
}
