package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SlowManifoldTest extends BenchmarkSystemContract {

    private final SlowManifold system = new SlowManifold();

    @Override
    BenchmarkSystem system() {
        return new SlowManifold();
    }

    @Override
    double[] publishedState() {
        return new double[] {-0.13459557429299007, 0.02012885400989838};
    }

    @Test
    void stepsAlongTheEquation() {
        double[] state = {0.8, -0.6};
        double x1 = state[0];
        double x2 = state[1];
        int pieces = 100_000;
        double h = 0.5 / pieces;
        for (int i = 0; i < pieces; i++) {
            // The midpoint rule: no formula shared with the class.
            double mid1 = x1 + h / 2 * (-0.05 * x1);
            double mid2 = x2 - h / 2 * (x2 - x1 * x1);
            x1 += h * (-0.05 * mid1);
            x2 -= h * (mid2 - mid1 * mid1);
        }
        system.step(state, TrajectoryStreams.of(0, 0));
        assertThat(state[0]).isCloseTo(x1, within(1e-11));
        assertThat(state[1]).isCloseTo(x2, within(1e-11));
    }

    @Test
    void eigenvaluesAreProductsCountedWithMultiplicity() {
        double[][] values = system.exactEigenvalues(23).orElseThrow();
        double[] leading = {1, 0.9753, 0.9512, 0.9277, 0.9048};
        for (int i = 0; i < leading.length; i++) {
            assertThat(values[i][0]).isCloseTo(leading[i], within(5e-5));
        }
        // x₁²⁰ and x₂ − bx₁² decay alike, so e^(−1/2) is double.
        assertThat(values[20][0]).isCloseTo(Math.exp(-0.5), within(1e-15));
        assertThat(values[21]).containsExactly(values[20]);
        assertThat(values[22][0]).isCloseTo(Math.exp(-0.525), within(1e-15));
    }

    @Test
    void eigenfunctionsDecayByTheirEigenvalues() {
        double b = 10.0 / 9;
        double[][] path = system.trajectory(0, 1, 3);
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                double before = Math.pow(path[0][0], j) * Math.pow(path[0][1] - b * path[0][0] * path[0][0], k);
                double after = Math.pow(path[1][0], j) * Math.pow(path[1][1] - b * path[1][0] * path[1][0], k);
                assertThat(after).isCloseTo(before * Math.exp(-0.025 * j - 0.5 * k), within(1e-14));
            }
        }
    }
}
