package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class LorenzTest extends BenchmarkSystemContract {

    private final Lorenz system = new Lorenz();

    @Override
    BenchmarkSystem system() {
        return new Lorenz();
    }

    @Override
    double[] publishedState() {
        return new double[] {-5.6598550328504835, -2.278772142746299, 28.259167423876026};
    }

    @Test
    void refiningTheInnerStepHardlyMovesOneInterval() {
        double largest = 0;
        UniformRandomProvider unused = TrajectoryStreams.of(0, 0);
        for (double[][] path : system.simulate(100, 20, 5)) {
            for (double[] state : path) {
                double[] coarse = state.clone();
                double[] fine = state.clone();
                system.step(coarse, unused);
                new Lorenz(100).step(fine, unused);
                for (int c = 0; c < 3; c++) {
                    largest = Math.max(largest, Math.abs(coarse[c] - fine[c]));
                }
            }
        }
        // The lower bound shows that the two really used different steps.
        assertThat(largest).isBetween(1e-9, 5e-5);
    }

    @Test
    void equilibriaStayWhereTheyAre() {
        double height = 28 - 1;
        double side = Math.sqrt(8.0 / 3.0 * height);
        for (double sign : new double[] {-1, 1}) {
            double[] state = {sign * side, sign * side, height};
            system.step(state, TrajectoryStreams.of(0, 0));
            assertThat(state[0]).isCloseTo(sign * side, within(1e-12));
            assertThat(state[2]).isCloseTo(height, within(1e-12));
        }
    }

    @Test
    void volumesShrinkAtTheConstantRate() {
        // The divergence of the field is −(σ + 1 + β) everywhere: determinant of the flow's derivative, by differences.
        double[] at = {3, 5, 24};
        double step = 1e-4;
        double[][] columns = new double[3][];
        for (int c = 0; c < 3; c++) {
            double[] ahead = at.clone();
            double[] behind = at.clone();
            ahead[c] += step;
            behind[c] -= step;
            system.step(ahead, TrajectoryStreams.of(0, 0));
            system.step(behind, TrajectoryStreams.of(0, 0));
            columns[c] = new double[3];
            for (int r = 0; r < 3; r++) {
                columns[c][r] = (ahead[r] - behind[r]) / (2 * step);
            }
        }
        double[] a = columns[0];
        double[] b = columns[1];
        double[] c = columns[2];
        double determinant = a[0] * (b[1] * c[2] - b[2] * c[1])
                - b[0] * (a[1] * c[2] - a[2] * c[1])
                + c[0] * (a[1] * b[2] - a[2] * b[1]);
        assertThat(determinant).isCloseTo(Math.exp(-0.1 * (10 + 1 + 8.0 / 3.0)), within(1e-4));
    }

    @Test
    void correlationsOfALongRunAreThoseOfTheTable() {
        int lags = 10;
        int paths = 400;
        int steps = 500;
        double[] sums = new double[lags + 1];
        double mean = 23.55032;
        for (double[][] path : system.simulate(paths, steps + lags, 7)) {
            for (int t = 0; t < steps; t++) {
                for (int lag = 0; lag <= lags; lag++) {
                    sums[lag] += (path[t][2] - mean) * (path[t + lag][2] - mean);
                }
            }
        }
        for (int lag = 0; lag <= lags; lag++) {
            // 200,000 states instead of 10⁷: standard errors about seven times those of the table, at most 4e-3.
            assertThat(sums[lag] / sums[0]).as("lag %d", lag).isCloseTo(system.correlationOfZ(lag)[0], within(0.015));
        }
        assertThat(system.correlationOfZ(8)[1]).isBetween(1e-4, 1e-3);
    }

    @Test
    void refusesLagsThatAreNotInTheTable() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.correlationOfZ(21))
                .withMessage("lag = 21: must be from 0 to 20 (sampling intervals)");
        assertThatIllegalArgumentException().isThrownBy(() -> system.correlationOfZ(-1));
    }

    @Test
    void stepsWithoutDrawingRandomNumbers() {
        UniformRandomProvider used = TrajectoryStreams.of(1, 0);
        system.step(new double[] {1.5, 0.5, 20}, used);
        assertThat(used.nextLong()).isEqualTo(TrajectoryStreams.of(1, 0).nextLong());
    }

    @Test
    void claimsNoSpectrumBecauseItIsContinuous() {
        assertThat(system.exactEigenvalues(3)).isEmpty();
    }
}
