package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.forecast.Backtest;
import io.koopstream.forecast.BacktestReport;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecast;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Forecasts of series of some hundred rows, with automatic settings. */
class ShortSeriesTest {

    private static final int[] HORIZONS = {1, 12, 24};

    /** Months with a trend, a season and noise. */
    private static double[][] months(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[n][1];
        for (int t = 0; t < n; t++) {
            rows[t][0] = 100 + 0.5 * t + 20 * Math.sin(2 * Math.PI * t / 12) + 3 * random.nextGaussian();
        }
        return rows;
    }

    private static double[][] walk(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[n][1];
        for (int t = 1; t < n; t++) {
            rows[t][0] = rows[t - 1][0] + random.nextGaussian();
        }
        return rows;
    }

    /** A stream as every door learns it. */
    private static final class Learned implements Backtest.Model {
        private final LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of()), 1);
        private ObservedForecaster forecaster;

        @Override
        public void learn(double[] observation) {
            stream.accept(Observation.of("", observation));
        }

        @Override
        public void makeReady() {
            stream.endWarmUp();
            forecaster = new ObservedForecaster(
                    Forecaster.of(
                            stream.learner().orElseThrow().state(),
                            layout(),
                            stream.record().orElseThrow()),
                    Preparation.NONE,
                    Double.NaN);
        }

        private DelayLayout layout() {
            return new DelayLayout(1, stream.delays(), stream.stride());
        }

        private Start start() {
            return Start.after(stream.trajectories().newest().orElseThrow(), layout(), 1)
                    .orElseThrow();
        }

        @Override
        public ObservedForecast forecast(int steps) {
            return forecaster.forecast(
                    start(), ForecastRequest.of(steps).paths(0, 1).fromAnywhere(), List.of());
        }
    }

    private static BacktestReport backtest(double[][] rows, int trained) {
        return Backtest.run(rows, trained, 40, HORIZONS, new Learned());
    }

    /** Whether the errors of forecasts over those of rivals are below a limit on average over seeds. */
    private static void assertBelow(double limit, int seeds, LongFunction<double[]> ratios) {
        double[] product = {1, 1, 1};
        for (long seed = 1; seed <= seeds; seed++) {
            double[] ratio = ratios.apply(seed);
            Arrays.setAll(product, h -> product[h] * ratio[h]);
        }
        for (int h = 0; h < HORIZONS.length; h++) {
            assertThat(Math.pow(product[h], 1.0 / seeds))
                    .as("%d steps ahead", HORIZONS[h])
                    .isLessThan(limit);
        }
    }

    @Test
    void tenYearsOfMonthsAreForecastAboutAsWellAsByTheBestSimpleRival() {
        assertBelow(1.5, 4, seed -> {
            BacktestReport report = backtest(months(200, seed), 120);
            return ratios(report, report::bestRival);
        });
    }

    @Test
    void shortRandomWalksAreForecastByTheirLastValue() {
        assertBelow(1.1, 6, seed -> {
            BacktestReport report = backtest(walk(330, seed), 220);
            return ratios(report, h -> report.relativeError(h, Backtest.Rival.PERSISTENCE));
        });
    }

    private static double[] ratios(BacktestReport report, IntToDoubleFunction rival) {
        return IntStream.range(0, HORIZONS.length)
                .mapToDouble(h -> report.relativeError(h) / rival.applyAsDouble(h))
                .toArray();
    }

    @Test
    void aStreamRemembersMoreRowsThanAStateHasAndGoesOnWithThemFromItsState() {
        Learned model = new Learned();
        double[][] rows = months(150, 7);
        for (double[] row : rows) {
            model.learn(row);
        }
        model.makeReady();
        List<double[]> history = model.start().history();
        assertThat(history).hasSize(64);
        assertThat(history.get(63)).containsExactly(rows[149]);
        assertThat(history.get(0)).containsExactly(rows[149 - 63]);
        LearningStream again = LearningStream.resume(model.stream.state());
        assertThat(again.trajectories().newest().orElseThrow().recent().stream()
                        .map(row -> row[0])
                        .toList())
                .isEqualTo(history.stream().map(row -> row[0]).toList());
    }
}
