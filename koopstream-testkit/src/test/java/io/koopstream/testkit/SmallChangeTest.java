package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.change.DriftEvent;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.NoisyRotation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of the dynamics too small for the one-step error is noticed by the charts of {@code onDrift}. */
class SmallChangeTest {

    private static final int BEFORE = 6000;

    /** A rotation by 0.5 that becomes one by 0.6. */
    private static List<DriftEvent> events(long seed, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("kernel", "gaussian(0.8)", "epsilon", "0.15"));
        settings.putAll(more);
        LearningStream stream = LearningStream.of(StreamConfig.parse(settings));
        for (double[] state : new NoisyRotation().trajectory(0, BEFORE, seed)) {
            stream.accept(Observation.of("before", state));
        }
        for (double[] state : new NoisyRotation(0.95, 0.6, 0.2).trajectory(1, 3000, seed + 50)) {
            stream.accept(Observation.of("after", state));
        }
        assertThat(stream.pairs()).isEqualTo(BEFORE + 3000);
        return stream.watch().events();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aRotationBySlightlyMoreIsNoticed(long seed) {
        List<DriftEvent> events = events(seed, Map.of("onDrift", "ignore"));
        assertThat(events).isNotEmpty();
        assertThat(events.get(0).sample()).isBetween((long) BEFORE, BEFORE + 2000L);
    }

    @Test
    void thePredictionErrorAloneDoesNotShowIt() {
        assertThat(events(1, Map.of())).isEmpty();
    }
}
