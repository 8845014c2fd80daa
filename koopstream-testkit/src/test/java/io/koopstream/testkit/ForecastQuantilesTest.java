package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.StateDistribution;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quantiles of forecasts against the closed form of an autoregression, x⁺ = 0.8 x + 0.3 N(0, 1). */
class ForecastQuantilesTest {

    private static final double[] LEVELS = {0.05, 0.25, 0.5, 0.75, 0.95};
    /** Standard normal quantiles of these levels. */
    private static final double[] NORMAL = {-1.644854, -0.674490, 0, 0.674490, 1.644854};

    private static LeastSquaresState learned(long seed) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.3))
                        .lambda(1e-5)
                        .epsilon(0.02)
                        .build());
        Random random = new Random(seed);
        double x = 0;
        for (int t = 0; t < 20_000; t++) {
            double next = 0.8 * x + 0.3 * random.nextGaussian();
            learner.update(new double[] {x}, new double[] {next});
            x = next;
        }
        return learner.state();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void quantilesAreThoseOfTheGaussian(long seed) {
        LeastSquaresState state = learned(seed);
        KoopmanOperator operator = state.operator().asKoopman();
        Forecaster forecaster = Forecaster.of(state);
        double worst = 0;
        double mean = 0;
        double signed = 0;
        for (double start : new double[] {-0.5, 0, 0.7}) {
            for (int step : new int[] {1, 3, 6}) {
                double centre = start * Math.pow(0.8, step);
                double spread = 0.3 * Math.sqrt((1 - Math.pow(0.64, step)) / (1 - 0.64));
                StateDistribution distribution = forecaster.distribution(new double[] {start}, step);
                for (int k = 0; k < LEVELS.length; k++) {
                    double found = distribution.quantile(0, LEVELS[k]);
                    double error = Math.abs(found - (centre + NORMAL[k] * spread)) / spread;
                    worst = Math.max(worst, error);
                    mean += error / 45;
                    assertThat(error)
                            .as(
                                    "seed %d, start %s, step %d, level %s, in standard deviations",
                                    seed, start, step, LEVELS[k])
                            .isLessThan(0.4);
                    double naive =
                            signedQuantile(operator, operator.weights(new double[] {start}, step)[step - 1], LEVELS[k]);
                    signed += Math.abs(naive - (centre + NORMAL[k] * spread)) / spread / 45;
                }
            }
        }
        System.out.printf(
                "quantiles, seed %d: mean error %.3f standard deviations, largest %.2f; from the signed weights mean %.3f%n",
                seed, mean, worst, signed);
        assertThat(mean).as("seed %d", seed).isLessThan(0.15);
        // Why the detour: the weights as they are, with their signs, give worse ones.
        assertThat(signed).as("seed %d", seed).isGreaterThan(1.5 * mean);
    }

    /** The quantile of the signed weights after monotone rearrangement (Chernozhukov et al., Econometrica 78, 2010). */
    private static double signedQuantile(KoopmanOperator operator, double[] weights, double p) {
        double[][] outputs = operator.outputPoints();
        Integer[] order = new Integer[weights.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (i, j) -> Double.compare(outputs[i][0], outputs[j][0]));
        double mass = Arrays.stream(weights).sum();
        double result = outputs[order[0]][0];
        double sum = 0;
        for (int i = 0; i + 1 < order.length; i++) {
            sum += weights[order[i]] / mass;
            result += sum < p ? outputs[order[i + 1]][0] - outputs[order[i]][0] : 0;
        }
        return result;
    }

    @Test
    void quantilesRiseAndBelongToOneDistribution() {
        Forecaster forecaster = Forecaster.of(learned(4));
        StateDistribution distribution = forecaster.distribution(new double[] {0.5}, 2);
        double sum = 0;
        for (double probability : distribution.probabilities()) {
            assertThat(probability).isNotNegative();
            sum += probability;
        }
        assertThat(sum).isCloseTo(1, within(1e-12));
        double previous = Double.NEGATIVE_INFINITY;
        for (double p = 0.01; p < 1; p += 0.01) {
            double quantile = distribution.quantile(0, p);
            assertThat(quantile).as("level %s", p).isGreaterThanOrEqualTo(previous);
            previous = quantile;
        }
        // An observable that falls with the state swaps the levels.
        assertThat(distribution.quantile(state -> -2 * state[0], 0.3))
                .isCloseTo(-2 * distribution.quantile(0, 0.7), within(1e-9));
        assertThat(distribution.probability(state -> state[0] <= 100)).isCloseTo(1, within(1e-12));
        // P(x_2 <= 0.32) = 1/2: the mean of x_2 is 0.64 · 0.5.
        assertThat(distribution.probability(state -> state[0] <= 0.32)).isCloseTo(0.5, within(0.25));
    }

    @Test
    void withoutHeldOutPairsABandIsThatOfWhatTheFitMissedAndSaysSo() {
        Forecaster forecaster = Forecaster.of(learned(4));
        Forecast forecast =
                forecaster.forecast(new double[] {0.5}, ForecastRequest.of(4).paths(2_000, 1));
        assertThat(forecast.bandSource()).isEqualTo(Forecast.BandSource.PATHS);
        // x⁺ = 0.8 x + 0.3 ξ.
        assertThat(forecast.spread(1)[0]).isCloseTo(0.3, within(0.03));
        assertThat(forecast.spread(4)[0]).isCloseTo(0.3 * Math.sqrt(1 + 0.64 + 0.4096 + 0.262144), within(0.1));
        double[][] median = forecast.quantiles(0.5);
        assertThat(median).hasDimensions(4, 1);
        assertThat(median[1][0]).isCloseTo(0.32, within(0.1));
    }

    @Test
    void refusesLevelsAndCoordinatesThatDoNotExist() {
        Forecaster forecaster = Forecaster.of(learned(5));
        StateDistribution distribution = forecaster.distribution(new double[] {0}, 1);
        for (double p : new double[] {0, 1, -0.1, Double.NaN}) {
            assertThatThrownBy(() -> distribution.quantile(0, p))
                    .isInstanceOf(InvalidQueryException.class)
                    .hasMessageStartingWith("p = " + p);
        }
        assertThatThrownBy(() -> distribution.quantile(1, 0.5))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("coordinate 1");
        assertThatThrownBy(() -> distribution.quantile(state -> Double.NaN, 0.5))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("must be finite");
        assertThatThrownBy(() -> forecaster.distribution(new double[] {0}, 0))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("steps = 0");
    }
}
