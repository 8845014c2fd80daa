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
import io.koopstream.tuning.Proposal.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Proposes settings from a warm-up window of pairs (x, x⁺).
 *
 * <ol>
 *   <li>scales: the standard deviation of each coordinate, used when they differ by more than a factor 3;
 *   <li>kernel, delays and epsilon: by a {@link KernelRace} of Gaussians of {@link KernelRace#WIDTHS} times the median distance between states, a linear
 *       kernel and the sum of the linear one and the best Gaussian, on states without delays and, where they are allowed, with the dominant period (8 where
 *       there is none) and, for a linear kernel, 24;
 *   <li>eta: the smallest prequential error of SOGD over the second half of the window.
 * </ol>
 *
 * <p>The result is a function of the window alone. Stateless; any thread. O(candidates · window · m²).
 */
public final class SettingsAdvisor {

    /** The smallest window that is accepted. */
    static final int MIN_PAIRS = 50;

    private static final double[] STEPS = {0.02, 0.05, 0.1, 0.2, 0.4, 0.8};
    private final AdvisorConfig config;
    private final WarmUpWindow window;
    private final KernelRace race;

    private SettingsAdvisor(double[][] x, double[][] xNext, AdvisorConfig config) {
        this.config = config;
        this.window = new WarmUpWindow(x, xNext);
        this.race = new KernelRace(window, config);
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
                advisor.race.gaussian(0, sigma),
                "Gaussian, sigma = " + Decimals.text(sigma) + " (" + rule
                        + String.format(Locale.ROOT, ": half the median distance %.4g between states)", median),
                advisor.window.scales(),
                advisor.window.scalesReason(),
                new Setting("lambda", 1e-5, rule),
                new Setting("epsilon", 0.1, rule),
                () -> new Setting("eta", 0.3, rule),
                advisor.race.gaussian(0, sigma),
                List.of());
    }

    /** A linear kernel, which needs no width: right while nothing varies, and able to follow what comes then. */
    private Proposal flat() {
        String rule = "nothing varies, so the usual value";
        return new Proposal(
                window.dimension(),
                0,
                race.linearOfConstants(),
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
        KernelRace.Entry best = race.winner();
        if (best == null) {
            throw new InvalidConfigException(
                    "maxDictionary", config.maxDictionary(), "no candidate keeps so few points; allow more");
        }
        return proposal(best);
    }

    private Proposal proposal(KernelRace.Entry best) {
        KernelRace.Candidate chosen = best.candidate();
        List<String> warnings = new ArrayList<>();
        double narrowest = KernelRace.WIDTHS[0];
        double widest = KernelRace.WIDTHS[KernelRace.WIDTHS.length - 1];
        if (chosen.delays() == 0 && (chosen.width() == narrowest || chosen.width() == widest)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the chosen width, %.3g times the median distance, is the %s that was tried; another may be better",
                    chosen.width(),
                    chosen.width() == narrowest ? "smallest" : "largest"));
        }
        if (best.epsilon() == KernelRace.THRESHOLDS[KernelRace.THRESHOLDS.length - 1]
                && !chosen.kernel().isAffine()) {
            warnings.add("epsilon = " + Decimals.text(best.epsilon())
                    + " is the smallest that was tried: the data have hardly any noise");
        }
        String width = chosen.width() > 0
                ? String.format(
                        Locale.ROOT,
                        " of %.3g times the median distance %.4g between states",
                        chosen.width(),
                        window.medianDistance(chosen.delays()))
                : "";
        String kernelReason = String.format(
                Locale.ROOT,
                "%s%s; one-step error %.3g times that of persistence on pairs not yet learned, the best of %d candidates at 1, 8 and 24 steps and"
                        + " for slow motions, or as good and cheaper%s",
                chosen.family(),
                width,
                best.oneStep(),
                race.entries().size(),
                chosen.delays() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; without delays %.3g",
                                race.entries().stream()
                                        .filter(entry -> entry.candidate().delays() == 0)
                                        .mapToDouble(KernelRace.Entry::oneStep)
                                        .min()
                                        .orElse(Double.NaN)));
        Setting epsilon = new Setting(
                "epsilon",
                best.epsilon(),
                "the smallest that time allows, or that pays; a stream four times as long may keep " + best.points()
                        + " points");
        Setting lambda = new Setting(
                "lambda",
                WarmUpWindow.rounded(Math.max(1e-6, Math.min(1e-3, best.lambda()))),
                "best for forecasts on the window, within what the step size can follow");
        // Algorithm 1 needs a kernel that is bounded by what occurs.
        KernelRace.Entry gaussian = race.bestGaussian(0).orElse(best);
        return new Proposal(
                window.dimension(),
                chosen.delays(),
                chosen.kernel(),
                kernelReason,
                window.scales(),
                window.scalesReason(),
                lambda,
                epsilon,
                () -> eta(gaussian, lambda.value()),
                gaussian.candidate().kernel(),
                warnings);
    }

    private Setting eta(KernelRace.Entry trial, double lambda) {
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
        return SogdLearner.resumeKoopman(SogdState.empty(config));
    }
}
