package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearOscillatorTest extends BenchmarkSystemContract {

    @Override
    BenchmarkSystem system() {
        return new LinearOscillator();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.12297002417211456, 1.0438161703768665};
    }

    /** e^(Aτ) by the series in small steps: no formula shared with the class. */
    private static double[][] flow(double omega, double gamma, double time) {
        double[][] power = {{1, 0}, {0, 1}};
        int pieces = 200_000;
        double h = time / pieces;
        for (int i = 0; i < pieces; i++) {
            for (double[] column : power) {
                double x = column[0];
                double v = column[1];
                double xMid = x + h / 2 * v;
                double vMid = v + h / 2 * (-omega * omega * x - gamma * v);
                column[0] = x + h * vMid;
                column[1] = v + h * (-omega * omega * xMid - gamma * vMid);
            }
        }
        return power;
    }

    @Test
    void covariancesAreThoseOfTheStationaryLaw() {
        double omega = 1.7;
        double gamma = 0.9;
        LinearOscillator system = new LinearOscillator(omega, gamma, 0.6);
        double[] variance = {0.36 / (2 * gamma * omega * omega), 0.36 / (2 * gamma)};
        double[][] flow = flow(omega, gamma, system.dt());
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
        for (int i = 0; i < 2; i++) {
            assertThat(system.stationaryVariance(i)).isCloseTo(variance[i], within(1e-15));
            for (int j = 0; j < 2; j++) {
                // A mean of products of two normals has at most this standard error.
                double tolerance = 4 * Math.sqrt(2 * variance[i] * variance[j] / trajectories);
                assertThat(now[i][j]).isCloseTo(i == j ? variance[i] : 0, within(tolerance));
                assertThat(next[i][j]).isCloseTo(flow[j][i] * variance[j], within(tolerance));
            }
        }
    }

    @Test
    void eigenvaluesAreProductsOfTheTwoOfTheFlow() {
        double[][] flow = flow(2, 0.4, 0.25);
        double[][] values = new LinearOscillator().exactEigenvalues(4).orElseThrow();
        // Trace and determinant of the flow are sum and product of its eigenvalues.
        assertThat(2 * values[1][0]).isCloseTo(flow[0][0] + flow[1][1], within(1e-9));
        double determinant = flow[0][0] * flow[1][1] - flow[0][1] * flow[1][0];
        assertThat(values[3][0]).isCloseTo(determinant, within(1e-9));
        assertThat(values[1][0] * values[1][0] + values[1][1] * values[1][1]).isCloseTo(determinant, within(1e-9));
    }

    @Test
    void otherParametersShowInTheId() {
        assertThat(new LinearOscillator(1, 0.5, 2).id()).isEqualTo("oscillator-v1(omega=1.0, gamma=0.5, sigma=2.0)");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, omega = 0.0: must be > 0 (frequency of the undamped oscillator in rad/s)",
        "1, NaN, 1, gamma = NaN: must be > 0 (damping per second)",
        "1, 2, 1, gamma = 2.0: must be < 2 omega = 2.0 (else it does not oscillate)",
        "1, 1, -1, sigma = -1.0: must be > 0 (noise of the speed per square root of a second)"
    })
    void refusesBadParameters(double omega, double gamma, double sigma, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinearOscillator(omega, gamma, sigma))
                .withMessage(message);
    }
}
