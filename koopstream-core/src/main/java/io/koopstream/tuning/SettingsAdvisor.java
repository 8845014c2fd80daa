package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Budget;
import io.koopstream.learner.Counters;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StoredSide;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;

/**
 * Proposes settings from a warm-up window of pairs (x, x⁺).
 *
 * <ol>
 *   <li>scales: the standard deviation of each coordinate, used when they differ by more than {@value #LARGEST_RATIO}; a constant coordinate has
 *       scale 1 and plays no part;
 *   <li>sigma: the median distance between states times the best of a grid of factors;
 *   <li>lambda: the best of a grid on the same test, then divided by ten, because the stream goes on after the window and shrinkage moves every
 *       eigenvalue towards zero;
 *   <li>epsilon: the largest of a grid that predicts as well as the best to within one standard error;
 *   <li>eta: the smallest prequential error of SOGD over the second half of the window.
 * </ol>
 *
 * <p>The test is {@link HeldOutScore}, on every third of twelve contiguous stretches of the window; the other two are learned from. The
 * result is a function of the window alone. Stateless; any thread. O(candidates · window · m²).
 */
public final class SettingsAdvisor {

    /** The smallest window that is accepted. */
    static final int FEWEST_PAIRS = 200;

    /** Standard deviations of coordinates may differ by this factor before they are scaled. */
    private static final double LARGEST_RATIO = 3;

    private static final double[] WIDTHS = {0.1, 0.15, 0.25, 0.35, 0.5, 0.75, 1, 1.5, 2.5};
    private static final double[] RIDGES = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    private static final double[] THRESHOLDS = {0.05, 0.1, 0.15, 0.2, 0.3};
    private static final double[] STEPS = {0.02, 0.05, 0.1, 0.2, 0.4, 0.8};
    private static final double TRIAL_THRESHOLD = 0.15;
    private static final int STRETCHES = 12;
    private static final int DISTANCE_POINTS = 400;

    private final AdvisorConfig config;
    private final int dimension;
    private final double[] deviations;
    private final double[] scales;
    private final String scalesReason;
    private final HeldOutScore score;
    private final double[][] x;
    private final double[][] xNext;
    private final double[][] learnX;
    private final double[][] learnXNext;

    private SettingsAdvisor(double[][] x, double[][] xNext, AdvisorConfig config) {
        this.config = config;
        this.dimension = x[0].length;
        this.x = x;
        this.xNext = xNext;
        double[] means = new double[dimension];
        this.deviations = new double[dimension];
        boolean[] constant = new boolean[dimension];
        for (int c = 0; c < dimension; c++) {
            measure(c, means, constant);
        }
        double smallest = Double.POSITIVE_INFINITY;
        double largest = 0;
        int constants = 0;
        for (int c = 0; c < dimension; c++) {
            if (constant[c]) {
                constants++;
            } else {
                smallest = Math.min(smallest, deviations[c]);
                largest = Math.max(largest, deviations[c]);
            }
        }
        if (constants == dimension) {
            throw new InvalidSampleException(
                    Reason.OUTSIDE_DOMAIN,
                    -1,
                    "every coordinate is constant in the window: no width can be told from it; give a kernel to learn all the same");
        }
        boolean scaled = largest > LARGEST_RATIO * smallest;
        this.scales =
                scaled ? Arrays.stream(deviations).map(SettingsAdvisor::rounded).toArray() : new double[0];
        this.scalesReason = String.format(
                        Locale.ROOT,
                        "standard deviations of the coordinates are from %.3g to %.3g, %s",
                        smallest,
                        largest,
                        scaled ? "so each coordinate is divided by its own" : "near enough to use one width")
                + (constants == 0 ? "" : "; " + constants + " constant coordinate(s) play no part");
        int n = x.length;
        int tests = 0;
        for (int i = 0; i < n; i++) {
            tests += isTest(i, n) ? 1 : 0;
        }
        double[][] testX = new double[tests][];
        double[][] testXNext = new double[tests][];
        this.learnX = new double[n - tests][];
        this.learnXNext = new double[n - tests][];
        int test = 0;
        int learn = 0;
        for (int i = 0; i < n; i++) {
            if (isTest(i, n)) {
                testX[test] = x[i];
                testXNext[test++] = xNext[i];
            } else {
                learnX[learn] = x[i];
                learnXNext[learn++] = xNext[i];
            }
        }
        this.score = new HeldOutScore(means, deviations, testX, testXNext);
    }

