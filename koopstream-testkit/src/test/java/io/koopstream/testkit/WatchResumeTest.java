package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.change.Watch;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What surrounds a learner can be taken out and resumed as the learner itself can: going on is going on, bit for bit. */
class WatchResumeTest {

    private static LearningStream watched() {
        return LearningStream.of(StreamConfig.parse(Map.of("kernel", "gaussian(0.5)", "driftDiscount", "0.5")));
    }

    /** Pair n of a stream whose map changes on the way. */
    private static void learn(LearningStream stream, int n) {
        SplittableRandom random = new SplittableRandom(n);
        double x = random.nextDouble(-1, 1);
        double slope = n < 3000 ? 0.8 : -0.6;
        stream.accept(Observation.pair(new double[] {x}, new double[] {slope * x + random.nextDouble(-0.02, 0.02)}));
    }

    private static KoopmanOperator operator(LearningStream stream) {
        return stream.learner().orElseThrow().snapshot();
    }

    private static RecordedState saved(Watch watch) {
        return RecordedState.of(sink -> watch.parts(StateParts.to(sink)));
    }

    @Test
    void aWatchThatWasTakenOutGoesOnBitForBit() {
        LearningStream whole = watched();
        LearningStream interrupted = watched();
        for (int n = 0; n < 5000; n++) {
            learn(whole, n);
            learn(interrupted, n);
            // At every point at first, later where it is cheaper, in step with nothing.
            if (n < 200 || n % 37 == 0) {
                interrupted = LearningStream.resume(interrupted.state());
                RecordedState saved = saved(interrupted.watch());
                assertThat(saved).isEqualTo(saved(whole.watch()));
                Watch read = new Watch(true, false).parts(StateParts.from(saved.copy()));
                assertThat(saved(read)).isEqualTo(saved);
            }
        }
        assertThat(whole.watch().changes()).as("the change was noticed").isPositive();
        assertThat(interrupted.state().learner().digest())
                .isEqualTo(whole.state().learner().digest());
        assertThat(operator(interrupted).distance(operator(whole))).isZero();
    }

    @Test
    void impossibleNumbersAreRefused() {
        LearningStream stream = watched();
        for (int n = 0; n < 3000; n++) {
            learn(stream, n);
        }
        RecordedState saved = saved(stream.watch());
        assertThat(new Watch(true, false).parts(StateParts.from(saved.copy())).changes())
                .isZero();
        for (RecordedState wrong : List.of(
                saved.with("sinceEvent", Long.MAX_VALUE),
                saved.with("blockSum", Double.NaN),
                saved.with("baselineMean", -1.0),
                saved.with("riseStart", -1L),
                saved.with("changes", -1L),
                saved.with("nextRenewal", -1L))) {
            assertThatThrownBy(() -> new Watch(true, false).parts(StateParts.from(wrong)))
                    .isInstanceOf(InvalidStateException.class);
        }
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
        LearningStream stream = watched();
        for (int n = 0; n < 200; n++) {
            learn(stream, n);
        }
        KoopmanOperator operator = operator(stream);
        KoopmanOperator held = SogdState.holding(operator).resumeKoopman().snapshot();

        assertThat(held.matrix().toRows()).isDeepEqualTo(operator.matrix().toRows());
        assertThat(held.samples()).isEqualTo(operator.samples());
        assertThat(held.predict(new double[] {0.3})).isEqualTo(operator.predict(new double[] {0.3}));
        assertThat(held.distance(operator)).isZero();
    }

    @Test
    void settingsThatDoNotFitTheOperatorAreRefused() {
        LearningStream stream = watched();
        for (int n = 0; n < 50; n++) {
            learn(stream, n);
        }
        KoopmanOperator operator = operator(stream);
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
