package io.koopstream.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.GreedyPolicy;
import io.koopstream.control.plan.Plan;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.TransitionOperator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The models that come out of transitions. */
class LearnedModelTest {

    private static final Pendulum PENDULUM = new Pendulum();
    private static final ActionGrid TORQUES = ActionGrid.of(PENDULUM.actionSpace(), 5);
    private static final Transitions DATA =
            Episodes.collect(PENDULUM, Policy.uniform(PENDULUM.actionSpace(), 1), 1000, 1);

    private static DynamicsLearner learner(ControlSettings settings) {
        DynamicsLearner learner = new DynamicsLearner(settings.dynamics());
        learner.update(DATA);
        return learner;
    }

    private static double[] mean(SuccessorModel model, SuccessorWeights weights) {
        double[] mean = new double[model.stateDimension()];
        for (int k = 0; k < weights.count(); k++) {
            double[] point = model.point(weights.point(k));
            for (int c = 0; c < mean.length; c++) {
                mean[c] += weights.weight(k) * point[c];
            }
        }
        return mean;
    }

    @Test
    void everyDistributionIsOneAndMostPredictTheNextState() {
        for (ControlSettings settings : List.of(ControlSettings.pendulum(), ControlSettings.pendulumEmbedding())) {
            DynamicsLearner learner = learner(settings);
            SuccessorModel model = settings.prediction() == ControlSettings.Prediction.MEAN_STATE
                    ? learner.meanState()
                    : learner.embedding();
            SuccessorModel.Query query = model.query(TORQUES);
            SuccessorWeights weights = new SuccessorWeights();
            double error = 0;
            int count = 0;
            for (int i = 0; i < DATA.size(); i += 10) {
                double theta = StrictMath.atan2(DATA.state(i)[1], DATA.state(i)[0]);
                query.at(DATA.state(i));
                for (int a = 0; a < TORQUES.size(); a++) {
                    query.successors(0, a, weights);
                    for (int k = 0; k < weights.count(); k++) {
                        assertThat(weights.weight(k)).isPositive();
                    }
                    assertThat(weights.sum()).isBetween(0.99, 1.0);
                    double speed = Pendulum.nextThetaDot(theta, DATA.state(i)[2], TORQUES.action(a)[0]);
                    error += Math.abs(mean(model, weights)[2] - speed);
                    count++;
                }
            }
            // Spacing of the dictionary along the speed is about 0.5; the mean of a projection is far nearer.
            assertThat(error / count).as(settings.name()).isLessThan(0.06);
        }
    }

    @Test
    void farFromAllDataEverythingIsUnknown() {
        SuccessorModel model = learner(ControlSettings.pendulum()).meanState();
        SuccessorModel.Query query = model.query(TORQUES);
        SuccessorWeights weights = new SuccessorWeights();
        query.at(new double[] {1, 0, 60});
        query.successors(0, 2, weights);
        assertThat(weights.sum()).isLessThan(1e-6);
        assertThat(weights.expect(new double[model.size()], 100)).isCloseTo(100, within(1e-3));
    }

    @Test
    void theOperatorPredictsWhatItsModelPlansWith() {
        ControlSettings settings = ControlSettings.pendulumEmbedding();
        TransitionOperator operator = learner(settings).operator();
        assertThat(operator.dictionarySize()).isLessThan(1000);
        double worst = 0;
        for (int i = 0; i < 100; i++) {
            double[] predicted = operator.predict(DATA.input(i));
            worst = Math.max(worst, Math.abs(predicted[2] - DATA.successor(i)[2]));
        }
        assertThat(worst).isLessThan(0.5);
    }

    @Test
    void aKernelThatIsNoProductGivesTheSameModel() {
        DynamicsConfig product = ControlSettings.pendulum().dynamics();
        // exp(−|s|²/2) exp(−u²/32) is one Gaussian of (s, u/4) as well.
        DynamicsConfig single = new DynamicsConfig(
                new Rkhs(Kernels.scaled(Kernels.gaussian(1), 1, 1, 4, 4), 4),
                product.output(),
                product.lambda(),
                product.epsilon(),
                150);
        DynamicsConfig small =
                new DynamicsConfig(product.input(), product.output(), product.lambda(), product.epsilon(), 150);
        SuccessorWeights[] weights = {new SuccessorWeights(), new SuccessorWeights()};
        double[][] means = new double[2][];
        for (int k = 0; k < 2; k++) {
            DynamicsLearner learner = new DynamicsLearner(k == 0 ? single : small);
            learner.update(DATA);
            SuccessorModel model = learner.meanState();
            SuccessorModel.Query query = model.query(TORQUES);
            query.at(DATA.state(7));
            query.successors(0, 3, weights[k]);
            means[k] = mean(model, weights[k]);
        }
        assertThat(means[0]).containsExactly(means[1], within(1e-4));
    }

