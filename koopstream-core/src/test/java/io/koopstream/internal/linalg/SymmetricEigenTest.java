package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.KoopstreamException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Residuals and orthogonality on the kinds of matrices LAPACK's {@code dchkst} uses, spectra in closed form, and the edges. */
class SymmetricEigenTest {

    private static final double EPS = Math.ulp(1.0);

    /** Around a panel of 16 rows and a block of 16 reflectors, and enough rotations at the last to fill their buffer. */
    private static final int[] SIZES = {0, 1, 2, 3, 5, 15, 16, 17, 33, 70, 310};

    record Case(String name, Matrix matrix) {

        @Override
        public String toString() {
            return name + " " + matrix.rows();
        }
    }

    static Stream<Case> matrices() {
        Stream.Builder<Case> cases = Stream.builder();
        for (int n : SIZES) {
            SplittableRandom random = new SplittableRandom(n);
            Matrix dense = random(n, random);
            cases.add(new Case("zero", new Matrix(n, n)));
            cases.add(new Case("identity", Matrix.identity(n)));
            cases.add(new Case("diagonal", diagonal(n, i -> (i * 7919 % 31) - 11)));
            cases.add(new Case("ones", filled(n, (i, j) -> 1)));
            cases.add(new Case("exchange", filled(n, (i, j) -> i + j == n - 1 ? 1 : 0)));
            cases.add(new Case("second difference", secondDifference(n)));
            cases.add(new Case("glued blocks", filled(n, (i, j) -> i / 3 == j / 3 ? dense.get(i % 3, j % 3) : 0)));
            cases.add(new Case("random", dense));
            cases.add(new Case("random, huge", scaled(dense, 1e300)));
            cases.add(new Case("random, tiny", scaled(dense, 1e-300)));
            cases.add(new Case("repeated", hidden(n, i -> i % 3, random)));
            cases.add(new Case("one and rounding", hidden(n, i -> i == 0 ? 1 : EPS, random)));
            cases.add(new Case("geometric", hidden(n, i -> graded(i, n), random)));
            cases.add(new Case("graded downwards", between(dense, i -> StrictMath.sqrt(graded(i, n)))));
            cases.add(new Case("graded upwards", between(dense, i -> StrictMath.sqrt(graded(n - 1 - i, n)))));
            cases.add(new Case("graded to the middle", between(dense, i -> graded(Math.abs(2 * i - n), n))));
            cases.add(new Case("graded beyond squares", between(dense, i -> StrictMath.pow(10, -200.0 * i / n))));
        }
        cases.add(new Case("Gram", gram(200)));
        return cases.build();
    }

    private static double graded(int i, int n) {
        return StrictMath.pow(1e-16, i / Math.max(1.0, n - 1.0));
    }

    private interface Entry {
        double at(int i, int j);
    }

