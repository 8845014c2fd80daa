package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallSystemTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 12})
    void solvesAndLeavesItsArgumentsAlone(int n) {
        SplittableRandom random = new SplittableRandom(n);
        double[][] a = new double[n][n];
        double[][] b = new double[n][2];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                // Rows of very different size: what row scaling in the choice of pivots is for.
                a[i][j] = (random.nextDouble() - 0.5) * Math.scalb(1.0, 20 * (i % 2));
            }
            b[i][0] = random.nextDouble();
            b[i][1] = i;
        }
        double[][] x = SmallSystem.solve(a, b);
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < 2; c++) {
                double sum = 0;
                for (int j = 0; j < n; j++) {
                    sum += a[i][j] * x[j][c];
                }
                assertThat(sum).as("n %d, row %d", n, i).isCloseTo(b[i][c], within(1e-8));
            }
            assertThat(b[i][1]).isEqualTo(i);
        }
    }

    @Test
    void aZeroOnTheDiagonalIsNoObstacleASingularMatrixIs() {
        double[][] x = SmallSystem.solve(new double[][] {{0, 2}, {1, 0}}, new double[][] {{4}, {3}});
        assertThat(x[0][0]).isEqualTo(3);
        assertThat(x[1][0]).isEqualTo(2);
        assertThat(SmallSystem.solve(new double[][] {{1, 2}, {2, 4}}, new double[][] {{1}, {1}}))
                .isNull();
        assertThat(SmallSystem.solve(new double[][] {{0}}, new double[][] {{1}}))
                .isNull();
    }
}
