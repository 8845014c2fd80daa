package io.koopstream.forecast;

import io.koopstream.internal.linalg.Products;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What held-out runs, and what followed them, say about forecasts at each horizon: the {@link Mixture} that errs least, and by which factor simulated paths
 * spread too little or too much. Beyond the longest judged horizon the mixture is the average over the last third of the judged ones, the factors are
 * the last, and bands go on growing at least as errors did at the end of what was judged. It costs as much as many forecasts and changes little with a few more samples, so a {@link Forecaster} may be given that of an earlier one of the
 * same model. Immutable.
 */
public final class Calibration {

    /** Central probabilities at which the factors are right. */
    private static final double[] LEVELS = {0.8, 0.95};

    private static final int MAX_BAND_STARTS = 120;

    /** Simulated from each start: the errors of all starts together make the factor, so a few say how far paths spread. */
    private static final int BAND_PATHS = 8;

    private static final double MIN_FACTOR = 0.2;
    private static final double MAX_FACTOR = 50;

    /** The newest of so many parts of the stream may need wider bands than all of it: many series grow, and what they do then with them. */
    private static final int PARTS = 3;

    private static final long SEED = 0x5EED;

    private final long samples;
    private final Mixture mixture;
    /** For horizon h at h − 1; the last entry serves beyond. */
    private final double[][] factors;
    /** The power of the horizon with which errors grew at the end of what was judged, from 0 to 1. */
    private final double growth;

    /**
     * @param operator null when the operator plays no part
     * @param samples that were learned
     */
    Calibration(IncrementMap map, OperatorPath operator, Residuals residuals, HeldOutStarts starts, long samples) {
        this.samples = samples;
        double[][][] centres = new double[starts.horizon()][starts.size()][];
        mixture = new Mixture(map, operator, residuals, starts, centres);
        factors = factors(map, residuals, starts, centres);
        growth = growth(starts, centres);
    }

    /** Number of samples learned when held-out runs were asked. */
    public long samples() {
        return samples;
    }

    /** Of what the forecast is made. */
    Mixture mixture() {
        return mixture;
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
        int each = BAND_PATHS;
        double[][][] begins = new double[n * each][][];
        for (int p = 0; p < begins.length; p++) {
            begins[p] = starts.history(p / each);
        }
        PathBlock block = new PathBlock(map, begins, new Products());
        SplittableRandom[] random = PathBlock.generators(SEED, begins.length);
        double[][] missed = new double[horizon][];
        double[][] lately = new double[horizon][];
        double[][] simulated = new double[horizon][];
        for (int h = 1; h <= horizon; h++) {
            block.step(residuals.needsExact(), residuals, random, KnownAhead.NOTHING);
            int judged = Math.min(n, starts.reaching(h));
            Ratios ratios = new Ratios(judged * map.layout().forecast(), each);
            Ratios newest = new Ratios(judged * map.layout().forecast(), each);
            for (int i = 0; i < judged; i++) {
                for (int p = 0; p < each; p++) {
                    starts.putKnown(i, h, block.newest(i * each + p));
                }
                for (int c = 0; c < map.layout().forecast(); c++) {
                    double[] values = new double[each];
                    for (int p = 0; p < each; p++) {
                        values[p] = block.newest(i * each + p)[c];
                    }
                    double error = starts.truth(i, h)[c] - centres[h - 1][i][c];
                    ratios.add(values, error);
                    if (starts.part(i, PARTS) == PARTS - 1) {
                        newest.add(values, error);
                    }
                }
            }
            missed[h - 1] = ratios.missed();
            lately[h - 1] = newest.missed();
            simulated[h - 1] = ratios.simulated();
        }
        double[] least = new double[LEVELS.length];
        for (int h = 1; h <= horizon; h++) {
            double[] real = pooled(missed, h);
            double[] newest = pooled(lately, h);
            double[] model = pooled(simulated, h);
            double wider =
                    newest.length == 0 ? 1 : Math.max(1, quantile(newest, LEVELS[0]) / quantile(real, LEVELS[0]));
            for (int l = 0; l < LEVELS.length && real.length > 0; l++) {
                double factor = quantile(real, LEVELS[l]) / quantile(model, LEVELS[l]);
                // What was learned seems to be missed by less: where it judges, factors do not fall.
                least[l] = starts.isWithin(h) ? factor : least[l];
                result[h - 1][l] = Math.max(MIN_FACTOR, Math.min(MAX_FACTOR, Math.max(least[l], wider * factor)));
            }
        }
        result[horizon] = result[horizon - 1];
        return result;
    }

    private static double growth(HeldOutStarts starts, double[][][] centres) {
        int horizon = centres.length;
        double[] squares = new double[2];
        int[] counts = new int[2];
        // Starts that see both quarters, so that the same ones are compared.
        int n = horizon == 0 ? 0 : starts.reaching(horizon);
        for (int h = horizon / 2 + 1; h <= horizon; h++) {
            int quarter = h <= horizon * 3 / 4 ? 0 : 1;
            for (int i = 0; i < n; i++) {
                squares[quarter] += Mixture.squaredError(centres[h - 1][i], starts.truth(i, h), starts.deviations());
                counts[quarter]++;
            }
        }
        double grown = squares[1] / counts[1] / (squares[0] / counts[0]);
        // The quarters are 5/8 and 7/8 of the horizon ahead; the comparison is false for NaN.
        return grown > 1 ? Math.min(1, StrictMath.log(grown) / (2 * StrictMath.log(1.4))) : 0;
    }

    /** Those of a horizon and of those near to it, ascending. */
    private static double[] pooled(double[][] values, int h) {
        double[] all = Arrays.stream(values, Mixture.nearestFrom(h) - 1, Mixture.nearestTo(h, values.length))
                .flatMapToDouble(Arrays::stream)
                .toArray();
        Arrays.sort(all);
        return all;
    }

    /** With the order statistic that covers a new case with this probability. */
    private static double quantile(double[] sorted, double p) {
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(p * (sorted.length + 1)) - 1)];
    }

    /** The last horizon that was judged, up to a number of steps. */
    int judged(int h) {
        return Math.min(h, Math.max(1, factors.length - 1));
    }

    /** By how much a band is wider at horizon h than at the last one that was judged, at least. */
    double widening(int h) {
        return factors.length == 1 ? 1 : StrictMath.pow((double) h / judged(h), growth);
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
