package io.koopstream.control.env;

import java.util.SplittableRandom;

/** What to do in a state. Implementations say whether they may be shared between threads. */
@FunctionalInterface
public interface Policy {

    /** The action for an observation; the array belongs to the caller. */
    double[] action(double[] observation);

    /** The actions for many observations; rows are observations. */
    default double[][] actions(double[][] observations) {
        double[][] result = new double[observations.length][];
        for (int i = 0; i < observations.length; i++) {
            result[i] = action(observations[i]);
        }
        return result;
    }

    /** Whether an action depends on its observation alone, so that many episodes may be run side by side. */
    default boolean isMemoryless() {
        return false;
    }

    /** Told that a new episode begins; of interest to policies with a memory. */
    default void restart() {}

    /** Actions drawn uniformly, whatever the state. One thread. */
    static Policy uniform(Box actions, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return observation -> actions.sample(random);
    }

    /**
     * The greedy action, except that with probability epsilon it is drawn uniformly. One thread.
     *
     * @param epsilon in [0, 1]
     */
    static Policy epsilonGreedy(Policy greedy, Box actions, double epsilon, long seed) {
        if (!(epsilon >= 0 && epsilon <= 1)) {
            throw new io.koopstream.InvalidConfigException(
                    "epsilon", epsilon, "probability of a random action, must be in [0, 1]");
        }
        SplittableRandom random = new SplittableRandom(seed);
        return observation -> {
            // Both draws are made in every step, so that the random actions do not depend on the greedy ones.
            boolean explore = random.nextDouble() < epsilon;
            double[] uniform = actions.sample(random);
            return explore ? uniform : greedy.action(observation);
        };
    }

    /**
     * Holds every action of another policy for some steps. Undirected exploration of slow systems needs it: fresh noise in every step
     * averages out before the system has moved. One thread.
     *
     * @param steps how long an action is held, at least 1
     */
    static Policy held(Policy policy, int steps) {
        if (steps < 1) {
            throw new io.koopstream.InvalidConfigException("steps", steps, "how long an action is held, at least 1");
        }
        int[] left = {0};
        double[][] current = new double[1][];
        return observation -> {
            if (left[0]-- <= 0) {
                current[0] = policy.action(observation);
                left[0] = steps - 1;
            }
            return current[0].clone();
        };
    }
}
