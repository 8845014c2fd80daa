package io.koopstream.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidSampleException;
import org.junit.jupiter.api.Test;

class DriftDetectorTest {

    private static double error(double level, int t) {
        return level + 0.1 * Math.sin(t * t);
    }

    @Test
    void answersToRisesOnlyAndToLastingOnes() {
        DriftDetector detector = new DriftDetector();
        for (int t = 0; t < 600; t++) {
            assertThat(detector.add(error(1, t))).as("error %d", t).isEmpty();
        }
        assertThat(detector.add(1000)).as("one odd error").isEmpty();
        for (int t = 0; t < 600; t++) {
            assertThat(detector.add(error(0.5, t))).as("fall %d", t).isEmpty();
        }
        DriftDetector again = new DriftDetector();
        long noticed = 0;
        for (int t = 0; t < 700 && noticed == 0; t++) {
            noticed =
                    again.add(error(t < 604 ? 1 : 2, t)).map(DriftEvent::sample).orElse(0L);
        }
        // Blocks end with errors 604, 614, and so on. Each raised one counts for 4 - 0.75 at most: the third passes 8.
        assertThat(noticed).isEqualTo(634);
    }

    @Test
    void refusesWhatIsNoError() {
        for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new DriftDetector().add(wrong))
                    .isInstanceOf(InvalidSampleException.class)
                    .hasMessageContaining("error = " + wrong);
        }
    }
}
