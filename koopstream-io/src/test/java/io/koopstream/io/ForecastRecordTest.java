package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRecord.Member;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.KnownAhead;
import io.koopstream.forecast.Mode;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The running record of forecasts: each is judged before its target is learned. */
class ForecastRecordTest {

    private static LearningStream stream() {
        return LearningStream.of(StreamConfig.builder()
                .set(StreamOption.KERNEL, Kernels.gaussian(3))
                .set(StreamOption.EPSILON, 0.1)
                .set(StreamOption.DELAYS, 0)
                .build());
    }

    private static void learn(LearningStream stream, double[][] rows, int from, int to) {
        for (int t = from; t < to; t++) {
            stream.accept(Observation.of("", rows[t]));
        }
    }

    private static double[][] autoregression(int rows, double factor, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] path = new double[rows][1];
        for (int t = 1; t < rows; t++) {
            path[t][0] = factor * path[t - 1][0] + random.nextGaussian();
        }
        return path;
    }

    @Test
    void aStreamThatWasStoredGoesOnBitForBit() {
        double[][] rows = autoregression(700, 0.9, 5);
        LearningStream whole = stream();
        learn(whole, rows, 0, 300);
        LearningStream resumed = LearningStream.resume(StreamFile.decode(StreamFile.encode(whole.state())));
        learn(whole, rows, 300, 700);
        learn(resumed, rows, 300, 700);
        assertThat(whole.record().orElseThrow().judged(0)).isGreaterThan(20);
        assertThat(StreamFile.digest(resumed.state())).isEqualTo(StreamFile.digest(whole.state()));
    }

    @Test
    void aStreamWithInputsGoesOnBitForBit() {
        double[][] rows = autoregression(700, 0.5, 12);
        double[][] driven = new double[700][2];
        for (int t = 1; t < 700; t++) {
            driven[t] = new double[] {0.5 * driven[t - 1][0] + rows[t][0], rows[t][0]};
        }
        StreamConfig config =
                StreamConfig.parse(java.util.Map.of("kernel", "gaussian(3)", "epsilon", "0.1", "inputs", "2"));
        for (int cut : new int[] {5, 60, 300}) {
            LearningStream whole = LearningStream.of(config);
            learn(whole, driven, 0, cut);
            LearningStream resumed = LearningStream.resume(StreamFile.decode(StreamFile.encode(whole.state())));
            learn(whole, driven, cut, 700);
            learn(resumed, driven, cut, 700);
            assertThat(whole.record().orElseThrow().given().orElseThrow().judged(0))
                    .isGreaterThan(20);
            assertThat(StreamFile.digest(resumed.state())).isEqualTo(StreamFile.digest(whole.state()));
        }
    }

    @Test
    void aCopyGoesItsOwnWay() {
        double[][] rows = autoregression(400, 0.9, 6);
        LearningStream stream = stream();
        learn(stream, rows, 0, 300);
        ForecastRecord copy = stream.record().orElseThrow().copy();
        long judged = copy.judged(0);
        double[][] shares = copy.shares(5);
        learn(stream, rows, 300, 400);
        assertThat(copy.judged(0)).isEqualTo(judged);
        assertThat(copy.shares(5)).isDeepEqualTo(shares);
        assertThat(stream.record().orElseThrow().judged(0)).isGreaterThan(judged);
    }

    @Test
    void sharesGoToTheMemberThatErrsLeast() {
        LearningStream walk = stream();
        learn(walk, autoregression(2_000, 1, 7), 0, 2_000);
        LearningStream noise = stream();
        learn(noise, autoregression(2_000, 0, 8), 0, 2_000);
        for (int h : new int[] {1, 5, 24}) {
            double[] ofWalk = walk.record().orElseThrow().shares(h)[0];
            double[] ofNoise = noise.record().orElseThrow().shares(h)[0];
            assertThat(Arrays.stream(ofWalk).sum()).isCloseTo(1, within(1e-12));
            assertThat(Member.MEAN.of(ofWalk)).as("walk at %d", h).isLessThan(0.05);
            assertThat(Member.LAST_ROW.of(ofNoise)).as("noise at %d", h).isLessThan(0.05);
        }
    }

    @Test
    void whereTheKernelDecidesFuturesSplitAndBandsStayWithinTheRows() {
        SplittableRandom random = new SplittableRandom(31);
        double[][] rows = new double[12_000][1];
        rows[0][0] = -1;
        for (int t = 1; t < rows.length; t++) {
            double x = rows[t - 1][0];
            rows[t][0] = x + 0.1 * (x - x * x * x) + 0.17 * random.nextGaussian();
        }
        LearningStream stream = LearningStream.of(StreamConfig.builder()
                .set(StreamOption.KERNEL, Kernels.gaussian(0.5))
                .build());
        learn(stream, rows, 0, rows.length);
        ForecastRecord record = stream.record().orElseThrow();
        Forecaster forecaster = Forecaster.of(stream.learner().orElseThrow().state(), stream.layout(), record);
        double low = Arrays.stream(rows).mapToDouble(row -> row[0]).min().orElseThrow();
        double high = Arrays.stream(rows).mapToDouble(row -> row[0]).max().orElseThrow();
        Forecast well = forecaster.forecast(new double[] {-1}, ForecastRequest.of(60));
        assertThat(well.madeOf(60).getOrDefault(Member.OPERATOR, 0.0)).isGreaterThan(0.5);
        for (int s = 1; s <= 60; s++) {
            for (double p : new double[] {0.005, 0.1, 0.5, 0.9, 0.995}) {
                assertThat(well.quantile(s, 0, p)).isBetween(low, high);
            }
        }
        Forecast saddle = forecaster.forecast(new double[] {0}, ForecastRequest.of(40));
        assertThat(saddle.mean(40)[0]).isCloseTo(0, within(0.15));
        assertThat(saddle.quantile(40, 0, 0.25)).isBetween(-1.2, -0.7);
        assertThat(saddle.quantile(40, 0, 0.75)).isBetween(0.7, 1.2);
        double[] side = {0.4};
        Forecast path = forecaster.forecast(side, ForecastRequest.of(40).mode(Mode.PATH));
        assertThat(path.mean(40)[0]).as("the path chooses a well").isGreaterThan(0.8);
        assertThat(forecaster.forecast(side, ForecastRequest.of(40)).mean(40)[0])
                .as("the mean lies between both")
                .isBetween(0.1, 0.7);
    }

    @Test
    void bandsHoldWhatTheySayOnRowsThatNobodyLearned() {
        double[][] rows = autoregression(4_000, 0.9, 9);
        LearningStream stream = stream();
        learn(stream, rows, 0, 2_000);
        LeastSquaresState state =
                (LeastSquaresState) stream.learner().orElseThrow().state().settled();
        ForecastRecord record = stream.record().orElseThrow();
        Forecaster forecaster = Forecaster.of(state, stream.layout(), record);
        int[] horizons = {1, 10, 24};
        double[][] held = new double[2][horizons.length];
        int origins = 0;
        for (int t = 2_000; t < 3_950; t++) {
            record.advance("", rows[t], rows[t], KnownAhead.NOTHING, () -> state);
            Forecast forecast = forecaster.forecast(rows[t], ForecastRequest.of(24));
            origins++;
            for (int i = 0; i < horizons.length; i++) {
                double truth = rows[t + horizons[i]][0];
                for (int b = 0; b < 2; b++) {
                    double tail = b == 0 ? 0.1 : 0.025;
                    held[b][i] += truth >= forecast.quantile(horizons[i], 0, tail)
                                    && truth <= forecast.quantile(horizons[i], 0, 1 - tail)
                            ? 1
                            : 0;
                }
            }
        }
        for (int i = 0; i < horizons.length; i++) {
            assertThat(held[0][i] / origins).as("80 %% at %d", horizons[i]).isCloseTo(0.8, within(0.05));
            assertThat(held[1][i] / origins).as("95 %% at %d", horizons[i]).isCloseTo(0.95, within(0.04));
        }
    }

    @Test
    void theRecordSaysHowGoodForecastsHaveBeen() {
        LearningStream stream = stream();
        double[][] rows = autoregression(3_000, 0.9, 12);
        learn(stream, rows, 0, rows.length);
        ForecastRecord.Accuracy next = stream.record().orElseThrow().accuracy(0);
        assertThat(next.horizon()).isEqualTo(1);
        assertThat(next.targets()).isBetween(500L, 3_000L);
        // Of an AR(1) with this coefficient a share of 1 - 0.81 is new in every row; the last row errs by 2 (1 - 0.9).
        assertThat(next.error()).isCloseTo(Math.sqrt(0.19), within(0.05));
        assertThat(next.errors().get(ForecastRecord.Member.LAST_ROW)).isCloseTo(Math.sqrt(0.2), within(0.05));
        assertThat(next.errors().get(ForecastRecord.Member.MEAN)).isCloseTo(1, within(0.15));
        assertThat(next.errors()).doesNotContainKey(ForecastRecord.Member.SEASON);
        assertThat(next.held80()).isCloseTo(0.8, within(0.04));
        assertThat(next.held95()).isCloseTo(0.95, within(0.03));
        assertThat(new ForecastRecord(stream.layout(), List.of()).accuracy(0).held80())
                .isNaN();
    }

    @Test
    void whatWasNeverNegativeHasNoBandBelowZero() {
        SplittableRandom random = new SplittableRandom(10);
        double[][] rows = new double[600][1];
        for (double[] row : rows) {
            row[0] = Math.pow(random.nextDouble(), 4);
        }
        LearningStream stream = stream();
        learn(stream, rows, 0, rows.length);
        Forecaster forecaster = Forecaster.of(
                stream.learner().orElseThrow().state(),
                stream.layout(),
                stream.record().orElseThrow());
        Forecast forecast = forecaster.forecast(rows[599], ForecastRequest.of(10));
        assertThat(forecast.bandSource()).isEqualTo(Forecast.BandSource.RECORD);
        for (int s = 1; s <= 10; s++) {
            assertThat(forecast.quantile(s, 0, 0.025)).isGreaterThanOrEqualTo(0);
        }
    }
}
