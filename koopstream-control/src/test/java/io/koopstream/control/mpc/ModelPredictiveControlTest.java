package io.koopstream.control.mpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Control by quadratic programs, with predictors learned from random transitions of systems they have not seen the equations of. */
class ModelPredictiveControlTest {

    private static final double DT = 0.05;
    private static final Rkhs PLANE = new Rkhs(Kernels.gaussian(2), 2);

    private static double[] swing(int k) {
        return new double[] {0.3 * StrictMath.sin(0.05 * k), 0.3 * StrictMath.cos(0.05 * k)};
    }

    /** A system x⁺ = f(x, u) with one action. */
    private interface Plant {
        double[] next(double[] state, double action);
    }

    /** Duffing's oscillator, pushed: ẍ = −ẋ/2 + x − x³ + u. */
    private static double[] duffing(double[] s, double u) {
        double speed = s[1] + DT * (-0.5 * s[1] + s[0] - s[0] * s[0] * s[0] + u);
        return new double[] {s[0] + DT * speed, speed};
    }

    /** The pendulum in the angle from hanging: θ̈ = −15 sin θ + 3 u. */
    private static double[] pendulum(double[] s, double u) {
        double speed = s[1] + DT * (-15 * StrictMath.sin(s[0]) + 3 * u);
        return new double[] {s[0] + DT * speed, speed};
    }

