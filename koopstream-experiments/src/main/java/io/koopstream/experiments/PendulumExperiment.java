package io.koopstream.experiments;

import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.MountainCarContinuous;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.Plan;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The experiment of section 7.2, and ours beside it: every method gives records ready for a table or a results file. The seeds and the
 * clock are arguments. lab/records/control.md has the measured figures and the command.
 */
public final class PendulumExperiment {

    private static final double PAPER_WIDTH = 0.167;

    private final int episodes;
    private final LongSupplier nanoTime;
    private final Consumer<StageRecord> listener;

    /**
     * An experiment.
     *
     * @param episodes episodes of every evaluation; the paper has 1,000
     * @param nanoTime the clock for the records, e.g. {@code System::nanoTime}
     * @param listener told of every record as it is made
     */
    public PendulumExperiment(int episodes, LongSupplier nanoTime, Consumer<StageRecord> listener) {
        this.episodes = episodes;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** Dynamic programming with the true model, on a grid with as many angles as speeds. */
    public StageRecord reference(int grid, double discount, int torques) {
        long start = nanoTime.getAsLong();
        Plan plan = referencePlan(grid, 0, discount, torques);
        return publishReference(plan, (nanoTime.getAsLong() - start) * 1e-9);
    }

    StageRecord publishReference(Plan plan, double seconds) {
        return publish("dynamic-programming", "NONE", 0, 0, 0, plan, seconds);
    }

    static Plan referencePlan(int grid, double noise, double discount, int torques) {
        return ValueIteration.DEFAULT.solve(
                new PendulumDynamicProgramming(grid, grid, noise),
                PendulumDynamicProgramming.problem(discount, torques));
    }

    /** A controller from uniformly random transitions, all at once. */
    public StageRecord uniform(ControlSettings settings, int transitions, long seed) {
        return staged(settings, Behaviour.UNIFORM, 1, transitions, seed).get(0);
    }

    /** The staged loop. */
    public List<StageRecord> staged(
            ControlSettings settings, Behaviour behaviour, int stages, int perStage, long seed) {
        return new StagedLoop(stages, perStage, behaviour, episodes)
                .run(new Pendulum(), settings, seed, nanoTime, (stageRecord, plan) -> listener.accept(stageRecord));
    }

    /** The same method for another environment: the mountain car, from random actions that are held for 20 steps. */
    public StageRecord mountainCar(int transitions, long seed) {
        MountainCarContinuous car = new MountainCarContinuous();
        ControlSettings settings = ControlSettings.mountainCar();
        Policy behaviour = Policy.held(Policy.uniform(car.actionSpace(), seed), 20);
        Transitions data = Episodes.collect(car, behaviour, transitions, seed);
        long start = nanoTime.getAsLong();
        DynamicsLearner learner = new DynamicsLearner(settings.dynamics());
        learner.update(data);
        Plan plan = settings.plan(learner);
        return publish(car, settings, "UNIFORM_HELD_20", seed, 0, learner, plan, (nanoTime.getAsLong() - start) * 1e-9);
    }

    private StageRecord publish(
            Environment environment,
            ControlSettings settings,
            String behaviour,
            long seed,
            int stage,
            DynamicsLearner learner,
            Plan plan,
            double seconds) {
        StageRecord stageRecord = new StageRecord(
                environment.id(),
                settings.name(),
                behaviour,
                seed,
                stage,
                learner.samples(),
                learner.dictionarySize(),
                plan.sweeps(),
                plan.residual(),
                seconds,
                Episodes.evaluate(environment, plan.policy(), episodes, StagedLoop.EVALUATION_SEED));
        listener.accept(stageRecord);
        return stageRecord;
    }

    /**
     * The paper's settings: Algorithm 1 with η = 1e-4, ε = 8.91e-5 and Gaussian kernels of width 0.167, uniform behaviour. What it does not
     * name was found out as far as possible (lab/records/control.md): only the exact, two-sided residual keeps about as many samples as the paper
     * does, and only with coordinates as they are. Steps of that size leave U = η Σ φ(x⁺) ⊗ φ(z) to first order, with weights that
     * sum to far less than one and to less where data are few, so every prediction is scaled to a sum of one: a kernel average.
     *
     * @param stages how many stages of 400 transitions; the cost grows with the cube of the number of kept points
     * @param unit what the speed and the torque are divided by in the kernels; 1 leaves them as they are
     */
    public List<StageRecord> paper(int stages, double unit, long seed) {
        Pendulum pendulum = new Pendulum();
        Rkhs input = new Rkhs(
                Kernels.concatenated(
                        3,
                        Kernels.scaled(Kernels.gaussian(PAPER_WIDTH), 1, 1, unit),
                        1,
                        Kernels.gaussian(PAPER_WIDTH * unit)),
                4);
        Rkhs output = new Rkhs(Kernels.scaled(Kernels.gaussian(PAPER_WIDTH), 1, 1, unit), 3);
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(input, output)
                .stepSize(1e-4)
                .budget(8.91e-5)
                .lambda(1e-3)
                .criterion(Criterion.EXACT)
                .build());
        ControlSettings ours = ControlSettings.pendulum();
        SplittableRandom seeds = new SplittableRandom(seed);
        List<StageRecord> records = new ArrayList<>();
        for (int stage = 0; stage < stages; stage++) {
            Policy uniform = Policy.uniform(pendulum.actionSpace(), seeds.nextLong());
            Transitions fresh = Episodes.collect(pendulum, uniform, 400, seeds.nextLong());
            long start = nanoTime.getAsLong();
            for (int i = 0; i < fresh.size(); i++) {
                learner.update(fresh.input(i), fresh.successor(i));
            }
            Plan plan = ours.planner()
                    .solve(DynamicsLearner.embedding(normalised(learner.snapshot(), fresh), 1e-3), ours.problem());
            double seconds = (nanoTime.getAsLong() - start) * 1e-9;
            records.add(publish(
                    unit == 1 ? "paper" : "paper-rescaled",
                    "UNIFORM",
                    seed,
                    stage,
                    (int) learner.samples(),
                    plan,
                    seconds));
        }
        return records;
    }

