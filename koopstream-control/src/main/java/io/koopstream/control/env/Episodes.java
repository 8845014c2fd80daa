package io.koopstream.control.env;

import io.koopstream.InvalidConfigException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Runs policies in environments. */
public final class Episodes {

    private static final int ABREAST = 256;

    private Episodes() {}

    /**
     * The scores (sums of rewards) of a policy over episodes. Episode i starts from seed {@code seed + i}, so policies are
     * compared on the same starts.
     */
    public static double[] scores(Environment environment, Policy policy, int episodes, long seed) {
        requirePositive("episodes", episodes);
        double[] scores = new double[episodes];
        // Side by side a policy decides for whole blocks; one with a memory would mix up its episodes.
        int abreast = policy.isMemoryless() ? ABREAST : 1;
        for (int first = 0; first < episodes; first += abreast) {
            run(environment, policy, scores, first, Math.min(abreast, episodes - first), seed);
        }
        return scores;
    }

    private static void run(Environment environment, Policy policy, double[] scores, int first, int count, long seed) {
        Environment[] running = new Environment[count];
        double[][] observations = new double[count][];
        policy.restart();
        int[] episode = new int[count];
        for (int i = 0; i < count; i++) {
            running[i] = environment.fresh();
            episode[i] = first + i;
            observations[i] = running[i].reset(seed + first + i);
        }
        int left = count;
        while (left > 0) {
            double[][] actions = policy.actions(Arrays.copyOf(observations, left));
            int open = 0;
            for (int i = 0; i < left; i++) {
                StepResult result = running[i].step(actions[i]);
                scores[episode[i]] += result.reward();
                if (!result.over()) {
                    running[open] = running[i];
                    episode[open] = episode[i];
                    observations[open] = result.observation();
                    open++;
                }
            }
            left = open;
        }
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
            behaviour.restart();
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