    /** Contiguous stretches, so that a test pair's neighbours in time are not learned from. */
    private static boolean isTest(int i, int n) {
        return (long) i * STRETCHES / n % 3 == 2;
    }

    /** Proposes settings with the default limits. */
    public static Proposal propose(double[][] x, double[][] xNext) {
        return propose(x, xNext, AdvisorConfig.defaults());
    }

    /**
     * Proposes settings.
     *
     * @param x inputs, one a row, in the order of the stream; at least 200, none of them kept or changed
     * @param xNext outputs
     * @param config limits
     */
    public static Proposal propose(double[][] x, double[][] xNext, AdvisorConfig config) {
        if (x.length != xNext.length || x.length < FEWEST_PAIRS) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    x.length + " inputs and " + xNext.length + " outputs: need as many, and at least " + FEWEST_PAIRS);
        }
        int n = Math.min(x.length, config.window());
        if (x[0] == null || x[0].length == 0) {
            throw new InvalidSampleException(Reason.NULL, -1, "x[0] has no coordinates");
        }
        Rkhs any = new Rkhs(Kernels.gaussian(1), x[0].length);
        for (int i = 0; i < n; i++) {
            any.requireSample(x[i], "x[" + i + "]");
            any.requireSample(xNext[i], "xNext[" + i + "]");
        }
        return new SettingsAdvisor(Arrays.copyOf(x, n), Arrays.copyOf(xNext, n), config).propose();
    }

    /**
     * Proposes settings from whatever window there is: {@link #propose(double[][], double[][], AdvisorConfig)} where it can, a rule of thumb where the
     * pairs are too few for a test, or every candidate keeps too many points. The reasons say which.
     *
     * @param x inputs, one a row; at least one
     * @param xNext outputs
     */
    public static Proposal suggest(double[][] x, double[][] xNext, AdvisorConfig config) {
        if (x.length < FEWEST_PAIRS) {
            return ruleOfThumb(x, xNext, config, x.length + " pairs are too few for a test");
        }
        try {
            return propose(x, xNext, config);
        } catch (InvalidConfigException e) {
            return ruleOfThumb(
                    x,
                    xNext,
                    config,
                    "every width of the test would keep more than " + config.maxDictionary() + " points of the window");
        }
    }

    private static Proposal ruleOfThumb(double[][] x, double[][] xNext, AdvisorConfig config, String why) {
        // Outputs count as states too: of a single pair, the input alone has no spread.
        int n = Math.min(x.length, config.window());
        double[][] states = Arrays.copyOf(x, 2 * n);
        System.arraycopy(xNext, 0, states, n, n);
        SettingsAdvisor advisor = new SettingsAdvisor(states, states, config);
        double median = advisor.medianDistance();
        String rule = why + ", so the usual value";
        return new Proposal(
                advisor.dimension,
                advisor.scales,
                advisor.scalesReason,
                new Proposal.Setting(
                        "sigma",
                        rounded(median / 2),
                        String.format(Locale.ROOT, "%s: half the median distance %.4g between states", rule, median)),
                new Proposal.Setting("lambda", 1e-5, rule),
                new Proposal.Setting("epsilon", 0.1, rule),
                new Proposal.Setting("eta", 0.3, rule));
    }

    /** Mean and standard deviation of a coordinate, in two passes; 1 for one that does not vary beyond rounding. */
    private void measure(int c, double[] means, boolean[] constant) {
        double largest = 0;
        for (double[] row : x) {
            means[c] += row[c] / x.length;
            largest = Math.max(largest, Math.abs(row[c]));
        }
        double sum = 0;
        for (double[] row : x) {
            double deviation = (row[c] - means[c]) / Math.max(largest, Double.MIN_NORMAL);
            sum = Math.fma(deviation, deviation, sum);
        }
        double deviation = largest * Math.sqrt(sum / (x.length - 1.0));
        constant[c] = !(deviation > 1e-12 * largest) || deviation < 1e-150;
        deviations[c] = constant[c] ? 1 : deviation;
    }

    /** Three digits: more would claim an accuracy that a grid has not, and nobody likes to read them. */
    private static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(3)).doubleValue();
    }

    private Kernel kernel(double sigma) {
        Kernel gaussian = Kernels.gaussian(sigma);
        return scales.length == 0 ? gaussian : Kernels.scaled(gaussian, scales);
    }

    private Proposal propose() {
        double median = medianDistance();
        int bestWidth = 0;
        double bestSigma = 0;
        double bestRidge = 0;
        double best = Double.POSITIVE_INFINITY;
        double[] bestOfWidth = new double[WIDTHS.length];
        for (int w = 0; w < WIDTHS.length; w++) {
            bestOfWidth[w] = Double.POSITIVE_INFINITY;
            double sigma = rounded(WIDTHS[w] * median);
            LeastSquaresState learned = learn(sigma, TRIAL_THRESHOLD);
            for (int r = 0; learned != null && r < RIDGES.length; r++) {
                double error = HeldOutScore.mean(score.errors(learned.operator(RIDGES[r])));
                bestOfWidth[w] = Math.min(bestOfWidth[w], error);
                if (error < best) {
                    best = error;
                    bestWidth = w;
                    bestSigma = sigma;
                    bestRidge = RIDGES[r];
                }
            }
        }
        if (bestSigma == 0) {
            throw new InvalidConfigException(
                    "maxDictionary", config.maxDictionary(), "no width of the grid keeps so few points; allow more");
        }
        String sigmaReason = String.format(
                Locale.ROOT,
                "%.3g times the median distance %.4g between states; held-out error %.4g, the next widths have %s%s",
                bestSigma / median,
                median,
                best,
                neighbours(bestOfWidth, bestWidth),
                bestOfWidth[0] == Double.POSITIVE_INFINITY
                        ? "; the narrowest widths would keep more than " + config.maxDictionary() + " points"
                        : "");
        String lambdaReason = String.format(
                Locale.ROOT,
                "a tenth of %.0e, the best on the window: the stream goes on, and shrinkage moves eigenvalues towards zero",
                bestRidge);
        double lambda = rounded(bestRidge / 10);
        Proposal.Setting epsilon = epsilon(bestSigma, bestRidge);
        return new Proposal(
                dimension,
                scales,
                scalesReason,
                new Proposal.Setting("sigma", bestSigma, sigmaReason),
                new Proposal.Setting("lambda", lambda, lambdaReason),
                epsilon,
                eta(bestSigma, lambda, epsilon.value()));
    }

    private static String neighbours(double[] errors, int chosen) {
        StringBuilder text = new StringBuilder();
        for (int w : new int[] {chosen - 1, chosen + 1}) {
            if (w >= 0 && w < errors.length && errors[w] < Double.POSITIVE_INFINITY) {
                text.append(text.length() == 0 ? "" : " and ").append(String.format(Locale.ROOT, "%.4g", errors[w]));
            }
        }
        return text.length() == 0 ? "none" : text.toString();
    }

    /** Median of the distances between states evenly spread over the window, in the kernel's coordinates. */
    private double medianDistance() {
        int n = Math.min(x.length, DISTANCE_POINTS);
        double[] distances = new double[n * (n - 1) / 2];
        int filled = 0;
        for (int i = 0; i < n; i++) {
            double[] a = x[(int) ((long) i * x.length / n)];
            for (int j = 0; j < i; j++) {
                double[] b = x[(int) ((long) j * x.length / n)];
                double sum = 0;
                for (int c = 0; c < dimension; c++) {
                    double difference = (a[c] - b[c]) / (scales.length == 0 ? 1 : scales[c]);
                    sum = Math.fma(difference, difference, sum);
                }
                distances[filled++] = Math.sqrt(sum);
            }
        }
        Arrays.sort(distances);
        double median = distances[filled / 2];
        // More than half of all states equal: the largest distance is better than none.
        return median > 0 ? median : distances[filled - 1];
    }

    /** The statistics of the learning stretches; null when too many points are kept. They serve every ridge. */
    private LeastSquaresState learn(double sigma, double threshold) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, kernel(sigma))
                        .epsilon(threshold)
                        .build());
        for (int i = 0; i < learnX.length; i++) {
            learner.update(learnX[i], learnXNext[i]);
            if (learner.dictionarySize() > config.maxDictionary()) {
                return null;
            }
        }
        return learner.state();
    }

    private Proposal.Setting epsilon(double sigma, double ridge) {
        double[][] errors = new double[THRESHOLDS.length][];
        int[] kept = new int[THRESHOLDS.length];
        int best = -1;
        for (int k = 0; k < THRESHOLDS.length; k++) {
            LeastSquaresState learned = learn(sigma, THRESHOLDS[k]);
            if (learned != null) {
                errors[k] = score.errors(learned.operator(ridge));
                kept[k] = learned.inputBasis().size();
                best = best < 0 || HeldOutScore.mean(errors[k]) < HeldOutScore.mean(errors[best]) ? k : best;
            }
        }
        int chosen = best;
        for (int k = best + 1; k < THRESHOLDS.length; k++) {
            double loss = HeldOutScore.mean(errors[k]) - HeldOutScore.mean(errors[best]);
            if (loss <= HeldOutScore.standardError(errors[k], errors[best])) {
                chosen = k;
            }
        }
        return new Proposal.Setting(
                "epsilon",
                THRESHOLDS[chosen],
                String.format(
                        Locale.ROOT,
                        "the largest that predicts as well as the best (%.3g) to within one standard error; keeps %d points of the window, "
                                + "the best %d",
                        THRESHOLDS[best],
                        kept[chosen],
                        kept[best]));
    }

    private Proposal.Setting eta(double sigma, double lambda, double epsilon) {
        double best = Double.POSITIVE_INFINITY;
        double chosen = STEPS[0];
        for (double step : STEPS) {
            SogdLearner<KoopmanOperator> learner = quietLearner(SogdConfig.forState(dimension, kernel(sigma))
                    .lambda(lambda)
                    .stepSize(step)
                    .budget(Budget.constant(epsilon * step))
                    .build());
            double sum = 0;
            for (int i = 0; i < x.length; i++) {
                learner.update(x[i], xNext[i]);
                double error = learner.lastPredictionError();
                sum += 2 * i >= x.length ? error * error : 0;
            }
            if (sum < best) {
                best = sum;
                chosen = step;
            }
        }
        return new Proposal.Setting(
                "eta",
                chosen,
                String.format(
                        Locale.ROOT,
                        "smallest prequential error of SOGD over the second half of the window, %.4g, of steps %s",
                        best / (x.length - x.length / 2),
                        Arrays.toString(STEPS)));
    }

    /** A new learner that does not log which theorems its settings miss: nobody is going to use it. */
    private static SogdLearner<KoopmanOperator> quietLearner(SogdConfig config) {
        int d = config.input().dimension();
        StoredSide nothing = new StoredSide(new Points(d), new Matrix(0, 0), new long[0]);
        return SogdLearner.resumeKoopman(
                SogdState.restore(config, Counters.of(0, 0), nothing, nothing, new Matrix(0, 0)));
    }
}
