package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.dynamics.Knownness;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.MountainCarContinuous;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.ControlProblem;
import io.koopstream.control.plan.Plan;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.kernel.Kernels;

/**
 * Everything that decides what controller comes out of a set of transitions.
 *
 * @param name a short name for tables
 * @param dynamics the learner's settings
 * @param prediction which of the learner's models to plan with
 * @param problem what to minimise
 * @param planner how to minimise it
 */
public record ControlSettings(
        String name, DynamicsConfig dynamics, Prediction prediction, ControlProblem problem, ValueIteration planner) {

    /** Exploration looks some twenty steps ahead: what is not known then may be known by the time it is reached. */
    private static final double EXPLORATION_DISCOUNT = 0.95;

    /** The two models of {@link DynamicsLearner}. */
    public enum Prediction {
        /** {@link DynamicsLearner#meanState()}: regress the increment, then take the feature of the predicted state. */
        MEAN_STATE,
        /** {@link DynamicsLearner#embedding()}: the conditional mean embedding. */
        EMBEDDING
    }

    /** Refuses missing parts. */
    public ControlSettings {
        if (name == null || dynamics == null || prediction == null || problem == null || planner == null) {
            throw new InvalidConfigException("settings", name, "all parts must be given");
        }
    }

    /** Learns nothing more, plans with what was learned. */
    public Plan plan(DynamicsLearner learner) {
        return planner.solve(model(learner), problem);
    }

    /**
     * The plan of somebody who wants to see what is not known: the reward of an action is what the kept inputs miss of it, 1 − ‖β(z)‖²/κ_Z(z, z),
     * whatever the task costs, and where the model knows nothing of what follows, everything after it counts as new too
     * (docs/decisions/0043-optimistic-exploration.md). {@link Explorer} plans so again and again.
     */
    public Plan exploration(DynamicsLearner learner) {
        Knownness known = learner.knownness();
        return planner.solveOptimistically(
                model(learner),
                ControlProblem.continuing((x, u) -> known.at(x, u) - 1, EXPLORATION_DISCOUNT, problem.actions()));
    }

    private SuccessorModel model(DynamicsLearner learner) {
        return prediction == Prediction.MEAN_STATE ? learner.meanState() : learner.embedding();
    }

    /** Learns from transitions and plans. */
    public Plan plan(Transitions transitions) {
        DynamicsLearner learner = new DynamicsLearner(dynamics);
        learner.update(transitions);
        return plan(learner);
    }

    /** The settings found for {@link Pendulum}; docs/control.md says how. */
    public static ControlSettings pendulum() {
        return pendulum(Prediction.MEAN_STATE, 1.0, 0.22, 0.03);
    }

    /** The conditional mean embedding for {@link Pendulum} instead of the regression of the increment, with the best settings found for it. */
    public static ControlSettings pendulumEmbedding() {
        return pendulum(Prediction.EMBEDDING, 0.35, 0.25, 0.05);
    }

    private static ControlSettings pendulum(
            Prediction prediction, double inputWidth, double outputWidth, double epsilon) {
        // A unit of speed counts a quarter of a unit on the circle: 8 rad/s is then about as far as a third of a turn.
        DynamicsConfig dynamics = DynamicsConfig.of(
                3,
                Kernels.scaled(Kernels.gaussian(inputWidth), 1, 1, 4),
                1,
                Kernels.gaussian(4),
                Kernels.scaled(Kernels.gaussian(outputWidth), 1, 1, 4),
                epsilon,
                1000);
        ActionGrid torques = ActionGrid.of(new Pendulum().actionSpace(), 11);
        return new ControlSettings(
                "pendulum-" + prediction,
                dynamics,
                prediction,
                ControlProblem.continuing(Pendulum::cost, 0.98, torques),
                new ValueIteration(1e-5, 5000));
    }

    /** The settings for {@link MountainCarContinuous}: the same method in the units of that system. */
    public static ControlSettings mountainCar() {
        DynamicsConfig dynamics = DynamicsConfig.of(
                2,
                Kernels.scaled(Kernels.gaussian(1), 0.6, 0.06),
                1,
                Kernels.gaussian(2),
                Kernels.scaled(Kernels.gaussian(0.22), 0.6, 0.06),
                0.03,
                1000);
        ControlProblem problem = new ControlProblem(
                MountainCarContinuous::cost,
                0.99,
                ActionGrid.of(new MountainCarContinuous().actionSpace(), 11),
                MountainCarContinuous::isGoal,
                MountainCarContinuous::goalCost);
        return new ControlSettings(
                "mountain-car", dynamics, Prediction.MEAN_STATE, problem, new ValueIteration(1e-5, 5000));
    }
}