    private static Matrix filled(int n, Entry entry) {
        Matrix matrix = new Matrix(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                matrix.set(i, j, entry.at(Math.max(i, j), Math.min(i, j)));
            }
        }
        return matrix;
    }

    private static Matrix diagonal(int n, IntToDoubleFunction entry) {
        return filled(n, (i, j) -> i == j ? entry.applyAsDouble(i) : 0);
    }

    private static Matrix secondDifference(int n) {
        return filled(n, (i, j) -> i == j ? 2 : i - j == 1 ? -1 : 0);
    }

    private static Matrix random(int n, SplittableRandom random) {
        Matrix matrix = filled(n, (i, j) -> random.nextDouble() - 0.5);
        matrix.mirrorLower();
        return matrix;
    }

    private static Matrix scaled(Matrix matrix, double factor) {
        Matrix result = matrix.copy();
        result.scale(factor);
        return result;
    }

    /** D A D. */
    private static Matrix between(Matrix matrix, IntToDoubleFunction d) {
        return filled(matrix.rows(), (i, j) -> matrix.get(i, j) * d.applyAsDouble(i) * d.applyAsDouble(j));
    }

    /** H D H with a few random reflectors H, symmetric to the last bit. */
    private static Matrix hidden(int n, IntToDoubleFunction values, SplittableRandom random) {
        Matrix result = diagonal(n, values);
        for (int count = 0; count < 3; count++) {
            double[] v = random.doubles(n, -1, 1).toArray();
            Vectors.scale(1 / Math.max(1e-3, Vectors.norm(v, n)), v, n);
            double[] p = new double[n];
            result.multiply(v, p);
            Vectors.axpy(-Vectors.dot(p, v, n), v, p, 0, n);
            // (I − 2 v vᵀ) A (I − 2 v vᵀ) = A − 2 v wᵀ − 2 w vᵀ with w = A v − (vᵀ A v) v.
            result.rankOne(1, -2, v, p);
            result.rankOne(1, -2, p, v);
            result.mirrorLower();
        }
        return result;
    }

    /** Gaussian kernel of points in the plane: eigenvalues fall below rounding. */
    private static Matrix gram(int n) {
        double[][] points = new double[n][];
        SplittableRandom random = new SplittableRandom(5);
        Arrays.setAll(points, i -> new double[] {random.nextDouble(), random.nextDouble()});
        return filled(n, (i, j) -> {
            double dx = points[i][0] - points[j][0];
            double dy = points[i][1] - points[j][1];
            return Exp.exp(-(dx * dx + dy * dy));
        });
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void residualAndOrthogonalityAreAtRounding(Case c) {
        Matrix a = c.matrix();
        int n = a.rows();
        Matrix before = a.copy();
        SymmetricEigen eigen = SymmetricEigen.of(a);
        assertThat(Arrays.deepEquals(a.toRows(), before.toRows()))
                .as("the input is not modified")
                .isTrue();
        assertThat(eigen.size()).isEqualTo(n);
        assertThat(eigen.values()).hasSize(n).isSorted();

        Matrix q = eigen.vectors();
        Matrix residual = a.times(q);
        for (int k = 0; k < n; k++) {
            assertThat(Arrays.equals(eigen.vector(k), q.column(k))).isTrue();
            Vectors.axpy(-eigen.value(k), q.column(k), residual.column(k), 0, n);
        }
        // LAPACK's tests divide by n and allow thirty; all that is summed here takes a few.
        double size = Math.max(a.frobeniusNorm(), Double.MIN_NORMAL);
        assertThat(residual.frobeniusNorm()).isLessThanOrEqualTo(5 * Math.max(1, n) * EPS * size);
        Matrix product = q.transposedTimes(q);
        product.add(-1, Matrix.identity(n));
        assertThat(product.frobeniusNorm()).isLessThanOrEqualTo(5 * Math.max(1, n) * EPS);
    }

    @Test
    void secondDifferencesHaveTheirClosedForm() {
        for (int n : new int[] {1, 2, 10, 100, 257}) {
            SymmetricEigen eigen = SymmetricEigen.of(secondDifference(n));
            for (int k = 1; k <= n; k++) {
                double angle = k * Math.PI / (n + 1);
                // Absolute errors at the rounding of the norm, which is below four.
                assertThat(eigen.value(k - 1))
                        .as("%s of %s", k, n)
                        .isCloseTo(2 - 2 * StrictMath.cos(angle), within(4 * n * EPS));
                double[] vector = eigen.vector(k - 1);
                double expected = StrictMath.sqrt(2.0 / (n + 1));
                double sign = Math.signum(vector[0]);
                double worst = 0;
                for (int i = 0; i < n; i++) {
                    worst = Math.max(worst, Math.abs(sign * vector[i] - expected * StrictMath.sin((i + 1) * angle)));
                }
                // Neighbouring eigenvalues at the ends are 3 π² / n² apart: this is what rounding is divided by.
                assertThat(worst).as("vector %s of %s", k, n).isLessThanOrEqualTo(n * n * n * EPS + 4 * EPS);
            }
        }
    }

    @Test
    void hiddenSpectraAreFoundAgain() {
        for (int n : new int[] {4, 40, 100}) {
            SymmetricEigen eigen = SymmetricEigen.of(hidden(n, i -> i % 4 - 2, new SplittableRandom(n)));
            for (int k = 0; k < n; k++) {
                assertThat(eigen.value(k)).isCloseTo(4 * k / n - 2, within(100 * EPS));
            }
        }
    }

    @Test
    void diagonalMatricesAreExact() {
        double[] entries = {3, -1e-100, 0, 1e150, 3, -7};
        SymmetricEigen eigen = SymmetricEigen.of(diagonal(6, i -> entries[i]));
        assertThat(eigen.values()).containsExactly(-7, -1e-100, 0, 3, 3, 1e150);
        int[] places = {5, 1, 2, 0, 4, 3};
        for (int k = 0; k < 6; k++) {
            double[] unit = new double[6];
            unit[places[k]] = 1;
            assertThat(eigen.vector(k)).containsExactly(unit);
        }
    }

    /** A tridiagonal matrix that is graded keeps digits far below the rounding of its norm, whichever way it is graded. */
    @Test
    void smallEigenvaluesOfGradedTridiagonalsKeepTheirDigits() {
        int n = 20;
        // D T D with second differences T, of determinant n + 1, and D = diag(2^(−4 i)): 46 orders of magnitude.
        Matrix down = between(secondDifference(n), i -> Math.scalb(1.0, -4 * i));
        Matrix up = filled(n, (i, j) -> down.get(n - 1 - i, n - 1 - j));
        double[] values = SymmetricEigen.of(down).values();
        double determinant = 1;
        for (int i = 0; i < n; i++) {
            determinant *= values[n - 1 - i] / Math.scalb(1.0, -8 * i);
        }
        // Each of them to a few hundred roundings; to the rounding of the norm, all but seven would be noise.
        assertThat(determinant / (n + 1)).isCloseTo(1, within(n * 300 * EPS));
        assertThat(SymmetricEigen.of(up).values()).containsExactly(values);
    }

    @Test
    void theSmallestSizes() {
        assertThat(SymmetricEigen.of(new Matrix(0, 0)).values()).isEmpty();
        assertThat(SymmetricEigen.of(new Matrix(0, 0)).vectors().columns()).isZero();
        SymmetricEigen one = SymmetricEigen.of(diagonal(1, i -> -3));
        assertThat(one.values()).containsExactly(-3);
        assertThat(one.vector(0)).containsExactly(1);
        // [1, 2; 2, −2] has eigenvalues −3 and 2, with vectors (1, −2) and (2, 1).
        SymmetricEigen two = SymmetricEigen.of(Matrix.ofRows(new double[][] {{1, 2}, {2, -2}}, 2));
        assertThat(two.value(0)).isCloseTo(-3, within(4 * EPS));
        assertThat(two.value(1)).isCloseTo(2, within(4 * EPS));
        assertThat(two.vector(0)[1] / two.vector(0)[0]).isCloseTo(-2, within(8 * EPS));
        assertThat(two.vector(1)[0] / two.vector(1)[1]).isCloseTo(2, within(8 * EPS));
    }

    @Test
    void onlyTheLowerTriangleIsRead() {
        Matrix a = random(20, new SplittableRandom(1));
        SymmetricEigen expected = SymmetricEigen.of(a);
        for (int j = 1; j < 20; j++) {
            Arrays.fill(a.column(j), 0, j, Double.NaN);
        }
        SymmetricEigen eigen = SymmetricEigen.of(a);
        assertThat(eigen.values()).containsExactly(expected.values());
        assertThat(eigen.vectors().toRows()).isDeepEqualTo(expected.vectors().toRows());
    }

    @Test
    void aMatrixWithRoomToGrowIsTakenAsItIs() {
        Matrix a = random(20, new SplittableRandom(2));
        SymmetricEigen expected = SymmetricEigen.of(a);
        a.reserve(50, 50);
        assertThat(SymmetricEigen.of(a).vectors().toRows())
                .isDeepEqualTo(expected.vectors().toRows());
    }

    @Test
    void whatIsHandedOutIsACopy() {
        SymmetricEigen eigen = SymmetricEigen.of(diagonal(3, i -> i));
        eigen.values()[0] = 9;
        eigen.vector(0)[0] = 9;
        eigen.vectors().set(0, 0, 9);
        assertThat(eigen.value(0)).isEqualTo(0);
        assertThat(eigen.vector(0)[0]).isEqualTo(1);
    }

    @Test
    void whatCannotBeSolvedIsRefused() {
        assertThatThrownBy(() -> SymmetricEigen.of(new Matrix(2, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 and 3");
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            Matrix a = Matrix.identity(4);
            a.set(3, 1, bad);
            assertThatThrownBy(() -> SymmetricEigen.of(a))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not finite");
        }
        assertThatThrownBy(() -> SymmetricEigen.of(filled(4, (i, j) -> 1e308)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large");
        assertThatThrownBy(() -> SymmetricEigen.of(random(9, new SplittableRandom(3)), Providers.ACTIVE, 1))
                .isInstanceOf(KoopstreamException.class)
                .hasMessageContaining("did not converge");
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void bothProvidersGiveTheSameBits(Case c) {
        SymmetricEigen expected = SymmetricEigen.of(c.matrix());
        for (Provider provider : ProviderContractTest.PROVIDERS) {
            SymmetricEigen eigen = SymmetricEigen.of(c.matrix(), provider, SymmetricEigen.MAX_SWEEPS_PER_EIGENVALUE);
            assertThat(Arrays.equals(bits(eigen), bits(expected))).isTrue();
        }
    }

    private static long[] bits(SymmetricEigen eigen) {
        Stream<double[]> arrays = Stream.concat(
                Stream.of(eigen.values()), Arrays.stream(eigen.vectors().toRows()));
        return arrays.flatMapToLong(array -> Arrays.stream(array).mapToLong(Double::doubleToRawLongBits))
                .toArray();
    }
}
