package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class QuadrupleWellTest extends BenchmarkSystemContract {

    private static final double DEVIATION = Math.sqrt(5e-4);

    private final QuadrupleWell system = new QuadrupleWell();

    @Override
    BenchmarkSystem system() {
        return new QuadrupleWell();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.7842445215272625, -1.159293163335514};
    }

    @Override
    int knownEigenvalues() {
        return 9;
    }

    private static double stepMean(double x) {
        return x - 1e-3 * (4 * x * x * x - 4 * x);
    }

    @Test
    void eigenvaluesAreProductsOfThoseOfTheTransitionKernel() {
        double[] line = EulerKernel.powers(QuadrupleWellTest::stepMean, DEVIATION, 2.2, 400, 1000, 3);
        double[][] exact = system.exactEigenvalues(5).orElseThrow();
        double[] products = {1, line[1], line[1], line[1] * line[1], line[2]};
        for (int i = 0; i < products.length; i++) {
            assertThat(exact[i][0]).isCloseTo(products[i], within(1e-7));
        }
    }

    @Test
    void eigenvaluesAreThoseOfTheEquationUpToTheErrorOfTheScheme() {
        double[][] equation = new FourWell().exactEigenvalues(6).orElseThrow();
        double[][] scheme = system.exactEigenvalues(6).orElseThrow();
        for (int i = 0; i < 6; i++) {
            // Ten intervals of fourwell-v1 are one of these; the scheme is off by 6.2e-5 at most.
            assertThat(scheme[i][0]).isCloseTo(Math.pow(equation[i][0], 10), within(7e-5));
        }
    }

    @Test
    void oneIntervalHasTheLawOfTheKernel() {
        double[] exact = EulerKernel.meanAfter(QuadrupleWellTest::stepMean, DEVIATION, 2.2, 400, 1000);
        int samples = 20_000;
        int node = 220;
        double start = -2.2 + 4.4 * node / 399;
        UniformRandomProvider rng = TrajectoryStreams.of(5, 0);
        double mean = 0;
        double mirrored = 0;
        for (int i = 0; i < samples; i++) {
            double[] state = {start, -start};
            system.step(state, rng);
            mean += state[0] / samples;
            mirrored += state[1] / samples;
        }
        // The state lies mostly within ±1.5, so its deviation is below 1.1.
        assertThat(mean).isCloseTo(exact[node], within(4 * 1.1 / Math.sqrt(samples)));
        assertThat(mirrored).isCloseTo(-exact[node], within(4 * 1.1 / Math.sqrt(samples)));
    }

    @Test
    void refusesStatesFromWhichTheSchemeDiverges() {
        double[] state = {1, 30};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.step(state, TrajectoryStreams.of(0, 0)))
                .withMessage("state[1] = 30.0: must be within ±10.0 (farther out the scheme of quadwell-v1 diverges)");
        assertThat(state).containsExactly(1, 30);
    }
}
