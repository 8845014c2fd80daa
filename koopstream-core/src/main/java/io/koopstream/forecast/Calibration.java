package io.koopstream.forecast;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What held-out runs say about forecasts at each horizon: which mixture of path, operator, last observation and last season errs least, and by
 * which factor simulated paths spread too little or too much. Beyond the longest judged horizon the mixture is the average over the second half of
 * the judged ones, and the factors are the last. It costs as much as many forecasts and changes little with a few more samples, so a {@link Forecaster} may
 * be given that of an earlier one of the same model. Immutable.
 */
public final class Calibration {

    static final int PATH = 0;
    static final int OPERATOR = 1;
    static final int LAST = 2;
    static final int SEASON = 3;
    private static final int KINDS = 4;
    private static final double[] ONLY_PATH = {1, 0, 0, 0};
    private static final double[] ONLY_LAST = {0, 0, 1, 0};

    /** Central probabilities at which the factors are right. */
    private static final double[] LEVELS = {0.8, 0.95};

    private static final int MAX_BAND_STARTS = 60;
    private static final int MAX_BAND_PATHS = 24;
    private static final int MIN_BAND_PATHS = 8;

    /** Numbers of kernel arguments that the simulation of bands may look at. */
    private static final double MAX_WORK = 1.5e9;

    private static final double MAX_FACTOR = 5;
    /** In standard deviations: a forecast that is off by more follows the truth no longer. */
    private static final double NEAR = 0.4;

    private static final double MIN_ERRORS = 3;
    private static final double MIN_ERRORS_NEXT = 1;
    /** A forecast with less than this share of the last observation's squared error needs fewer runs as witnesses. */
    private static final double PLAIN_SHARE = 0.5;

    /** Where a smaller share of the starts is left, at the ends of runs, they say nothing new. */
    private static final double MIN_JUDGING = 0.25;

    /** Horizons up to this factor apart are near to each other. */
    private static final double NEAR_HORIZONS = 1.2;

    private static final double PLAINLY = 2 * MIN_ERRORS;
    private static final long SEED = 0x5EED;

    private final long samples;
    private final int period;
    /** For horizon h at h − 1; the last entry serves beyond. */
    private final double[][] weights;

    private final double[][] factors;

    /**
     * @param operator null when the operator plays no part
     * @param samples that were learned
     */
    Calibration(IncrementMap map, OperatorPath operator, Residuals residuals, HeldOutStarts starts, long samples) {
        this.samples = samples;
        period = starts.period();
        int horizon = starts.horizon();
        double[][][] centres = new double[horizon][starts.size()][];
        weights = mixtures(map, operator, starts, centres);
        factors = factors(map, residuals, starts, centres);
    }

    /** How many samples were learned when held-out runs were asked. */
    public long samples() {
        return samples;
    }

