package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of year becomes part of the state where dated observations follow it, and nowhere else. */
class CalendarChoiceTest {

    private static final double DAY = 86_400;
    private static final double YEAR = 365.2425 * DAY;
    private static final double START = 1e9;

    /** Weekly values that grow and have a season, with noise that fades slowly. */
    private static List<Observation> seasonal(int rows, double start) {
        SplittableRandom random = new SplittableRandom(5);
        List<Observation> all = new ArrayList<>();
        double noise = 0;
        for (int t = 0; t < rows; t++) {
            double time = start + 7 * DAY * t;
            noise = 0.8 * noise + 0.2 * random.nextGaussian();
            all.add(Observation.at("", Double.NaN, time, expected(time, start) + noise));
        }
        return all;
    }

    private static double expected(double time, double start) {
        return 300 + (time - start) / YEAR + 3 * Math.cos(2 * Math.PI * time / YEAR);
    }

    private static LearningStream learned(List<Observation> rows, String... words) {
        Map<String, String> given = words.length == 0 ? Map.of() : Map.of(words[0], words[1]);
        LearningStream stream = LearningStream.of(StreamConfig.parse(given));
        rows.forEach(stream::accept);
        stream.endWarmUp();
        return stream;
    }

    private static String calendar(LearningStream stream) {
        return stream.preparation().words().getOrDefault("calendar", "");
    }

    @Test
    void aYearlyCycleIsSeenAndForecastAYearAhead() {
        LearningStream stream = learned(seasonal(600, START));
        assertThat(calendar(stream)).isEqualTo("season");
        assertThat(stream.explained())
                .filteredOn(one -> one.name().equals("calendar"))
                .singleElement()
                .satisfies(one -> assertThat(one.value()).isEqualTo("season"));
        DelayLayout layout = DelayLayout.of(stream.preparation(), 1, stream.delays(), stream.stride());
        ObservedForecaster forecaster = new ObservedForecaster(
                Forecaster.of(
                        stream.learner().orElseThrow().state(),
                        layout,
                        stream.record().orElseThrow()),
                stream.preparation(),
                7 * DAY);
        Forecast forecast = forecaster.forecast(
                Start.after(stream.trajectories().newest().orElseThrow(), layout, 1)
                        .orElseThrow(),
                ForecastRequest.of(52),
                List.of());
        double squares = 0;
        int inside = 0;
        for (int s = 1; s <= 52; s++) {
            double truth = expected(forecast.time(s), START);
            squares += Math.pow(forecast.mean(s)[0] - truth, 2) / 52;
            inside += truth > forecast.quantile(s, 0, 0.025) && truth < forecast.quantile(s, 0, 0.975) ? 1 : 0;
        }
        // The season alone moves by 3 to both sides, the noise by 0.33.
        assertThat(Math.sqrt(squares)).isLessThan(0.5);
        assertThat(inside).isGreaterThanOrEqualTo(45);
    }

    @Test
    void theChoiceSurvivesStoringBitForBit() {
        List<Observation> rows = seasonal(900, START);
        LearningStream whole = learned(rows.subList(0, 600));
        LearningStreamState stored = whole.state();
        assertThat(stored.preparation()).isEqualTo(whole.preparation());
        assertThat(stored.settings().given()).as("what was said").isEmpty();
        LearningStream resumed = LearningStream.resume(stored);
        rows.subList(600, 900).forEach(row -> {
            whole.accept(row);
            resumed.accept(row);
        });
        assertThat(calendar(resumed)).isEqualTo("season");
        assertThat(resumed.pairs()).isEqualTo(whole.pairs()).isGreaterThan(800);
        assertThat(resumed.watch().curve().error())
                .isEqualTo(whole.watch().curve().error());
        assertThat(resumed.learner().orElseThrow().state().settled().dictionarySize())
                .isEqualTo(whole.learner().orElseThrow().state().settled().dictionarySize());
    }

    @Test
    void noneIsKeptOutAndSoAreShortOrUndatedObservations() {
        assertThat(calendar(learned(seasonal(600, START), "calendar", "none"))).isEmpty();
        assertThat(calendar(learned(seasonal(90, START))))
                .as("less than two years")
                .isEmpty();
        assertThat(calendar(learned(seasonal(150, 0))))
                .as("a clock that starts at zero")
                .isEmpty();
        assertThat(calendar(learned(seasonal(600, START), "kernel", "gaussian(3)")))
                .as("nothing is chosen")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aRandomWalkHasNoSeason(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] x = {0, 0};
        List<Observation> rows = new ArrayList<>();
        for (int t = 0; t < 1_000; t++) {
            x[0] += random.nextGaussian();
            x[1] += 0.1 * random.nextGaussian() - 0.05 * x[1];
            rows.add(Observation.at("", Double.NaN, START + DAY * t, x.clone()));
        }
        assertThat(calendar(learned(rows))).isEmpty();
    }
}
