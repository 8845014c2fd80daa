package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.DelayVectors;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.DriftDetector;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdState;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What surrounds a learner can be taken out and resumed as the learner itself can: going on is going on, bit for bit. */
class WatchResumeTest {

    private static final DriftConfig DRIFT = new DriftConfig(20, 5, 5, 0.75, 6, 30);

    private static DriftAwareLearner<KoopmanOperator> watched() {
        LeastSquaresConfig config =
                LeastSquaresConfig.forState(1, Kernels.gaussian(0.5)).build();
        return new DriftAwareLearner<>(LeastSquaresLearner.koopman(config), DRIFT, 0.5);
    }

    private static LeastSquaresLearner<KoopmanOperator> inner(DriftAwareLearner<KoopmanOperator> learner) {
        return (LeastSquaresLearner<KoopmanOperator>) learner.learner();
    }

    /** Sample n of a stream whose map changes on the way. */
    private static void learn(DriftAwareLearner<KoopmanOperator> learner, int n) {
        SplittableRandom random = new SplittableRandom(n);
        double x = random.nextDouble(-1, 1);
        double slope = n < 300 ? 0.8 : -0.6;
        learner.update(new double[] {x}, new double[] {slope * x + random.nextDouble(-0.02, 0.02)});
    }

    @Test
    void aWatchThatWasTakenOutGoesOnBitForBit() {
        DriftAwareLearner<KoopmanOperator> whole = watched();
        DriftAwareLearner<KoopmanOperator> interrupted = watched();
        int events = 0;
        for (int n = 0; n < 600; n++) {
            learn(whole, n);
            learn(interrupted, n);
            interrupted = DriftAwareLearner.resume(
                    inner(interrupted).state().resumeKoopman(), DRIFT, 0.5, interrupted.watch());
            assertThat(interrupted.watch().detector()).isEqualTo(whole.watch().detector());
            assertThat(interrupted.lastError()).isEqualTo(whole.lastError());
            assertThat(interrupted.predicted()).isEqualTo(whole.predicted());
            if (n % 50 == 0) {
                var seen = whole.drainEvents();
                events += seen.size();
                assertThat(interrupted.drainEvents()).isEqualTo(seen);
            }
        }
        assertThat(events + whole.drainEvents().size())
                .as("the change was noticed")
                .isPositive();
        assertThat(inner(interrupted).state().digest())
                .isEqualTo(inner(whole).state().digest());
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatThrownBy(() -> new DriftDetector.State(1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                .isInstanceOf(InvalidStateException.class);
        assertThatThrownBy(() -> new DriftDetector.State(9, 2, Double.NaN, 0, 0, 0, 0, 0, 0, 0, 0))
                .isInstanceOf(InvalidStateException.class);
    }

    @Test
    void recentObservationsLeadToTheSameVectors() {
        DelayVectors vectors = new DelayVectors(2, 2, 3);
        SplittableRandom random = new SplittableRandom(1);
        for (int n = 0; n < 40; n++) {
            vectors.add(new double[] {random.nextDouble(), random.nextDouble()});
            DelayVectors again = new DelayVectors(2, 2, 3);
            for (double[] observation : vectors.recent()) {
                again.add(observation);
            }
            assertThat(again.isComplete()).isEqualTo(vectors.isComplete()).isEqualTo(n >= 6);
            if (vectors.isComplete()) {
                assertThat(again.current()).isEqualTo(vectors.current());
            }
        }
    }

    @Test
    void anOperatorIsAStateThatAnswersAlike() {
        DriftAwareLearner<KoopmanOperator> learner = watched();
        for (int n = 0; n < 200; n++) {
            learn(learner, n);
        }
        KoopmanOperator operator = learner.snapshot();
        KoopmanOperator held = SogdState.holding(operator).resumeKoopman().snapshot();

        assertThat(held.matrix().toRows()).isDeepEqualTo(operator.matrix().toRows());
        assertThat(held.samples()).isEqualTo(operator.samples());
        assertThat(held.predict(new double[] {0.3})).isEqualTo(operator.predict(new double[] {0.3}));
        assertThat(held.distance(operator)).isZero();
    }

    @Test
    void settingsThatDoNotFitTheOperatorAreRefused() {
        DriftAwareLearner<KoopmanOperator> learner = watched();
        for (int n = 0; n < 50; n++) {
            learn(learner, n);
        }
        KoopmanOperator operator = learner.snapshot();
        SogdConfig.Builder other = SogdConfig.forState(1, Kernels.gaussian(0.6));
        SogdConfig.Builder small = SogdConfig.forState(1, Kernels.gaussian(0.5)).maxDictionary(1);
        SogdConfig.Builder averaged =
                SogdConfig.forState(1, Kernels.gaussian(0.5)).averaging(Averaging.tail(3));

        for (SogdConfig.Builder config : new SogdConfig.Builder[] {other, small, averaged}) {
            assertThatThrownBy(() -> SogdState.startingAt(config.build(), operator))
                    .isInstanceOf(InvalidConfigException.class);
        }
    }
}