    private double[][] mixtures(IncrementMap map, OperatorPath operator, HeldOutStarts starts, double[][][] centres) {
        int horizon = starts.horizon();
        double[][][] histories = new double[starts.size()][][];
        double[][] states = new double[starts.size()][];
        for (int i = 0; i < histories.length; i++) {
            histories[i] = starts.history(i);
            states[i] = starts.state(i);
        }
        PathBlock paths = new PathBlock(map, histories, new Products());
        Matrix seen = operator == null ? null : operator.start(states);
        double[][] result = new double[horizon + 1][KINDS];
        double[][][][] forecasts = new double[horizon][][][];
        double[] certainty = new double[horizon];
        for (int h = 1; h <= horizon; h++) {
            paths.step(KnownAhead.NOTHING);
            int n = starts.judging(h);
            forecasts[h - 1] = new double[n][][];
            double[][] products = new double[KINDS][KINDS];
            for (int i = 0; i < n; i++) {
                starts.putKnown(i, h, paths.newest(i));
                double[] expected = operator == null ? null : operator.expected(seen, i);
                forecasts[h - 1][i] = kinds(paths.newest(i).clone(), expected, histories[i], h);
                addProducts(forecasts[h - 1][i], starts.truth(i, h), starts.deviations(), products);
            }
            double limit = limit(forecasts[h - 1], starts, h);
            double[] blended = Blend.weights(products, PATH);
            double[] gains = gains(blended, ONLY_PATH, forecasts[h - 1], starts, h, limit);
            boolean better = Arrays.stream(gains).sum() > 0;
            result[h - 1] = better ? blended : ONLY_PATH.clone();
            certainty[h - 1] = standardErrors(gains(result[h - 1], ONLY_LAST, forecasts[h - 1], starts, h, limit));
            boolean plain = Blend.value(products, result[h - 1]) < PLAIN_SHARE * products[LAST][LAST];
            certainty[h - 1] = plain && certainty[h - 1] > MIN_ERRORS_NEXT ? PLAINLY : certainty[h - 1];
            seen = operator == null || h == horizon ? seen : operator.next(seen);
        }
        boolean[] believed = believed(certainty, starts);
        double[][] each = new double[horizon][];
        for (int h = 1; h <= horizon; h++) {
            each[h - 1] = believed[h - 1] ? result[h - 1] : null;
        }
        for (int h = 1; h <= horizon; h++) {
            result[h - 1] =
                    believed[h - 1] ? average(each, nearestFrom(h) - 1, nearestTo(h, horizon)) : ONLY_LAST.clone();
            for (int i = 0; i < forecasts[h - 1].length; i++) {
                centres[h - 1][i] = mixed(result[h - 1], forecasts[h - 1][i]);
            }
        }
        result[horizon] = horizon == 0 ? ONLY_PATH.clone() : average(result, horizon / 2, horizon);
        return result;
    }

    /** Without those that are null. */
    private static double[] average(double[][] weights, int from, int to) {
        double[][] there =
                Arrays.stream(weights, from, to).filter(Objects::nonNull).toArray(double[][]::new);
        double[] result = new double[KINDS];
        for (double[] one : there) {
            for (int k = 0; k < KINDS; k++) {
                result[k] += one[k] / there.length;
            }
        }
        return result;
    }

    /** Horizons that differ little answer alike: they are judged together, so that a forecast does not jump from one to the next. */
    private static int nearestFrom(int h) {
        return Math.max(1, (int) Math.ceil(h / NEAR_HORIZONS));
    }

    private static int nearestTo(int h, int horizon) {
        return Math.min(horizon, (int) Math.floor(h * NEAR_HORIZONS));
    }

    /**
     * At which horizons the last observation is beaten: by {@value #MIN_ERRORS} standard errors, plainly, or by {@value #MIN_ERRORS_NEXT} next to such a
     * horizon, because far ahead few runs are left to judge; where hardly any are left, the end follows if all before it is believed. A random walk returns to its own mean in every sample of it, held out or not: what is
     * not clearly better is not believed (Dickey and Fuller, JASA 74, 1979).
     *
     * @param certainty the gain over the last observation, in standard errors
     */
    private static boolean[] believed(double[] certainty, HeldOutStarts starts) {
        boolean[] result = new boolean[certainty.length];
        for (int h = 0; h < result.length; h++) {
            if (certainty[h] > MIN_ERRORS) {
                for (int near = h; near < result.length && certainty[near] > MIN_ERRORS_NEXT; near++) {
                    result[near] = true;
                }
                for (int near = h; near >= 0 && certainty[near] > MIN_ERRORS_NEXT; near--) {
                    result[near] = true;
                }
            }
        }
        boolean all = true;
        for (int h = 0; h < result.length && all; h++) {
            result[h] |= starts.judging(h + 1) < MIN_JUDGING * starts.judging(1);
            all = result[h];
        }
        return result;
    }

    /**
     * What a squared error counts at most: while most paths stay near to the truth, that is what counts, and the few that part from it must not ask for
     * a mixture that is worse for all others. Later it is the mean square that counts.
     */
    private static double limit(double[][][] forecasts, HeldOutStarts starts, int h) {
        double near = NEAR * NEAR * starts.deviations().length;
        int count = 0;
        for (int i = 0; i < forecasts.length; i++) {
            count += squaredError(forecasts[i][PATH], starts.truth(i, h), starts.deviations()) < near ? 1 : 0;
        }
        return 2 * count > forecasts.length ? near : Double.POSITIVE_INFINITY;
    }

