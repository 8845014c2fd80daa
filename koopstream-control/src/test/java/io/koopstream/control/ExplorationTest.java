package io.koopstream.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.MountainCarContinuous;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.control.env.StepResult;
import io.koopstream.control.env.Transitions;
import org.junit.jupiter.api.Test;

/** What is known, where a plan goes beyond the data, and who goes to see what is not known. */
class ExplorationTest {

    private static final Pendulum PENDULUM = new Pendulum();

    private static DynamicsLearner learner(Transitions data) {
        DynamicsLearner learner = new DynamicsLearner(ControlSettings.pendulum().dynamics());
        learner.update(data);
        return learner;
    }

    private static Transitions uniform(int count) {
        return Episodes.collect(PENDULUM, Policy.uniform(PENDULUM.actionSpace(), 1), count, 1);
    }

    @Test
    void whatWasSeenIsKnownAndWhatIsUnlikeItIsNot() {
        Transitions data = uniform(400);
        DynamicsLearner learner = learner(data);
        for (int i = 0; i < data.size(); i += 20) {
            // Every input is kept unless those before miss at most ε = 0.03 of it, as a norm.
            assertThat(learner.knownness().at(data.state(i), data.action(i))).isGreaterThan(1 - 0.03 * 0.03 - 1e-9);
        }
        assertThat(learner.knownness().at(new double[] {1, 0, 40}, new double[] {0}))
                .isLessThan(1e-3);
    }

    @Test
    void aPlanHasPointsBeyondTheDataButNoneThatAreUnlikeThem() {
        DynamicsLearner learner = learner(uniform(400));
        SuccessorModel model = learner.meanState();
        int kept = learner.dictionarySize();
        assertThat(model.size()).isBetween(2 * kept, 1000);
        for (int i = kept; i < model.size(); i++) {
            double[] point = model.point(i);
            // Predicted states leave the circle a little; by less than the width of κ_X, the resolution of the values.
            assertThat(Math.hypot(point[0], point[1])).isCloseTo(1, within(0.22));
            // Nor are they faster than the fastest, 8 rad/s, by more than three widths, 0.88 each.
            assertThat(Math.abs(point[2])).isLessThan(8 + 3 * 0.88);
        }
        // One place, seen again and again with small torques: nothing is known of where one could go from there.
        Transitions one = new Transitions(3, 1);
        for (int i = 0; i < 20; i++) {
            double u = 0.01 * (i % 5 - 2);
            double speed = Pendulum.nextThetaDot(0, 7, u);
            one.add(
                    Pendulum.observation(0, 7),
                    new double[] {u},
                    Pendulum.observation(Pendulum.nextTheta(0, speed), speed));
        }
        assertThat(learner(one).meanState().size()).isEqualTo(learner(one).dictionarySize());
    }

    @Test
    void aThousandTransitionsSwingThePendulumUpWithBothModels() {
        Transitions data = uniform(1000);
        ScoreSummary mean = Episodes.evaluate(
                PENDULUM, ControlSettings.pendulum().plan(data).policy(), 50, StagedLoop.EVALUATION_SEED);
        assertThat(mean.median()).isGreaterThan(-135);
        assertThat(mean.mean()).isGreaterThan(-160);
        ScoreSummary embedding = Episodes.evaluate(
                PENDULUM,
                ControlSettings.pendulumEmbedding().plan(uniform(2000)).policy(),
                50,
                StagedLoop.EVALUATION_SEED);
        assertThat(embedding.median()).isGreaterThan(-135);
        assertThat(embedding.mean()).isGreaterThan(-160);
    }

    @Test
    void whoExploresFindsTheGoalThatRandomActionsNeverSee() {
        MountainCarContinuous car = new MountainCarContinuous();
        Transitions random = Episodes.collect(car, Policy.uniform(car.actionSpace(), 1), 1200, 1);
        DynamicsLearner learner =
                new DynamicsLearner(ControlSettings.mountainCar().dynamics());
        Explorer explorer = new Explorer(ControlSettings.mountainCar(), learner, car.actionSpace(), 1);
        double[] observation = car.reset(1);
        double farthest = -1;
        while (learner.samples() < 400 && farthest < 0.45) {
            double[] action = explorer.action(observation);
            StepResult result = car.step(action);
            learner.update(observation, action, result.observation());
            farthest = Math.max(farthest, result.observation()[0]);
            observation = result.over() ? car.reset(learner.samples()) : result.observation();
        }
        assertThat(farthest(random)).isLessThan(0.1);
        assertThat(farthest).isGreaterThanOrEqualTo(0.45);
    }

    private static double farthest(Transitions transitions) {
        double farthest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < transitions.size(); i++) {
            farthest = Math.max(farthest, transitions.successor(i)[0]);
        }
        return farthest;
    }
}
