package io.koopstream.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.kernel.Kernels;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Systems that are driven from outside, of which the truth is known. */
class InputsTest {

    private static final int ROWS = 1500;
    private static final double NOISE = 0.1;

    /** y' = 0.7 y + 0.8 u' + noise, with an input that nothing but itself tells. */
    private static double[][] driven(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[ROWS + 100][2];
        for (int t = 1; t < rows.length; t++) {
            rows[t][1] = random.nextGaussian();
            rows[t][0] = 0.7 * rows[t - 1][0] + 0.8 * rows[t][1] + NOISE * random.nextGaussian();
        }
        return rows;
    }

    private static StreamConfig config(String... words) {
        StreamConfig.Builder config = StreamConfig.builder()
                .set(StreamOption.KERNEL, Kernels.gaussian(4))
                .set(StreamOption.EPSILON, 0.1)
                .set(StreamOption.INPUTS, "2");
        return words.length == 0
                ? config.build()
                : config.set(StreamOption.DIFFERENCE, words[0]).build();
    }

    private static LearningStream learned(StreamConfig config, double[][] rows, int count) {
        LearningStream stream = LearningStream.of(config);
        for (int t = 0; t < count; t++) {
            stream.accept(Observation.of("a", rows[t]));
        }
        return stream;
    }

    private static ObservedForecaster forecaster(LearningStream stream) {
        return new ObservedForecaster(
                Forecaster.of(
                        stream.learner().orElseThrow().state(),
                        stream.layout(),
                        stream.record().orElseThrow()),
                stream.preparation(),
                Double.NaN);
    }

    private static Forecast forecast(LearningStream stream, ForecastRequest request) {
        Start start = stream.trajectories()
                .newest()
                .flatMap(open -> Start.after(open, stream.layout(), 2))
                .orElseThrow();
        return forecaster(stream).forecast(start, request, List.of(row -> row[0] + row[1]));
    }

    private static double[][] future(double[][] rows, int from, int steps) {
        double[][] future = new double[steps][];
        Arrays.setAll(future, s -> new double[] {rows[from + s][1]});
        return future;
    }

    @Test
    void knownInputsBringTheErrorDownToTheNoise() {
        for (String difference : new String[] {null, "all"}) {
            double[][] rows = driven(41);
            LearningStream stream = learned(difference == null ? config() : config(difference), rows, ROWS);
            ForecastRecord record = stream.record().orElseThrow();
            ForecastRecord given = record.given().orElseThrow();
            assertThat(given.accuracy(0).targets()).isGreaterThan(100);
            assertThat(given.accuracy(0).columns()).hasSize(1);
            assertThat(given.accuracy(0).columns().get(0)).isBetween(0.9 * NOISE, 1.15 * NOISE);
            assertThat(given.accuracy(0).held80()).isBetween(0.72, 0.88);
            assertThat(record.accuracy(0).columns().get(0)).isBetween(0.7, 0.95);

            double near = 0;
            double held = 0;
            double unknown = 0;
            int starts = 60;
            LearningStream later = learned(difference == null ? config() : config(difference), rows, ROWS);
            for (int t = ROWS; t < ROWS + starts; t++) {
                Forecast one = forecast(later, ForecastRequest.of(3).given(future(rows, t, 3)));
                double off = one.mean(1)[0] - rows[t][0];
                near += off * off / starts;
                held += rows[t + 2][0] >= one.quantile(3, 0, 0.1) && rows[t + 2][0] <= one.quantile(3, 0, 0.9)
                        ? 1.0 / starts
                        : 0;
                double blind = forecast(later, ForecastRequest.of(3)).mean(1)[0] - rows[t][0];
                unknown += blind * blind / starts;
                later.accept(Observation.of("a", rows[t]));
            }
            assertThat(Math.sqrt(near)).isLessThan(1.3 * NOISE);
            assertThat(Math.sqrt(unknown)).isGreaterThan(5 * NOISE);
            assertThat(held).as("share held by 80 % bands").isBetween(0.6, 0.95);
        }
    }

