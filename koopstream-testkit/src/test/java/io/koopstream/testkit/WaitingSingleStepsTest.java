package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** States of earlier versions, in which single steps of Algorithm 1 could wait at large sizes, go on where they were. */
class WaitingSingleStepsTest {

    private static final int SIZE = 1_010;
    private static final double[][] PATH = Streams.normalPoints(21, SIZE + 40, 4, 3.0);

    private static SogdLearner<KoopmanOperator> learned(int samples) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(SogdConfig.forState(4, Kernels.gaussian(0.8))
                .budget(Budget.custom("first", (t, eta) -> t <= SIZE ? 0 : 1e9))
                .build());
        for (int i = 0; i < samples; i++) {
            learner.update(PATH[i], PATH[i + 1]);
        }
        return learner;
    }

    /** What an earlier version stored after so many samples, when the last ones waited. */
    private static SogdState waiting(int learned, int waiting) {
        SogdState state = learned(learned).state();
        return SogdState.read(
                state.config(),
                RecordedState.of(state::save)
                        .with("samples", (long) learned + waiting)
                        .with("pending_x", Points.of(4, Arrays.copyOfRange(PATH, learned, learned + waiting)))
                        .with(
                                "pending_x_next",
                                Points.of(4, Arrays.copyOfRange(PATH, learned + 1, learned + waiting + 1))));
    }

    @Test
    void theyAreTakenWhenTheStateIsResumed() {
        SogdState stored = waiting(SIZE, 31);
        String expected = learned(SIZE + 31).state().digest();
        assertThat(stored.settled().digest()).isEqualTo(expected);
        assertThat(stored.resumeKoopman().state().digest()).isEqualTo(expected);
        assertThat(stored.dictionarySize()).isGreaterThanOrEqualTo(1_000);
        assertThat(stored.operator().samples()).isEqualTo(SIZE + 31);
    }

    @Test
    void moreThanCouldWaitIsRefused() {
        assertThatThrownBy(() -> waiting(SIZE, 32))
                .isInstanceOf(InvalidStateException.class)
                .hasMessageContaining("at most 31");
    }
}