    /** By how much a mixture has less squared error than another at horizon h, on average over each block of held-out pairs. */
    private static double[] gains(
            double[] weights, double[] rival, double[][][] forecasts, HeldOutStarts starts, int h, double limit) {
        Map<Integer, double[]> gains = new TreeMap<>();
        for (int i = 0; i < forecasts.length; i++) {
            double[] truth = starts.truth(i, h);
            double[] sum = gains.computeIfAbsent(starts.block(i, h), key -> new double[2]);
            sum[0] += Math.min(limit, squaredError(mixed(rival, forecasts[i]), truth, starts.deviations()))
                    - Math.min(limit, squaredError(mixed(weights, forecasts[i]), truth, starts.deviations()));
            sum[1]++;
        }
        return gains.values().stream().mapToDouble(sum -> sum[0] / sum[1]).toArray();
    }

    private static double standardErrors(double[] gains) {
        double mean = Arrays.stream(gains).average().orElse(0);
        double squares = Arrays.stream(gains).map(m -> (m - mean) * (m - mean)).sum();
        double error = Math.sqrt(squares / Math.max(1, gains.length - 1) / Math.max(1, gains.length));
        return mean > 0 ? mean / error : 0;
    }

    private static double squaredError(double[] forecast, double[] truth, double[] units) {
        double sum = 0;
        for (int c = 0; c < units.length; c++) {
            double off = units[c] > 0 ? (truth[c] - forecast[c]) / units[c] : 0;
            sum = Math.fma(off, off, sum);
        }
        return sum;
    }

    private static void addProducts(double[][] forecasts, double[] truth, double[] units, double[][] products) {
        for (int a = 0; a < KINDS; a++) {
            for (int b = 0; b < KINDS; b++) {
                for (int c = 0; c < units.length; c++) {
                    if (units[c] > 0) {
                        double left = (truth[c] - forecasts[a][c]) / units[c];
                        double right = (truth[c] - forecasts[b][c]) / units[c];
                        products[a][b] += left * right;
                    }
                }
            }
        }
    }

    /**
     * The forecasts of all kinds; those that there are not are the path.
     *
     * @param operator may be null or NaN
     * @param history observations up to the start, oldest first
     */
    double[][] kinds(double[] path, double[] operator, double[][] history, int h) {
        double[][] forecasts = new double[KINDS][];
        forecasts[PATH] = path;
        forecasts[OPERATOR] = operator == null || !Double.isFinite(operator[0]) ? path : operator;
        forecasts[LAST] = history[history.length - 1];
        forecasts[SEASON] = path;
        if (period > 0) {
            int back = (h + period - 1) / period * period - h;
            forecasts[SEASON] = history[history.length - 1 - back];
        }
        return forecasts;
    }

    private static double[] mixed(double[] weights, double[][] forecasts) {
        double[] result = new double[forecasts[PATH].length];
        for (int k = 0; k < KINDS; k++) {
            for (int c = 0; c < result.length && weights[k] > 0; c++) {
                result[c] = Math.fma(weights[k], forecasts[k][c], result[c]);
            }
        }
        return result;
    }

    /** The mixture of a horizon. */
    double[] mixed(int h, double[][] forecasts) {
        return mixed(weights(h), forecasts);
    }

    /** The weights of all kinds at a horizon, for reading. */
    double[] weights(int h) {
        return weights[Math.min(h, weights.length) - 1];
    }

    /** How many horizons were judged. */
    int horizon() {
        return weights.length - 1;
    }

