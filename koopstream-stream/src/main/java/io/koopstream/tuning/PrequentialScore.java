package io.koopstream.tuning;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Judges what a learner knew at some row of a window by the rows that come after it, before they are learned. Two kinds of errors count, as logarithms of
 * their ratio to what knows nothing: of paths at {@value #NEAR}, {@value #MIDDLE} and {@value #FAR} steps over persistence, as a mean over starts, so that
 * one path that diverges does not decide; and of the expectations of bounded observables (sine and cosine of standardised coordinates and of their doubles)
 * at lags {@value #NEAR} and {@value #LONG_LAG} over their variance, which see slow motions that paths do not. What is worse than knowing nothing counts as
 * that, because forecasts would not use it. Stateless but for the window; any thread.
 */
final class PrequentialScore {

    private static final int NEAR = 1;
    private static final int MIDDLE = 8;
    private static final int FAR = 24;
    private static final int LONG_LAG = 16;

    /** Paths cost a solve a step; the standard error of a mean over so many is a few per cent, and all candidates have the same starts. */
    private static final int STARTS = 60;

    /** Squared errors are told apart down to this share of the variance: rounding. */
    private static final double EXACT = 1e-20;

    /** Observables of more coordinates say nothing new and cost as much as those of the first. */
    private static final int MAX_COORDINATES = 16;

    private final WarmUpWindow window;
    private final DelayLayout layout;
    private final double[][] states;
    /** Number of states that follow in the trajectory of each. */
    private final int[] left;

    /** The lower the better. */
    record Verdict(double score, double oneStep) {}

    PrequentialScore(WarmUpWindow window, int delays) {
        this.window = window;
        layout = new DelayLayout(window.dimension(), delays, 1);
        List<double[][]> paths = window.vectors(delays);
        states = paths.stream().flatMap(Arrays::stream).toArray(double[][]::new);
        left = new int[states.length];
        int i = 0;
        for (double[][] path : paths) {
            for (int t = 0; t < path.length; t++) {
                left[i++] = path.length - 1 - t;
            }
        }
    }

    /** Delay vectors, trajectory after trajectory. */
    int states() {
        return states.length;
    }

    double[] state(int i) {
        return states[i];
    }

    /** True if the next state belongs to the same trajectory. */
    boolean isPair(int i) {
        return left[i] > 0;
    }

    /**
     * Judges by the states of a range.
     *
     * @param known learned from states before the range
     */
    Verdict judge(LeastSquaresState known, int from, int to) {
        if (known.dictionarySize() == 0) {
            return new Verdict(0, 1);
        }
        double[] paths = paths(known, from, to);
        return new Verdict(paths[0] + observables(known, from, to), paths[1]);
    }

    /** The mean over the horizons of the logarithms, and the root mean square one step ahead over persistence's. */
    private double[] paths(LeastSquaresState known, int from, int to) {
        int[] starts = starts(from, to);
        double[][] at = Arrays.stream(starts).mapToObj(i -> states[i]).toArray(double[][]::new);
        int longest = Arrays.stream(starts).map(i -> reach(i, to)).max().orElse(0);
        if (longest == 0) {
            return new double[] {0, 1};
        }
        var forecasts = Forecaster.of(known, layout)
                .forecasts(
                        at,
                        ForecastRequest.of(Math.min(FAR, longest))
                                .mode(Mode.PATH)
                                .paths(0, 1)
                                .fromAnywhere());
        double total = 0;
        int counted = 0;
        double off = 0;
        double still = 0;
        for (int h : new int[] {NEAR, MIDDLE, FAR}) {
            double sum = 0;
            int judged = 0;
            for (int i = 0; i < starts.length; i++) {
                if (reach(starts[i], to) >= h) {
                    double[] truth = states[starts[i] + h];
                    double missed = squared(forecasts.means(i)[h - 1], truth);
                    double moved = squared(at[i], truth);
                    sum += 0.5 * StrictMath.log((missed + EXACT) / (moved + EXACT));
                    judged++;
                    off += h == NEAR ? missed : 0;
                    still += h == NEAR ? moved : 0;
                }
            }
            if (judged > 0) {
                // The comparison is false for NaN, of paths that left all numbers.
                total += sum < 0 ? sum / judged : 0;
                counted++;
            }
        }
        return new double[] {total / Math.max(1, counted), still > 0 ? Math.sqrt(off / still) : 0};
    }

    private int reach(int i, int to) {
        return Math.min(left[i], to - 1 - i);
    }

    /** Starts evenly spread over a range, those at the end of a trajectory left out. */
    private int[] starts(int from, int to) {
        int step = Math.max(1, (to - from) / STARTS);
        return IntStream.range(0, (to - from) / step)
                .map(j -> from + j * step)
                .filter(i -> reach(i, to) > 0)
                .toArray();
    }

    /** Mean over the coordinates of the squared distance in units of the variance. */
    private double squared(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < window.dimension(); c++) {
            double z = (a[c] - b[c]) / window.deviations()[c];
            sum = Math.fma(z, z, sum);
        }
        return sum / window.dimension();
    }

    private double observables(LeastSquaresState known, int from, int to) {
        KoopmanOperator operator = known.operator().asKoopman();
        Points kept = operator.outputBasis().points();
        double[][] atKept = new double[kept.size()][];
        Arrays.setAll(atKept, i -> observables(kept.get(i)));
        int count = 4 * Math.min(MAX_COORDINATES, window.dimension());
        Matrix near = new Matrix(operator.inputBasis().size(), count);
        for (int a = 0; a < count; a++) {
            int column = a;
            near.setColumn(
                    a,
                    1,
                    operator.pullBack(Arrays.stream(atKept)
                            .mapToDouble(row -> row[column])
                            .toArray()));
        }
        Matrix far = near;
        for (int s = NEAR; s < LONG_LAG; s++) {
            far = operator.oneStep().transposedTimes(far);
        }
        Points judged = new Points(layout.dimension());
        double[][] truth = new double[to - from][];
        for (int i = from; i < to; i++) {
            judged.add(states[i]);
            truth[i - from] = observables(states[i]);
        }
        Matrix beta = operator.inputBasis().coordinates(judged);
        return 0.5 * (logError(near, beta, truth, NEAR, from, to) + logError(far, beta, truth, LONG_LAG, from, to));
    }

    private double logError(Matrix functions, Matrix beta, double[][] truth, int lag, int from, int to) {
        Matrix expected = functions.transposedTimes(beta);
        double missed = 0;
        double varied = 0;
        for (int a = 0; a < expected.rows(); a++) {
            double mean = 0;
            int n = 0;
            for (int i = 0; i < truth.length; i++) {
                if (reach(from + i, to) >= lag) {
                    double off = truth[i + lag][a] - expected.get(a, i);
                    missed = Math.fma(off, off, missed);
                    double before = truth[i + lag][a] - mean;
                    mean += before / ++n;
                    varied = Math.fma(before, truth[i + lag][a] - mean, varied);
                }
            }
        }
        double log = 0.5 * StrictMath.log((missed + EXACT) / (varied + EXACT));
        return log < 0 ? log : 0;
    }

    private double[] observables(double[] state) {
        int coordinates = Math.min(MAX_COORDINATES, window.dimension());
        double[] values = new double[4 * coordinates];
        for (int c = 0; c < coordinates; c++) {
            double z = (state[c] - window.means()[c]) / window.deviations()[c];
            values[4 * c] = StrictMath.sin(z);
            values[4 * c + 1] = StrictMath.cos(z);
            values[4 * c + 2] = StrictMath.sin(2 * z);
            values[4 * c + 3] = StrictMath.cos(2 * z);
        }
        return values;
    }
}
