package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows of working days follow each other: markets and offices have no weekends, and that is no gap. */
class WeekendsTest {

    private static final double DAY = 86_400;
    private static final LocalDate MONDAY = LocalDate.of(2024, 1, 1);

    private static List<Observation> rows(int count, boolean weekends) {
        SplittableRandom random = new SplittableRandom(5);
        List<Observation> rows = new ArrayList<>();
        double x = 0;
        for (LocalDate day = MONDAY; rows.size() < count; day = day.plusDays(1)) {
            if (weekends || day.getDayOfWeek().getValue() < DayOfWeek.SATURDAY.getValue()) {
                x = 0.9 * x + random.nextDouble() - 0.5;
                rows.add(Observation.at("", Double.NaN, seconds(day), x));
            }
        }
        return rows;
    }

    private static double seconds(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    }

    private static LearningStream learned(List<Observation> rows, Map<String, String> words) {
        LearningStream stream = LearningStream.of(StreamConfig.parse(words));
        rows.forEach(stream::accept);
        stream.endWarmUp();
        return stream;
    }

    @Test
    void mondayFollowsFridayWhereNoRowIsOfAWeekend() {
        LearningStream stream = learned(rows(500, false), Map.of("delays", "0"));
        assertThat(stream.maxGap()).isEqualTo(MaxGap.WEEKENDS);
        assertThat(stream.pairs()).isEqualTo(499);
        assertThat(stream.trajectories().gaps()).isZero();
        assertThat(stream.explained()).anyMatch(one -> one.name().equals("maxGap"));
    }

    @Test
    void aMissingWeekendIsAGapWhereRowsAreOfEveryDay() {
        List<Observation> rows = rows(500, true);
        rows.subList(5, 7).clear();
        LearningStream stream = learned(rows, Map.of("delays", "0"));
        assertThat(stream.maxGap()).isEqualTo(MaxGap.NONE);
        assertThat(stream.trajectories().gaps()).isEqualTo(1);
        assertThat(stream.pairs()).isEqualTo(496);
    }

    @Test
    void whatWasSaidIsNotChosen() {
        LearningStream stream = learned(rows(500, false), Map.of("delays", "0", "maxGap", "1d"));
        assertThat(stream.maxGap()).isEqualTo(new MaxGap(DAY, false));
        assertThat(stream.trajectories().gaps()).isEqualTo(99);
    }

    @Test
    void aResumedStreamGoesOnOverWeekends() {
        List<Observation> rows = rows(600, false);
        LearningStream whole = learned(rows.subList(0, 504), Map.of("delays", "0"));
        LearningStreamState stored = whole.state();
        LearningStream resumed = LearningStream.resume(stored);
        assertThat(resumed.maxGap()).isEqualTo(MaxGap.WEEKENDS);
        rows.subList(504, 600).forEach(resumed::accept);
        assertThat(resumed.trajectories().gaps()).isZero();
        assertThat(resumed.pairs()).isEqualTo(599);
    }

    @Test
    void aClockThatStartsAtZeroHasNoWeekends() {
        List<Observation> rows = new ArrayList<>();
        for (Observation row : rows(500, false)) {
            rows.add(Observation.at("", Double.NaN, row.time() - seconds(MONDAY), row.values()));
        }
        assertThat(MaxGap.of(rows, DAY)).isEqualTo(MaxGap.NONE);
    }

    @Test
    void theDaysOfAForecastAreWorkingDays() {
        double friday = seconds(LocalDate.of(2024, 1, 5));
        LocalDate expected = LocalDate.of(2024, 1, 5);
        for (int step = 0; step <= 40; step++) {
            assertThat(MaxGap.WEEKENDS.after(friday, DAY, step)).isEqualTo(seconds(expected));
            do {
                expected = expected.plusDays(1);
            } while (expected.getDayOfWeek().getValue() >= DayOfWeek.SATURDAY.getValue());
        }
        assertThat(MaxGap.NONE.after(friday, DAY, 3)).isEqualTo(friday + 3 * DAY);
        assertThat(MaxGap.WEEKENDS.after(friday, DAY / 24, 3)).isEqualTo(friday + DAY / 8);
        assertThat(MaxGap.WEEKENDS.after(Double.NaN, DAY, 3)).isNaN();
    }

    @Test
    void whatIsNoTimeIsRefused() {
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("maxGap", "often")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("maxGap")
                .hasMessageContaining("weekends");
        assertThat(MaxGap.parse(MaxGap.WEEKENDS.text())).isEqualTo(MaxGap.WEEKENDS);
        assertThat(MaxGap.parse("4d")).isEqualTo(new MaxGap(4 * DAY, false));
    }
}