    /** Ratios of what was missed to what was simulated, at both levels, for each horizon. */
    private static double[][] factors(
            IncrementMap map, Residuals residuals, HeldOutStarts starts, double[][][] centres) {
        int horizon = starts.horizon();
        double[][] result = new double[horizon + 1][LEVELS.length];
        for (double[] factor : result) {
            Arrays.fill(factor, 1.0);
        }
        if (horizon == 0) {
            return result;
        }
        int n = Math.min(MAX_BAND_STARTS, starts.size());
        double row = (double) map.basis().size() * map.layout().dimension() * horizon;
        int each = (int) Math.max(MIN_BAND_PATHS, Math.min(MAX_BAND_PATHS, MAX_WORK / row / n));
        double[][][] begins = new double[n * each][][];
        for (int p = 0; p < begins.length; p++) {
            begins[p] = starts.history(p / each);
        }
        PathBlock block = new PathBlock(map, begins, new Products());
        SplittableRandom[] random = PathBlock.generators(SEED, begins.length);
        double[][] missed = new double[horizon][];
        double[][] simulated = new double[horizon][];
        for (int h = 1; h <= horizon; h++) {
            block.step(residuals.needsExact(), residuals, random, KnownAhead.NOTHING);
            int judged = Math.min(n, starts.judging(h));
            Ratios ratios = new Ratios(judged * map.layout().forecast(), each);
            for (int i = 0; i < judged; i++) {
                for (int p = 0; p < each; p++) {
                    starts.putKnown(i, h, block.newest(i * each + p));
                }
                for (int c = 0; c < map.layout().forecast(); c++) {
                    double[] values = new double[each];
                    for (int p = 0; p < each; p++) {
                        values[p] = block.newest(i * each + p)[c];
                    }
                    ratios.add(values, starts.truth(i, h)[c] - centres[h - 1][i][c]);
                }
            }
            missed[h - 1] = ratios.missed();
            simulated[h - 1] = ratios.simulated();
        }
        for (int h = 1; h <= horizon; h++) {
            double[] real = pooled(missed, nearestFrom(h), nearestTo(h, horizon));
            double[] model = pooled(simulated, nearestFrom(h), nearestTo(h, horizon));
            for (int l = 0; l < LEVELS.length && real.length > 0; l++) {
                double factor = quantile(real, LEVELS[l]) / quantile(model, LEVELS[l]);
                result[h - 1][l] = Math.max(1 / MAX_FACTOR, Math.min(MAX_FACTOR, factor));
            }
        }
        result[horizon] = result[horizon - 1];
        return result;
    }

    private static double[] pooled(double[][] values, int from, int to) {
        double[] all = Arrays.stream(values, from - 1, to)
                .flatMapToDouble(Arrays::stream)
                .toArray();
        Arrays.sort(all);
        return all;
    }

    /** With the order statistic that covers a new case with this probability. */
    private static double quantile(double[] sorted, double p) {
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(p * (sorted.length + 1)) - 1)];
    }

    /** The factor of a band of central probability {@code level} at horizon h. */
    double factor(int h, double level) {
        double[] both = factors[Math.min(h, factors.length) - 1];
        double share = Math.max(0.0, Math.min(1.0, (level - LEVELS[0]) / (LEVELS[1] - LEVELS[0])));
        return both[0] + share * (both[1] - both[0]);
    }

    /** Errors of forecasts over the spread of few paths, and of the paths themselves over the spread of the others: equally rough, so comparable. */
    private static final class Ratios {
        private final double[] missed;
        private final double[] simulated;
        private int counted;
        private int drawn;

        Ratios(int cases, int paths) {
            missed = new double[cases];
            simulated = new double[cases * paths];
        }

        void add(double[] values, double error) {
            int n = values.length;
            double mean = Arrays.stream(values).average().orElseThrow();
            double squares = 0;
            for (double value : values) {
                squares += (value - mean) * (value - mean);
            }
            if (!(squares > 0)) {
                return;
            }
            missed[counted++] = Math.abs(error) / Math.sqrt(squares / (n - 1));
            for (double value : values) {
                // Without this path: its distance from the mean of the others grows by n/(n − 1), and so does its
                // variance.
                double own = (value - mean) * n / (n - 1.0);
                double others = squares - (value - mean) * (value - mean) * n / (n - 1.0);
                simulated[drawn++] = Math.abs(own)
                        / Math.sqrt(Math.max(others, Double.MIN_NORMAL) / (n - 2))
                        / Math.sqrt(n / (n - 1.0));
            }
        }

        double[] missed() {
            return Arrays.copyOf(missed, counted);
        }

        double[] simulated() {
            return Arrays.copyOf(simulated, drawn);
        }
    }
}
