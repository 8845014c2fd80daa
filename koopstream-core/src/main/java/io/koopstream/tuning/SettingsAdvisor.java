package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.dictionary.Counters;
import io.koopstream.dictionary.StoredSide;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Budget;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.tuning.Proposal.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Proposes settings from a warm-up window of pairs (x, x⁺): candidates learn the window side by side, each with a fifth of it held out in runs, and
 * the ridge λ of each is free.
 *
 * <ol>
 *   <li>scales: the standard deviation of each coordinate, used when they differ by more than a factor 3;
 *   <li>kernel: Gaussians of {@link #WIDTHS} times the median distance between states, a linear kernel, and the sum of the linear one and the
 *       best Gaussian;
 *   <li>epsilon: from {@link #THRESHOLDS}, large ones first, as long as a smaller one still lowers an error;
 *   <li>delays, where they are allowed: those of 1, 2, 4, 8, 16 and the dominant period that lower the error of the forecast by a tenth at least;
 *   <li>eta: the smallest prequential error of SOGD over the second half of the window.
 * </ol>
 *
 * <p>Two errors judge a candidate: that of the forecast one step ahead in the data's own units, over persistence's, and {@link SpectralScore},
 * which sees slow modes. Of all candidates within 3 % of the least of the first, and within half a per cent of the least of the second,
 * the one with the smallest dictionary is taken. The result is a function of the window alone. Stateless; any thread. O(candidates · window · m²).
 */
public final class SettingsAdvisor {

    /** The smallest window that is accepted. */
    static final int MIN_PAIRS = 100;

    private static final double[] WIDTHS = {0.25, 0.5, 1, 2};
    private static final double[] THRESHOLDS = {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
    private static final double[] STEPS = {0.02, 0.05, 0.1, 0.2, 0.4, 0.8};
    private static final int[] DELAYS = {1, 2, 4, 8, 16};
    private static final double[] WIDTHS_OF_DELAYS = {1, 2};
    private static final double[] THRESHOLDS_OF_DELAYS = {0.3, 0.1, 0.03};
    private static final double HELD_OUT = 0.2;
    private static final String GAUSSIAN = "Gaussian";

    /** Errors of forecasts this near to the least are as good. */
    private static final double TOLERANCE = 0.03;

    /** The same for {@link SpectralScore}, which sees little of what slow eigenvalues lose. */
    private static final double SPECTRAL_TOLERANCE = 0.005;

    /** A dictionary that is small enough to be made finer than the window can tell: the stream goes on. */
    private static final int SMALL_DICTIONARY = 100;

    /** No threshold of noisy data is made finer than this. */
    private static final double FINEST_OF_NOISY = 0.03;

    /** Delays must lower the error of the forecast by this share to be proposed. */
    private static final double MIN_GAIN_OF_DELAYS = 0.05;

    /** Below this share of persistence's error the state is complete: delays have nothing to add but dimensions. */
    private static final double COMPLETE = 0.05;

    /** Below this, in units of the scale of κ, a ridge changes no eigenvalue that a window can tell. */
    private static final double SMALL_RIDGE = 1e-7;

    /** Domain of a linear kernel, in units of the largest state seen. */
    private static final double DOMAIN = 1000;

    private final AdvisorConfig config;
    private final WarmUpWindow window;
    private final SpectralScore score;

    /** A candidate that was tried. */
    private static final class Trial {
        private final int delays;
        private final String family;
        private final Kernel kernel;
        private final double width;
        private final double epsilon;
        private final double forecast;
        private final double spectral;
        private final double lambda;
        private final int kept;

        Trial(
                Candidate candidate,
                double epsilon,
                LeastSquaresState state,
                double forecast,
                double spectral,
                double lambda) {
            this.delays = candidate.delays();
            this.family = candidate.family();
            this.kernel = candidate.kernel();
            this.width = candidate.width();
            this.epsilon = epsilon;
            this.forecast = forecast;
            this.spectral = spectral;
            this.lambda = lambda;
            this.kept = state.dictionarySize();
        }
    }

    /** A kernel to be tried with thresholds. */
    private record Candidate(int delays, String family, double width, Kernel kernel) {}

    private SettingsAdvisor(double[][] x, double[][] xNext, AdvisorConfig config) {
        this.config = config;
        this.window = new WarmUpWindow(x, xNext);
        this.score = new SpectralScore(window.means(), window.deviations());
    }

    /** Proposes settings with the default limits. */
    public static Proposal propose(double[][] x, double[][] xNext) {
        return propose(x, xNext, AdvisorConfig.defaults());
    }

    /**
     * Proposes settings.
     *
     * @param x inputs, one a row, in the order of the stream; at least 100, none of them kept or changed
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
     * pairs are too few for a test, or every candidate keeps too many points. The reasons say which.
     *
     * @param x inputs, one a row; at least one
     * @param xNext outputs
     */
    public static Proposal suggest(double[][] x, double[][] xNext, AdvisorConfig config) {
        if (x.length < MIN_PAIRS) {
            return ruleOfThumb(x, xNext, config, x.length + " pairs are too few for a test");
        }
        try {
            return propose(x, xNext, config);
        } catch (InvalidConfigException e) {
            return ruleOfThumb(
                    x,
                    xNext,
                    config,
                    "every candidate of the test would keep more than " + config.maxDictionary()
                            + " points of the window");
        }
    }

    private static Proposal ruleOfThumb(double[][] x, double[][] xNext, AdvisorConfig config, String why) {
        int n = Math.min(x.length, config.window());
        SettingsAdvisor advisor = new SettingsAdvisor(Arrays.copyOf(x, n), Arrays.copyOf(xNext, n), config);
        double median = advisor.window.medianDistance(0);
        double sigma = WarmUpWindow.rounded(median / 2);
        String rule = why + ", so the usual value";
        return new Proposal(
                advisor.window.dimension(),
                0,
                advisor.gaussian(0, sigma),
                "Gaussian, sigma = " + sigma + " (" + rule
                        + String.format(Locale.ROOT, ": half the median distance %.4g between states)", median),
                advisor.window.scales(),
                advisor.window.scalesReason(),
                new Setting("lambda", 1e-5, rule),
                new Setting("epsilon", 0.1, rule),
                new Setting("eta", 0.3, rule),
                advisor.gaussian(0, sigma),
                List.of());
    }

    private double[] scales(int delays) {
        double[] own = window.scales();
        double[] all = new double[own.length * (delays + 1)];
        for (int c = 0; c < all.length; c++) {
            all[c] = own[c % own.length];
        }
        return all;
    }

    private Kernel gaussian(int delays, double sigma) {
        Kernel gaussian = Kernels.gaussian(sigma);
        return window.scales().length == 0 ? gaussian : Kernels.scaled(gaussian, scales(delays));
    }

    /** x·x' + 1 in units in which a coordinate varies by about one: each in its own, or all in that of the one that varies most. */
    private Kernel linear(int delays, boolean ownUnits) {
        double[] units = new double[window.dimension() * (delays + 1)];
        double largest = Arrays.stream(window.deviations()).max().orElseThrow();
        for (int c = 0; c < units.length; c++) {
            units[c] = WarmUpWindow.rounded(ownUnits ? window.deviations()[c % window.dimension()] : largest);
        }
        return Kernels.scaled(Kernels.linear(1, WarmUpWindow.rounded(DOMAIN * largestNorm(delays, units))), units);
    }

    private double largestNorm(int delays, double[] units) {
        double largest = 1;
        for (double[][] path : window.vectors(delays)) {
            for (double[] state : path) {
                double sum = 0;
                for (int c = 0; c < units.length; c++) {
                    double z = state[c] / units[c];
                    sum = Math.fma(z, z, sum);
                }
                largest = Math.max(largest, Math.sqrt(sum));
            }
        }
        return largest;
    }

    private Proposal propose() {
        List<Trial> trials = new ArrayList<>();
        Trial plain = search(0, trials);
        if (plain == null) {
            throw new InvalidConfigException(
                    "maxDictionary", config.maxDictionary(), "no candidate keeps so few points; allow more");
        }
        Trial best = plain;
        List<Trial> delayed = new ArrayList<>();
        for (int delays : plain.forecast > COMPLETE ? delays() : List.<Integer>of()) {
            Trial trial = search(delays, new ArrayList<>());
            if (trial != null) {
                delayed.add(trial);
            }
        }
        double least =
                delayed.stream().mapToDouble(trial -> trial.forecast).min().orElse(Double.POSITIVE_INFINITY);
        if (least < (1 - MIN_GAIN_OF_DELAYS) * plain.forecast) {
            best = delayed.stream()
                    .filter(trial -> trial.forecast <= (1 + TOLERANCE) * least)
                    .findFirst()
                    .orElseThrow();
        }
        return proposal(best, plain, trials);
    }

    private List<Integer> delays() {
        TreeSet<Integer> wanted = new TreeSet<>();
        for (int delays : DELAYS) {
            wanted.add(delays);
        }
        int period = window.period();
        if (period > 0) {
            wanted.add(period);
        }
        return wanted.stream().filter(delays -> delays <= config.maxDelays()).toList();
    }

    /** The best settings with so many delays; null when every candidate keeps too many points. */
    private Trial search(int delays, List<Trial> trials) {
        List<double[][]> vectors = window.vectors(delays);
        if (vectors.stream().mapToInt(path -> path.length - 1).sum() < MIN_PAIRS) {
            return null;
        }
        double median = window.medianDistance(delays);
        for (double width : delays == 0 ? WIDTHS : WIDTHS_OF_DELAYS) {
            Kernel kernel = gaussian(delays, WarmUpWindow.rounded(width * median));
            descend(new Candidate(delays, GAUSSIAN, width, kernel), vectors, trials);
        }
        Trial gaussian = trials.stream()
                .min((a, b) -> Double.compare(a.forecast, b.forecast))
                .orElse(null);
        Kernel linear = linear(delays, true);
        List<Trial> others = new ArrayList<>();
        if (window.scales().length > 0) {
            descend(new Candidate(delays, "linear in one unit", 0, linear(delays, false)), vectors, others);
        }
        descend(new Candidate(delays, "linear", 0, linear), vectors, others);
        if (gaussian != null) {
            Kernel sum = Kernels.sum(1, linear, 1, gaussian.kernel);
            descend(new Candidate(delays, "linear + Gaussian", gaussian.width, sum), vectors, others);
        }
        // A kernel that grows without bound must pay for it.
        double least = gaussian == null ? Double.POSITIVE_INFINITY : gaussian.forecast;
        others.stream()
                .filter(trial -> trial.forecast < (1 - TOLERANCE) * least)
                .forEach(trials::add);
        return chosen(trials);
    }

    /** Tries thresholds, large ones first, as long as they lower an error and keep few enough points. */
    private void descend(Candidate candidate, List<double[][]> vectors, List<Trial> trials) {
        double leastForecast = Double.POSITIVE_INFINITY;
        double leastSpectral = Double.POSITIVE_INFINITY;
        int idle = 0;
        for (double epsilon : candidate.delays() == 0 ? THRESHOLDS : THRESHOLDS_OF_DELAYS) {
            Trial trial = attempt(candidate, epsilon, vectors);
            if (trial == null) {
                return;
            }
            trials.add(trial);
            boolean better = trial.forecast < (1 - TOLERANCE) * leastForecast
                    || trial.spectral < (1 - TOLERANCE) * leastSpectral;
            leastForecast = Math.min(leastForecast, trial.forecast);
            leastSpectral = Math.min(leastSpectral, trial.spectral);
            idle = better ? 0 : idle + 1;
            if (idle == 2) {
                return;
            }
        }
    }

    /** Learns the window with a candidate; null when too many points are kept. */
    private Trial attempt(Candidate candidate, double epsilon, List<double[][]> vectors) {
        int dimension = window.dimension() * (candidate.delays() + 1);
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, candidate.kernel())
                        .epsilon(epsilon)
                        .blockSize(64)
                        .holdOut(HELD_OUT)
                        .targets(window.dimension())
                        .build());
        List<double[]> learned = new ArrayList<>();
        for (double[][] path : vectors) {
            for (int t = 0; t + 1 < path.length; t++) {
                if (learner.update(path[t], path[t + 1]) != StepOutcome.HELD_OUT) {
                    learned.add(path[t]);
                }
                if (learner.dictionarySize() > config.maxDictionary()) {
                    return null;
                }
            }
        }
        LeastSquaresState state = learner.state().settled();
        if (state.dictionarySize() > config.maxDictionary()) {
            return null;
        }
        var choice = state.forecastChoice();
        double scale = state.family().scale();
        double lambda = Math.min(choice.forecast(), SMALL_RIDGE * scale);
        return new Trial(
                candidate,
                epsilon,
                state,
                choice.forecastError(),
                score.error(state, lambda, learned),
                choice.forecast());
    }

    /** The smallest dictionary among the candidates that are as good as the best. */
    private static Trial chosen(List<Trial> trials) {
        if (trials.isEmpty()) {
            return null;
        }
        double leastForecast =
                trials.stream().mapToDouble(t -> t.forecast).min().orElseThrow();
        Trial mostTrue = trials.stream()
                .min((a, b) -> Double.compare(a.spectral, b.spectral))
                .orElseThrow();
        Trial best = null;
        Trial fallback = null;
        for (Trial trial : trials) {
            if (trial.forecast <= (1 + TOLERANCE) * leastForecast) {
                boolean isTrue = trial.spectral <= (1 + SPECTRAL_TOLERANCE) * mostTrue.spectral;
                if (isTrue && (best == null || trial.kept < best.kept)) {
                    best = trial;
                }
                if (fallback == null || trial.spectral < fallback.spectral) {
                    fallback = trial;
                }
            }
        }
        return best != null ? best : fallback;
    }

    private Proposal proposal(Trial best, Trial plain, List<Trial> trials) {
        List<String> warnings = new ArrayList<>();
        if (best.width > 0 && (best.width == WIDTHS[0] || best.width == WIDTHS[WIDTHS.length - 1])) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the width chosen, %.3g times the median distance, is the %s that was tried: another may be better",
                    best.width,
                    best.width == WIDTHS[0] ? "smallest" : "largest"));
        }
        if (best.epsilon == THRESHOLDS[THRESHOLDS.length - 1]) {
            warnings.add(
                    "epsilon = " + best.epsilon + " is the smallest that was tried: the data has no noise to speak of");
        }
        double median = window.medianDistance(best.delays);
        String kernelReason = String.format(
                Locale.ROOT,
                "%s%s; one step ahead %.3g of persistence's error on held-out pairs, the least of %d candidates has %.3g%s",
                best.family,
                best.width > 0
                        ? String.format(
                                Locale.ROOT,
                                " of %.3g times the median distance %.4g between states",
                                best.width,
                                median)
                        : "",
                best.forecast,
                trials.size(),
                trials.stream().mapToDouble(t -> t.forecast).min().orElseThrow(),
                best.delays == 0 ? "" : String.format(Locale.ROOT, "; without delays %.3g", plain.forecast));
        Setting epsilon = epsilon(best);
        Setting lambda = new Setting(
                "lambda",
                WarmUpWindow.rounded(Math.max(1e-6, Math.min(1e-3, best.lambda))),
                "best for forecasts on the window, within what a step size can follow");
        // Algorithm 1 needs a kernel that is bounded by what occurs.
        Trial gaussian = trials.stream()
                .filter(trial -> trial.family.equals(GAUSSIAN))
                .min((a, b) -> Double.compare(a.spectral, b.spectral))
                .orElse(best);
        return new Proposal(
                window.dimension(),
                best.delays,
                best.kernel,
                kernelReason,
                window.scales(),
                window.scalesReason(),
                lambda,
                epsilon,
                eta(gaussian, lambda.value()),
                gaussian.kernel,
                warnings);
    }

    private static Setting epsilon(Trial best) {
        String reason = "the smallest dictionary that predicts as well as the best: keeps " + best.kept
                + " points of the window";
        if (best.forecast > COMPLETE && best.kept <= SMALL_DICTIONARY && best.epsilon > FINEST_OF_NOISY) {
            int at = 0;
            while (THRESHOLDS[at] > best.epsilon) {
                at++;
            }
            return new Setting(
                    "epsilon",
                    Math.max(FINEST_OF_NOISY, THRESHOLDS[Math.min(at + 2, THRESHOLDS.length - 1)]),
                    "finer than " + best.epsilon + ", " + reason + ", because the stream goes on");
        }
        return new Setting("epsilon", best.epsilon, reason);
    }

    private Setting eta(Trial trial, double lambda) {
        double best = Double.POSITIVE_INFINITY;
        double chosen = STEPS[0];
        List<double[][]> vectors = window.vectors(trial.delays);
        int n = vectors.stream().mapToInt(path -> path.length - 1).sum();
        for (double step : STEPS) {
            SogdLearner<KoopmanOperator> learner =
                    quietLearner(SogdConfig.forState(vectors.get(0)[0].length, trial.kernel)
                            .lambda(lambda)
                            .stepSize(step / trial.kernel.bound())
                            .budget(Budget.constant(Math.max(trial.epsilon, Proposal.MIN_SOGD_EPSILON) * step))
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
                chosen = step / trial.kernel.bound();
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
        int d = config.input().dimension();
        StoredSide nothing = new StoredSide(new Points(d), new Matrix(0, 0), new long[0]);
        return SogdLearner.resumeKoopman(
                SogdState.restore(config, Counters.of(0, 0), nothing, nothing, new Matrix(0, 0)));
    }
}
