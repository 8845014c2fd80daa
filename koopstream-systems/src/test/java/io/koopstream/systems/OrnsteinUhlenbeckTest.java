package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrnsteinUhlenbeckTest extends BenchmarkSystemContract {

    private static final int TRAJECTORIES = 40_000;
    private static final double STANDARD_ERROR = 1 / Math.sqrt(TRAJECTORIES);

    @Override
    BenchmarkSystem system() {
        return new OrnsteinUhlenbeck();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.00725454361261238, 0.26855286861137584};
    }

    @Test
    void staysInItsStationaryLawAndForgetsAtTheStatedRates() {
        double[] theta = {0.7, 2.0, 5.0};
        double[] sigma = {1.5, 0.4, 3.0};
        OrnsteinUhlenbeck system = new OrnsteinUhlenbeck(theta, sigma, 0.3);
        double[][][] paths = system.simulate(TRAJECTORIES, 4, 11);
        for (int i = 0; i < 3; i++) {
            int coordinate = i;
            double variance = sigma[i] * sigma[i] / (2 * theta[i]);
            double correlation = Math.exp(-theta[i] * 0.3);
            assertThat(system.stationaryVariance(i)).isCloseTo(variance, within(1e-14));
            for (int time : new int[] {0, 4}) {
                double mean = mean(paths, path -> path[time][coordinate]);
                double square = mean(paths, path -> path[time][coordinate] * path[time][coordinate]);
                // Independent normals: standard errors s/√n of the mean and s²√(2/n) of the variance.
                assertThat(mean).isCloseTo(0, within(4 * Math.sqrt(variance) * STANDARD_ERROR));
                assertThat(square).isCloseTo(variance, within(4 * variance * Math.sqrt(2) * STANDARD_ERROR));
            }
            double product = mean(paths, path -> path[3][coordinate] * path[4][coordinate]);
            double productError = variance * Math.sqrt(1 + correlation * correlation) * STANDARD_ERROR;
            assertThat(product).isCloseTo(variance * correlation, within(4 * productError));
        }
        double across = mean(paths, path -> path[3][0] * path[4][1]);
        double deviations = Math.sqrt(system.stationaryVariance(0) * system.stationaryVariance(1));
        assertThat(across).isCloseTo(0, within(4 * deviations * STANDARD_ERROR));
    }

    private static double mean(double[][][] paths, ToDoubleFunction<double[][]> value) {
        double sum = 0;
        for (double[][] path : paths) {
            sum += value.applyAsDouble(path);
        }
        return sum / paths.length;
    }

    @Test
    void eigenvaluesAreAllProductsSlowestFirst() {
        double[][] values = new OrnsteinUhlenbeck().exactEigenvalues(9).orElseThrow();
        double[] rates = {0, 0.5, 0.8, 1.0, 1.3, 1.5, 1.6, 1.8, 2.0};
        for (int i = 0; i < rates.length; i++) {
            assertThat(values[i][0]).isCloseTo(Math.exp(-0.2 * rates[i]), within(1e-15));
        }
    }

    @Test
    void equalRatesAreCountedWithMultiplicity() {
        OrnsteinUhlenbeck isotropic = new OrnsteinUhlenbeck(new double[] {1, 1, 1}, new double[] {1, 1, 1}, 1);
        // Three coordinates: 1, 3, 6, 10 monomials of degree 0, 1, 2, 3.
        double[][] values = isotropic.exactEigenvalues(20).orElseThrow();
        int[] degreeEnds = {1, 4, 10, 20};
        for (int degree = 0, i = 0; degree < 4; degree++) {
            for (; i < degreeEnds[degree]; i++) {
                assertThat(values[i][0]).isCloseTo(Math.exp(-degree), within(1e-15));
            }
        }
    }

    @Test
    void otherParametersShowInTheId() {
        OrnsteinUhlenbeck own = new OrnsteinUhlenbeck(new double[] {1}, new double[] {2}, 0.5);
        assertThat(own.id()).isEqualTo("ou-v1(theta=[1.0], sigma=[2.0], dt=0.5)");
        assertThat(own.coordinateNames()).containsExactly("x1");
    }

    @Test
    void keepsNoHandleOnTheParametersGiven() {
        double[] theta = {1};
        OrnsteinUhlenbeck own = new OrnsteinUhlenbeck(theta, new double[] {2}, 0.5);
        theta[0] = 100;
        assertThat(own.exactEigenvalues(2).orElseThrow()[1][0]).isCloseTo(Math.exp(-0.5), within(1e-15));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.NEGATIVE_INFINITY})
    void refusesParametersThatAreNotPositive(double bad) {
        double[] one = {1};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(one, one, bad))
                .withMessage("dt = " + bad + ": must be > 0 (sampling interval in seconds)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(one, new double[] {bad}, 1))
                .withMessage("sigma[0] = " + bad + ": must be > 0 (noise per square root of a second)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(new double[] {bad}, one, 1))
                .withMessage("theta[0] = " + bad + ": must be > 0 (relaxation rate per second)");
    }

    @Test
    void refusesInfiniteIntervalsAndMismatchedLengths() {
        double[] one = {1};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(one, one, Double.POSITIVE_INFINITY))
                .withMessage("dt = Infinity: must be finite (sampling interval in seconds)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(one, new double[2], 1))
                .withMessage("sigma.length = 2: must be 1 (as many as theta)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrnsteinUhlenbeck(new double[0], new double[0], 1))
                .withMessageStartingWith("theta.length = 0: must be >= 1");
    }
}
