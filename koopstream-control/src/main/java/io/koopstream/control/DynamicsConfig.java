package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;

/**
 * The settings of a {@link DynamicsLearner}.
 *
 * @param input κ_Z on z = (state, action)
 * @param output κ_X on the next state; its width is the resolution of the value function
 * @param lambda ridge of the mean risk, > 0
 * @param epsilon a transition is kept when the dictionary misses more than this of either side, >= 0
 * @param maxDictionary most transitions that are kept, >= 1
 */
public record DynamicsConfig(Rkhs input, Rkhs output, double lambda, double epsilon, int maxDictionary) {

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
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ; try 1e-8 without noise");
        InvalidConfigException.requireNonNegative("epsilon", epsilon, "novelty a transition must have to be kept");
        if (maxDictionary < 1) {
            throw new InvalidConfigException("maxDictionary", maxDictionary, "must be at least 1; try 1000");
        }
    }

    /** Settings for a state kernel, an action kernel (κ_Z is their product) and a kernel on the next state. */
    public static DynamicsConfig of(
            int stateDimension,
            Kernel state,
            int actionDimension,
            Kernel action,
            Kernel next,
            double lambda,
            double epsilon,
            int maxDictionary) {
        return new DynamicsConfig(
                new Rkhs(
                        Kernels.concatenated(stateDimension, state, actionDimension, action),
                        stateDimension + actionDimension),
                new Rkhs(next, stateDimension),
                lambda,
                epsilon,
                maxDictionary);
    }
}
