package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridChainTest extends BenchmarkSystemContract {

    private final GridChain system = new GridChain();

    @Override
    BenchmarkSystem system() {
        return new GridChain();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.45};
    }

    @Test
    void theStationaryLawStaysAndIsReversible() {
        double[] law = system.stationaryLaw();
        double[][] p = system.transitionMatrix();
        double sum = 0;
        for (int i = 0; i < law.length; i++) {
            sum += law[i];
            double next = 0;
            for (int j = 0; j < law.length; j++) {
                next += law[j] * p[j][i];
                assertThat(law[i] * p[i][j]).isCloseTo(law[j] * p[j][i], within(1e-16));
            }
            assertThat(next).isCloseTo(law[i], within(1e-15));
        }
        assertThat(sum).isCloseTo(1, within(1e-14));
    }

    @Test
    void eigenvaluesSumToTheTraceAndTheirSquaresToThatOfTheSquare() {
        double[][] p = system.transitionMatrix();
        double trace = 0;
        double traceOfSquare = 0;
        for (int i = 0; i < p.length; i++) {
            trace += p[i][i];
            for (int j = 0; j < p.length; j++) {
                traceOfSquare += p[i][j] * p[j][i];
            }
        }
        double sum = 0;
        double squares = 0;
        for (double[] value : system.exactEigenvalues(41).orElseThrow()) {
            sum += value[0];
            squares += value[0] * value[0];
        }
        assertThat(sum).isCloseTo(trace, within(1e-11));
        assertThat(squares).isCloseTo(traceOfSquare, within(1e-11));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.exactEigenvalues(42))
                .withMessageStartingWith("count = 42: must be <= 41");
    }

    @Test
    void simulatedStepsHaveTheStatedLaw() {
        double[][] p = system.transitionMatrix();
        double[][] states = system.states();
        var rng = TrajectoryStreams.of(3, 0);
        int samples = 100_000;
        double mean = 0;
        for (int n = 0; n < samples; n++) {
            double[] state = {0.8};
            system.step(state, rng);
            mean += state[0] / samples;
        }
        double exact = 0;
        for (int j = 0; j < states.length; j++) {
            exact += p[36][j] * states[j][0];
        }
        assertThat(states[36][0]).isEqualTo(0.8);
        // The standard deviation of a step is below 0.6.
        assertThat(mean).isCloseTo(exact, within(4 * 0.6 / Math.sqrt(samples)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1.05, 0.01, 1.05})
    void refusesStatesOffTheGrid(double x) {
        double[] state = {x};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.step(state, TrajectoryStreams.of(0, 0)))
                .withMessage("state[0] = " + x + ": must be one of -1, -0.95, ..., 1 (coordinate x of gridchain-v1)");
        assertThat(state).containsExactly(x);
    }
}
