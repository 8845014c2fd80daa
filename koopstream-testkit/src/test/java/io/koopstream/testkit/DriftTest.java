package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.change.DriftEvent;
import io.koopstream.rows.Observation;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.NoisyRotation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of the dynamics is noticed, no change is not, and forgetting follows. */
class DriftTest {

    /** Pairs within which the switch must be noticed; the largest delay of 30 other seeds was 1321. */
    private static final int MAX_DELAY = 2000;

    private static final NoisyRotation BEFORE = new NoisyRotation();
    private static final NoisyRotation AFTER = new NoisyRotation(0.95, 0.8, 0.2);

    /** A rotation's stream, with this weight of the past after a change. */
    private static LearningStream stream(String discount) {
        return LearningStream.of(
                StreamConfig.parse(Map.of("kernel", "gaussian(0.8)", "epsilon", "0.15", "driftDiscount", discount)));
    }

    private static void feed(LearningStream stream, NoisyRotation system, int steps, long seed) {
        for (double[] state : system.trajectory(0, steps, seed)) {
            stream.accept(Observation.of("path " + seed, state));
        }
    }

    private static double angle(LearningStream stream) {
        return Math.abs(Spectrum.leading(stream.learner().orElseThrow().snapshot(), 2)
                .eigenvalue(1)
                .argument());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aSwitchIsNoticedInTimeAndTheSpectrumFollows(long seed) {
        LearningStream adapts = stream("0.01");
        feed(adapts, BEFORE, 6000, seed);
        assertThat(adapts.watch().events()).as("seed %d, before", seed).isEmpty();
        feed(adapts, AFTER, 4000, seed + 100);
        List<DriftEvent> events = adapts.watch().events();
        assertThat(events).as("seed %d, after", seed).hasSize(1);
        DriftEvent event = events.get(0);
        assertThat(event.sample()).as("seed %d", seed).isBetween(6001L, 6000L + MAX_DELAY);
        assertThat(event.since()).as("seed %d", seed).isBetween(5500L, event.sample());
        assertThat(event.errorAfter()).as("seed %d", seed).isGreaterThan(event.errorBefore());
        assertThat(angle(adapts)).as("seed %d", seed).isCloseTo(0.8, within(0.04));
    }

    @Test
    void withoutTheDiscountThePastKeepsItsShare() {
        LearningStream watches = stream("1");
        feed(watches, BEFORE, 6000, 1);
        feed(watches, AFTER, 4000, 101);
        assertThat(watches.watch().events()).isNotEmpty();
        assertThat(angle(watches)).isLessThan(0.72);
    }

    @Test
    void whereChangesAreNotLookedForTheErrorIsStillMeasured() {
        LearningStream unwatched = LearningStream.of(
                StreamConfig.parse(Map.of("kernel", "gaussian(0.8)", "epsilon", "0.15", "drift", "false")));
        LearningStream watched = stream("1");
        for (LearningStream stream : List.of(unwatched, watched)) {
            feed(stream, BEFORE, 6000, 1);
            feed(stream, AFTER, 4000, 101);
        }
        assertThat(watched.watch().changes()).isPositive();
        assertThat(unwatched.watch().changes()).isZero();
        assertThat(unwatched.watch().curve().error()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aStationaryStreamRaisesNoEvent(long seed) {
        LearningStream stream = stream("1");
        feed(stream, BEFORE, 20000, seed);
        assertThat(stream.watch().changes()).as("seed %d", seed).isZero();
        assertThat(stream.watch().curve().error()).isPositive();
    }

    @Test
    void aNewRegionIsNoChange() {
        LearningStream stream = stream("0.01");
        feed(stream, BEFORE, 6000, 1);
        double usual = stream.watch().curve().error();
        // The same rotation about another point, far from all that was seen.
        for (double[] state : BEFORE.trajectory(0, 4000, 2)) {
            stream.accept(Observation.of("elsewhere", state[0] + 30, state[1]));
        }
        assertThat(stream.watch().changes()).isZero();
        assertThat(stream.watch().curve().readings())
                .as("but there the error is large at first")
                .anyMatch(reading -> reading.pairs() > 6000 && reading.error() > 1.05 * usual);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> stream("0"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("driftDiscount = 0:");
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("method", "sogd", "driftDiscount", "0.1")))
                .hasMessageContaining("least-squares");
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("drift", "false", "driftDiscount", "0.1")))
                .hasMessageContaining("drift = true");
    }
}
