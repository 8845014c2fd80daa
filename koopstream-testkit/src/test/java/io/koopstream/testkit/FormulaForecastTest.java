package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Preparation;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Formulas and sums of differences are forecast as coordinates are: mixed and calibrated as held-out runs say. */
class FormulaForecastTest {

    private static LearnerState learned(double[][] path, double width) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(width))
                        .epsilon(0.1)
                        .holdOut(0.1)
                        .build());
        learner.fitTrajectory(path, 1);
        return learner.state();
    }

    @Test
    void aFormulaThatIsACoordinateIsForecastLikeIt() {
        SplittableRandom random = new SplittableRandom(9);
        double[][] walk = new double[3_000][1];
        for (int t = 1; t < walk.length; t++) {
            walk[t][0] = walk[t - 1][0] + random.nextGaussian();
        }
        double last = walk[walk.length - 1][0];
        Start start = new Start(List.of(new double[] {last}), List.of(last), Double.NaN);
        Forecast forecast = new ObservedForecaster(Forecaster.of(learned(walk, 20)), Preparation.NONE, Double.NaN)
                .forecast(start, ForecastRequest.of(40).paths(2_000, 1), List.of(x -> x[0]));
        for (int step : new int[] {1, 10, 40}) {
            double width = forecast.quantile(step, 0, 0.9) - forecast.quantile(step, 0, 0.1);
            // The path returns to where the walk has been, the mixture hardly does, and the formula must not either.
            assertThat(forecast.mean(step)[1]).isCloseTo(forecast.mean(step)[0], within(0.1 * width));
            assertThat(forecast.quantile(step, 1, 0.9) - forecast.quantile(step, 1, 0.1))
                    .isCloseTo(width, within(0.05 * width));
        }
    }

    @Test
    void theLevelOfDifferencesIsTheSumOfWhatIsExpectedOfThem() {
        SplittableRandom random = new SplittableRandom(3);
        double[][] differences = new double[3_000][1];
        for (double[] row : differences) {
            row[0] = 0.2 + random.nextGaussian();
        }
        Start start = new Start(List.of(new double[] {2.0}), List.of(100.0), Double.NaN);
        Preparation summed = Preparation.of(Map.of("difference", Preparation.ALL));
        LearnerState state = learned(differences, 2);
        Forecaster ofDifferences = Forecaster.of(state);
        ObservedForecaster forecaster =
                new ObservedForecaster(Forecaster.of(state, DelayLayout.of(summed, 1, 0, 1)), summed, Double.NaN);
        ForecastRequest request = ForecastRequest.of(30).paths(2_000, 1);
        Forecast level = forecaster.forecast(start, request, List.of());
        double sum = 100;
        for (int s = 1; s <= 30; s++) {
            sum += ofDifferences.forecast(new double[] {2.0}, request.paths(0, 1))
                    .mean(s)[0];
        }
        assertThat(level.mean(30)[0]).isCloseTo(sum, within(0.5));
        double width = level.quantile(30, 0, 0.9) - level.quantile(30, 0, 0.1);
        // The sum of thirty independent steps of unit variance, widened by the factor of a single step.
        assertThat(width).isBetween(0.9 * 2.563 * Math.sqrt(30), 1.25 * 2.563 * Math.sqrt(30));
    }
}