    @Test
    void decisionsInBlocksAreTheSameBitForBit() {
        // A product kernel, one that is none, and the embedding: the three ways a block is computed.
        DynamicsConfig product = ControlSettings.pendulum().dynamics();
        DynamicsConfig single = new DynamicsConfig(
                new Rkhs(Kernels.scaled(Kernels.gaussian(1), 1, 1, 4, 4), 4),
                product.output(),
                OptionalDouble.empty(),
                0.2,
                120);
        ControlSettings ours = ControlSettings.pendulum();
        for (ControlSettings settings : List.of(
                ours,
                ControlSettings.pendulumEmbedding(),
                new ControlSettings("single", single, ours.prediction(), ours.problem(), ours.planner()))) {
            Plan plan = settings.plan(DATA);
            double[][] states = new double[2 * SuccessorModel.Query.BLOCK + 3][];
            java.util.Arrays.setAll(states, i -> DATA.state(7 * i));
            double[][] blocks = plan.policy().actions(states);
            GreedyPolicy policy = plan.policy();
            for (int i = 0; i < states.length; i++) {
                assertThat(blocks[i]).as("%s, %d", settings.name(), i).containsExactly(policy.action(states[i]));
            }
            assertThat(policy.actions(new double[0][])).isEmpty();
        }
    }

    @Test
    void episodesSideBySideScoreAsOneByOne() {
        Plan plan = ControlSettings.pendulum().plan(DATA);
        Policy alone = observation -> plan.policy().action(observation);
        assertThat(alone.isMemoryless()).isFalse();
        assertThat(Episodes.scores(PENDULUM, plan.policy(), 3, 5))
                .containsExactly(Episodes.scores(PENDULUM, alone, 3, 5));
    }

    @Test
    void planningOftenLeavesTheModelAsItIs() {
        ControlSettings settings = ControlSettings.pendulum();
        DynamicsLearner often = new DynamicsLearner(settings.dynamics());
        for (int i = 0; i < DATA.size(); i++) {
            often.update(DATA.state(i), DATA.action(i), DATA.successor(i));
            if (i % 130 == 17) {
                often.meanState();
            }
        }
        assertThat(settings.plan(often).values())
                .containsExactly(settings.plan(learner(settings)).values());
    }

