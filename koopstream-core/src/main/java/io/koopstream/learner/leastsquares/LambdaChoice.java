package io.koopstream.learner.leastsquares;

import io.koopstream.internal.linalg.Matrix;
import java.util.Arrays;

/**
 * Choice of the ridge λ for each kind of question, and of the rank, on the pairs held out (docs/decisions/0031). The grid runs in decades from 1 to 1e-16
 * of the mean of κ(x, x).
 *
 * <ul>
 *   <li>Forecasts: the least error of the increment in the data's own units, each coordinate relative to persistence.
 *   <li>Spectra: the risk ‖φ(x_ℓ) − U^ℓ φ(x_0)‖² on the held-out runs at lag {@value #LONG_LAG} (at lag 1 where no run is long enough): fast modes
 *       are gone then, and what a ridge takes off slow ones has added up. Noise hides differences long before they stop mattering to an
 *       eigenvalue, and shrinkage moves every eigenvalue towards zero: so the smallest ridge within two standard errors of the best, but none
 *       below {@value #FLAT} of the scale unless that is the best, or serves forecasts best (data without noise).
 *   <li>Rank: the smallest that is within one standard error of the best at lag 1.
 * </ul>
 *
 * <p>With fewer than {@value #MIN_PAIRS} held-out pairs nothing is chosen: {@value LeastSquaresConfig#DEFAULT_LAMBDA} of the scale serves.
 * Immutable. O(m³ + n m²) for n held-out pairs, times the length of the grid.
 */
public final class LambdaChoice {

    /** Fewer held-out pairs choose nothing. */
    public static final int MIN_PAIRS = 20;

    private static final int MAX_RANK = 200;

    /** The longer lag at which the risk for spectra is measured; a power of two. */
    public static final int LONG_LAG = 16;

    private static final int MAX_LONG_STARTS = 200;

    /** Below this, in units of the scale, a ridge changes no eigenvalue by more than its statistical error. */
    private static final double FLAT = 1e-7;

    /** Standard errors by which the risk of a smaller ridge may exceed the best: at one, chance decides too often for more shrinkage. */
    private static final double MAX_ERRORS_OF_RIDGE = 2;

    /** Factor by which the risk may rise when the ridge of forecasts serves spectra too. */
    private static final double MAX_RISE = 1.1;

    /** Relative excess of a forecast's error over the least that a larger ridge may cost. */
    private static final double NEGLIGIBLE = 1e-3;

    private final int heldOut;
    private final double[] grid;
    private final double[] forecastErrors;
    private final double[] spectrumErrors;
    private final double[] longErrors;
    private final int forecast;
    private final int cautious;
    private final int spectrum;
    /** True if the grid ends where nothing changes any more. */
    private final boolean flat;

    /** @param spectra whether spectra matter; if not, only the ridge of forecasts is sought, and serves both */
    LambdaChoice(LeastSquaresState state, boolean spectra) {
        RidgeFamily family = state.family();
        double scale = family.scale();
        HoldOut held = state.holdOut();
        heldOut = held.size();
        if (heldOut < MIN_PAIRS || family.size() == 0) {
            grid = new double[] {LeastSquaresConfig.DEFAULT_LAMBDA * scale};
            forecastErrors = new double[0];
            spectrumErrors = new double[0];
            longErrors = new double[0];
            forecast = 0;
            cautious = 0;
            spectrum = 0;
            flat = true;
            return;
        }
        HeldOutRuns runs = new HeldOutRuns(state, spectra, LONG_LAG, MAX_LONG_STARTS);
        double[] ridges = family.grid();
        double[] errors = new double[ridges.length];
        double[][] forecastRisks = new double[ridges.length][];
        double[][] risks = new double[ridges.length][];
        double[][] longRisks = new double[ridges.length][];
        int tried = 0;
        boolean same = false;
        while (tried < ridges.length && !same) {
            int g = tried++;
            double[] increments = runs.incrementErrors(family, ridges[g]);
            errors[g] = Math.sqrt(mean(increments));
            forecastRisks[g] = runs.overRuns(increments);
            Matrix operator = spectra ? family.operator(ridges[g]) : null;
            risks[g] = spectra ? runs.risk(operator) : new double[0];
            longRisks[g] = spectra ? runs.longRisk(operator) : new double[0];
            // Below the smallest eigenvalue of S/n nothing changes any more.
            same = g > 0
                    && isFlat(errors[g - 1], errors[g])
                    && isFlat(mean(risks[g - 1]), mean(risks[g]))
                    && isFlat(mean(longRisks[g - 1]), mean(longRisks[g]));
        }
        flat = same;
        grid = Arrays.copyOf(ridges, tried);
        forecastErrors = Arrays.copyOf(errors, tried);
        risks = Arrays.copyOf(risks, tried);
        longRisks = Arrays.copyOf(longRisks, tried);
        spectrumErrors = means(risks);
        longErrors = means(longRisks);
        forecast = largestBest(forecastErrors);
        cautious = first(within(1, Arrays.copyOf(forecastRisks, tried)));
        spectrum = spectra ? forSpectra(longRisks[0].length > 0 ? longRisks : risks, scale) : forecast;
    }

