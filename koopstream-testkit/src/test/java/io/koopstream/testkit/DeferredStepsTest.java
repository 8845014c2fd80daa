package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.Budget;
import io.koopstream.learner.InvalidStateException;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From 1000 kept samples on, projected steps reach the matrix 32 at a time; nobody can tell but by the speed. */
class DeferredStepsTest {

    private static final int SIZE = 1_010;
    private static final int MORE = 100;
    private static final double[][] POINTS = Streams.normalPoints(21, SIZE + MORE + 1, 4, 3.0);

    private static SogdConfig.Builder settings() {
        return SogdConfig.forState(4, Kernels.gaussian(0.8))
                .lambda(0.01)
                .stepSize(0.5)
                .budget(Budget.custom("first", t -> t <= SIZE ? 0 : 1e9));
    }

    private static void feed(SogdLearner<KoopmanOperator> learner, int from, int to) {
        for (int i = from; i < to; i++) {
            // In the end samples come back near kept ones, so that errors are not all new.
            double[] x = POINTS[i < SIZE ? i : i - SIZE].clone();
            x[0] += i < SIZE ? 0 : 0.1;
            learner.update(x, POINTS[i + 1]);
        }
    }

    /** The dictionary is full and nothing was deferred yet. */
    private static SogdState grown(SogdConfig config) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
        feed(learner, 0, SIZE);
        assertThat(learner.dictionarySize()).isGreaterThanOrEqualTo(1_000);
        return learner.state();
    }

    @Test
    void theModelIsThatOfBlocksToRounding() {
        SogdLearner<KoopmanOperator> single = SogdLearner.koopman(settings().build());
        SogdLearner<KoopmanOperator> blocks =
                SogdLearner.koopman(settings().blockSize(7).build());
        feed(single, 0, SIZE + MORE);
        feed(blocks, 0, SIZE + MORE);
        KoopmanOperator expected = blocks.snapshot();
        KoopmanOperator learned = single.snapshot();
        assertThat(learned.norm()).isPositive();
        assertThat(learned.distance(expected)).isLessThan(1e-6 * expected.norm());
        assertThat(single.norm()).isEqualTo(learned.norm());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goingOnFromAStateInBetweenIsGoingOn(boolean averaged) {
        SogdConfig config = settings()
                .averaging(averaged ? Averaging.tail(1) : Averaging.none())
                .build();
        SogdState start = grown(config);
        SogdLearner<KoopmanOperator> straight = SogdLearner.resumeKoopman(start);
        feed(straight, SIZE, SIZE + MORE);
        for (int cut : new int[] {17, 31, 33}) {
            SogdLearner<KoopmanOperator> learner = SogdLearner.resumeKoopman(start);
            feed(learner, SIZE, SIZE + cut);
            // Asking must not matter.
            assertThat(learner.snapshot().norm()).isPositive();
            SogdState between = learner.state();
            assertThat(between.digest()).isEqualTo(learner.copy().state().digest());
            SogdLearner<KoopmanOperator> resumed = SogdLearner.resumeKoopman(between);
            assertThat(resumed.snapshot().matrix().toRows())
                    .isDeepEqualTo(learner.snapshot().matrix().toRows());
            feed(resumed, SIZE + cut, SIZE + MORE);
            assertThat(resumed.state().digest())
                    .as("cut after %d", cut)
                    .isEqualTo(straight.state().digest());
        }
        assertThat(straight.state().pendingInputs().size()).isPositive().isLessThan(32);
        assertThat(straight.state().settled().pendingInputs().size()).isZero();
        assertThat(straight.state().settled().matrix().toRows())
                .isDeepEqualTo(straight.state()
                        .settled()
                        .resumeKoopman()
                        .state()
                        .matrix()
                        .toRows());
    }

    @Test
    void anAdmissionInBetweenSettlesWhatWasDeferred() {
        SogdConfig config = SogdConfig.forState(4, Kernels.gaussian(0.8))
                .lambda(0.01)
                .stepSize(0.5)
                .budget(Budget.custom("gap", t -> t <= SIZE || t == SIZE + 20 ? 0 : 1e9))
                .build();
        SogdLearner<KoopmanOperator> learner = SogdLearner.resumeKoopman(grown(config));
        int size = learner.dictionarySize();
        feed(learner, SIZE, SIZE + 19);
        assertThat(learner.state().pendingInputs().size()).isEqualTo(19);
        StepOutcome outcome = learner.update(POINTS[SIZE + MORE], POINTS[SIZE + MORE - 1]);
        assertThat(outcome.keepsInput() || outcome.keepsOutput()).isTrue();
        assertThat(learner.state().pendingInputs().size()).isZero();
        assertThat(learner.dictionarySize()).isGreaterThanOrEqualTo(size);
        assertThat(learner.snapshot().norm()).isFinite().isPositive();
    }

    @Test
    void moreThanCanWaitIsRefused() {
        SogdState state = grown(settings().build());
        Points x = Points.of(4, java.util.Arrays.copyOf(POINTS, 32));
        assertThatThrownBy(() -> state.withPending(x, x))
                .isInstanceOf(InvalidStateException.class)
                .hasMessageContaining("at most 31");
        SogdState small = SogdLearner.koopman(settings().build()).state();
        Points one = Points.of(4, java.util.Arrays.copyOf(POINTS, 1));
        assertThatThrownBy(() -> small.withPending(one, one)).isInstanceOf(InvalidStateException.class);
    }
}
