package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoisyRotationTest extends BenchmarkSystemContract {

    @Override
    BenchmarkSystem system() {
        return new NoisyRotation();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.21011267316101456, 0.6601410289938502};
    }

    @Test
    void covariancesAreThoseOfTheStationaryLaw() {
        NoisyRotation system = new NoisyRotation(0.8, 0.5, 0.3);
        double variance = 0.09 / (1 - 0.64);
        assertThat(system.stationaryVariance()).isCloseTo(variance, within(1e-15));
        int trajectories = 40_000;
        double[][] now = new double[2][2];
        double[][] next = new double[2][2];
        for (double[][] path : system.simulate(trajectories, 5, 3)) {
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 2; j++) {
                    now[i][j] += path[4][i] * path[4][j] / trajectories;
                    next[i][j] += path[5][i] * path[4][j] / trajectories;
                }
            }
        }
        // A mean of products of two normals of this variance has at most this standard error.
        double standardError = variance * Math.sqrt(2.0 / trajectories);
        double along = variance * 0.8 * Math.cos(0.5);
        double across = variance * 0.8 * Math.sin(0.5);
        assertCloseTo(now, new double[][] {{variance, 0}, {0, variance}}, 4 * standardError);
        assertCloseTo(next, new double[][] {{along, -across}, {across, along}}, 4 * standardError);
    }

    private static void assertCloseTo(double[][] actual, double[][] expected, double tolerance) {
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < expected.length; j++) {
                assertThat(actual[i][j]).isCloseTo(expected[i][j], within(tolerance));
            }
        }
    }

    @Test
    void eigenvaluesAreTheProductsOfTheTwoOfTheMatrix() {
        double[][] values = new NoisyRotation(0.9, 2.0, 1).exactEigenvalues(8).orElseThrow();
        // Degrees 0, 1, 2 and the first pair of degree 3; 2·2 rad passes π, so e^(−4i) has the positive imaginary part.
        double[][] modulusAndAngle = {
            {1, 0}, {0.9, 2}, {0.9, -2}, {0.81, 0}, {0.81, -4}, {0.81, 4}, {0.729, 2}, {0.729, -2}
        };
        for (int i = 0; i < values.length; i++) {
            double modulus = modulusAndAngle[i][0];
            double angle = modulusAndAngle[i][1];
            assertThat(values[i][0]).isCloseTo(modulus * Math.cos(angle), within(1e-15));
            assertThat(values[i][1]).isCloseTo(modulus * Math.sin(angle), within(1e-15));
        }
    }

    @Test
    void otherParametersShowInTheId() {
        assertThat(new NoisyRotation(0.9, 2.0, 1).id()).isEqualTo("rotation-v1(rho=0.9, omega=2.0, sigma=1.0)");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, rho = 0.0: must be > 0 (damping factor per step)",
        "NaN, 1, 1, rho = NaN: must be > 0 (damping factor per step)",
        "1, 1, 1, rho = 1.0: must be < 1 (else there is no stationary law)",
        "0.5, NaN, 1, omega = NaN: must be finite (angle per step in radians)",
        "0.5, 1, -1, sigma = -1.0: must be > 0 (noise per step)",
        "0.5, 1, NaN, sigma = NaN: must be > 0 (noise per step)"
    })
    void refusesBadParameters(double rho, double omega, double sigma, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NoisyRotation(rho, omega, sigma))
                .withMessage(message);
    }
}