    /** The operator scaled so that the median sum of its weights at the inputs of some transitions is one. */
    private static TransitionOperator normalised(TransitionOperator operator, Transitions transitions) {
        double[] sums = new double[Math.min(100, transitions.size())];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Arrays.stream(operator.weights(transitions.input(i))).sum();
        }
        Arrays.sort(sums);
        Matrix scaled = operator.matrix().copy();
        scaled.scale(1 / sums[sums.length / 2]);
        return new TransitionOperator(operator.inputBasis(), operator.outputBasis(), scaled, operator.samples());
    }

    private StageRecord publish(
            String settings, String behaviour, long seed, int stage, int transitions, Plan plan, double seconds) {
        Pendulum pendulum = new Pendulum();
        StageRecord stageRecord = new StageRecord(
                pendulum.id(),
                settings,
                behaviour,
                seed,
                stage,
                transitions,
                plan.model().size(),
                plan.sweeps(),
                plan.residual(),
                seconds,
                Episodes.evaluate(pendulum, plan.policy(), episodes, StagedLoop.EVALUATION_SEED));
        listener.accept(stageRecord);
        return stageRecord;
    }

    /**
     * A value function normalised to [0, 1], 0 the best.
     *
     * @param places rows (θ, θ̇)
     */
    public static double[] normalisedValues(Plan plan, double[][] places) {
        double[][] observations = new double[places.length][];
        Arrays.setAll(observations, i -> Pendulum.observation(places[i][0], places[i][1]));
        double[] values = plan.policy().values(observations);
        double low = Arrays.stream(values).min().orElse(0);
        double high = Arrays.stream(values).max().orElse(0);
        double range = high > low ? high - low : 1;
        return Arrays.stream(values).map(value -> (value - low) / range).toArray();
    }

    /** The first number of transitions from which on every mean score reaches a threshold, or -1 when the last one does not. */
    public static int transitionsNeeded(List<StageRecord> stages, double meanScore) {
        int needed = -1;
        for (int i = stages.size() - 1; i >= 0 && stages.get(i).score().mean() >= meanScore; i--) {
            needed = stages.get(i).transitions();
        }
        return needed;
    }
}