    @Test
    void forecastsLeaveInputsOutAndFormulasSeeThem() {
        double[][] rows = driven(42);
        LearningStream stream = learned(config(), rows, ROWS);
        Forecast one = forecast(stream, ForecastRequest.of(4).given(future(rows, ROWS, 4)));
        assertThat(one.dimension()).isEqualTo(2);
        assertThat(one.start()).containsExactly(rows[ROWS - 1][0], rows[ROWS - 1][0] + rows[ROWS - 1][1]);
        for (int s = 1; s <= 4; s++) {
            assertThat(one.mean(s)[1] - one.mean(s)[0])
                    .isCloseTo(rows[ROWS + s - 1][1], org.assertj.core.api.Assertions.within(0.1));
        }
        double width = one.quantile(1, 0, 0.9) - one.quantile(1, 0, 0.1);
        Forecast blind = forecast(stream, ForecastRequest.of(4));
        assertThat(blind.quantile(1, 0, 0.9) - blind.quantile(1, 0, 0.1)).isGreaterThan(4 * width);
    }

    @Test
    void aCopyAndAResumedStreamGoOnBitForBit() {
        double[][] rows = driven(43);
        LearningStream whole = learned(config(), rows, 700);
        LearningStream resumed = LearningStream.resume(whole.state());
        for (int t = 700; t < 1200; t++) {
            whole.accept(Observation.of("a", rows[t]));
            resumed.accept(Observation.of("a", rows[t]));
        }
        ForecastRecord one = whole.record().flatMap(ForecastRecord::given).orElseThrow();
        ForecastRecord other = resumed.record().flatMap(ForecastRecord::given).orElseThrow();
        for (int g = 0; g < one.horizons().length; g++) {
            assertThat(other.accuracy(g)).isEqualTo(one.accuracy(g));
        }
        double[][] future = future(rows, 1200, 20);
        assertThat(forecast(resumed, ForecastRequest.of(20).given(future)).quantiles(0.1))
                .isDeepEqualTo(
                        forecast(whole, ForecastRequest.of(20).given(future)).quantiles(0.1));
    }

    @Test
    void inputsThatDoNotFitAreRefused() {
        double[][] rows = driven(44);
        LearningStream stream = learned(config(), rows, 300);
        ForecastRequest three = ForecastRequest.of(3);
        assertThatThrownBy(() -> forecast(stream, three.given(new double[][] {{1}, {2}})))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("of 2 rows")
                .hasMessageContaining("3 steps");
        assertThatThrownBy(() -> forecast(stream, three.given(new double[][] {{1}, {2, 3}, {4}})))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("row 2");
        assertThatThrownBy(() -> forecast(stream, three.given(new double[][] {{1}, {2}, {Double.NaN}})))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("row 3")
                .hasMessageContaining("NaN");
        LearningStream plain = learned(StreamConfig.parse(Map.of("kernel", "gaussian(4)")), rows, 300);
        assertThatThrownBy(() -> forecast(plain, three.given(new double[][] {{1}, {2}, {3}})))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("no inputs");
    }

    @Test
    void inputsAreTheLastColumnsAndStayAsTheyAre() {
        double[][] rows = driven(45);
        for (String inputs : new String[] {"1", "1,2", "3"}) {
            StreamConfig config = StreamConfig.parse(Map.of("kernel", "gaussian(4)", "inputs", inputs));
            assertThatThrownBy(() -> learned(config, rows, 2))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("last of the 2 coordinates");
        }
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("inputs", "all")))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> StreamConfig.parse(Map.of("inputs", "2", "method", "sogd")))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> learned(config("2"), rows, 2))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("as they are");
        Preparation all = Preparation.of(Map.of("difference", "all", "inputs", "2"));
        assertThat(all.differences(2)).containsExactly(0);
        assertThat(Preparation.of(Map.of("inputs", "2")).isNone()).isTrue();
    }

    /** Other trajectories and gaps between their rows break no forecast that waits for its inputs. */
    @Test
    void trajectoriesWaitForTheirOwnInputs() {
        double[][] rows = driven(46);
        LearningStream one = LearningStream.of(config());
        LearningStream two = LearningStream.of(config());
        for (int t = 0; t < 400; t++) {
            one.accept(Observation.of("a", rows[t]));
            two.accept(Observation.of(t % 100 == 99 ? "b" : "a", rows[t]));
        }
        ForecastRecord alone = one.record().flatMap(ForecastRecord::given).orElseThrow();
        ForecastRecord mixed = two.record().flatMap(ForecastRecord::given).orElseThrow();
        assertThat(alone.judged(0)).isPositive();
        assertThat(mixed.judged(0)).isPositive();
        assertThat(mixed.accuracy(0).columns().get(0)).isLessThan(0.4);
    }
}