    /** The smallest ridge that is fine for spectra, or the one for forecasts where that costs little. */
    private int forSpectra(double[][] risks, double scale) {
        double[] judged = means(risks);
        boolean[] fine = within(MAX_ERRORS_OF_RIDGE, risks);
        int best = largestBest(judged);
        int chosen = best;
        for (int g = best + 1; g < grid.length && fine[g] && grid[g] >= 0.5 * FLAT * scale; g++) {
            chosen = g;
        }
        return forecast > chosen && judged[forecast] <= MAX_RISE * judged[chosen] ? forecast : chosen;
    }

    private static int first(boolean[] fine) {
        int first = 0;
        while (!fine[first]) {
            first++;
        }
        return first;
    }

    /** The largest ridge whose error is the least but for what is negligible. */
    private static int largestBest(double[] errors) {
        double least = errors[smallest(errors)];
        int g = 0;
        while (!(errors[g] <= (1 + NEGLIGIBLE) * least)) {
            g++;
        }
        return g;
    }

    private static boolean isFlat(double before, double now) {
        return Double.isNaN(now) || Math.abs(now - before) <= 1e-6 * before;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /**
     * The smallest rank of a reduced-rank operator whose risk on held-out pairs is within one standard error of the best; all of it with too few
     * held-out pairs. O(m³ + n m r).
     */
    static int rank(LeastSquaresState state, double lambda) {
        RidgeFamily family = state.family();
        if (state.holdOut().size() < MIN_PAIRS || family.size() == 0) {
            return family.size();
        }
        HeldOutRuns runs = new HeldOutRuns(state, true, LONG_LAG, 0);
        boolean[] fine = within(1, runs.risks(family.new ReducedRank(lambda), Math.min(family.size(), MAX_RANK)));
        return 1 + first(fine);
    }

    private static int smallest(double[] values) {
        int best = 0;
        for (int g = 1; g < values.length; g++) {
            if (values[g] < values[best] || Double.isNaN(values[best])) {
                best = g;
            }
        }
        return best;
    }

    private static double[] means(double[][] risks) {
        return Arrays.stream(risks).mapToDouble(LambdaChoice::mean).toArray();
    }

    /** True for candidates no worse than the best by more than a number of standard errors of the difference; entries of a row are runs. */
    private static boolean[] within(double errors, double[][] risks) {
        boolean[] fine = new boolean[risks.length];
        int n = risks[0].length;
        if (n == 0) {
            Arrays.fill(fine, true);
            return fine;
        }
        double[] means = means(risks);
        int best = smallest(means);
        for (int g = 0; g < fine.length; g++) {
            double mean = means[g] - means[best];
            double sum = 0;
            for (int i = 0; i < n; i++) {
                double deviation = risks[g][i] - risks[best][i] - mean;
                sum = Math.fma(deviation, deviation, sum);
            }
            double error = n > 1 ? Math.sqrt(sum / (n - 1.0) / n) : 0;
            fine[g] = mean <= errors * error;
        }
        return fine;
    }

    /** λ for eigenvalues, eigenfunctions and sets. */
    public double spectrum() {
        return grid[spectrum];
    }

    /** λ for forecasts of the state. */
    public double forecast() {
        return grid[forecast];
    }

    /** The largest λ whose error of forecasts is within one standard error of the least: for questions beyond the data, such as a planner's. */
    public double cautious() {
        return grid[cautious];
    }

    /** λ with the least risk at lag 1: that of a conditional mean embedding. Without a choice for spectra the one for forecasts. */
    public double risk() {
        return spectrumErrors.length == 0 || Double.isNaN(spectrumErrors[0])
                ? forecast()
                : grid[largestBest(spectrumErrors)];
    }

    /** The error of the one-step forecast over that of persistence at {@link #forecast()}; NaN when nothing was chosen. */
    public double forecastError() {
        return isChosen() ? forecastErrors[forecast] : Double.NaN;
    }

    /** Number of held-out pairs it rests on. */
    public int heldOut() {
        return heldOut;
    }

    /** True if there were enough held-out pairs to choose. */
    public boolean isChosen() {
        return grid.length > 1;
    }

    /** True if the choice sits at an end of the grid, so that a better one may lie beyond. */
    public boolean isAtEdge() {
        int last = grid.length - 1;
        return isChosen() && (forecast == 0 || spectrum == 0 || (!flat && (forecast == last || spectrum == last)));
    }

    /** The ridges that were tried, largest first, copied. */
    public double[] grid() {
        return grid.clone();
    }

    /** The error of the one-step forecast at each ridge: root mean square over persistence's, averaged over the coordinates. */
    public double[] forecastErrors() {
        return forecastErrors.clone();
    }

    /** The risk at lag 1 at each ridge. */
    public double[] spectrumErrors() {
        return spectrumErrors.clone();
    }

    /** The risk at the longer lag at each ridge; NaN where no run is long enough. */
    public double[] longErrors() {
        return longErrors.clone();
    }
}
