package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * The staged loop of section 7.2: in every stage roll out a behaviour policy, continue the same dictionary with the new transitions,
 * plan, evaluate.
 *
 * @param stages number of stages, >= 1
 * @param transitionsPerStage n_new, >= 1
 * @param behaviour who makes the transitions
 * @param evaluationEpisodes episodes of an evaluation, >= 1
 */
public record StagedLoop(int stages, int transitionsPerStage, Behaviour behaviour, int evaluationEpisodes) {

    /** Evaluations of all runs use the same starts, far away from the seeds of data. */
    public static final long EVALUATION_SEED = 1_000_000;

    private static final double EXPLORATION = 0.3;

    /** Who makes the transitions of a stage. The first stage is always uniform: there is no plan yet. */
    public enum Behaviour {
        /** Actions drawn uniformly. */
        UNIFORM,
        /** The greedy policy of the last plan. */
        GREEDY,
        /** The greedy policy, with probability 0.3 a uniform action instead. */
        EPSILON_GREEDY;

        /** As people write it. */
        public String label() {
            return this == EPSILON_GREEDY ? "ε-greedy" : name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Refuses settings out of range. */
    public StagedLoop {
        require("stages", stages);
        require("transitionsPerStage", transitionsPerStage);
        require("evaluationEpisodes", evaluationEpisodes);
        if (behaviour == null) {
            throw new InvalidConfigException("behaviour", null, "must be given");
        }
    }

    private static void require(String field, int value) {
        if (value < 1) {
            throw new InvalidConfigException(field, value, "must be at least 1");
        }
    }

    /**
     * Runs all stages.
     *
     * @param seed determines every transition
     * @param nanoTime the clock for the records, e.g. {@code System::nanoTime}
     * @param listener told of every stage as it ends, with its plan
     */
    public List<StageRecord> run(
            Environment environment,
            ControlSettings settings,
            long seed,
            LongSupplier nanoTime,
            BiConsumer<StageRecord, Plan> listener) {
        DynamicsLearner learner = new DynamicsLearner(settings.dynamics());
        SplittableRandom seeds = new SplittableRandom(seed);
        List<StageRecord> records = new ArrayList<>();
        Plan plan = null;
        for (int stage = 0; stage < stages; stage++) {
            Policy policy = behaviour(environment.actionSpace(), plan, seeds.nextLong());
            Transitions fresh = Episodes.collect(environment, policy, transitionsPerStage, seeds.nextLong());
            long start = nanoTime.getAsLong();
            learner.update(fresh);
            plan = settings.plan(learner);
            double seconds = (nanoTime.getAsLong() - start) * 1e-9;
            StageRecord stageRecord = new StageRecord(
                    environment.id(),
                    settings.name(),
                    behaviour.name(),
                    seed,
                    stage,
                    learner.samples(),
                    learner.dictionarySize(),
                    plan.sweeps(),
                    plan.residual(),
                    seconds,
                    Episodes.evaluate(environment, plan.policy(), evaluationEpisodes, EVALUATION_SEED));
            records.add(stageRecord);
            listener.accept(stageRecord, plan);
        }
        return records;
    }

    private Policy behaviour(Box actions, Plan plan, long seed) {
        if (plan == null || behaviour == Behaviour.UNIFORM) {
            return Policy.uniform(actions, seed);
        }
        return behaviour == Behaviour.GREEDY
                ? plan.policy()
                : Policy.epsilonGreedy(plan.policy(), actions, EXPLORATION, seed);
    }
}
