package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.TrajectoryFeeder;
import io.koopstream.operator.KoopmanOperator;
import org.junit.jupiter.api.Test;

/** States that arrive one by one become pairs, and never across a gap. */
class TrajectoryFeederTest {

    private static SogdLearner<KoopmanOperator> learner() {
        return SogdLearner.koopman(
                SogdConfig.forState(1, Kernels.gaussian(0.5)).budget(0).build());
    }

    @Test
    void pairsSuccessiveStatesOfEachTrajectory() {
        SogdLearner<KoopmanOperator> fed = learner();
        TrajectoryFeeder feeder = new TrajectoryFeeder(fed);
        // One array for all states: the feeder must not keep it.
        double[] state = new double[1];
        double[][] trajectories = {{0, 1, 2}, {5}, {7, 8}};
        for (double[] trajectory : trajectories) {
            for (int i = 0; i < trajectory.length; i++) {
                state[0] = trajectory[i];
                assertThat(feeder.next(state)).isEqualTo(i > 0);
            }
            feeder.breakTrajectory();
        }
        SogdLearner<KoopmanOperator> expected = learner();
        expected.partialFit(new double[][] {{0}, {1}, {7}}, new double[][] {{1}, {2}, {8}});
        assertThat(fed.state().digest()).isEqualTo(expected.state().digest());
    }

    @Test
    void aRefusedStateEndsTheTrajectory() {
        SogdLearner<KoopmanOperator> fed = learner();
        TrajectoryFeeder feeder = new TrajectoryFeeder(fed);
        feeder.next(new double[] {0});
        assertThatThrownBy(() -> feeder.next(new double[] {Double.NaN})).isInstanceOf(InvalidSampleException.class);
        assertThat(feeder.next(new double[] {2}))
                .as("no pair (0, 2) over the gap")
                .isFalse();
        assertThatThrownBy(() -> feeder.next(null)).isInstanceOf(InvalidSampleException.class);
        assertThat(feeder.next(new double[] {3})).isFalse();
        assertThat(feeder.next(new double[] {4})).isTrue();
        assertThat(fed.samples()).isEqualTo(1);
    }

    @Test
    void aLearnerWithTwoSpacesCannotBeFedByOneTrajectory() {
        SogdConfig config = SogdConfig.forTransition(new Rkhs(Kernels.gaussian(1), 2), new Rkhs(Kernels.gaussian(1), 1))
                .build();
        assertThatThrownBy(() -> new TrajectoryFeeder(SogdLearner.transition(config)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("one space");
    }
}
