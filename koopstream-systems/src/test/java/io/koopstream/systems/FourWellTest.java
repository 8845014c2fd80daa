package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FourWellTest extends BenchmarkSystemContract {

    /** Ten times the slowest relaxation inside a well, so that only the balance of the wells remembers the start. */
    private static final int BURN_IN = 30;

    /** 400,000 transitions after the burn-in. */
    private static double[][][] paths;

    private final FourWell system = new FourWell();

    @BeforeAll
    static void simulateOnce() {
        paths = new FourWell().simulate(400, BURN_IN + 1000, 2024);
    }

    @Override
    BenchmarkSystem system() {
        return new FourWell();
    }

    @Override
    double[] publishedState() {
        return new double[] {-0.7050306255663773, -0.8796475520236428};
    }

    @ParameterizedTest
    @CsvSource({"-1, -1, 0", "1, -1, 1", "-1, 1, 2", "1, 1, 3"})
    void labelsTheWellsWhereThePotentialVanishes(double x1, double x2, int well) {
        double[] bottom = {x1, x2};
        assertThat(system.potential(bottom)).isZero();
        assertThat(system.wellOf(bottom)).isEqualTo(well);
        assertThat(system.wellOf(new double[] {0.3 * x1, 1.7 * x2})).isEqualTo(well);
    }

    @Test
    void potentialHasTheStatedBarriers() {
        assertThat(system.potential(new double[] {0, 1})).isEqualTo(1);
        assertThat(system.potential(new double[] {0, 0})).isEqualTo(2);
        assertThat(system.potential(new double[] {2, -1})).isEqualTo(9);
    }

    @Test
    void startsFillTheSquare() {
        double largest = Arrays.stream(paths)
                .flatMapToDouble(path -> Arrays.stream(path[0]))
                .map(Math::abs)
                .max()
                .orElseThrow();
        assertThat(largest).isBetween(1.98, 2.0);
    }

    @Test
    void visitsAllWellsEquallyOften() {
        int[] visits = new int[4];
        for (double[][] path : paths) {
            visits[system.wellOf(path[path.length - 1])]++;
        }
        // 400 independent ends: a share of 1/4 has standard error 0.022.
        for (int well : visits) {
            assertThat(well / 400.0).isCloseTo(0.25, within(4 * 0.022));
        }
    }

    @Test
    void secondMomentIsThatOfTheStationaryLaw() {
        // One state in 20 (two time units) is nearly independent of the next inside a well.
        double sum = 0;
        double sumOfSquares = 0;
        int count = 0;
        for (double[][] path : paths) {
            for (int t = BURN_IN; t < path.length; t += 20) {
                for (double x : path[t]) {
                    sum += x * x;
                    sumOfSquares += x * x * x * x;
                    count++;
                }
            }
        }
        double mean = sum / count;
        double standardError = Math.sqrt((sumOfSquares / count - mean * mean) / count);
        assertThat(standardError).isLessThan(3e-3);
        assertThat(mean).isCloseTo(stationarySecondMoment(), within(4 * standardError));
    }

    private static double stationarySecondMoment() {
        double mass = 0;
        double moment = 0;
        for (double x = -3; x <= 3; x += 1e-3) {
            double density = Math.exp(-4 * (x * x - 1) * (x * x - 1));
            mass += density;
            moment += x * x * density;
        }
        return moment / mass;
    }

    @Test
    void simulatedPathsHaveTheExactEigenvalues() {
        // The coordinates are independent copies of one symmetric process; counting mirror images too makes the odd and
        // the even functions separate invariant spaces of the matrix.
        UlamMatrix ulam = new UlamMatrix(-2.4, 2.4, 80);
        for (double[][] path : paths) {
            for (int t = BURN_IN; t + 1 < path.length; t++) {
                for (int i = 0; i < 2; i++) {
                    ulam.add(path[t][i], path[t + 1][i]);
                    ulam.add(-path[t][i], -path[t + 1][i]);
                }
            }
        }
        double[] odd = Arrays.stream(ulam.centres()).map(Math::signum).toArray();
        double[] even = Arrays.stream(ulam.centres()).map(x -> x * x).toArray();
        double[][] exact = system.exactEigenvalues(5).orElseThrow();
        // Standard errors are those over thirty seeds. What the 80 cells cost, 4e-5 and 3e-3, was computed
        // with the same matrix made of exact transition probabilities.
        assertThat(eigenvalue(ulam, odd)).isCloseTo(exact[1][0], within(4 * 5e-5 + 4e-5));
        assertThat(eigenvalue(ulam, even)).isCloseTo(exact[4][0], within(4 * 2.7e-3 + 3e-3));
    }

    private static double eigenvalue(UlamMatrix ulam, double[] start) {
        double[] f = ulam.iterateWithoutConstant(start, 100);
        return UlamMatrix.dot(f, ulam.apply(f));
    }

    @Test
    void leadingEigenvaluesAreTheKnownOnes() {
        double[][] values = system.exactEigenvalues(6).orElseThrow();
        double[] expected = {1, 0.99703, 0.99703, 0.99406, 0.71818, 0.71818};
        for (int i = 0; i < expected.length; i++) {
            assertThat(values[i][0]).isCloseTo(expected[i], within(5e-6));
            assertThat(values[i][1]).isZero();
        }
    }

    @Test
    void refusesMoreEigenvaluesThanItKnows() {
        assertThat(system.exactEigenvalues(41)).isPresent();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.exactEigenvalues(42))
                .withMessage("count = 42: must be <= 41 (eigenvalues known for fourwell-v1)");
    }
}
