package io.koopstream.control;

import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Criterion;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The experiment of section 6.2, and ours beside it: every method gives records ready for a table or a results file. The seeds and the
 * clock are arguments. docs/control.md has the measured figures and the command.
 */
public final class PendulumExperiment {

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
        Plan plan = referencePlan(grid, discount, torques);
        return publish("dynamic-programming", "NONE", 0, 0, 0, plan, (nanoTime.getAsLong() - start) * 1e-9);
    }

    static Plan referencePlan(int grid, double discount, int torques) {
        return ValueIteration.DEFAULT.solve(
                new PendulumDynamicProgramming(grid, grid), PendulumDynamicProgramming.problem(discount, torques));
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

    /** The conditional mean embedding instead of the regression of the increment, with the best settings found for it. */
    public static ControlSettings embedding() {
        return ControlSettings.pendulum(Prediction.EMBEDDING, 0.5, 1e-6, 0.25, 0.05);
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
        double seconds = (nanoTime.getAsLong() - start) * 1e-9;
        StageRecord stageRecord = new StageRecord(
                car.id(),
                settings.name(),
                "UNIFORM_HELD_20",
                seed,
                0,
                learner.samples(),
                learner.dictionarySize(),
                plan.sweeps(),
                plan.residual(),
                seconds,
                Episodes.evaluate(car, plan.policy(), episodes, StagedLoop.EVALUATION_SEED));
        listener.accept(stageRecord);
        return stageRecord;
    }

    /**
     * The paper's settings: Algorithm 1 with η = 1e-4, ε = 8.91e-5 and Gaussian kernels of width 0.167, uniform behaviour. The paper names
     * neither λ nor units; here the coordinates (cos θ, sin θ, θ̇, u) are taken as they are, which keeps fewer samples than the paper reports.
     * Steps of that size leave ‖U‖ ≤ 0.04 after 400 samples, so the operator is scaled to a median weight sum of one before planning.
     *
     * @param stages how many stages of 400 transitions; the cost grows with the cube of the number of kept points
     */
    public List<StageRecord> paper(int stages, long seed) {
        Pendulum pendulum = new Pendulum();
        Rkhs input = new Rkhs(Kernels.gaussian(0.167), 4);
        Rkhs output = new Rkhs(Kernels.gaussian(0.167), 3);
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(input, output)
                .stepSize(1e-4)
                .budget(8.91e-5)
                .lambda(1e-3)
                .criterion(Criterion.PAPER)
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
                    .solve(DynamicsLearner.embedding(normalised(learner.snapshot(), fresh)), ours.problem());
            double seconds = (nanoTime.getAsLong() - start) * 1e-9;
            records.add(publish("paper", "UNIFORM", seed, stage, (int) learner.samples(), plan, seconds));
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
     * A value function on a regular grid over θ in [−π, π] and θ̇ in [−8, 8], normalised to [0, 1], as lines {@code theta,theta_dot,value}.
     *
     * @param resolution points along each coordinate, at least 2
     */
    public static List<String> valuesOnGrid(Plan plan, int resolution) {
        GreedyPolicy policy = plan.policy();
        double[][] values = new double[resolution][resolution];
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < resolution; i++) {
            for (int j = 0; j < resolution; j++) {
                values[i][j] = policy.value(Pendulum.observation(
                        gridValue(i, resolution, Math.PI), gridValue(j, resolution, Pendulum.MAX_SPEED)));
                low = Math.min(low, values[i][j]);
                high = Math.max(high, values[i][j]);
            }
        }
        double range = high > low ? high - low : 1;
        List<String> lines = new ArrayList<>();
        lines.add("theta,theta_dot,value");
        for (int i = 0; i < resolution; i++) {
            for (int j = 0; j < resolution; j++) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%.6f,%.6f,%.6f",
                        gridValue(i, resolution, Math.PI),
                        gridValue(j, resolution, Pendulum.MAX_SPEED),
                        (values[i][j] - low) / range));
            }
        }
        return lines;
    }

    private static double gridValue(int index, int resolution, double bound) {
        return -bound + 2 * bound * index / (resolution - 1);
    }
}
