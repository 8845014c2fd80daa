package io.koopstream.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.KoopstreamException;
import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.LearnedPolicy.Decision;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.plan.ControlProblem;
import io.koopstream.control.plan.SolverException;
import io.koopstream.control.plan.ValueIteration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Controllers from data of which nothing is known but its numbers. */
class LearnedPolicyTest {

    private static final Pendulum PENDULUM = new Pendulum();
    private static final String COST = "atan2(sin_theta,cos_theta)^2 + 0.1*theta_dot^2 + 0.001*torque^2";

    private static ControlTask task(String cost, String terminal, double discount) {
        return new ControlTask(
                PENDULUM.observationNames(),
                PENDULUM.actionNames(),
                cost,
                terminal,
                "0",
                discount,
                PENDULUM.actionSpace(),
                List.of(11));
    }

    private static DynamicsLearner learner(int transitions, int most) {
        Transitions data = Episodes.collect(PENDULUM, Policy.uniform(PENDULUM.actionSpace(), 2), transitions, 2);
        DynamicsLearner learner = new DynamicsLearner(DynamicsConfig.guess(data, PENDULUM.actionSpace(), 0.03, most));
        learner.update(data);
        return learner;
    }

    @Test
    void guessedSettingsSwingThePendulumUp() {
        LearnedPolicy policy = LearnedPolicy.plan(
                task(COST, "", 0.98), learner(3000, 1000), Prediction.MEAN_STATE, new ValueIteration(1e-5, 5000));
        ScoreSummary score = Episodes.evaluate(PENDULUM, policy.plan().policy(), 50, StagedLoop.EVALUATION_SEED);
        assertThat(score.median()).isGreaterThan(-160);
        assertThat(score.mean()).isGreaterThan(-200);
    }

    @Test
    void theFormulaIsTheEnvironmentsCost() {
        ControlProblem problem = task(COST, "", 0.98).problem();
        double[] state = Pendulum.observation(-2.1, 3.3);
        assertThat(problem.cost().of(state, new double[] {1.5})).isEqualTo(Pendulum.cost(state, new double[] {1.5}));
    }

    @Test
    void whatIsRestoredDecidesBitForBitTheSame() {
        for (Prediction prediction : Prediction.values()) {
            LearnedPolicy policy = LearnedPolicy.plan(
                    task(COST, "theta_dot > 7.9", 0.9), learner(400, 150), prediction, new ValueIteration(1e-4, 5000));
            Map<String, double[][]> matrices = policy.matrices();
            assertThat(policy.texts().keySet()).isEqualTo(LearnedPolicy.KEYS);
            LearnedPolicy restored = LearnedPolicy.restore(policy.texts(), matrices::get);
            double[] state = Pendulum.observation(2.0, -1);
            assertThat(restored.plan().policy().action(state))
                    .containsExactly(policy.plan().policy().action(state));
            assertThat(restored.plan().policy().value(state))
                    .isEqualTo(policy.plan().policy().value(state));
            assertThat(restored.plan().policy().value(new double[] {1, 0, 7.95}))
                    .isZero();
            assertThat(restored.texts()).isEqualTo(policy.texts());
        }
    }

