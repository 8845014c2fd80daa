package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.change.DriftEvent;
import io.koopstream.change.DriftEvent.Kind;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lasting changes are noticed with their kinds, and told in words. lab/records/accuracy.md has the rates over many seeds. */
class ChangeKindsTest {

    private static final int CHANGE = 6_000;

    /** A noisy rotation that changes in one way after {@link #CHANGE} rows; a row a minute. */
    private static LearningStream run(Kind kind, String action, int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LearningStream stream = LearningStream.of(
                StreamConfig.parse(Map.of("kernel", "gaussian(0.8)", "epsilon", "0.1", "onDrift", action)));
        double x = 0;
        double y = 0;
        for (int t = 0; t < rows; t++) {
            boolean changed = t >= CHANGE;
            double angle = changed && kind == Kind.CHANGED_SPECTRUM ? 0.8 : 0.5;
            double noise = changed && kind == Kind.VARIANCE_CHANGE ? 0.4 : 0.2;
            double first = 0.95 * (StrictMath.cos(angle) * x - StrictMath.sin(angle) * y);
            y = 0.95 * (StrictMath.sin(angle) * x + StrictMath.cos(angle) * y) + noise * random.nextGaussian();
            x = first + noise * random.nextGaussian();
            double level =
                    !changed ? 0 : kind == Kind.LEVEL_SHIFT ? 1 : kind == Kind.SLOW_DRIFT ? (t - CHANGE) / 4000.0 : 0;
            stream.accept(Observation.at("", Double.NaN, 60.0 * t, x + level, y));
        }
        return stream;
    }

    @ParameterizedTest
    @EnumSource
    void everyKindIsNoticedAndTold(Kind kind) {
        List<DriftEvent> events =
                run(kind, "ignore", CHANGE + 3_000, 4711).watch().events();
        assertThat(events).as("changes").isNotEmpty();
        DriftEvent.Change change = events.get(0).change();
        assertThat(change.kind()).isEqualTo(kind);
        assertThat(change.row()).isBetween((long) CHANGE, CHANGE + (kind == Kind.SLOW_DRIFT ? 2500L : 500L));
        assertThat(change.onsetRow()).isCloseTo(CHANGE, within(kind == Kind.SLOW_DRIFT ? 700L : 100L));
        assertThat(change.onsetTime()).isEqualTo(60.0 * (change.onsetRow() - 1));
        String sentence = change.sentence(List.of("pressure"), time -> "minute " + Math.round(time / 60));
        assertThat(sentence)
                .contains(change.coordinate() == 0 ? "pressure" : "coordinate 2")
                .contains("since about row ")
                .contains("(minute " + (change.onsetRow() - 1) + ")");
    }

    @Test
    void nothingIsNoticedWhereNothingChanges() {
        assertThat(run(null, "ignore", 40_000, 4712).watch().events()).isEmpty();
    }

    /** After a change of the dynamics a stream that forgets predicts as the new ones do; one that ignores it is torn between them. */
    @Test
    void forgettingFollowsTheNewDynamics() {
        double[] error = new double[2];
        for (int i = 0; i < 2; i++) {
            LearningStream stream = run(Kind.CHANGED_SPECTRUM, i == 0 ? "forget" : "ignore", CHANGE + 3_000, 4713);
            double[] next = stream.learner().orElseThrow().snapshot().predict(new double[] {0.5, 0});
            error[i] = Math.hypot(next[0] - 0.475 * StrictMath.cos(0.8), next[1] - 0.475 * StrictMath.sin(0.8));
        }
        assertThat(error[0]).isLessThan(0.03);
        assertThat(error[1]).isGreaterThan(2 * error[0]);
    }

    @Test
    void wordsThatCannotBeMeantAreRefused() {
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("onDrift", "panic")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("onDrift = panic")
                .hasMessageContaining("forget");
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("onDrift", "forget", "method", "sogd")))
                .hasMessageContaining("least-squares");
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("onDrift", "ignore", "drift", "false")))
                .hasMessageContaining("drift = true");
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("onDrift", "forget", "driftDiscount", "0.1")))
                .hasMessageContaining("onDrift = discount");
        assertThat(StreamConfig.parse(Map.of("onDrift", "discount")).driftDiscount())
                .isEqualTo(StreamConfig.DEFAULT_DISCOUNT);
        assertThat(StreamConfig.parse(Map.of("method", "sogd", "onDrift", "ignore"))
                        .driftDiscount())
                .isEqualTo(1);
    }
}
