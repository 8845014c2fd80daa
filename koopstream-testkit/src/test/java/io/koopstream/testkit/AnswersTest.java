package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.RkhsElement;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.systems.FourWell;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Metastable sets, forecasts with spread, residuals on held-out pairs and coverage, on a system where the answers are known. */
class AnswersTest {

    private static final FourWell SYSTEM = new FourWell();
    private static double[][][] paths;
    private static LeastSquaresState state;
    private static KoopmanOperator operator;

    @BeforeAll
    static void learn() {
        paths = SYSTEM.simulate(200, 100, 11);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)"))
                        .build());
        for (double[][] path : paths) {
            learner.fitTrajectory(path, 1);
        }
        state = learner.state();
        operator = learner.snapshot();
    }

    @Test
    void theFourWellsAreTheMetastableSets() {
        MetastableSets sets = MetastableSets.of(operator, 4, 1);
        double[][] states = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {-0.8, -1.2}, {1.1, -0.7}, {-1.2, 0.7}, {0.7, 1.2}};
        int[] found = sets.assign(states);
        assertThat(new int[] {found[0], found[1], found[2], found[3]}).containsExactlyInAnyOrder(0, 1, 2, 3);
        for (int i = 0; i < 4; i++) {
            assertThat(found[4 + i]).isEqualTo(found[i]);
        }
        assertThat(MetastableSets.of(operator, 4, 1).assign(states)).isEqualTo(found);
        assertThat(sets.assign(new double[][] {{40, 40}})).containsExactly(MetastableSets.NONE);
        assertThatThrownBy(() -> MetastableSets.of(operator, 1, 1)).isInstanceOf(InvalidQueryException.class);
    }

    @Test
    void forecastsAgreeWithSimulatedMeansAndSpreads() {
        double[] start = {0.9, -1.1};
        int steps = 3;
        int runs = 4000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < runs; i++) {
            double[] state = start.clone();
            var random = io.koopstream.systems.TrajectoryStreams.of(99, i);
            for (int s = 0; s < steps; s++) {
                SYSTEM.step(state, random);
            }
            sum += state[0] / runs;
            squares += state[0] * state[0] / runs;
        }
        Forecaster forecaster = Forecaster.of(state);
        Forecast forecast = forecaster.forecast(start, ForecastRequest.of(steps).mode(Mode.OPERATOR));
        assertThat(forecast.mean(steps)[0]).isCloseTo(sum, within(0.05));
        assertThat(forecast.spread(steps)[0]).isCloseTo(Math.sqrt(squares - sum * sum), within(0.08));
        assertThatThrownBy(() -> forecast.mean(0)).isInstanceOf(InvalidQueryException.class);
        assertThatThrownBy(() -> forecaster.forecast(new double[] {50, 50}, ForecastRequest.of(1)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("nothing like it was learned");
    }

    @Test
    void slowPairsHoldBetterThanFastOnes() {
        Spectrum spectrum = Spectrum.leading(operator, 6);
        double[][] path = SYSTEM.trajectory(5, 400, 77);
        TrustReport report = TrustReport.of(
                spectrum, Arrays.copyOf(path, 400), Arrays.copyOfRange(path, 1, 401), TrustRule.stochastic());
        assertThat(report.heldOut()).isEqualTo(400);
        assertThat(report.pair(0).residual()).isLessThan(0.02);
        assertThat(report.pair(1).residual()).isLessThan(0.3);
        // For a reversible process the noise alone leaves √(1 − λ²).
        assertThat(report.pair(4).residual()).isBetween(0.4, 0.95);
    }

    @Test
    void coverageAndPredictionError() {
        assertThat(operator.coverage(operator.inputPoints()[3])).isCloseTo(1, within(1e-6));
        assertThat(operator.coverage(new double[] {40, 40})).isCloseTo(0, within(1e-6));
        double[] x = paths[0][10];
        double[] y = paths[0][11];
        double direct = RkhsElement.feature(operator.codomain(), y).distance(operator.embedding(x));
        assertThat(operator.predictionError(x, y)).isCloseTo(direct, within(1e-6));
    }
}
