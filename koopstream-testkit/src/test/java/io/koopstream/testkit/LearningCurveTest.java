package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.change.LearningCurve;
import io.koopstream.internal.parts.StateParts;
import org.junit.jupiter.api.Test;

class LearningCurveTest {

    @Test
    void memoryIsBounded() {
        LearningCurve curve = new LearningCurve();
        for (long t = 1; t < 3_000_000; t++) {
            curve.add(t, 5, 0.5);
        }
        assertThat(curve.readings()).hasSizeBetween(200, 512);
        assertThat(curve.readings()).isSortedAccordingTo((a, b) -> Long.compare(a.pairs(), b.pairs()));
        assertThat(curve.error()).isEqualTo(0.5);
    }

    @Test
    void theMeanForgetsTheFirstErrors() {
        LearningCurve curve = new LearningCurve();
        assertThat(curve.error()).isNaN();
        for (int t = 1; t <= 20; t++) {
            curve.add(t, t, 1.0);
        }
        assertThat(curve.error()).isEqualTo(1.0);
        for (int t = 21; t <= 4000; t++) {
            curve.add(t, 20, 0.25);
        }
        assertThat(curve.error()).isCloseTo(0.25, within(1e-6));
    }

    @Test
    void aStoredCurveGoesOnAsIfNothingHadHappened() {
        LearningCurve whole = new LearningCurve();
        LearningCurve first = new LearningCurve();
        for (int t = 1; t <= 1500; t++) {
            whole.add(t, t / 10, 1.0 / t);
            first.add(t, t / 10, 1.0 / t);
        }
        LearningCurve second = new LearningCurve();
        second.parts(StateParts.from(saved(first)));
        for (int t = 1501; t <= 90_000; t++) {
            whole.add(t, t / 10, Math.sin(t));
            second.add(t, t / 10, Math.sin(t));
        }
        assertThat(saved(second)).isEqualTo(saved(whole)).isNotEqualTo(saved(first));
    }

    private static RecordedState saved(LearningCurve curve) {
        return RecordedState.of(sink -> curve.parts(StateParts.to(sink)));
    }
}
