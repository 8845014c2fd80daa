package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.rows.Durations;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Outcome.Kind;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows as people have them: values missing, times that jump, logarithms, differences and the calendar. */
class RealRowsTest {

    private static final double NAN = Double.NaN;
    private static final double HOUR = 3600;

    private static StreamConfig settings(String... words) {
        Map<String, String> map = new HashMap<>(Map.of("kernel", "gaussian(1)"));
        for (int i = 0; i < words.length; i += 2) {
            map.put(words[i], words[i + 1]);
        }
        return StreamConfig.parse(map);
    }

    private static Trajectories trajectories(StreamConfig config) {
        return new Trajectories(
                config.preparation(), 1, null, 0, 1, config.interval(), config.maxGap(), config.openTrajectories());
    }

    /** The pairs that rows make, as text. */
    private static List<String> pairs(LearningStream stream, double[][] rows) {
        List<String> pairs = new ArrayList<>();
        for (double[] row : rows) {
            Outcome outcome = stream.accept(Observation.of("", row));
            if (outcome.isPair()) {
                pairs.add(text(outcome.from()) + ">" + text(outcome.to()));
            }
        }
        return pairs;
    }

    private static String text(double[] numbers) {
        StringBuilder text = new StringBuilder();
        for (double number : numbers) {
            text.append(text.length() == 0 ? "" : " ").append(Math.round(number * 1000) / 1000.0);
        }
        return text.toString();
    }

    @Test
    void aMissingValueIsAGapThatIsCounted() {
        LearningStream stream = LearningStream.of(settings(), 1);
        assertThat(pairs(stream, new double[][] {{1}, {2}, {NAN}, {4}, {5}})).containsExactly("1.0>2.0", "4.0>5.0");
        assertThat(stream.counts().missing()).isEqualTo(1);
        assertThat(stream.counts().refused()).isZero();
        assertThat(stream.accept(Observation.of("", NAN)).kind()).isEqualTo(Kind.MISSING);
        assertThat(stream.accept(Observation.of("", Double.POSITIVE_INFINITY)).kind())
                .isEqualTo(Kind.REFUSED);
        assertThat(stream.accept(Observation.of("", NAN, 1)).kind()).isEqualTo(Kind.REFUSED);
    }

    @Test
    void aMissingValueOfAnExplicitPairInterruptsNothing() {
        LearningStream stream = LearningStream.of(settings(), 1);
        stream.accept(Observation.of("", 1));
        assertThat(stream.accept(Observation.pair(new double[] {NAN}, new double[] {1}))
                        .kind())
                .isEqualTo(Kind.MISSING);
        assertThat(stream.accept(Observation.of("", 2)).isPair()).isTrue();
    }

    @Test
    void linearFillingPutsMissingValuesOnALineCoordinateByCoordinate() {
        LearningStream stream = LearningStream.of(settings("fill", "linear"), 2);
        pairs(stream, new double[][] {{0, 0}, {NAN, 1}});
        assertThat(stream.pairs()).isZero();
        List<String> all = new ArrayList<>();
        assertThat(stream.accept(Observation.of("", NAN, NAN)).kind()).isEqualTo(Kind.MISSING);
        all.addAll(pairs(stream, new double[][] {{3, 4}}));
        assertThat(all).containsExactly("2.0 2.5>3.0 4.0");
        assertThat(stream.pairs()).isEqualTo(3);
        assertThat(stream.counts().filled()).isEqualTo(2);
    }

    @Test
    void fillingWithThePreviousValueRepeatsIt() {
        LearningStream stream = LearningStream.of(settings("fill", "previous", "fillMax", "2"), 1);
        assertThat(pairs(stream, new double[][] {{1}, {NAN}, {NAN}, {7}})).containsExactly("1.0>7.0");
        assertThat(stream.pairs()).isEqualTo(3);
    }

    @Test
    void moreMissingValuesInARowThanAreFilledAreAGap() {
        LearningStream stream = LearningStream.of(settings("fill", "linear", "fillMax", "2"), 1);
        assertThat(pairs(stream, new double[][] {{1}, {NAN}, {NAN}, {NAN}, {7}, {8}}))
                .containsExactly("7.0>8.0");
        assertThat(stream.counts().filled()).isZero();
        assertThat(stream.counts().missing()).isEqualTo(3);
    }

