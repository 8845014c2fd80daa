package io.koopstream.control.dynamics;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import java.util.OptionalDouble;

/**
 * The settings of a {@link DynamicsLearner}.
 *
 * @param input κ_Z on z = (state, action)
 * @param output κ_X on the next state; its width is the resolution of the value function
 * @param lambda ridge of the mean risk, > 0; none for the one that predicts held-out transitions best
 * @param epsilon an input, or a next state, is kept when those kept before miss more than this share of it, as a norm, >= 0
 * @param maxDictionary most inputs, and most next states, that are kept, >= 1; then a new one takes the place of one worth less
 */
public record DynamicsConfig(Rkhs input, Rkhs output, OptionalDouble lambda, double epsilon, int maxDictionary) {

    /** Refuses settings out of range. */
    public DynamicsConfig {
        if (input == null || output == null) {
            throw new InvalidConfigException(input == null ? "input" : "output", null, "must be given");
        }
        if (input.dimension() <= output.dimension()) {
            throw new InvalidConfigException(
                    "input",
                    input.dimension(),
                    "needs the state's " + output.dimension() + " coordinates and an action's");
        }
        lambda.ifPresent(given -> InvalidConfigException.requirePositive(
                "lambda", given, "regularisation of R_λ; leave it out to have it chosen"));
        InvalidConfigException.requireNonNegative(
                "epsilon", epsilon, "novelty an input or a next state must have to be kept");
        if (maxDictionary < 1) {
            throw new InvalidConfigException("maxDictionary", maxDictionary, "must be at least 1; try 1000");
        }
    }

    /** The same with a given ridge. */
    public DynamicsConfig withLambda(double given) {
        return new DynamicsConfig(input, output, OptionalDouble.of(given), epsilon, maxDictionary);
    }

    /** Settings for a state kernel, an action kernel (κ_Z is their product) and a kernel on the next state. The ridge is chosen. */
    public static DynamicsConfig of(
            int stateDimension,
            Kernel state,
            int actionDimension,
            Kernel action,
            Kernel next,
            double epsilon,
            int maxDictionary) {
        return new DynamicsConfig(
                new Rkhs(
                        Kernels.concatenated(stateDimension, state, actionDimension, action),
                        stateDimension + actionDimension),
                new Rkhs(next, stateDimension),
                OptionalDouble.empty(),
                epsilon,
                maxDictionary);
    }

    /**
     * Settings for transitions of which nothing else is known: a starting point, not an optimum. States are measured in their own spreads and
     * actions in the width of their range; κ_Z is wide (1.4 spreads, one range), because increments are smooth, and κ_X narrow (0.3
     * spreads), because it is the resolution of the value function. These are the ratios that proved good for the pendulum and the
     * mountain car (docs/control.md).
     *
     * @param data at least two different states
     * @param actions bounds of the actions
     */
    public static DynamicsConfig guess(Transitions data, Box actions, double epsilon, int maxDictionary) {
        int d = data.stateDimension();
        double[] spreads = new double[d];
        for (int c = 0; c < d; c++) {
            spreads[c] = rounded(data.spread(c));
            if (!(spreads[c] > 0)) {
                throw new InvalidConfigException(
                        "state", "coordinate " + (c + 1), "is the same in all transitions: leave it out");
            }
        }
        double[] ranges = new double[actions.dimension()];
        for (int c = 0; c < ranges.length; c++) {
            ranges[c] = rounded(actions.high().get(c) - actions.low().get(c));
        }
        return of(
                d,
                Kernels.scaled(Kernels.gaussian(1.4), spreads),
                ranges.length,
                Kernels.scaled(Kernels.gaussian(1), ranges),
                Kernels.scaled(Kernels.gaussian(0.3), spreads),
                epsilon,
                maxDictionary);
    }

    /** Two digits: more would claim an accuracy that a unit has not. */
    private static double rounded(double unit) {
        return unit > 0 && Double.isFinite(unit)
                ? new java.math.BigDecimal(unit)
                        .round(new java.math.MathContext(2))
                        .doubleValue()
                : 0;
    }
}
