package io.koopstream.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidConfigException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.MissingValues.Fill;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.score.Score;
import io.koopstream.stream.StreamOption.Method;
import io.koopstream.stream.StreamOption.OnDrift;
import io.koopstream.tuning.ChosenSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StreamConfigTest {

    @Test
    void nothingGivenMeansLeastSquaresWithChosenSettings() {
        StreamConfig config = StreamConfig.defaults();
        assertThat(config.given()).isEmpty();
        assertThat(config.choosesKernel() && config.choosesDelays() && config.choosesCalendar())
                .isTrue();
        assertThat(config.choose(3, 3, null).newLearner())
                .isInstanceOf(LeastSquaresLearner.class)
                .satisfies(learner -> assertThat(learner.input().dimension()).isEqualTo(3));
    }

    @Test
    void theBuilderGivesWhatItsTextGives() {
        StreamConfig leastSquares = StreamConfig.builder()
                .set(StreamOption.METHOD, Method.LEAST_SQUARES)
                .set(StreamOption.KERNEL, Kernels.gaussian(1))
                .set(StreamOption.LAMBDA, 0.001)
                .set(StreamOption.EPSILON, 0.01)
                .set(StreamOption.FORGETTING, 0.5)
                .set(StreamOption.MAX_DICTIONARY, 77)
                .set(StreamOption.BLOCK, 8)
                .set(StreamOption.HOLDOUT, 0.2)
                .set(StreamOption.DELAYS, 3)
                .set(StreamOption.STRIDE, 2)
                .set(StreamOption.DT, 0.5)
                .set(StreamOption.MAX_GAP, MaxGap.WEEKENDS)
                .set(StreamOption.FILL, Fill.LINEAR)
                .set(StreamOption.FILL_MAX, 5)
                .set(StreamOption.LOG, "2,1")
                .set(StreamOption.DIFFERENCE, Preparation.ALL)
                .set(StreamOption.CALENDAR, "hour,season")
                .set(StreamOption.INPUTS, "4,3")
                .set(StreamOption.WARM_UP, 100)
                .set(StreamOption.OPEN_TRAJECTORIES, 9)
                .set(StreamOption.DRIFT, true)
                .set(StreamOption.DRIFT_DISCOUNT, 0.25)
                .set(StreamOption.ON_DRIFT, OnDrift.DISCOUNT)
                .set(StreamOption.HORIZONS, new int[] {5, 7})
                .set(StreamOption.SCORES, true)
                .set(StreamOption.ALARM_RATE, 0.01)
                .set(StreamOption.ROBUST, true)
                .build();
        assertThat(leastSquares)
                .hasToString("{method=least-squares, kernel=gaussian(sigma=1), lambda=0.001, epsilon=0.01,"
                        + " forgetting=0.5, maxDictionary=77, block=8, holdout=0.2, delays=3, stride=2, dt=0.5,"
                        + " maxGap=weekends, fill=linear, fillMax=5, log=2,1, difference=all, calendar=hour,season, inputs=4,3,"
                        + " warmUp=100, openTrajectories=9, drift=true, driftDiscount=0.25, onDrift=discount, horizons=5,7,"
                        + " scores=true, alarmRate=0.01, robust=true}")
                .isEqualTo(StreamConfig.parse(leastSquares.given()))
                .isEqualTo(leastSquares.toBuilder().build())
                .isNotEqualTo(
                        leastSquares.toBuilder().set(StreamOption.DELAYS, 4).build());
        assertThat(leastSquares.delays()).hasValue(3);
        assertThat(leastSquares.driftDiscount()).isEqualTo(0.25);
        assertThat(leastSquares.maxGap()).isEqualTo(MaxGap.WEEKENDS);
        assertThat(leastSquares.preparation().words())
                .isEqualTo(Map.of("log", "1,2", "difference", "all", "calendar", "hour,season", "inputs", "3,4"));
        assertThat(StreamConfig.builder()
                        .set(StreamOption.CALENDAR, Preparation.NO_CALENDAR)
                        .build()
                        .choosesCalendar())
                .isFalse();

        StreamConfig sogd = StreamConfig.builder()
                .set(StreamOption.METHOD, Method.SOGD)
                .set(StreamOption.ETA, 0.25)
                .set(StreamOption.DECAY, new double[] {0.75, 200})
                .set(StreamOption.CRITERION, Criterion.PAPER)
                .set(StreamOption.AVERAGE, 3.0)
                .build();
        assertThat(sogd).hasToString("{method=sogd, eta=0.25, decay=0.75,200, criterion=paper, average=3}");
    }

    @Test
    void defaultsOfTheTableAreThoseOfTheCode() {
        assertThat(StreamOption.HOLDOUT.fallback()).isEqualTo(HoldOutConfig.DEFAULT_SHARE);
        assertThat(StreamOption.OPEN_TRAJECTORIES.fallback()).isEqualTo(Trajectories.DEFAULT_OPEN);
        assertThat(StreamOption.ALARM_RATE.fallback()).isEqualTo(Score.DEFAULT_ALARM_RATE);
    }

    @Test
    void valuesKeepTheirSpellingAndNamesMayHaveDashes() {
        StreamConfig config = StreamConfig.parse(Map.of("warm-up", " 0100 ", "epsilon", "0.10", "max-gap", "2h"));
        assertThat(config.given()).hasToString("{epsilon=0.10, maxGap=2h, warmUp=0100}");
        assertThat(config.warmUp()).isEqualTo(100);
        assertThat(config.maxGap().time()).isEqualTo(7200);
        assertThat(StreamConfig.parse(Map.of("epsilon", "0.1", "warmUp", "100", "maxGap", "2h")))
                .isNotEqualTo(config);
    }

    @Test
    void everyOptionOfTheMethodReachesTheLearner() {
        ChosenSettings squares = StreamConfig.parse(Map.of(
                        "kernel", "gaussian(sigma=0.5)",
                        "lambda", "1e-4",
                        "epsilon", "0.2",
                        "forgetting", "0.999",
                        "max-dictionary", "77",
                        "block", "8"))
                .choose(2, 2, null);
        assertThat(squares.config().settings())
                .containsEntry("method", "least-squares")
                .containsEntry("lambda", 1e-4)
                .containsEntry("epsilon", 0.2)
                .containsEntry("forgetting", 0.999)
                .containsEntry("maxDictionary", 77)
                .containsEntry("blockSize", 8);
        StreamConfig given = StreamConfig.parse(Map.of(
                "method", "sogd",
                "kernel", "gaussian(sigma=0.5)",
                "eta", "0.25",
                "decay", "0.75,200",
                "criterion", "paper",
                "average", "3",
                "stride", "2"));
        ChosenSettings sogd = given.choose(2, 2, null);
        assertThat(sogd.newLearner()).isInstanceOf(SogdLearner.class);
        assertThat(sogd.config().settings())
                .containsEntry("method", "sogd")
                .containsEntry("criterion", "paper")
                .hasEntrySatisfying(
                        "stepSize", text -> assertThat(text.toString()).contains("0.75"));
        assertThat(sogd.explained()).extracting(ChosenSettings.Explained::name).contains("eta", "average");
        assertThat(given.givenForMethod().keySet())
                .containsExactly("method", "kernel", "eta", "decay", "criterion", "average");
    }

    @Test
    void aKernelMayBeForOneDimensionOnly() {
        StreamConfig config = StreamConfig.parse(Map.of("kernel", "scaled(gaussian(1), 1, 2)"));
        assertThat(config.choose(2, 2, null).newLearner().input().dimension()).isEqualTo(2);
        assertThatThrownBy(() -> config.choose(3, 3, null)).isInstanceOf(InvalidConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "speed, 1, no such setting, UNKNOWN_NAME",
        "method, svm, 'least-squares or sogd', BAD_VALUE",
        "eta, 0.1, needs method = sogd, NOT_APPLICABLE",
        "lambda, much, must be a number, BAD_VALUE",
        "block, 2.5, must be a whole number, BAD_VALUE",
        "kernel, gauss(1), gaussian, BAD_VALUE",
        "dt, soon, must be a time, BAD_VALUE",
        "robust, true, needs scores = true, NOT_APPLICABLE",
        "log, 0, numbers of coordinates, BAD_VALUE",
        "drift, yes, true or false, BAD_VALUE"
    })
    void aWrongOptionIsNamed(String name, String value, String message, Reason reason) {
        assertThatThrownBy(() -> StreamConfig.parse(Map.of(name, value)))
                .isInstanceOfSatisfying(InvalidConfigException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.field()).isEqualTo(name);
                    assertThat(e.value()).isEqualTo(value);
                })
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "forgetting, 0.9, needs method = least-squares",
        "decay, fast, exponent and offset",
        "criterion, best, exact or paper",
        "onDrift, forget, method = least-squares",
        "driftDiscount, 0.5, method = least-squares"
    })
    void soIsOneOfSogd(String name, String value, String message) {
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("method", "sogd", name, value)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(message);
    }

    static List<StreamOption<?>> table() {
        return StreamOption.ALL;
    }

    /** Words that satisfy what an option needs, as its own text says. */
    private static Map<String, String> partners(StreamOption<?> option) {
        Map<String, String> words = new HashMap<>();
        Matcher matcher = Pattern.compile("(\\w+) = ([\\w-]+)").matcher(option.needs());
        while (matcher.find()) {
            words.putIfAbsent(matcher.group(1), matcher.group(2));
        }
        return words;
    }

    private static void parse(StreamOption<?> option, Object value) {
        Map<String, String> words = partners(option);
        words.put(option.name(), value.toString());
        StreamConfig.parse(words);
    }

    @ParameterizedTest
    @MethodSource("table")
    void theTextOfTheTableIsTrue(StreamOption<?> option) {
        assertThat(option.help()).isNotBlank().doesNotContain("\n", "--");
        assertThat(option.otherwise()).isNotBlank();
        if (option.fallback() != null) {
            parse(option, option.otherwise());
        }
        assertThat(option.choices())
                .allSatisfy(word -> assertThat(option.range()).contains(word));
        List<Object> legal = new ArrayList<>(option.choices());
        List<Object> illegal = new ArrayList<>(List.of("", "?"));
        Matcher number = Pattern.compile("(?:(>=?)|in \\(|from)? ?([0-9.e-]+)(?: to |, )?([0-9.e-]+)?(])?")
                .matcher(option.range().replace(", or none", ""));
        if (option.type() == Integer.class) {
            (option.range().endsWith(", or none") ? legal : illegal).add("none");
        }
        if (option.type() == Boolean.class) {
            legal.addAll(List.of(true, false));
        } else if (Number.class.isAssignableFrom(option.type())
                && !option.name().equals("dt")) {
            assertThat(number.matches()).as(option.range()).isTrue();
            boolean whole = option.type() == Integer.class;
            double step = whole ? 1 : 1e-3;
            double least = Double.parseDouble(number.group(2));
            boolean open = ">".equals(number.group(1)) || number.group(4) != null;
            legal.add(text(whole, open ? least + step : least));
            illegal.addAll(List.of(text(whole, open ? least : least - (whole ? 1 : 1e-10)), "NaN"));
            if (number.group(3) != null) {
                double most = Double.parseDouble(number.group(3));
                legal.add(text(whole, most));
                illegal.add(text(whole, most + step));
            }
        }
        legal.forEach(value -> assertThatCode(() -> parse(option, value))
                .as(option + " = " + value)
                .doesNotThrowAnyException());
        illegal.stream()
                .filter(value -> !(value.equals("") && Preparation.NONE.equals(preparation(option))))
                .forEach(value -> assertThatThrownBy(() -> parse(option, value))
                        .as(option + " = " + value)
                        .isInstanceOf(InvalidConfigException.class));
    }

    /** An empty list of coordinates or cycles is legal. */
    private static Preparation preparation(StreamOption<?> option) {
        return List.of("log", "difference", "calendar", "inputs").contains(option.name()) ? Preparation.NONE : null;
    }

    private static String text(boolean whole, double value) {
        return whole ? Long.toString((long) value) : Double.toString(value);
    }
}
