package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Budget;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.SogdConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Settings proposed for a system from a window of its samples, each with the reason in words. Every one can be replaced by the user's own
 * with a {@code with} method. Immutable.
 */
public final class Proposal {

    private final int dimension;
    private final double[] scales;
    private final Setting sigma;
    private final Setting lambda;
    private final Setting epsilon;
    private final Setting eta;
    private final String scalesReason;

    /**
     * One setting.
     *
     * @param name its name
     * @param value the value proposed
     * @param reason why
     */
    public record Setting(String name, double value, String reason) {}

    /** @param scales one a coordinate, or empty when the coordinates are taken as they are */
    Proposal(
            int dimension,
            double[] scales,
            String scalesReason,
            Setting sigma,
            Setting lambda,
            Setting epsilon,
            Setting eta) {
        this.dimension = dimension;
        this.scales = scales.clone();
        this.scalesReason = scalesReason;
        this.sigma = sigma;
        this.lambda = lambda;
        this.epsilon = epsilon;
        this.eta = eta;
    }

    /** Width of the Gaussian kernel, in the units of the state, or in those of {@link #scales()} when there are any. */
    public Setting sigma() {
        return sigma;
    }

    /** Ridge of the mean risk. */
    public Setting lambda() {
        return lambda;
    }

    /** Novelty a sample must have to be kept by least squares. */
    public Setting epsilon() {
        return epsilon;
    }

    /** Step size of SOGD. */
    public Setting eta() {
        return eta;
    }

    /** The unit of each coordinate, copied; empty when the coordinates are taken as they are. */
    public double[] scales() {
        return scales.clone();
    }

    /** The kernel: a Gaussian, on scaled coordinates where they need it. */
    public Kernel kernel() {
        Kernel gaussian = Kernels.gaussian(sigma.value());
        return scales.length == 0 ? gaussian : Kernels.scaled(gaussian, scales);
    }

    /** Settings for online least squares. */
    public LeastSquaresConfig leastSquares() {
        return LeastSquaresConfig.forState(dimension, kernel())
                .lambda(lambda.value())
                .epsilon(epsilon.value())
                .build();
    }

    /** Settings for SOGD. Its budget is ε η: a step of size η loses η times what the sample is new by, so this keeps as many points. */
    public SogdConfig sogd() {
        return SogdConfig.forState(dimension, kernel())
                .lambda(lambda.value())
                .stepSize(eta.value())
                .budget(Budget.constant(epsilon.value() * eta.value()))
                .build();
    }

    /** The same with the user's own width. */
    public Proposal withSigma(double value) {
        return new Proposal(dimension, scales, scalesReason, given(sigma, value), lambda, epsilon, eta);
    }

    /** The same with the user's own ridge. */
    public Proposal withLambda(double value) {
        return new Proposal(dimension, scales, scalesReason, sigma, given(lambda, value), epsilon, eta);
    }

    /** The same with the user's own threshold; 0 keeps everything that is numerically new. */
    public Proposal withEpsilon(double value) {
        InvalidConfigException.requireNonNegative("epsilon", value, "novelty a sample must have to be kept; try 0.1");
        Setting chosen = new Setting("epsilon", value, "given");
        return new Proposal(dimension, scales, scalesReason, sigma, lambda, chosen, eta);
    }

    /** The same with the user's own step size. */
    public Proposal withEta(double value) {
        return new Proposal(dimension, scales, scalesReason, sigma, lambda, epsilon, given(eta, value));
    }

    private static Setting given(Setting setting, double value) {
        return new Setting(
                setting.name(),
                InvalidConfigException.requirePositive(setting.name(), value, "given by hand"),
                "given");
    }

    /** One line a setting: name, value, reason. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("scales = " + (scales.length == 0 ? "none" : Arrays.toString(scales)) + ": " + scalesReason);
        for (Setting setting : List.of(sigma, lambda, epsilon, eta)) {
            lines.add(String.format(Locale.ROOT, "%s = %.4g: %s", setting.name(), setting.value(), setting.reason()));
        }
        return lines;
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }
}
