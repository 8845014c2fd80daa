package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuffingTest extends BenchmarkSystemContract {

    private final Duffing system = new Duffing();

    @Override
    BenchmarkSystem system() {
        return new Duffing();
    }

    @Override
    double[] publishedState() {
        return new double[] {-0.9769624670801731, 0.05493929890377143};
    }

    @Test
    void energyFallsAlongEveryPath() {
        for (double[][] path : system.simulate(200, 40, 5)) {
            for (int t = 0; t < 40; t++) {
                assertThat(system.energy(path[t + 1])).isLessThan(system.energy(path[t]));
            }
        }
    }

    @Test
    void energyIsLowestAtTheAttractorsAndZeroAtTheSaddle() {
        assertThat(system.energy(new double[] {1, 0})).isEqualTo(-0.25);
        assertThat(system.energy(new double[] {-1, 0})).isEqualTo(-0.25);
        assertThat(system.energy(new double[] {0, 0})).isZero();
        assertThat(system.energy(new double[] {0, 2})).isEqualTo(2);
    }

    @Test
    void refiningTheInnerStepHardlyMovesAPath() {
        double[][][] coarse = system.simulate(200, 40, 5);
        double[][][] fine = new Duffing(200).simulate(200, 40, 5);
        // The lower bound shows that the two really used different steps.
        assertThat(largestGap(coarse, fine, 1)).isBetween(1e-13, 1e-10);
        assertThat(largestGap(coarse, fine, 40)).isLessThan(1e-8);
    }

    private static double largestGap(double[][][] first, double[][][] second, int time) {
        double largest = 0;
        for (int i = 0; i < first.length; i++) {
            for (int j = 0; j < 2; j++) {
                largest = Math.max(largest, Math.abs(first[i][time][j] - second[i][time][j]));
            }
        }
        return largest;
    }

    @Test
    void nearAnAttractorItOscillatesAtTheLinearRate() {
        // A displacement d obeys d'' = −d'/2 − 2d, so samples satisfy d₂ = 2 Re(e^(μτ)) d₁ − |e^(μτ)|² d₀.
        double[] state = {1 + 1e-6, 0};
        double[] displacement = new double[3];
        for (int t = 0; t < 3; t++) {
            displacement[t] = state[0] - 1;
            system.step(state, TrajectoryStreams.of(0, 0));
        }
        double modulus = Math.exp(-0.25 * 0.25);
        double predicted = 2 * modulus * Math.cos(0.25 * Math.sqrt(31) / 4) * displacement[1]
                - modulus * modulus * displacement[0];
        assertThat(displacement[2]).isCloseTo(predicted, within(1e-11));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 0, 1", "-0.5, 0, -1", "1, 0, 1", "-1, 0, -1", "1e-9, 0, 1", "-1e-9, 0, -1", "0, 0, 0"})
    void knowsTheBasinOfStatesNearTheAxis(double z, double v, int basin) {
        double[] state = {z, v};
        assertThat(system.basinOf(state)).isEqualTo(basin);
        assertThat(state).containsExactly(z, v);
    }

    @Test
    void basinsAreWherePathsEndAndMirrorEachOther() {
        int crossed = 0;
        for (double[][] path : system.simulate(200, 200, 8)) {
            double[] start = path[0];
            int basin = system.basinOf(start);
            assertThat(path[200][0]).isCloseTo(basin, within(1e-3));
            assertThat(path[200][1]).isCloseTo(0, within(1e-3));
            assertThat(system.basinOf(new double[] {-start[0], -start[1]})).isEqualTo(-basin);
            crossed += start[0] * basin < 0 ? 1 : 0;
        }
        // The sign of z alone does not tell the basin; otherwise the checks above would be too easy.
        assertThat(crossed).isGreaterThan(20);
    }

    @Test
    void refusesBasinsItCannotResolve() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.basinOf(new double[] {0, -11}))
                .withMessageStartingWith("state[1] = -11.0: must be within ±10.0");
        assertThatIllegalArgumentException().isThrownBy(() -> system.basinOf(new double[] {Double.NaN, 0}));
    }

    @Test
    void stepsWithoutDrawingRandomNumbers() {
        UniformRandomProvider used = TrajectoryStreams.of(1, 0);
        system.step(new double[] {1.5, 0.5}, used);
        assertThat(used.nextLong()).isEqualTo(TrajectoryStreams.of(1, 0).nextLong());
    }

    @Test
    void claimsNoSpectrumBecauseItDependsOnTheObservables() {
        assertThat(system.exactEigenvalues(3)).isEmpty();
    }
}
