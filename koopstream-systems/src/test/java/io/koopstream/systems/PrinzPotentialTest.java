package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class PrinzPotentialTest extends BenchmarkSystemContract {

    private final PrinzPotential system = new PrinzPotential();

    @Override
    BenchmarkSystem system() {
        return new PrinzPotential();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.5636017177475926};
    }

    @Override
    int knownEigenvalues() {
        return 10;
    }

    private static double potential(double x) {
        return 4
                * (Math.pow(x, 8)
                        + 0.8 * Math.exp(-80 * x * x)
                        + 0.2 * Math.exp(-80 * (x - 0.5) * (x - 0.5))
                        + 0.5 * Math.exp(-40 * (x + 0.5) * (x + 0.5)));
    }

    /** The mean after one Euler step, with the slope by differences: no formula shared with the class. */
    private static double stepMean(double x) {
        double d = 1e-5;
        return x - 1e-4 * (potential(x + d) - potential(x - d)) / (2 * d);
    }

    @Test
    void eigenvaluesAreThoseOfTheTransitionKernel() {
        double[] values = EulerKernel.powers(PrinzPotentialTest::stepMean, 0.02, 1.5, 400, 100, 4);
        double[][] exact = system.exactEigenvalues(4).orElseThrow();
        for (int i = 0; i < 4; i++) {
            // The table and these differ by the table's ten digits, the difference quotient and the orthogonal
            // iteration.
            assertThat(values[i]).isCloseTo(exact[i][0], within(1e-7));
        }
    }

    @Test
    void oneIntervalHasTheLawOfTheKernel() {
        double[] exact = EulerKernel.meanAfter(PrinzPotentialTest::stepMean, 0.02, 1.5, 400, 100);
        int samples = 40_000;
        for (int node : new int[] {120, 200, 230}) {
            double start = -1.5 + 3.0 * node / 399;
            UniformRandomProvider rng = TrajectoryStreams.of(5, node);
            double mean = 0;
            double square = 0;
            for (int i = 0; i < samples; i++) {
                double[] state = {start};
                system.step(state, rng);
                mean += state[0] / samples;
                square += state[0] * state[0] / samples;
            }
            assertThat(mean).isCloseTo(exact[node], within(4 * Math.sqrt((square - mean * mean) / samples)));
        }
    }

    @Test
    void refusesStatesFromWhichTheSchemeDiverges() {
        double[] state = {-2.5};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.step(state, TrajectoryStreams.of(0, 0)))
                .withMessage("state[0] = -2.5: must be within ±2.0 (farther out the scheme of prinz-v1 diverges)");
        assertThat(state).containsExactly(-2.5);
    }
}
