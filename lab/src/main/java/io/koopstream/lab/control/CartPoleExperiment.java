package io.koopstream.lab.control;

import io.koopstream.control.StagedLoop;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.CartPoleSwingUp;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.StepResult;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.mpc.ModelPredictiveControl;
import io.koopstream.control.mpc.RegressionPredictor;
import io.koopstream.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The cart-pole swing-up by model-predictive control on the learned regression: 1,000 transitions of random forces that are held for 15 steps, then
 * some episodes of the controller itself with one random force in twenty steps, then a judgement without any. lab/records/control.md has the figures.
 */
public final class CartPoleExperiment {

    /** Steps at the end of an episode, 5 s of its 10 s, in which the pole must be upright. */
    public static final int LAST = 250;

    private static final double UPRIGHT = 0.95;
    private static final double RANDOM_SHARE = 0.05;
    private static final double[] GOAL = {0, 0, 1, 0, 0};

    /**
     * What came out.
     *
     * @param transitions from which it was learned
     * @param inputs kept
     * @param upright for each episode, for how many steps the pole had been upright (cos θ > 0.95) when it ended
     */
    public record Outcome(int transitions, int inputs, List<Integer> upright) {

        /** Episodes that were upright for the last five seconds. */
        public long solved() {
            return upright.stream().filter(steps -> steps >= LAST).count();
        }
    }

    private CartPoleExperiment() {}

    /**
     * Learns and judges.
     *
     * @param rounds episodes of the controller to learn from, 500 transitions each
     * @param episodes episodes of the judgement
     */
    public static Outcome run(int rounds, int episodes, long seed) {
        CartPoleSwingUp cart = new CartPoleSwingUp();
        // Position and velocity of the cart change little; angles, spin and force count.
        DynamicsConfig settings = DynamicsConfig.of(
                5,
                Kernels.scaled(Kernels.gaussian(2.5), 20, 20, 1, 1, 5),
                1,
                Kernels.gaussian(40),
                Kernels.scaled(Kernels.gaussian(3), 20, 20, 1, 1, 5),
                0.001,
                600);
        DynamicsLearner learner = new DynamicsLearner(settings.withLambda(1e-11));
        SplittableRandom seeds = new SplittableRandom(seed);
        Policy random = Policy.held(Policy.uniform(cart.actionSpace(), seeds.nextLong()), 15);
        learner.update(Episodes.collect(cart, random, 1000, seeds.nextLong()));
        for (int round = 0; round < rounds; round++) {
            Transitions fresh = new Transitions(5, 1);
            episode(learner, seeds.nextLong(), RANDOM_SHARE, fresh);
            learner.update(fresh);
        }
        List<Integer> upright = new ArrayList<>();
        for (int e = 0; e < episodes; e++) {
            upright.add(episode(learner, StagedLoop.EVALUATION_SEED + e, 0, new Transitions(5, 1)));
        }
        return new Outcome(learner.samples(), learner.inputs().size(), upright);
    }

    /** Two seconds ahead, forces that stay for four steps, and a track that ends 0.2 m early. */
    private static Horizon horizon(Box forces) {
        double none = Double.POSITIVE_INFINITY;
        return new Horizon(
                100,
                4,
                List.of(0.1, 0.01, 1.0, 1.0, 0.01),
                10,
                List.of(0.001),
                new Box(List.of(-2.2, -none, -none, -none, -none), List.of(2.2, none, none, none, none)),
                forces);
    }

    private static int episode(DynamicsLearner learner, long seed, double randomShare, Transitions log) {
        CartPoleSwingUp cart = new CartPoleSwingUp();
        ModelPredictiveControl control = new ModelPredictiveControl(
                new RegressionPredictor(learner), horizon(cart.actionSpace()), step -> GOAL, 2);
        SplittableRandom random = new SplittableRandom(seed);
        double[] observation = cart.reset(seed);
        int upright = 0;
        boolean over = false;
        while (!over) {
            double[] action = control.action(observation);
            if (random.nextDouble() < randomShare) {
                action = cart.actionSpace().sample(random);
            }
            StepResult result = cart.step(action);
            log.add(observation, action, result.observation());
            observation = result.observation();
            upright = observation[2] > UPRIGHT ? upright + 1 : 0;
            over = result.over();
        }
        return upright;
    }
}
