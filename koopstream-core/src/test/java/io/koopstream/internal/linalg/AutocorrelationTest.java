package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutocorrelationTest {

    private static final SplittableRandom RANDOM = new SplittableRandom(7);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 100, 333})
    void theSumsAreThoseOfTheProductsOneByOne(int n) {
        for (int count = 0; count <= 3; count++) {
            List<double[]> series = new ArrayList<>();
            for (int s = 0; s < count; s++) {
                series.add(RANDOM.doubles(n, -1, 1).toArray());
            }
            int most = n + 2;
            double[] sums = Autocorrelation.sums(series, most);
            for (int lag = 0; lag <= most; lag++) {
                double expected = 0;
                for (double[] values : series) {
                    for (int t = 0; t + lag < n; t++) {
                        expected += values[t] * values[t + lag];
                    }
                }
                assertThat(sums[lag])
                        .as("%d series of %d, lag %d", count, n, lag)
                        .isCloseTo(expected, within(1e-12));
            }
        }
    }

    @Test
    void thePeriodIsFoundUnderATrendAndAJumpBesideNoiseAndACoordinateThatStandsStill() {
        double[][] rows = new double[400][];
        for (int t = 0; t < rows.length; t++) {
            rows[t] = new double[] {Math.sin(2 * Math.PI * t / 24) + 0.05 * t, 3, RANDOM.nextGaussian()};
        }
        rows[200][0] += 1000;
        assertThat(Autocorrelation.period(rows, 1000)).isEqualTo(24);
        assertThat(Autocorrelation.period(rows, 20)).isZero();
    }

    @Test
    void noiseDoesNotMoveThePeriod() {
        for (int run = 0; run < 20; run++) {
            double[][] rows = new double[1500][1];
            for (int t = 0; t < rows.length; t++) {
                rows[t][0] = Math.sin(2 * Math.PI * t / 48) + 0.05 * RANDOM.nextGaussian();
            }
            assertThat(Autocorrelation.period(rows, 1000)).as("run %d", run).isEqualTo(48);
        }
    }

    @Test
    void noiseHasNoPeriod() {
        double[][] rows = new double[500][1];
        for (double[] row : rows) {
            row[0] = RANDOM.nextGaussian();
        }
        assertThat(Autocorrelation.period(rows, 1000)).isZero();
    }

    @Test
    void aSolveTakesATriangleAway() {
        int n = 11;
        Matrix lower = new Matrix(n, n);
        for (int j = 0; j < n; j++) {
            double[] column = new double[n];
            for (int i = j; i < n; i++) {
                column[i] = i == j ? 1 + RANDOM.nextDouble() : RANDOM.nextDouble(-0.5, 0.5);
            }
            lower.setColumn(j, 1, column);
        }
        double[] x = RANDOM.doubles(n, -1, 1).toArray();
        double[] product = new double[n];
        Triangular.multiply(lower, x, product);
        Triangular.solve(lower, product);
        assertThat(product).containsExactly(x, within(1e-13));
    }
}
