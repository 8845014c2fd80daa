package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.spectrum.EigenpairWatch;
import io.koopstream.spectrum.EigenpairWatch.Change;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.NoisyRotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change too small for the one-step error is noticed through the eigenfunctions; no change is not. */
class EigenpairWatchTest {

    private static LeastSquaresLearner<KoopmanOperator> rotationLearner() {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.8))
                .epsilon(0.15)
                .build());
    }

    private static Spectrum learned(int eigenpairs, long seed) {
        LeastSquaresLearner<KoopmanOperator> learner = rotationLearner();
        double[][] path = new NoisyRotation().trajectory(0, 2000, seed);
        for (int t = 0; t < 2000; t++) {
            learner.update(path[t], path[t + 1]);
        }
        return Spectrum.leading(learner.snapshot(), eigenpairs);
    }

    private static List<Change> feed(EigenpairWatch watch, NoisyRotation system, int steps, long seed) {
        List<Change> changes = new ArrayList<>();
        double[][] path = system.trajectory(1, steps, seed);
        for (int t = 0; t < steps; t++) {
            watch.add(path[t], path[t + 1]).ifPresent(changes::add);
        }
        return changes;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aRotationBySlightlyMoreIsNoticed(long seed) {
        EigenpairWatch watch = new EigenpairWatch(learned(4, seed));
        assertThat(feed(watch, new NoisyRotation(), 6000, seed))
                .as("seed %d, before", seed)
                .isEmpty();
        List<Change> changes = feed(watch, new NoisyRotation(0.95, 0.6, 0.2), 3000, seed + 50);
        // Of ten other seeds the largest delay was 1,200.
        assertThat(changes).as("seed %d, after", seed).isNotEmpty();
        assertThat(changes.get(0).sample()).as("seed %d", seed).isBetween(6000L, 8000L);
        assertThat(changes.get(0).score()).isGreaterThan(12);
        assertThat(watch.samples()).isEqualTo(9000);
    }

    @Test
    void thePredictionErrorAloneDoesNotShowThatChange() {
        LearningStream stream =
                LearningStream.of(StreamConfig.parse(Map.of("kernel", "gaussian(0.8)", "epsilon", "0.15")));
        for (double[] state : new NoisyRotation().trajectory(0, 6000, 1)) {
            stream.accept(Observation.of("before", state));
        }
        for (double[] state : new NoisyRotation(0.95, 0.6, 0.2).trajectory(1, 3000, 51)) {
            stream.accept(Observation.of("after", state));
        }
        assertThat(stream.pairs()).isEqualTo(9000);
        assertThat(stream.watch().changes()).isZero();
    }

    @Test
    void pairsInNewCountryAreNotJudged() {
        EigenpairWatch watch = new EigenpairWatch(learned(4, 1), 1, 5, 0.5, 1);
        assertThat(feed(watch, new NoisyRotation(), 5, 3)).isEmpty();
        for (int t = 0; t < 100; t++) {
            assertThat(watch.add(new double[] {50 + t, 0}, new double[] {50, 50 + t}))
                    .isEmpty();
        }
    }

    @Test
    void refusesSettingsOutOfRange() {
        Spectrum spectrum = learned(3, 1);
        assertThatThrownBy(() -> new EigenpairWatch(spectrum, 0, 20, 1, 12))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("block = 0");
        assertThatThrownBy(() -> new EigenpairWatch(spectrum, 50, 4, 1, 12)).hasMessageStartingWith("baseline = 4");
        assertThatThrownBy(() -> new EigenpairWatch(spectrum, 50, 20, 0, 12)).hasMessageStartingWith("slack = 0.0");
        assertThatThrownBy(() -> new EigenpairWatch(spectrum, 50, 20, 1, Double.NaN))
                .hasMessageStartingWith("threshold = NaN");
        Spectrum constant = learned(1, 1);
        assertThatThrownBy(() -> new EigenpairWatch(constant))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("constant");
    }
}
