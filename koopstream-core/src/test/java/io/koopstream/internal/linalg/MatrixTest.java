package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixTest {

    private static final int[] SHAPES = {0, 1, 2, 7, 8, 9, 63, 130};

    private static Matrix random(int rows, int columns, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Matrix matrix = new Matrix(rows, columns);
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                matrix.set(i, j, random.nextDouble() - 0.5);
            }
        }
        return matrix;
    }

    private static double[] column(int n, long seed) {
        return random(n, 1, seed).column(0).clone();
    }

    @Test
    void productsAgreeWithTheirDefinition() {
        for (int rows : SHAPES) {
            for (int columns : SHAPES) {
                Matrix a = random(rows, columns, 1);
                double[] x = column(columns, 2);
                double[] y = column(rows, 3);
                double[] ax = new double[rows];
                a.multiply(x, ax);
                double[] aty = new double[columns];
                a.multiplyTransposed(y, aty);
                for (int i = 0; i < rows; i++) {
                    double sum = 0;
                    for (int j = 0; j < columns; j++) {
                        sum += a.get(i, j) * x[j];
                    }
                    assertThat(ax[i]).isCloseTo(sum, within(1e-13));
                }
                for (int j = 0; j < columns; j++) {
                    double sum = 0;
                    for (int i = 0; i < rows; i++) {
                        sum += a.get(i, j) * y[i];
                    }
                    assertThat(aty[j]).isCloseTo(sum, within(1e-13));
                }
            }
        }
    }

    @Test
    void matrixProductsAgreeWithEachOther() {
        Matrix a = random(9, 17, 1);
        Matrix b = random(17, 5, 2);
        Matrix difference = a.times(b);
        difference.add(-1, a.transposed().transposedTimes(b));
        assertThat(difference.frobeniusNorm()).isLessThan(1e-14);
        assertThatThrownBy(() -> b.times(a)).hasMessageContaining("inner size must agree: 5 and 9");
    }

    @Test
    void rankOneIsARankOneUpdate() {
        Matrix a = random(6, 4, 1);
        double[] u = column(6, 2);
        double[] v = column(4, 3);
        Matrix updated = a.copy();
        updated.rankOne(0.5, 2.0, u, v);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 4; j++) {
                assertThat(updated.get(i, j)).isCloseTo(0.5 * a.get(i, j) + 2 * u[i] * v[j], within(1e-15));
            }
        }
    }

    @Test
    void growingKeepsWhatIsThereAndAddsZeros() {
        Matrix a = new Matrix(0, 0);
        for (int n = 1; n <= 100; n++) {
            a.resize(n, n);
            assertThat(a.get(n - 1, 0)).isEqualTo(0.0);
            a.set(n - 1, n - 1, n);
        }
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) {
                assertThat(a.get(i, j)).isEqualTo(i == j ? i + 1.0 : 0.0);
            }
        }
        assertThatThrownBy(() -> a.resize(99, 100)).hasMessageContaining("only grows");
    }

    @Test
    void aCopyIsIndependent() {
        Matrix a = random(3, 3, 1);
        Matrix copy = a.copy();
        a.set(0, 0, 42);
        assertThat(copy.get(0, 0)).isNotEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 31, 100})
    void triangularSolvesInvertTriangularProducts(int n) {
        Matrix lower = random(n, n, 4);
        for (int j = 0; j < n; j++) {
            lower.set(j, j, 2 + j % 3);
            for (int i = 0; i < j; i++) {
                lower.set(i, j, 0);
            }
        }
        double[] x = column(n, 5);
        double[] y = new double[n];
        Triangular.multiply(lower, x, y);
        Triangular.solve(lower, y);
        assertThat(y).containsExactly(x, within(1e-9));
        Triangular.multiplyTransposed(lower, x, y);
        Triangular.solveTransposed(lower, y);
        assertThat(y).containsExactly(x, within(1e-9));
    }

    @Test
    void choleskyReproducesItsMatrixAndRefusesAnIndefiniteOne() {
        Matrix b = random(30, 20, 6);
        Matrix a = b.transposedTimes(b);
        Matrix lower = Triangular.cholesky(a);
        Matrix back = lower.times(lower.transposed());
        back.add(-1, a);
        assertThat(back.frobeniusNorm()).isLessThan(1e-14 * a.frobeniusNorm() * 20);
        a.set(3, 3, -1);
        assertThat(Triangular.cholesky(a)).isNull();
    }

    @Test
    void normsDoNotOverflowNorUnderflow() {
        double[] huge = {3e200, 4e200};
        double[] tiny = {3e-200, 4e-200};
        assertThat(Vectors.norm(huge, 2)).isCloseTo(5e200, within(1e186));
        assertThat(Vectors.norm(tiny, 2)).isCloseTo(5e-200, within(1e-214));
        assertThat(Vectors.norm(new double[3], 3)).isEqualTo(0.0);
        assertThat(Vectors.norm(new double[] {Double.NaN, 1}, 2)).isNaN();
    }

    @Test
    void dotHasOneOrderWhateverTheLength() {
        for (int n = 0; n < 70; n++) {
            double[] x = column(n, 7);
            double[] y = column(n, 8);
            double[] shiftedX = new double[n + 3];
            double[] shiftedY = new double[n + 3];
            System.arraycopy(x, 0, shiftedX, 3, n);
            System.arraycopy(y, 0, shiftedY, 3, n);
            assertThat(Vectors.dot(shiftedX, shiftedY, 3, n + 3)).isEqualTo(Vectors.dot(x, y, n));
        }
    }
}
