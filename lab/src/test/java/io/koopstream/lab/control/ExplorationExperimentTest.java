package io.koopstream.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.env.Pendulum;
import io.koopstream.lab.control.ExplorationExperiment.Behaviour;
import io.koopstream.lab.control.ExplorationExperiment.Outcome;
import io.koopstream.lab.control.TrackingExperiment.Plant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Reduced versions of the studies of exploration and of tracking; the full ones are run by ControlBenchmark. */
class ExplorationExperimentTest {

    private static Outcome run(Behaviour behaviour, int stages) {
        return ExplorationExperiment.run(new Pendulum(), ControlSettings.pendulum(), behaviour, stages, 50, 20, 501);
    }

    @Test
    void exploringSwingsUpFromLessThanHalfTheTransitionsWithWhichUniformDataDoNot() {
        assertThat(run(Behaviour.EXPLORING, 3).means().get(2)).isGreaterThan(-160);
        assertThat(run(Behaviour.UNIFORM, 8).means().get(7)).isLessThan(-400);
    }

    @Test
    void whatIsNeededIsThatFromWhichOnAllStagesAreGood() {
        Outcome outcome = new Outcome(50, List.of(-500.0, -150.0, -300.0, -150.0, -140.0));
        assertThat(outcome.needed(-160)).isEqualTo(200);
        assertThat(outcome.needed(-600)).isEqualTo(50);
        assertThat(outcome.needed(-100)).isEqualTo(-1);
        assertThatExceptionOfType(InvalidConfigException.class).isThrownBy(() -> run(Behaviour.UNIFORM, 0));
    }

    @Test
    void bothPredictorsFollowTheSwingOfThePendulumWithinItsBound() {
        var data = Plant.PENDULUM.runs(40, 3);
        for (var predictor :
                List.of(TrackingExperiment.regression(data), TrackingExperiment.linear(data, OptionalDouble.empty()))) {
            TrackingExperiment.Outcome found = TrackingExperiment.drive(Plant.PENDULUM, predictor);
            assertThat(found.distance()).isLessThan(0.05);
            assertThat(found.speed()).isLessThan(Plant.PENDULUM.bound());
        }
    }
}
