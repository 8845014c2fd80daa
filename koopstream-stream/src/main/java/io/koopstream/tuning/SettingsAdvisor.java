package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.tuning.CandidateSearch.Trial;
import io.koopstream.tuning.Proposal.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Proposes settings from a warm-up window of pairs (x, x⁺): candidates learn the window side by side, each with a fifth of it held out in runs, and
 * the ridge λ of each is free.
 *
 * <ol>
 *   <li>scales: the standard deviation of each coordinate, used when they differ by more than a factor 3;
 *   <li>kernel: Gaussians of {@link CandidateSearch#WIDTHS} times the median distance between states, a linear kernel, and the sum of the linear one and the
 *       best Gaussian;
 *   <li>epsilon: from {@link CandidateSearch#THRESHOLDS}, large ones first, as long as a smaller one still lowers an error;
 *   <li>delays, where they are allowed: of 1, 2, 4, 8, 16, 24 and the dominant period those that lower the error of the forecast most, if by a twentieth at least, or over many steps on what comes after;
 *   <li>eta: the smallest prequential error of SOGD over the second half of the window.
 * </ol>
 *
 * <p>Two errors judge a candidate: that of the forecast one step ahead in the data's own units, over persistence's, and {@link SpectralScore},
 * which sees slow modes. Of all candidates within 3 % of the least of the first, and within 5 % of the least of the second,
 * the one with the smallest dictionary is taken; of noisy data that can be forecast, the narrowest kernel with some dozens of points. The result is a function of the window
 * alone. Stateless; any thread. O(kernels · window · m²).
 */
public final class SettingsAdvisor {

    /** The smallest window that is accepted. */
    static final int MIN_PAIRS = 50;

    private static final double[] STEPS = {0.02, 0.05, 0.1, 0.2, 0.4, 0.8};
    private static final int[] DELAYS = {1, 2, 4, 8, 16, 24};
    /** Fewer pairs say nothing about so many delays; a period may be all there is. */
    private static final int MIN_PAIRS_PER_DELAY = 10;

    /** Delays must lower the error of the forecast by this share to be proposed. */
    private static final double MIN_GAIN_OF_DELAYS = 0.05;

    private static final double MIN_GAIN_OF_SCREEN = 0.01;

    /** Factor by which squared errors over many steps may rise ahead of the data. */
    private static final double MAX_LOSS = 1.2;

    /** The factor for noisy data: forecasts far ahead are mixed with those that need no delays. */
    private static final double MAX_LOSS_OF_CHANCE = 1.5;

    private static final double MIN_GAIN_AHEAD = 0.9;

    /** Squared errors over many steps that fall to this share are worth up to {@link #MAX_LOSS_OF_STEP} times the error one step ahead. */
    private static final double MUCH_BETTER_AHEAD = 0.5;

    private static final double MAX_LOSS_OF_STEP = 1.1;

    private final AdvisorConfig config;
    private final WarmUpWindow window;
    private final CandidateSearch search;

    private SettingsAdvisor(double[][] x, double[][] xNext, AdvisorConfig config) {
        this.config = config;
        this.window = new WarmUpWindow(x, xNext);
        this.search = new CandidateSearch(window, config);
    }

    /** Proposes settings with the default limits. */
    public static Proposal propose(double[][] x, double[][] xNext) {
        return propose(x, xNext, AdvisorConfig.defaults());
    }

    /**
     * Proposes settings.
     *
     * @param x inputs, one per row, in the order of the stream; at least 50, none of them kept or changed
     * @param xNext outputs
     * @param config limits
     */
    public static Proposal propose(double[][] x, double[][] xNext, AdvisorConfig config) {
        if (x.length != xNext.length || x.length < MIN_PAIRS) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    x.length + " inputs and " + xNext.length + " outputs: need as many, and at least " + MIN_PAIRS);
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
     * pairs are too few to compare candidates, or every candidate keeps too many points, and a linear kernel where nothing varies. The reasons say which.
     *
     * @param x inputs, one per row; at least one
     * @param xNext outputs
     */
    public static Proposal suggest(double[][] x, double[][] xNext, AdvisorConfig config) {
        if (x.length < MIN_PAIRS) {
            return ruleOfThumb(x, xNext, config, x.length + " pairs are too few to compare candidates");
        }
        try {
            return propose(x, xNext, config);
        } catch (InvalidConfigException e) {
            return ruleOfThumb(
                    x,
                    xNext,
                    config,
                    "every candidate would keep more than " + config.maxDictionary() + " points of the window");
        }
    }

    private static Proposal ruleOfThumb(double[][] x, double[][] xNext, AdvisorConfig config, String why) {
        int n = Math.min(x.length, config.window());
        SettingsAdvisor advisor = new SettingsAdvisor(Arrays.copyOf(x, n), Arrays.copyOf(xNext, n), config);
        if (!advisor.window.varies()) {
            return advisor.flat();
        }
        double median = advisor.window.medianDistance(0);
        double sigma = WarmUpWindow.rounded(median / 2);
        String rule = why + ", so the usual value";
        return new Proposal(
                advisor.window.dimension(),
                0,
                advisor.search.gaussian(0, sigma),
                "Gaussian, sigma = " + Decimals.text(sigma) + " (" + rule
                        + String.format(Locale.ROOT, ": half the median distance %.4g between states)", median),
                advisor.window.scales(),
                advisor.window.scalesReason(),
                new Setting("lambda", 1e-5, rule),
                new Setting("epsilon", 0.1, rule),
                () -> new Setting("eta", 0.3, rule),
                advisor.search.gaussian(0, sigma),
                List.of());
    }

    /** A linear kernel, which needs no width: right while nothing varies, and able to follow what comes then. */
    private Proposal flat() {
        String rule = "nothing varies, so the usual value";
        return new Proposal(
                window.dimension(),
                0,
                search.linearOfConstants(),
                "linear, which needs no width: there is none to be told from data that do not vary",
                window.scales(),
                window.scalesReason(),
                new Setting("lambda", 1e-5, rule),
                new Setting("epsilon", 1e-6, "a linear kernel keeps one point a coordinate and one more at most"),
                () -> new Setting("eta", 0.3, rule),
                Kernels.gaussian(1),
                List.of("nothing varied in the first " + window.pairs()
                        + " pairs; what comes later is learned with a linear kernel, and a new model of it may"
                        + " choose a better one"));
    }

    private Proposal propose() {
        if (!window.varies()) {
            return flat();
        }
        List<Trial> trials = new ArrayList<>();
        Trial plain = search.best(0, trials);
        if (plain == null) {
            throw new InvalidConfigException(
                    "maxDictionary", config.maxDictionary(), "no candidate keeps so few points; allow more");
        }
        Trial best = plain;
        if (plain.forecast() > CandidateSearch.COMPLETE) {
            for (int delays : promisingDelays(plain.forecast())) {
                Trial delayed = search.best(delays, new ArrayList<>());
                best = delayed != null && isBetter(delayed, best) ? delayed : best;
            }
        }
        return proposal(best, plain, trials);
    }

    /** More delays must pay one step ahead and not harm paths, or pay ahead of the data and not harm one step ahead. */
    private static boolean isBetter(Trial delayed, Trial plain) {
        double loss = plain.forecast() > CandidateSearch.RANDOM ? MAX_LOSS_OF_CHANCE : MAX_LOSS;
        boolean aStepAhead = delayed.forecast() < (1 - MIN_GAIN_OF_DELAYS) * plain.forecast()
                && !(delayed.path() > loss * plain.path())
                && !(delayed.ahead() > loss * plain.ahead());
        boolean manySteps = delayed.forecast() < plain.forecast() && delayed.ahead() < MIN_GAIN_AHEAD * plain.ahead();
        boolean farAhead = delayed.forecast() < MAX_LOSS_OF_STEP * plain.forecast()
                && delayed.ahead() < MUCH_BETTER_AHEAD * plain.ahead();
        return aStepAhead || manySteps || farAhead;
    }

    /**
     * The delays that lower the error most: the period where that is as good as any, else the fewest, and the most, which may serve better over many
     * steps; none when no delays lower it.
     */
    private List<Integer> promisingDelays(double plain) {
        int period = window.period();
        TreeSet<Integer> wanted = new TreeSet<>();
        for (int delays : DELAYS) {
            wanted.add(delays);
        }
        if (period > 0) {
            wanted.add(period);
        }
        double least = (1 - MIN_GAIN_OF_SCREEN) * Math.min(plain, search.screen(0));
        TreeMap<Integer, Double> errors = new TreeMap<>();
        for (int delays : wanted) {
            if (delays <= config.maxDelays() && (delays == period || MIN_PAIRS_PER_DELAY * delays <= window.pairs())) {
                errors.put(delays, search.screen(delays));
                least = Math.min(least, errors.get(delays));
            }
        }
        double limit = (1 + CandidateSearch.TOLERANCE) * least;
        if (errors.getOrDefault(period, Double.POSITIVE_INFINITY) <= limit) {
            return List.of(period);
        }
        errors.values().removeIf(error -> error > limit);
        return errors.isEmpty()
                ? List.of()
                : Stream.of(errors.firstKey(), errors.lastKey()).distinct().toList();
    }

    private Proposal proposal(Trial best, Trial plain, List<Trial> trials) {
        List<String> warnings = new ArrayList<>();
        if (best.candidate().width() > 0
                && (best.candidate().width() == CandidateSearch.WIDTHS[0]
                        || best.candidate().width() == CandidateSearch.WIDTHS[CandidateSearch.WIDTHS.length - 1])) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the chosen width, %.3g times the median distance, is the %s that was tried; another may be better",
                    best.candidate().width(),
                    best.candidate().width() == CandidateSearch.WIDTHS[0] ? "smallest" : "largest"));
        }
        if (best.epsilon() == CandidateSearch.THRESHOLDS[CandidateSearch.THRESHOLDS.length - 1]) {
            warnings.add("epsilon = " + Decimals.text(best.epsilon())
                    + " is the smallest that was tried: the data have hardly any noise");
        }
        double median = window.medianDistance(best.candidate().delays());
        double least = trials.stream().mapToDouble(Trial::forecast).min().orElseThrow();
        String kernelReason = String.format(
                Locale.ROOT,
                "%s%s; one-step error %.3g times that of persistence on held-out pairs%s%s",
                best.candidate().family(),
                best.candidate().width() > 0
                        ? String.format(
                                Locale.ROOT,
                                " of %.3g times the median distance %.4g between states",
                                best.candidate().width(),
                                median)
                        : "",
                best.forecast(),
                least < best.forecast()
                        ? String.format(Locale.ROOT, ", the smallest of %d candidates %.3g", trials.size(), least)
                        : String.format(Locale.ROOT, ", the smallest of %d candidates", trials.size()),
                best.candidate().delays() == 0
                        ? ""
                        : String.format(Locale.ROOT, "; without delays %.3g", plain.forecast()));
        Setting epsilon = new Setting(
                "epsilon",
                best.epsilon(),
                "no smaller one predicts better; a stream four times as long may keep " + best.points() + " points");
        Setting lambda = new Setting(
                "lambda",
                WarmUpWindow.rounded(Math.max(1e-6, Math.min(1e-3, best.lambda()))),
                "best for forecasts on the window, within what the step size can follow");
        // Algorithm 1 needs a kernel that is bounded by what occurs.
        Trial gaussian = trials.stream()
                .filter(trial -> trial.candidate().family().equals(CandidateSearch.GAUSSIAN))
                .min(Comparator.comparingDouble(Trial::spectral).thenComparingDouble(Trial::forecast))
                .orElse(best);
        return new Proposal(
                window.dimension(),
                best.candidate().delays(),
                best.candidate().kernel(),
                kernelReason,
                window.scales(),
                window.scalesReason(),
                lambda,
                epsilon,
                () -> eta(gaussian, lambda.value()),
                gaussian.candidate().kernel(),
                warnings);
    }

    private Setting eta(Trial trial, double lambda) {
        double best = Double.POSITIVE_INFINITY;
        double chosen = STEPS[0];
        List<double[][]> vectors = window.vectors(trial.candidate().delays());
        int n = vectors.stream().mapToInt(path -> path.length - 1).sum();
        for (double step : STEPS) {
            SogdLearner<KoopmanOperator> learner = quietLearner(SogdConfig.forState(
                            vectors.get(0)[0].length, trial.candidate().kernel())
                    .lambda(lambda)
                    .stepSize(step / trial.candidate().kernel().bound())
                    .budget(Budget.constant(Math.max(trial.epsilon(), Proposal.MIN_SOGD_EPSILON) * step))
                    .maxDictionary(config.maxDictionary())
                    .build());
            double sum = 0;
            int i = 0;
            for (double[][] path : vectors) {
                for (int t = 0; t + 1 < path.length; t++) {
                    learner.update(path[t], path[t + 1]);
                    double error = learner.lastPredictionError();
                    sum += 2 * i >= n ? error * error : 0;
                    i++;
                }
            }
            if (sum < best) {
                best = sum;
                chosen = step / trial.candidate().kernel().bound();
            }
        }
        return new Setting(
                "eta",
                chosen,
                String.format(
                        Locale.ROOT,
                        "smallest prequential error of SOGD over the second half of the window, %.4g, of steps %s",
                        best / (n - n / 2),
                        Arrays.toString(STEPS)));
    }

    /** A new learner that does not log which theorems its settings miss: nobody is going to use it. */
    private static SogdLearner<KoopmanOperator> quietLearner(SogdConfig config) {
        return SogdState.empty(config).resumeKoopman();
    }
}
