package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Backtest;
import io.koopstream.forecast.BacktestReport;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecast;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Preparation;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rolling origins on series whose best forecast is known. */
class BacktestTest {

    private static final int[] HORIZONS = {1, 5};

    /** Learns pairs of successive observations. */
    private static final class Pairs implements Backtest.Model {
        private final LeastSquaresLearner<KoopmanOperator> learner;
        private ObservedForecaster forecaster;
        private double[] last;
        private int learned;

        Pairs(int dimension, double width) {
            learner = LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, Kernels.gaussian(width))
                    .epsilon(0.1)
                    .holdOut(0.1)
                    .build());
        }

        @Override
        public void learn(double[] observation) {
            if (last != null) {
                learner.update(last, observation);
            }
            last = observation;
            learned++;
        }

        @Override
        public void makeReady() {
            forecaster = new ObservedForecaster(Forecaster.of(learner.state()), Preparation.NONE, Double.NaN);
        }

        @Override
        public ObservedForecast forecast(int steps) {
            Start start = new Start(List.of(last), Arrays.stream(last).boxed().toList(), Double.NaN);
            return forecaster.forecast(start, ForecastRequest.of(steps).fromAnywhere(), List.of());
        }
    }

    /** The logistic map: linear rivals are helpless. */
    private static double[][] logistic(int length) {
        double[][] rows = new double[length][1];
        rows[0][0] = 0.3;
        for (int t = 1; t < length; t++) {
            rows[t][0] = 3.8 * rows[t - 1][0] * (1 - rows[t - 1][0]);
        }
        return rows;
    }

    @Test
    void aModelOfANonlinearMapIsWorthUsing() {
        Pairs model = new Pairs(1, 0.3);
        double[][] rows = logistic(3_000);
        BacktestReport report = Backtest.run(rows, 2_000, 100, HORIZONS, model);
        assertThat(report.origins()).isEqualTo(100);
        assertThat(model.learned)
                .as("learned on to the last origin, not beyond")
                .isBetween(2_900, 2_995);
        assertThat(report.relativeError(0)).isLessThan(0.1 * report.bestRival(0));
        assertThat(report.errors(0)[0]).isLessThan(report.errors(0, Backtest.Rival.PERSISTENCE)[0]);
        assertThat(report.verdict()).startsWith("Worth using at every horizon (1, 5)");
    }

    @Test
    void rollingOriginsBeginAfterATenthAndFewRowsAreLearnedBefore() {
        Pairs model = new Pairs(1, 0.3);
        double[][] rows = logistic(1_000);
        int[] first = {0};
        BacktestReport report = Backtest.rolling(rows, 100, HORIZONS, new Backtest.Model() {
            @Override
            public void learn(double[] observation) {
                model.learn(observation);
            }

            @Override
            public void makeReady() {
                first[0] = first[0] == 0 ? model.learned : first[0];
                model.makeReady();
            }

            @Override
            public ObservedForecast forecast(int steps) {
                return model.forecast(steps);
            }
        });
        assertThat(first[0]).isEqualTo(Backtest.rollingFrom(1_000)).isEqualTo(100);
        assertThat(report.origins()).isEqualTo(100);
        assertThat(report.relativeError(0)).isLessThan(0.1 * report.bestRival(0));
    }

    @Test
    void aRandomWalkIsNotForecastWorseThanByItsLastValueAndBandsCover() {
        SplittableRandom random = new SplittableRandom(21);
        double[][] rows = new double[4_000][1];
        for (int t = 1; t < rows.length; t++) {
            rows[t][0] = 0.98 * rows[t - 1][0] + random.nextGaussian();
        }
        BacktestReport report = Backtest.run(rows, 3_000, 300, HORIZONS, new Pairs(1, 5));
        assertThat(report.relativeError(0)).isLessThan(1.05 * report.relativeError(0, Backtest.Rival.PERSISTENCE));
        assertThat(report.relativeError(0) / report.bestRival(0)).isBetween(0.995, 1.02);
        assertThat(report.verdict()).as("nothing is gained").doesNotStartWith("Worth using");
        assertThat(report.coverage(0, 0)).isCloseTo(0.8, within(0.07));
        assertThat(report.coverage(0, 1)).isCloseTo(0.95, within(0.04));
        // The width of 80 % of a Gaussian and what is missed: 2 · 1.2816 + 2 E(|z| − 1.2816)⁺ / 0.2 = 3.5 standard
        // deviations of the noise.
        double noise = 1 / Math.sqrt(1 / (1 - 0.98 * 0.98));
        assertThat(report.intervalScore(0, 0)).isBetween(2.5 * noise, 4.5 * noise);
    }

    @Test
    void trajectoriesMayHavePeriodsOfTheirOwn() {
        double[][][] both = new double[2][1_000][1];
        SplittableRandom random = new SplittableRandom(23);
        for (int t = 0; t < 1_000; t++) {
            both[0][t][0] = Math.sin(2 * Math.PI * t / 24) + 0.01 * random.nextGaussian();
            both[1][t][0] = Math.sin(2 * Math.PI * t / 10) + 0.01 * random.nextGaussian();
        }
        BacktestReport report =
                Backtest.run(List.of(both), new int[] {800, 800}, false, 50, HORIZONS, new Pairs(1, 0.5));
        assertThat(report.period()).isEqualTo(24);
        assertThat(report.periodText()).isEqualTo("10 to 24");
    }

    @Test
    void theSeasonalRivalKnowsThePeriod() {
        double[][] rows = new double[1_000][1];
        SplittableRandom random = new SplittableRandom(22);
        for (int t = 0; t < rows.length; t++) {
            rows[t][0] = Math.sin(2 * Math.PI * t / 24) + 0.01 * random.nextGaussian();
        }
        BacktestReport report = Backtest.run(rows, 800, 50, HORIZONS, new Pairs(1, 0.5));
        assertThat(report.period()).isEqualTo(24);
        assertThat(report.errors(1, Backtest.Rival.SEASONAL)[0]).isLessThan(0.03);
        assertThat(report.verdict()).startsWith("Not worth using");
        assertThatThrownBy(() -> Backtest.run(rows, 50, 10, HORIZONS, new Pairs(1, 1)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("at least 100");
    }
}