    @Test
    void nothingIsFilledAcrossARecordThatCouldNotBeRead() {
        LearningStream stream = LearningStream.of(settings("fill", "linear"), 1);
        pairs(stream, new double[][] {{1}, {NAN}});
        stream.accept(Observation.unreadable(""));
        assertThat(pairs(stream, new double[][] {{3}})).isEmpty();
        assertThat(stream.counts().filled()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"linear,,", "previous,all,", "linear,,1", "none,all,all", "linear,all,all"})
    void aStoredStreamFillsAndPreparesOnAsIfItHadNeverStopped(String fill, String log, String difference) {
        Map<String, String> words = new HashMap<>(Map.of("kernel", "gaussian(1)", "fill", fill, "delays", "1"));
        if (log != null) {
            words.put("log", log);
        }
        if (difference != null) {
            words.put("difference", difference);
        }
        LearningStream whole = LearningStream.of(StreamConfig.parse(words), 1);
        LearningStream cut = LearningStream.of(StreamConfig.parse(words), 1);
        for (int t = 0; t < 200; t++) {
            double value = t % 7 == 3 || t % 11 == 4 ? NAN : 2 + Math.sin(t);
            Observation row = Observation.at("", NAN, t < 100 ? t : t + 20, value);
            Outcome expected = whole.accept(row);
            assertThat(cut.accept(row)).isEqualTo(expected);
            cut = LearningStream.resume(cut.state());
        }
        assertThat(cut.counts()).isEqualTo(whole.counts());
        assertThat(cut.learner().orElseThrow().state().digest())
                .isEqualTo(whole.learner().orElseThrow().state().digest());
        assertThat(whole.pairs()).isGreaterThan(50);
    }

    @Test
    void differencesOfLogarithmsAreLearnedAndUndone() {
        LearningStream stream = LearningStream.of(settings("log", "all", "difference", "2"), 2);
        double e = Math.E;
        assertThat(pairs(stream, new double[][] {{1, 1}, {e, e}, {1, e * e * e}}))
                .containsExactly("1.0 1.0>0.0 2.0");
        Preparation preparation = stream.settings().preparation();
        double[] level = preparation.level(new double[] {1, e});
        assertThat(preparation.value(0, 0.5)).isCloseTo(Math.exp(0.5), within(1e-12));
        assertThat(preparation.differences(2)).containsExactly(1);
        assertThat(preparation.value(1, level[1] + 2)).isCloseTo(e * e * e, within(1e-12));
        assertThat(preparation.names(List.of("a", "b"))).containsExactly("log(a)", "diff(log(b))");
    }

