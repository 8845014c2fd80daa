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
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.Observation;
import io.koopstream.stream.Preparation;
import io.koopstream.stream.StreamSettings;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
        private final LearningStream stream = LearningStream.of(StreamSettings.of(Map.of()), 1);
        private ObservedForecaster forecaster;

        @Override
        public void learn(double[] observation) {
            stream.accept(Observation.of("", observation));
        }

        @Override
        public void makeReady() {
            stream.endWarmUp();
            forecaster = new ObservedForecaster(
                    Forecaster.of(stream.learner().orElseThrow().state(), layout()), Preparation.NONE, Double.NaN);
        }

        private DelayLayout layout() {
            return new DelayLayout(1, stream.delays(), stream.stride());
        }

        private Start start() {
            return Start.after(stream.trajectories().newest(), layout(), 1).orElseThrow();
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

    @Test
    void tenYearsOfMonthsAreForecastAsWellAsByTheBestSimpleRival() {
        double[] product = {1, 1, 1};
        int seeds = 4;
        for (long seed = 1; seed <= seeds; seed++) {
            BacktestReport report = backtest(months(200, seed), 120);
            for (int h = 0; h < HORIZONS.length; h++) {
                product[h] *= report.relativeError(h) / report.bestRival(h);
            }
        }
        for (int h = 0; h < HORIZONS.length; h++) {
            assertThat(Math.pow(product[h], 1.0 / seeds))
                    .as("%d months ahead", HORIZONS[h])
                    .isLessThan(1.2);
        }
    }

    @Test
    void shortRandomWalksAreForecastByTheirLastValue() {
        double[] product = {1, 1, 1};
        int seeds = 6;
        for (long seed = 1; seed <= seeds; seed++) {
            BacktestReport report = backtest(walk(330, seed), 220);
            for (int h = 0; h < HORIZONS.length; h++) {
                product[h] *= report.relativeError(h) / report.relativeError(h, Backtest.Rival.PERSISTENCE);
            }
        }
        for (int h = 0; h < HORIZONS.length; h++) {
            assertThat(Math.pow(product[h], 1.0 / seeds))
                    .as("%d steps ahead", HORIZONS[h])
                    .isLessThan(1.2);
        }
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
        assertThat(again.trajectories().newest().recent().stream()
                        .map(row -> row[0])
                        .toList())
                .isEqualTo(history.stream().map(row -> row[0]).toList());
    }
}
