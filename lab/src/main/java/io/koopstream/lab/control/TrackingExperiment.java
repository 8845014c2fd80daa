package io.koopstream.lab.control;

import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.mpc.LiftedPredictor;
import io.koopstream.control.mpc.ModelPredictiveControl;
import io.koopstream.control.mpc.Predictor;
import io.koopstream.control.mpc.RegressionPredictor;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Model-predictive control follows a reference within bounds, with both predictors, learned from 40 runs of 20 steps under random actions that are held for
 * five. lab/records/control.md has the figures.
 */
public final class TrackingExperiment {

    private static final double DT = 0.05;
    private static final int STEPS = 20;

    /** What is driven, and where to. */
    public enum Plant {
        /** Duffing's oscillator, pushed, ẍ = −ẋ/2 + x − x³ + u: from one well to the other, no faster than 0.8. */
        DUFFING(2, 2, 0.8, -1),
        /** A pendulum, by its angle from hanging, θ̈ = −15 sin θ + 3 u: along a swing, no faster than 1.5. */
        PENDULUM(1.5, 4, 1.5, 0.5);

        private final double reach;
        private final double speed;
        private final double bound;
        private final double start;

        Plant(double reach, double speed, double bound, double start) {
            this.reach = reach;
            this.speed = speed;
            this.bound = bound;
            this.start = start;
        }

        /** Where it should be after k steps. */
        public double[] reference(int k) {
            return this == DUFFING
                    ? new double[] {1, 0}
                    : new double[] {0.3 * StrictMath.sin(DT * k), 0.3 * StrictMath.cos(DT * k)};
        }

        /** The largest speed that is allowed. */
        public double bound() {
            return bound;
        }

        /** The state after a step. */
        public double[] next(double[] s, double u) {
            double force =
                    this == DUFFING ? -0.5 * s[1] + s[0] - s[0] * s[0] * s[0] + u : -15 * StrictMath.sin(s[0]) + 3 * u;
            double speedAfter = s[1] + DT * force;
            return new double[] {s[0] + DT * speedAfter, speedAfter};
        }

        /** Runs under random actions in [−2, 2]. */
        public Transitions runs(int count, long seed) {
            Transitions data = new Transitions(2, 1);
            SplittableRandom random = new SplittableRandom(seed);
            for (int run = 0; run < count; run++) {
                double[] state = {random.nextDouble(-reach, reach), random.nextDouble(-speed, speed)};
                double action = 0;
                for (int k = 0; k < STEPS; k++) {
                    action = k % 5 == 0 ? random.nextDouble(-2, 2) : action;
                    double[] next = next(state, action);
                    data.add(state, new double[] {action}, next);
                    state = next;
                }
            }
            return data;
        }
    }

    /**
     * What came out of 120 steps.
     *
     * @param distance the largest distance of the position from its reference in the last third
     * @param speed the largest speed of all
     */
    public record Outcome(double distance, double speed) {}

    private TrackingExperiment() {}

    /** The regression of the increment, relinearised along the planned path. */
    public static Predictor regression(Transitions data) {
        Kernel state = Kernels.gaussian(2);
        DynamicsLearner learner =
                new DynamicsLearner(DynamicsConfig.of(2, state, 1, Kernels.gaussian(4), state, 0.003, 300));
        learner.update(data);
        return new RegressionPredictor(learner);
    }

    /** The linear predictor on 40 points; without a ridge the one that predicts held-out runs best. */
    public static Predictor linear(Transitions data, OptionalDouble lambda) {
        Rkhs space = new Rkhs(Kernels.gaussian(2), 2);
        return lambda.isPresent()
                ? LiftedPredictor.withLambda(data, space, 40, lambda.getAsDouble())
                : LiftedPredictor.learn(data, space, 40, STEPS);
    }

    /** Drives a plant. */
    public static Outcome drive(Plant plant, Predictor predictor) {
        double none = Double.POSITIVE_INFINITY;
        Horizon horizon = new Horizon(
                STEPS,
                1,
                List.of(10.0, 0.1),
                5,
                List.of(0.01),
                new Box(List.of(-none, -plant.bound), List.of(none, plant.bound)),
                Box.symmetric(2.0));
        ModelPredictiveControl control = new ModelPredictiveControl(predictor, horizon, plant::reference, 2);
        double[] state = {plant.start, 0};
        double distance = 0;
        double fastest = 0;
        for (int k = 0; k < 120; k++) {
            state = plant.next(state, control.action(state)[0]);
            fastest = Math.max(fastest, Math.abs(state[1]));
            distance = k < 80 ? 0 : Math.max(distance, Math.abs(state[0] - plant.reference(k + 1)[0]));
        }
        return new Outcome(distance, fastest);
    }
}