    @Test
    void aValueWithoutLogarithmIsRefusedWithItsCoordinate() {
        LearningStream stream = LearningStream.of(settings("log", "2"), 2);
        Outcome outcome = stream.accept(Observation.of("", -1, 0));
        assertThat(outcome.reason()).isEqualTo(Reason.OUTSIDE_DOMAIN);
        assertThat(outcome.index()).isEqualTo(1);
        assertThatThrownBy(() -> LearningStream.of(settings("log", "3"), 2)).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> settings("log", "0")).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> settings("calendar", "minute")).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> settings("fillMax", "3")).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> settings("fill", "cubic")).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void differencesOfExplicitPairsAreRefused() {
        LearningStream stream = LearningStream.of(settings("difference", "all"), 1);
        assertThat(stream.accept(Observation.pair(new double[] {1}, new double[] {2}))
                        .reason())
                .isEqualTo(Reason.PAIR_WITH_DELAYS);
    }

    @Test
    void theCalendarOfATimeIsPartOfTheStateAndComesRound() {
        LearningStream stream = LearningStream.of(settings("calendar", "hour,weekday"), 1);
        double monday = 4 * 24 * HOUR;
        stream.accept(Observation.at("", NAN, monday + 6 * HOUR, 5));
        double[] from =
                stream.accept(Observation.at("", NAN, monday + 7 * HOUR, 6)).from();
        assertThat(from).hasSize(5);
        assertThat(from[0]).isEqualTo(5);
        assertThat(from[1]).isCloseTo(0, within(1e-12));
        assertThat(from[2]).isCloseTo(1, within(1e-12));
        double[] later = new double[5];
        stream.settings().preparation().putCalendar(monday + (7 * 24 + 6) * HOUR, later, 1);
        later[0] = 5;
        assertThat(later).containsExactly(from, within(1e-9));
        assertThat(stream.accept(Observation.of("", 1)).reason()).isEqualTo(Reason.NO_TIME);
        assertThat(stream.settings().preparation().names(List.of("load")))
                .containsExactly("load", "hour_cos", "hour_sin", "weekday_cos", "weekday_sin");
    }

    @Test
    void theUsualIntervalIsTheMedianSoAGapAtTheStartDoesNotDecideIt() {
        Trajectories trajectories = trajectories(settings());
        double[] times = {0, 50, 51, 52, 53, 54, 60, 61};
        int pairs = 0;
        for (double time : times) {
            pairs += trajectories.next(Observation.at("", NAN, time, time)).isPair() ? 1 : 0;
        }
        assertThat(trajectories.interval()).isEqualTo(1);
        // 0 to 50 was taken for the interval until the third row; 50 to 51 had to be a gap or not.
        assertThat(trajectories.gaps()).isBetween(1L, 2L);
        assertThat(pairs).isGreaterThanOrEqualTo(5);
    }

    @Test
    void duringTheWarmUpTheIntervalIsKnownBeforeTheFirstPairIsMade() {
        LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of("warmUp", "300")), 1);
        double time = 0;
        for (int t = 0; t < 300; t++) {
            stream.accept(Observation.at("", NAN, time, Math.sin(0.1 * t)));
            time += t == 0 ? 100 : 1;
        }
        assertThat(stream.isWarmingUp()).isFalse();
        assertThat(stream.trajectories().gaps()).isEqualTo(1);
        assertThat(stream.trajectories().interval()).isEqualTo(1);
    }

    @Test
    void rowsThatAreNoFurtherApartThanTheLargestGapFollowEachOther() {
        double day = 24 * HOUR;
        Trajectories trajectories = trajectories(settings("dt", "1d", "maxGap", "3d"));
        int pairs = 0;
        for (int day0 = 0; day0 < 14; day0++) {
            if (day0 % 7 < 5) {
                pairs += trajectories
                                .next(Observation.at("", NAN, day0 * day, day0))
                                .isPair()
                        ? 1
                        : 0;
            }
        }
        assertThat(pairs).isEqualTo(9);
        assertThat(trajectories.gaps()).isZero();
        assertThat(trajectories.next(Observation.at("", NAN, 20 * day, 0)).kind())
                .isEqualTo(Kind.GAP);
    }

    @ParameterizedTest
    @CsvSource({"0.5,0.5", "15min,900", "1h,3600", "7d,604800", "10 s,10", "250ms,0.25", "1e-3,0.001"})
    void timesAreReadWithTheirUnits(String written, double seconds) {
        assertThat(Durations.parse(written)).isCloseTo(seconds, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"0.25,250 ms", "90,1.5 min", "3600,1 h", "604800,7 d", "86400,1 d", "126227808,4 y", "1e-6,1 us"})
    void timesAreWrittenWithAUnitThatSuitsThem(double seconds, String text) {
        assertThat(Durations.text(seconds)).isEqualTo(text);
    }

    /** Months have 28 to 31 days, and are one interval. */
    @ParameterizedTest
    @CsvSource({"1960-11-01,1,1 month", "1960-01-31,1,1 month", "1959-10-01,3,3 months", "1700-01-01,12,1 y"})
    void monthsQuartersAndYearsAreIntervalsOfTheCalendar(LocalDate first, int months, String interval) {
        boolean last = first.getDayOfMonth() == first.lengthOfMonth();
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            LocalDate day = first.plusMonths((long) i * months);
            times.add(86_400.0 * (last ? day.withDayOfMonth(day.lengthOfMonth()) : day).toEpochDay());
        }
        Trajectories trajectories = trajectories(StreamConfig.defaults());
        times.forEach(time -> trajectories.next(Observation.at("", NAN, time, 0)));
        assertThat(trajectories.gaps()).isZero();
        assertThat(Durations.text(trajectories.interval())).isEqualTo(interval);
        for (int i = 0; i < 40; i++) {
            assertThat(MaxGap.NONE.after(times.get(0), trajectories.interval(), i))
                    .isEqualTo(times.get(i));
        }
    }

    @Test
    void rowsThatAreFourWeeksApartAreNotOfMonths() {
        Trajectories trajectories = trajectories(StreamConfig.defaults());
        for (int i = 0; i < 40; i++) {
            trajectories.next(Observation.at("", NAN, 28 * 86_400.0 * i, 0));
        }
        assertThat(Durations.text(trajectories.interval())).isEqualTo("28 d");
    }

    @Test
    void timesOfMonthlyRowsAreToldInMonthsAndYears() {
        double month = Durations.parse("1month");
        assertThat(Durations.text(6.5 * month, month)).isEqualTo("6.5 months");
        assertThat(Durations.text(12 * month, month)).isEqualTo("1 y");
        assertThat(Durations.text(12 * month, 86_400)).isEqualTo("1 y");
        assertThat(Durations.text(45 * 86_400, 86_400)).isEqualTo("45 d");
    }

    @ParameterizedTest
    @CsvSource({"-1h", "h", "1 fortnight", "1..2", "''"})
    void timesThatAreNoneAreToldSo(String written) {
        assertThat(Durations.parse(written)).isNaN();
    }

    @Test
    void aStateWithMissingRowsThatItsSettingsDoNotFillIsRefused() {
        LearningStream stream = LearningStream.of(settings("fill", "linear"), 1);
        pairs(stream, new double[][] {{1}, {NAN}});
        LearningStreamState state = stream.state();
        assertThat(state.missing()).hasSize(1);
        assertThatThrownBy(() -> new LearningStreamState(
                        settings(),
                        state.dimension(),
                        state.delays(),
                        state.stride(),
                        state.counts(),
                        state.preparation(),
                        state.maxGap(),
                        state.trajectories(),
                        state.missing(),
                        state.waiting(),
                        state.nextChoice(),
                        state.explained(),
                        state.warnings(),
                        state.watch(),
                        state.learner(),
                        state.scorer(),
                        state.record()))
                .hasMessageContaining("filled");
    }
}
