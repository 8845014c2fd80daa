package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Settings proposed for a system from a window of its samples, each with the reason in words. Immutable.
 */
public final class Proposal {

    /** Algorithm 1 fluctuates more than a finer dictionary could tell. */
    static final double MIN_SOGD_EPSILON = 0.05;

    private final int observed;
    private final int delays;
    private final Kernel kernel;
    private final String kernelReason;
    private final double[] scales;
    private final String scalesReason;
    private final Setting lambda;
    private final Setting epsilon;
    /** Sought when first asked for: only SOGD needs it. */
    private final Supplier<Setting> etaSource;

    private volatile Setting eta;
    private final Kernel gaussian;
    private final List<String> warnings;

    /**
     * One setting.
     *
     * @param name its name
     * @param value the value proposed
     * @param reason why
     */
    public record Setting(String name, double value, String reason) {}

    /**
     * @param observed coordinates of an observation
     * @param delays earlier observations that are part of a state
     * @param scales one per coordinate, or empty when the coordinates are taken as they are
     */
    Proposal(
            int observed,
            int delays,
            Kernel kernel,
            String kernelReason,
            double[] scales,
            String scalesReason,
            Setting lambda,
            Setting epsilon,
            Supplier<Setting> etaSource,
            Kernel gaussian,
            List<String> warnings) {
        this.observed = observed;
        this.delays = delays;
        this.kernel = kernel;
        this.kernelReason = kernelReason;
        this.scales = scales.clone();
        this.scalesReason = scalesReason;
        this.lambda = lambda;
        this.epsilon = epsilon;
        this.etaSource = etaSource;
        this.gaussian = gaussian;
        this.warnings = List.copyOf(warnings);
    }

    /** Number of earlier observations that are part of a state; 0 when an observation is a state. */
    public int delays() {
        return delays;
    }

    /** Ridge for SOGD; least squares chooses its own when somebody asks. */
    public Setting lambda() {
        return lambda;
    }

    /** Novelty threshold. */
    public Setting epsilon() {
        return epsilon;
    }

    /** Step size of SOGD. */
    public Setting eta() {
        Setting known = eta;
        if (known == null) {
            known = etaSource.get();
            eta = known;
        }
        return known;
    }

    /** The unit of each coordinate, copied; empty when the coordinates are taken as they are. */
    public double[] scales() {
        return scales.clone();
    }

    /** The kernel on states, delays included. */
    public Kernel kernel() {
        return kernel;
    }

    /** The kernel for SOGD, which needs one that is bounded: the best Gaussian, on observations without delays. */
    public Kernel gaussian() {
        return gaussian;
    }

    /** Why this kernel, and why these scales. */
    public String kernelReason() {
        return kernelReason + "; " + scalesReason;
    }

    /** Choices that sit at the edge of what was tried, in words. */
    public List<String> warnings() {
        return warnings;
    }

    private int dimension() {
        return observed * (delays + 1);
    }

    /** Settings for online least squares, with a tenth of the pairs held out to choose λ. */
    public LeastSquaresConfig leastSquares() {
        return LeastSquaresConfig.forState(dimension(), kernel)
                .epsilon(epsilon.value())
                .targets(observed)
                .holdOut(io.koopstream.learner.leastsquares.HoldOutConfig.DEFAULT_SHARE)
                .build();
    }

    /** Settings for SOGD. Its budget is ε η: a step of size η loses η times what the sample is new by, so this keeps as many points. */
    public SogdConfig sogd() {
        return SogdConfig.forState(observed, gaussian)
                .lambda(lambda.value())
                .stepSize(eta().value())
                .budget(Budget.constant(sogdBudget(eta().value())))
                .build();
    }

    /** The budget of SOGD at a step size. */
    public double sogdBudget(double step) {
        return Math.max(epsilon.value(), MIN_SOGD_EPSILON) * step;
    }

    /** This proposal with the user's own threshold; 0 keeps everything that is numerically new. */
    public Proposal withEpsilon(double value) {
        InvalidConfigException.requireNonNegative("epsilon", value, "novelty threshold; try 0.1");
        return new Proposal(
                observed,
                delays,
                kernel,
                kernelReason,
                scales,
                scalesReason,
                lambda,
                new Setting("epsilon", value, "given"),
                this::eta,
                gaussian,
                warnings);
    }

    /** One line a setting: name, value, reason. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("scales = " + (scales.length == 0 ? "none" : Arrays.toString(scales)) + ": " + scalesReason);
        lines.add("kernel = " + kernel.text() + ": " + kernelReason);
        for (Setting setting : List.of(lambda, epsilon, eta())) {
            lines.add(setting.name() + " = " + Decimals.text(setting.value()) + ": " + setting.reason());
        }
        return lines;
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }
}
