package io.koopstream.control.mpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Matrix;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Solutions of quadratic programs, against arithmetic and against the conditions of optimality. */
class QuadraticProgramTest {

    @Test
    void aSmallOneHasTheSolutionOfAnyTextbook() {
        // min x² + y² − 2x − 5y, x ≤ 1 … : the unconstrained minimum (1, 2.5) is cut off by x + y ≤ 2.
        Matrix p = Matrix.ofRows(new double[][] {{2, 0}, {0, 2}}, 2);
        Matrix a = Matrix.ofRows(new double[][] {{1, 1}, {1, 0}}, 2);
        QuadraticProgram program = new QuadraticProgram(p, a, 1e-9, 10_000);
        double[] none = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
        assertThat(program.solve(new double[] {-2, -5}, none, new double[] {2, 9})
                        .solved())
                .isTrue();
        assertThat(program.solution()[0]).isCloseTo(0.25, within(1e-7));
        assertThat(program.solution()[1]).isCloseTo(1.75, within(1e-7));
        assertThat(program.prices()[0]).isCloseTo(1.5, within(1e-6));
        assertThat(program.prices()[1]).isCloseTo(0, within(1e-6));
    }

    @Test
    void randomOnesFulfilTheConditionsOfOptimality() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 30; round++) {
            int n = 2 + round % 12;
            int m = n + round % 7;
            Matrix root = random(random, n, n);
            Matrix p = root.transposedTimes(root);
            Matrix a = random(random, m, n);
            double[] q = random.doubles(n, -3, 3).toArray();
            double[] low = random.doubles(m, -1, 0).toArray();
            double[] high = random.doubles(m, 0, 1).toArray();
            QuadraticProgram program = new QuadraticProgram(p, a, 1e-7, 100_000);
            assertThat(program.solve(q, low, high).solved()).isTrue();
            double[] gradient = q.clone();
            p.addMultiple(1, program.solution(), gradient);
            double[] prices = program.prices();
            for (int i = 0; i < m; i++) {
                double row = 0;
                for (int j = 0; j < n; j++) {
                    row += a.get(i, j) * program.solution()[j];
                    gradient[j] += a.get(i, j) * prices[i];
                }
                assertThat(row).isBetween(low[i] - 1e-6, high[i] + 1e-6);
                // A price is only paid at a bound, and with its sign.
                assertThat(Math.max(prices[i], 0) * (high[i] - row)).isCloseTo(0, within(1e-4));
                assertThat(Math.max(-prices[i], 0) * (row - low[i])).isCloseTo(0, within(1e-4));
            }
            assertThat(Arrays.stream(gradient).map(Math::abs).max().orElseThrow())
                    .isLessThan(1e-6);
        }
    }

    private static Matrix random(SplittableRandom random, int rows, int columns) {
        Matrix matrix = new Matrix(rows, columns);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                matrix.set(i, j, random.nextDouble(-1, 1));
            }
        }
        return matrix;
    }

    @Test
    void saysWhenThereIsNoSolutionAndRefusesNonsense() {
        Matrix one = Matrix.identity(1);
        Matrix twice = Matrix.ofRows(new double[][] {{1}, {1}}, 1);
        QuadraticProgram program = new QuadraticProgram(one, twice, 1e-6, 500);
        // x ≥ 1 and x ≤ 0.
        assertThat(program.solve(new double[1], new double[] {1, -9}, new double[] {9, 0})
                        .solved())
                .isFalse();
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> program.solve(new double[1], new double[] {1, 0}, new double[] {0, 1}))
                .withMessageContaining("row 0");
        // −x² has no least value.
        Matrix concave = Matrix.ofRows(new double[][] {{-2}}, 1);
        assertThat(new QuadraticProgram(concave, one, 1e-6, 10).solve(new double[1], new double[1], new double[1]))
                .isEqualTo(new QuadraticProgram.Outcome(false, 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> new QuadraticProgram(one, Matrix.identity(2), 1e-6, 10));
    }
}
