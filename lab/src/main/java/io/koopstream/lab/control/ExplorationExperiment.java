package io.koopstream.lab.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.Explorer;
import io.koopstream.control.StagedLoop;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.StepResult;
import io.koopstream.control.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How many transitions a controller needs, by who makes them: one log that goes on from stage to stage, whole episodes after each other, planned with and
 * judged after every stage. The same seed gives the same starts to all. lab/records/control.md has the figures.
 */
public final class ExplorationExperiment {

    /** Who makes the transitions after the first stage. */
    public enum Behaviour {
        /** Actions drawn uniformly. */
        UNIFORM,
        /** Actions drawn uniformly and held for 20 steps, from the first stage on. */
        HELD,
        /** The controller of the last stage. */
        GREEDY,
        /** {@link Explorer}, which begins within the first stage. */
        EXPLORING
    }

    /**
     * What came out.
     *
     * @param perStage transitions of a stage
     * @param means mean scores after each stage
     */
    public record Outcome(int perStage, List<Double> means) {

        /** The number of transitions from which on every mean reaches a threshold, or -1. */
        public int needed(double mean) {
            int stage = means.size();
            while (stage > 0 && means.get(stage - 1) >= mean) {
                stage--;
            }
            return stage == means.size() ? -1 : (stage + 1) * perStage;
        }
    }

    private static final int HELD_STEPS = 20;

    private ExplorationExperiment() {}

    /**
     * Runs a log.
     *
     * @param stages how many stages, >= 1
     * @param episodes episodes of every judgement
     */
    public static Outcome run(
            Environment environment,
            ControlSettings settings,
            Behaviour behaviour,
            int stages,
            int perStage,
            int episodes,
            long seed) {
        if (stages < 1 || perStage < 1) {
            throw new InvalidConfigException("stages", stages + " of " + perStage, "both must be at least 1");
        }
        DynamicsLearner learner = new DynamicsLearner(settings.dynamics());
        SplittableRandom seeds = new SplittableRandom(seed);
        long actions = seeds.nextLong();
        Policy uniform = Policy.uniform(environment.actionSpace(), actions);
        Policy behaving = switch (behaviour) {
            case UNIFORM, GREEDY -> uniform;
            case HELD -> Policy.held(uniform, HELD_STEPS);
            case EXPLORING -> new Explorer(settings, learner, environment.actionSpace(), actions);
        };
        SplittableRandom starts = new SplittableRandom(seeds.nextLong());
        double[] observation = environment.reset(starts.nextLong());
        List<Double> means = new ArrayList<>();
        Plan plan = null;
        for (int stage = 0; stage < stages; stage++) {
            Policy policy = stage > 0 && behaviour == Behaviour.GREEDY ? plan.policy() : behaving;
            for (int step = 0; step < perStage; step++) {
                double[] action = policy.action(observation);
                StepResult result = environment.step(action);
                learner.update(observation, action, result.observation());
                observation = result.over() ? environment.reset(starts.nextLong()) : result.observation();
            }
            plan = settings.plan(learner);
            means.add(Episodes.evaluate(environment, plan.policy(), episodes, StagedLoop.EVALUATION_SEED)
                    .mean());
        }
        return new Outcome(perStage, means);
    }
}
