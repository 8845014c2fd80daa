package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import java.util.SplittableRandom;

/** Runs policies in environments. */
public final class Episodes {

    private Episodes() {}

    /**
     * The scores (sums of rewards) of a policy over episodes. Episode i starts from seed {@code seed + i}, so policies are
     * compared on the same starts.
     */
    public static double[] scores(Environment environment, Policy policy, int episodes, long seed) {
        requirePositive("episodes", episodes);
        double[] scores = new double[episodes];
        for (int i = 0; i < episodes; i++) {
            double[] observation = environment.reset(seed + i);
            StepResult result;
            do {
                result = environment.step(policy.action(observation));
                scores[i] += result.reward();
                observation = result.observation();
            } while (!result.over());
        }
        return scores;
    }

    /** The distribution of {@link #scores}. */
    public static ScoreSummary evaluate(Environment environment, Policy policy, int episodes, long seed) {
        return ScoreSummary.of(scores(environment, policy, episodes, seed));
    }

    /**
     * Records the transitions of a behaviour policy, whole episodes after each other and the last one cut short if need be.
     *
     * @param count how many transitions
     * @param seed determines the starts of the episodes
     */
    public static Transitions collect(Environment environment, Policy behaviour, int count, long seed) {
        requirePositive("count", count);
        Transitions transitions = new Transitions(
                environment.observationSpace().dimension(),
                environment.actionSpace().dimension());
        SplittableRandom starts = new SplittableRandom(seed);
        while (transitions.size() < count) {
            double[] observation = environment.reset(starts.nextLong());
            StepResult result;
            do {
                double[] action = behaviour.action(observation);
                result = environment.step(action);
                transitions.add(observation, action, result.observation());
                observation = result.observation();
            } while (!result.over() && transitions.size() < count);
        }
        return transitions;
    }

    private static void requirePositive(String field, int value) {
        if (value < 1) {
            throw new InvalidConfigException(field, value, "must be at least 1");
        }
    }
}