    @Test
    void everyTransitionCountsAlongPointsKeptAfterIt() {
        // A walk to the right that finds new places to its end, longer than a learner remembers its pairs.
        int n = 5000;
        double lambda = 1e-3;
        DynamicsConfig config =
                DynamicsConfig.of(1, Kernels.gaussian(0.5), 1, Kernels.gaussian(2), Kernels.gaussian(0.5), 0.1, 500);
        DynamicsLearner learner = new DynamicsLearner(config.withLambda(lambda));
        Transitions walk = new Transitions(1, 1);
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < n; i++) {
            double[] action = {random.nextDouble(-1, 1)};
            double[] state = {i * 2e-3};
            walk.add(state, action, new double[] {state[0] + 0.1 * action[0]});
        }
        learner.update(walk);
        TransitionOperator operator = learner.operator();
        Points inputs = new Points(2);
        Points outputs = new Points(1);
        for (int i = 0; i < n; i++) {
            inputs.add(walk.input(i));
            outputs.add(walk.successor(i));
        }
        // The normal equations M (S/n + λ) = T/n, each sum over all transitions.
        Matrix beta = operator.inputBasis().coordinates(inputs).transposed();
        Matrix alpha = operator.outputBasis().coordinates(outputs).transposed();
        Matrix left = operator.matrix().times(beta.transposed().times(beta));
        left.add(n * lambda, operator.matrix());
        left.add(-1, alpha.transposed().times(beta));
        for (int j = 0; j < left.columns(); j++) {
            for (int i = 0; i < left.rows(); i++) {
                // Sums of n terms of at most one.
                assertThat(left.get(i, j)).isCloseTo(0, within(n * 1e-12));
            }
        }
    }

    @Test
    void theRidgeIsChosenOnHeldOutTransitionsUnlessGiven() {
        DynamicsConfig settings = ControlSettings.pendulum().dynamics();
        Transitions noisy = new Transitions(3, 1);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < DATA.size(); i++) {
            double[] next = DATA.successor(i);
            for (int c = 0; c < 3; c++) {
                next[c] += random.nextDouble(-1, 1);
            }
            noisy.add(DATA.state(i), DATA.action(i), next);
        }
        DynamicsLearner exact = new DynamicsLearner(settings);
        exact.update(DATA);
        DynamicsLearner blurred = new DynamicsLearner(settings);
        blurred.update(noisy);
        assertThat(exact.lambda()).isLessThan(1e-5);
        assertThat(blurred.lambda()).isGreaterThan(1e-5);
        assertThat(blurred.embeddingLambda()).isGreaterThan(exact.embeddingLambda());
        DynamicsLearner given = new DynamicsLearner(settings.withLambda(0.25));
        given.update(DATA);
        assertThat(given.lambda()).isEqualTo(0.25);
        assertThat(given.embeddingLambda()).isEqualTo(0.25);
        // New transitions may ask for another one.
        exact.update(noisy);
        assertThat(exact.lambda()).isGreaterThan(1e-5);
    }

    @Test
    void refusesBlocksOutOfRange() {
        SuccessorModel.Query query =
                learner(ControlSettings.pendulum()).meanState().query(TORQUES);
        assertThatExceptionOfType(InvalidQueryException.class).isThrownBy(query::at);
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> query.at(new double[SuccessorModel.Query.BLOCK + 1][3]));
    }

    @Test
    void sameTransitionsSameBits() {
        ControlSettings settings = ControlSettings.pendulum();
        Plan first = settings.plan(DATA);
        Plan second = settings.plan(DATA);
        assertThat(first.values()).containsExactly(second.values());
        double[] x = DATA.state(123);
        assertThat(first.policy().action(x)).containsExactly(second.policy().action(x));
    }

    @Test
    void settingsChangeTheResult() {
        ControlSettings base = ControlSettings.pendulum();
        DynamicsConfig d = base.dynamics();
        int kept = learner(base).dictionarySize();
        assertThat(dictionary(new DynamicsConfig(d.input(), d.output(), d.lambda(), 0.3, 1000)))
                .isLessThan(kept);
        assertThat(dictionary(new DynamicsConfig(d.input(), d.output(), d.lambda(), d.epsilon(), 100)))
                .isEqualTo(100);
        assertThat(firstValue(d.withLambda(1e-2))).isNotEqualTo(firstValue(d.withLambda(1e-8)));
    }

    private static int dictionary(DynamicsConfig dynamics) {
        DynamicsLearner learner = new DynamicsLearner(dynamics);
        learner.update(DATA);
        return learner.dictionarySize();
    }

    private static double firstValue(DynamicsConfig dynamics) {
        ControlSettings base = ControlSettings.pendulum();
        return new ControlSettings("x", dynamics, base.prediction(), base.problem(), base.planner())
                .plan(DATA)
                .values()[0];
    }

    @Test
    void refusesBadInput() {
        DynamicsConfig d = ControlSettings.pendulum().dynamics();
        DynamicsLearner learner = new DynamicsLearner(d);
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(learner::meanState)
                .withMessageContaining("nothing was learned");
        assertThatExceptionOfType(InvalidSampleException.class)
                .isThrownBy(() -> learner.update(new double[] {1, 0, Double.NaN}, new double[] {0}, new double[3]));
        assertThatExceptionOfType(InvalidSampleException.class)
                .isThrownBy(() -> learner.update(new double[] {1, 0, 0}, new double[] {0}, new double[2]));
        assertThat(learner.samples()).isZero();
        learner.update(new double[] {1, 0, 0}, new double[] {0}, new double[] {1, 0, 0});
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> learner.meanState().query(ActionGrid.of(Box.symmetric(1.0, 1.0), 2, 2)));
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> learner.meanState().query(TORQUES).at(new double[] {1, 0}));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new DynamicsConfig(d.output(), d.output(), d.lambda(), 0, 1));
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> d.withLambda(0));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new DynamicsConfig(d.input(), d.output(), d.lambda(), -1, 1));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new DynamicsConfig(d.input(), d.output(), d.lambda(), 0, 0));
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> new Transitions(2, 1).add(new double[3], new double[1], new double[2]));
    }
}