    @Test
    void aHorizonThatIsRestoredDecidesBitForBitTheSame() {
        double none = Double.POSITIVE_INFINITY;
        Horizon horizon = new Horizon(
                6,
                2,
                List.of(0.0, 0.0, 1.0),
                3,
                List.of(0.01),
                new Box(List.of(-none, -none, -7.5), List.of(none, 1.5, none)),
                PENDULUM.actionSpace());
        LearnedPolicy policy =
                LearnedPolicy.track(task(COST, "", 0.9), learner(400, 100), horizon, List.of(-1.0, 0.0, 0.0));
        assertThat(policy.texts().keySet()).isEqualTo(LearnedPolicy.KEYS);
        LearnedPolicy restored = LearnedPolicy.restore(policy.texts(), policy.matrices()::get);
        assertThat(restored.tracks()).isTrue();
        assertThat(restored.texts()).isEqualTo(policy.texts());
        double[][] state = {Pendulum.observation(Math.PI, 0)};
        double[][] faster = {{-1, 0, 3}};
        Decision first = policy.decide(state, faster, null).get(0);
        assertThat(first.action().get(0)).isGreaterThan(1);
        assertThat(first.plan()).hasSize(6);
        assertThat(restored.decide(state, faster, null)).containsExactly(first);
        assertThat(policy.decide(state[0]).get(0).action().get(0)).isBetween(-0.5, 0.5);
        // A release that knows no horizons says so: it reads version 1 alone.
        assertThat(policy.texts()).containsEntry("version", "2");
        for (String broken : List.of("horizon", "tracking", "action_weights", "readout")) {
            assertThatExceptionOfType(KoopstreamException.class)
                    .as(broken)
                    .isThrownBy(() -> LearnedPolicy.restore(
                            policy.texts(),
                            name -> name.equals(broken)
                                    ? null
                                    : policy.matrices().get(name)));
        }
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> policy.decide(state, new double[][] {{1, 0}}, null))
                .withMessageContaining("3 finite numbers");
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> policy.decide(state, null, new double[2][6][1]))
                .withMessageContaining("2 plans for 1 states");
        LearnedPolicy planned = LearnedPolicy.plan(
                task(COST, "", 0.5), learner(200, 50), Prediction.MEAN_STATE, new ValueIteration(1e-3, 100));
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> planned.decide(state, faster, null))
                .withMessageContaining("no reference");
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        LearnedPolicy policy = LearnedPolicy.plan(
                task(COST, "", 0.5), learner(200, 50), Prediction.MEAN_STATE, new ValueIteration(1e-3, 100));
        for (String broken : List.of("inputs", "outputs", "readout", "values")) {
            Map<String, double[][]> matrices = new HashMap<>(policy.matrices());
            matrices.put(broken, new double[][] {{1}});
            assertThatExceptionOfType(KoopstreamException.class)
                    .as(broken)
                    .isThrownBy(() -> LearnedPolicy.restore(policy.texts(), matrices::get));
            matrices.remove(broken);
            assertThatExceptionOfType(KoopstreamException.class)
                    .as(broken)
                    .isThrownBy(() -> LearnedPolicy.restore(policy.texts(), matrices::get));
        }
        for (String key : List.of("discount", "version", "cost", "input_kernel", "action_low", "samples")) {
            Map<String, String> texts = new HashMap<>(policy.texts());
            texts.put(key, "nonsense(");
            assertThatExceptionOfType(KoopstreamException.class)
                    .as(key)
                    .isThrownBy(() -> LearnedPolicy.restore(texts, policy.matrices()::get));
        }
    }

    @Test
    void aPlannerThatDoesNotFinishBringsItsBestValues() {
        SolverException failure = catchThrowableOfType(
                SolverException.class,
                () -> LearnedPolicy.plan(
                        task(COST, "", 0.98), learner(200, 50), Prediction.MEAN_STATE, new ValueIteration(1e-9, 2)));
        assertThat(failure.bestValues()).isNotEmpty();
        assertThatExceptionOfType(SolverException.class)
                .isThrownBy(() -> LearnedPolicy.plan(
                        task("log(-1)", "", 0.98), learner(200, 50), Prediction.MEAN_STATE, ValueIteration.DEFAULT))
                .withMessageContaining("NaN");
    }

    @Test
    void refusesTasksThatCannotBe() {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> task(COST, "", 1).problem())
                .withMessageContaining("discount");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> task("nobody^2", "", 0.9).problem())
                .withMessageContaining("cos_theta");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new ControlTask(
                        List.of("a b"), List.of("u"), "1", "", "0", 0.9, Box.interval(0, 1), List.of(3)))
                .withMessageContaining("a b");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() ->
                        new ControlTask(List.of("a"), List.of("a"), "1", "", "0", 0.9, Box.interval(0, 1), List.of(3)));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() ->
                        new ControlTask(List.of("a"), List.of(), "1", "", "0", 0.9, Box.interval(0, 1), List.of()))
                .withMessageContaining("empty");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> ControlTask.quadratic(
                        List.of("a"), List.of(1.0, 2.0), List.of(1.0), List.of("u"), List.of(1.0)))
                .withMessageContaining("goal");
        assertThat(Formula.parse(
                                ControlTask.quadratic(
                                        List.of("a"), List.of(-2.0), List.of(3.0), List.of("u"), List.of(0.5)),
                                List.of("a", "u"))
                        .at(new double[] {1, 4}))
                .isEqualTo(35.0);
    }
}