    private static Transitions random(Plant plant, int count, double reach, double speed) {
        Transitions data = new Transitions(2, 1);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < count; i++) {
            double[] state = {random.nextDouble(-reach, reach), random.nextDouble(-speed, speed)};
            double action = random.nextDouble(-2, 2);
            data.add(state, new double[] {action}, plant.next(state, action));
        }
        return data;
    }

    private static RegressionPredictor regression(Transitions data) {
        Kernel state = Kernels.gaussian(2);
        DynamicsLearner learner =
                new DynamicsLearner(DynamicsConfig.of(2, state, 1, Kernels.gaussian(4), state, 0.003, 300)
                        .withLambda(1e-9));
        learner.update(data);
        return new RegressionPredictor(learner);
    }

    private static LiftedPredictor lifted(Transitions data) {
        return LiftedPredictor.withLambda(data, PLANE, 40, 1e-9);
    }

    /** Forty runs of twenty steps, every action held for five. */
    private static Transitions runs(Plant plant, double reach, double speed) {
        Transitions data = new Transitions(2, 1);
        SplittableRandom random = new SplittableRandom(3);
        for (int run = 0; run < 40; run++) {
            double[] state = {random.nextDouble(-reach, reach), random.nextDouble(-speed, speed)};
            double action = 0;
            for (int k = 0; k < 20; k++) {
                action = k % 5 == 0 ? random.nextDouble(-2, 2) : action;
                double[] next = plant.next(state, action);
                data.add(state, new double[] {action}, next);
                state = next;
            }
        }
        return data;
    }

    /** Drives the plant; returns the largest distance from the reference of the last third, and checks every bound on the way. */
    private static double track(
            Plant plant, Predictor predictor, double[] start, double maxSpeed, IntFunction<double[]> reference) {
        double none = Double.POSITIVE_INFINITY;
        Horizon horizon = new Horizon(
                20,
                1,
                List.of(10.0, 0.1),
                5,
                List.of(0.01),
                new Box(List.of(-none, -maxSpeed), List.of(none, maxSpeed)),
                Box.symmetric(2.0));
        ModelPredictiveControl control = new ModelPredictiveControl(predictor, horizon, reference, 2);
        double[] state = start;
        double worst = 0;
        for (int k = 0; k < 120; k++) {
            double[] action = control.action(state);
            assertThat(action[0]).isBetween(-2.0, 2.0);
            state = plant.next(state, action[0]);
            assertThat(Math.abs(state[1])).as("speed at step " + k).isLessThanOrEqualTo(maxSpeed);
            worst = k < 80 ? 0 : Math.max(worst, Math.abs(state[0] - reference.apply(k + 1)[0]));
        }
        return worst;
    }

    @Test
    void theRegressionTracksAReferenceWithinItsBounds() {
        // From one well to the other, no faster than 0.8.
        Plant duffing = ModelPredictiveControlTest::duffing;
        assertThat(track(duffing, regression(random(duffing, 800, 2, 2)), new double[] {-1, 0}, 0.8, k ->
                        new double[] {1, 0}))
                .isLessThan(0.05);
        Plant pendulum = ModelPredictiveControlTest::pendulum;
        assertThat(track(
                        pendulum,
                        regression(random(pendulum, 800, 1.5, 4)),
                        new double[] {0.5, 0},
                        1.5,
                        ModelPredictiveControlTest::swing))
                .isLessThan(0.05);
    }

    @Test
    void theLinearPredictorTracksAReferenceWithinItsBoundsToo() {
        Plant duffing = ModelPredictiveControlTest::duffing;
        LiftedPredictor wells = LiftedPredictor.learn(runs(duffing, 2, 2), PLANE, 40, 20);
        assertThat(track(duffing, wells, new double[] {-1, 0}, 0.8, k -> new double[] {1, 0}))
                .isLessThan(0.05);
        Plant pendulum = ModelPredictiveControlTest::pendulum;
        LiftedPredictor swings = LiftedPredictor.learn(runs(pendulum, 1.5, 4), PLANE, 40, 20);
        assertThat(track(pendulum, swings, new double[] {0.5, 0}, 1.5, ModelPredictiveControlTest::swing))
                .isLessThan(0.05);
    }

    @Test
    void aRidgeForOneStepMakesTheLinearPredictorRunAway() {
        // From single transitions in a box the smallest ridge is best for one step, and its paths leave every bound
        // within a second.
        Plant pendulum = ModelPredictiveControlTest::pendulum;
        Transitions data = random(pendulum, 800, 1.5, 4);
        double[] one = new double[2];
        double[] many = new double[2];
        for (int i = 0; i < 2; i++) {
            LiftedPredictor predictor = LiftedPredictor.withLambda(data, PLANE, 40, i == 0 ? 1e-9 : 1e-5);
            SplittableRandom random = new SplittableRandom(9);
            for (int run = 0; run < 100; run++) {
                double[] state = {random.nextDouble(-1.5, 1.5), random.nextDouble(-4, 4)};
                double[][] actions = new double[20][];
                for (int k = 0; k < 20; k++) {
                    actions[k] = new double[] {k % 5 == 0 ? random.nextDouble(-2, 2) : actions[k - 1][0]};
                }
                double[][] states = new double[20][2];
                predictor.roll(state, actions, states);
                // Judged as long as the pendulum is where there are data.
                for (int k = 0; k < 20 && Math.abs(state[0]) < 1.5 && Math.abs(state[1]) < 4; k++) {
                    state = pendulum.next(state, actions[k][0]);
                    double off = Math.abs(states[k][1] - state[1]);
                    one[i] = k == 0 ? Math.max(one[i], off) : one[i];
                    many[i] = Math.max(many[i], off);
                }
            }
        }
        assertThat(one[0]).isLessThan(one[1]);
        assertThat(many[0]).isGreaterThan(100 * many[1]);
        // Such a path is no reason to stop: there is an action, and it is said that no program was solved.
        double none = Double.POSITIVE_INFINITY;
        Horizon far = new Horizon(
                400,
                100,
                List.of(10.0, 0.1),
                1,
                List.of(0.01),
                new Box(List.of(-none, -none), List.of(none, none)),
                Box.symmetric(2.0));
        ModelPredictiveControl control = new ModelPredictiveControl(
                LiftedPredictor.withLambda(data, PLANE, 40, 1e-9), far, ModelPredictiveControlTest::swing, 1);
        assertThat(control.action(new double[] {0.5, 0})[0]).isBetween(-2.0, 2.0);
        assertThat(control.isMet()).isFalse();
    }

    @Test
    void aDecisionThatGoesOnFromAPlanIsTheOneOfTheEpisode() {
        Plant duffing = ModelPredictiveControlTest::duffing;
        Predictor predictor = regression(random(duffing, 300, 2, 2));
        double none = Double.POSITIVE_INFINITY;
        Horizon horizon = new Horizon(
                8,
                1,
                List.of(1.0, 0.1),
                1,
                List.of(0.01),
                new Box(List.of(-none, -none), List.of(none, none)),
                Box.symmetric(2.0));
        ModelPredictiveControl episode = new ModelPredictiveControl(predictor, horizon, k -> new double[] {1, 0}, 2);
        double[] state = {-1, 0};
        state = duffing.next(state, episode.action(state)[0]);
        double[][] plan = episode.plan();
        ModelPredictiveControl other = new ModelPredictiveControl(predictor, horizon, k -> new double[] {1, 0}, 2);
        other.resume(plan);
        assertThat(other.action(state)).containsExactly(episode.action(state));
        assertThat(other.cost()).isEqualTo(episode.cost()).isPositive();
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> other.resume(new double[][] {{0}}))
                .withMessageContaining("8 rows");
    }

    @Test
    void responsesAreTheDerivativesOfPaths() {
        Transitions data = random(ModelPredictiveControlTest::duffing, 300, 2, 2);
        for (Predictor predictor : List.of(regression(data), lifted(data))) {
            double[] start = {0.4, -0.2};
            double[][] actions = new double[7][];
            for (int k = 0; k < 7; k++) {
                actions[k] = new double[] {0.3 * k - 1};
            }
            double[][] states = new double[7][2];
            predictor.roll(start, actions, states);
            Matrix response = predictor.response(start, actions, states, 3);
            assertThat(response.columns()).isEqualTo(3);
            double h = 1e-5;
            for (int block = 0; block < 3; block++) {
                double[][] moved = new double[7][];
                for (int k = 0; k < 7; k++) {
                    moved[k] = new double[] {actions[k][0] + (k / 3 == block ? h : 0)};
                }
                double[][] after = new double[7][2];
                predictor.roll(start, moved, after);
                for (int k = 0; k < 7; k++) {
                    for (int c = 0; c < 2; c++) {
                        assertThat(response.get(2 * k + c, block))
                                .isCloseTo((after[k][c] - states[k][c]) / h, within(1e-4));
                    }
                }
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Predictor predictor = lifted(random(ModelPredictiveControlTest::duffing, 100, 2, 2));
        Horizon wrong = new Horizon(5, 1, List.of(1.0), 1, List.of(0.1), Box.symmetric(1.0), Box.symmetric(1.0));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new ModelPredictiveControl(predictor, wrong, k -> new double[1], 1))
                .withMessageContaining("dimension 2");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() ->
                        LiftedPredictor.learn(random(ModelPredictiveControlTest::duffing, 100, 2, 2), PLANE, 40, 20))
                .withMessageContaining("0 runs of 20 steps");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(
                        () -> new Horizon(0, 1, List.of(1.0), 1, List.of(0.1), Box.symmetric(1.0), Box.symmetric(1.0)));
    }
}
