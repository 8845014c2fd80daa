package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.DriftDetector;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.NoisyRotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of the dynamics is noticed, no change is not, and forgetting follows. */
class DriftTest {

    /** Samples within which the switch must be noticed; the largest delay of 20 other seeds was 549. */
    private static final int LARGEST_DELAY = 1000;

    private static final NoisyRotation BEFORE = new NoisyRotation();
    private static final NoisyRotation AFTER = new NoisyRotation(0.95, 0.8, 0.2);

    private static LeastSquaresLearner<KoopmanOperator> rotationLearner() {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.8))
                .epsilon(0.15)
                .build());
    }

    private static List<DriftEvent> feed(DriftAwareLearner<?> learner, NoisyRotation system, int steps, long seed) {
        double[][] path = system.trajectory(0, steps, seed);
        for (int i = 0; i < steps; i++) {
            learner.update(path[i], path[i + 1]);
        }
        return learner.drainEvents();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aSwitchIsNoticedInTimeAndTheSpectrumFollows(long seed) {
        DriftAwareLearner<KoopmanOperator> adapts =
                new DriftAwareLearner<>(rotationLearner(), DriftConfig.defaults(), 0.01);
        assertThat(feed(adapts, BEFORE, 6000, seed)).as("seed %d, before", seed).isEmpty();
        List<DriftEvent> events = feed(adapts, AFTER, 4000, seed + 100);
        assertThat(events).as("seed %d, after", seed).hasSize(1);
        DriftEvent event = events.get(0);
        assertThat(event.sample()).as("seed %d", seed).isBetween(6001L, 6000L + LARGEST_DELAY);
        assertThat(event.since()).as("seed %d", seed).isBetween(5500L, event.sample());
        assertThat(event.errorAfter()).as("seed %d", seed).isGreaterThan(event.errorBefore());
        double angle = Spectrum.leading(adapts.snapshot(), 2).eigenvalue(1).argument();
        assertThat(Math.abs(angle)).as("seed %d", seed).isCloseTo(0.8, within(0.04));
    }

    @Test
    void withoutTheDiscountThePastKeepsItsShare() {
        DriftAwareLearner<KoopmanOperator> watches = new DriftAwareLearner<>(rotationLearner(), DriftConfig.defaults());
        feed(watches, BEFORE, 6000, 1);
        assertThat(feed(watches, AFTER, 4000, 101)).isNotEmpty();
        double angle = Spectrum.leading(watches.snapshot(), 2).eigenvalue(1).argument();
        assertThat(Math.abs(angle)).isLessThan(0.72);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aStationaryStreamRaisesNoEvent(long seed) {
        DriftAwareLearner<KoopmanOperator> learner = new DriftAwareLearner<>(rotationLearner(), DriftConfig.defaults());
        assertThat(feed(learner, BEFORE, 20000, seed)).as("seed %d", seed).isEmpty();
        assertThat(learner.meanError()).isGreaterThan(0);
    }

    @Test
    void theStateIsAFunctionOfTheSamplesAndARefusedSampleChangesNothing() {
        DriftConfig quick = new DriftConfig(100, 20, 5, 0.75, 6, 50);
        DriftAwareLearner<KoopmanOperator> learner = new DriftAwareLearner<>(rotationLearner(), quick, 0.1);
        DriftAwareLearner<KoopmanOperator> other = new DriftAwareLearner<>(rotationLearner(), quick, 0.1);
        List<DriftEvent> mine = new ArrayList<>();
        List<DriftEvent> theirs = new ArrayList<>();
        double[][] path = BEFORE.trajectory(0, 1500, 3);
        double[][] switched = AFTER.trajectory(0, 1500, 4);
        DriftAwareLearner<KoopmanOperator> copy = null;
        for (int i = 0; i < 3000; i++) {
            double[][] now = i < 1500 ? path : switched;
            double[] x = now[i % 1500];
            double[] y = now[i % 1500 + 1];
            learner.update(x, y);
            // Asked, drained and bothered in between; the first is not.
            other.snapshot();
            theirs.addAll(other.drainEvents());
            assertThatThrownBy(() -> other.update(x, new double[] {Double.NaN, 0}))
                    .isInstanceOf(InvalidSampleException.class);
            other.update(x, y);
            if (i == 1000) {
                copy = learner.copy();
            } else if (i > 1000) {
                copy.update(x, y);
            }
        }
        mine.addAll(learner.drainEvents());
        theirs.addAll(other.drainEvents());
        assertThat(mine).isNotEmpty().isEqualTo(theirs);
        assertThat(copy.drainEvents()).isEqualTo(mine);
        assertThat(copy.snapshot().distance(learner.snapshot())).isZero();
        learner.reset();
        assertThat(learner.samples()).isZero();
        assertThat(learner.meanError()).isZero();
    }

    @Test
    void theDetectorAnswersToRisesOnlyAndToLastingOnes() {
        DriftDetector detector = new DriftDetector(new DriftConfig(0, 1, 10, 0.5, 8, 1));
        for (int t = 0; t < 200; t++) {
            assertThat(detector.add(1 + 0.1 * Math.sin(t * t)))
                    .as("error %d", t)
                    .isEmpty();
        }
        assertThat(detector.add(1000)).as("one odd error").isEmpty();
        for (int t = 0; t < 200; t++) {
            assertThat(detector.add(0.5 + 0.1 * Math.sin(t * t)))
                    .as("fall %d", t)
                    .isEmpty();
        }
        DriftDetector again = new DriftDetector(new DriftConfig(0, 1, 10, 0.5, 8, 1));
        long noticed = 0;
        for (int t = 0; t < 60 && noticed == 0; t++) {
            double level = t < 40 ? 1 : 2;
            noticed = again.add(level + 0.1 * Math.sin(t * t))
                    .map(DriftEvent::sample)
                    .orElse(0L);
        }
        // Each of the raised errors counts for 4 - 0.5 at most: the third passes 8.
        assertThat(noticed).isBetween(43L, 44L);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new DriftConfig(-1, 50, 20, 0.75, 12, 500))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("warmup = -1");
        assertThatThrownBy(() -> new DriftConfig(0, 0, 20, 0.75, 12, 500)).hasMessageStartingWith("block = 0");
        assertThatThrownBy(() -> new DriftConfig(0, 1, 4, 0.75, 12, 500)).hasMessageStartingWith("baseline = 4");
        assertThatThrownBy(() -> new DriftConfig(0, 1, 5, 0, 12, 500)).hasMessageStartingWith("slack = 0.0");
        assertThatThrownBy(() -> new DriftConfig(0, 1, 5, 1, Double.NaN, 500))
                .hasMessageStartingWith("threshold = NaN");
        assertThatThrownBy(() -> new DriftConfig(0, 1, 5, 1, 1, 0)).hasMessageStartingWith("refresh = 0");
        SogdLearner<KoopmanOperator> sogd =
                SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(1)).build());
        assertThatThrownBy(() -> new DriftAwareLearner<>(sogd, DriftConfig.defaults(), 0.1))
                .hasMessageContaining("no weights of the past");
        assertThatThrownBy(() -> new DriftAwareLearner<>(rotationLearner(), DriftConfig.defaults(), 0))
                .hasMessageStartingWith("discount = 0.0");
    }
}
