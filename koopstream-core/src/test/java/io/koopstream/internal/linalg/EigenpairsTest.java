package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dense eigenpairs on the kinds of matrices LAPACK's {@code dchkhs} uses: the residual ratio stays below 30 whatever the size. */
class EigenpairsTest {

    private static final double EPS = Math.ulp(1.0);
    private static final int[] SIZES = {1, 2, 3, 5, 10, 16, 50};

    record Case(String name, int size, Object matrix) {

        double[][] rows() {
            return (double[][]) matrix;
        }

        @Override
        public String toString() {
            return name + " " + size;
        }
    }

    static Stream<Case> matrices() {
        Stream.Builder<Case> cases = Stream.builder();
        for (int n : SIZES) {
            SplittableRandom random = new SplittableRandom(n);
            cases.add(new Case("zero", n, new double[n][n]));
            cases.add(new Case("identity", n, diagonal(ones(n))));
            cases.add(new Case("Jordan block", n, jordan(n)));
            cases.add(new Case(
                    "evenly spaced", n, hidden(spread(n, i -> 1 - i * (1 - EPS) / Math.max(1, n - 1)), random)));
            cases.add(new Case(
                    "geometric", n, hidden(spread(n, i -> StrictMath.pow(EPS, i / Math.max(1.0, n - 1))), random)));
            cases.add(new Case("clustered", n, hidden(spread(n, i -> i == 0 ? 1 : EPS), random)));
            cases.add(new Case("near the identity", n, nearIdentity(n, random)));
            cases.add(new Case("random", n, random(n, random)));
            cases.add(new Case("symmetric", n, symmetric(n, random)));
            cases.add(new Case("skew", n, skew(n, random)));
            cases.add(new Case("companion of x^n = 1", n, companion(n)));
            cases.add(new Case("triangular, non-normal", n, nonNormal(n)));
            cases.add(new Case("scaled to sqrt(overflow)", n, scaled(random(n, random), 1e150)));
            cases.add(new Case("scaled to sqrt(underflow)", n, scaled(random(n, random), 1e-150)));
            cases.add(new Case("permutation", n, companion(n)));
            cases.add(new Case("rank one", n, rankOne(n, random)));
        }
        return cases.build();
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void residualRatioStaysSmall(Case c) {
        double[][] a = c.rows();
        int n = a.length;
        double[][] before = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
        List<Eigenpairs.Pair> pairs = Eigenpairs.of(a);
        assertThat(a).as("the input is not modified").isDeepEqualTo(before);
        assertThat(pairs).hasSize(n);
        double norm = Math.max(frobenius(a), Double.MIN_NORMAL);
        for (Eigenpairs.Pair pair : pairs) {
            double residual = Krylov.residual(map(a), n, pair);
            assertThat(residual / (n * EPS * norm)).as("%s", pair.modulus()).isLessThan(30);
            assertThat(Math.hypot(Vectors.norm(pair.vectorRe(), n), Vectors.norm(pair.vectorIm(), n)))
                    .isCloseTo(1, within(1e-12));
            assertThat(pair.modulus()).isLessThanOrEqualTo(norm * (1 + 1e-12));
        }
        assertSortedWithConjugates(pairs);
        assertTrace(a, pairs, norm);
    }

    private static void assertSortedWithConjugates(List<Eigenpairs.Pair> pairs) {
        for (int k = 0; k < pairs.size(); k++) {
            if (k > 0) {
                assertThat(pairs.get(k).modulus())
                        .isLessThanOrEqualTo(pairs.get(k - 1).modulus());
            }
            if (pairs.get(k).im() > 0) {
                assertThat(pairs.get(k + 1).re()).isEqualTo(pairs.get(k).re());
                assertThat(pairs.get(k + 1).im()).isEqualTo(-pairs.get(k).im());
                k++;
            } else {
                assertThat(pairs.get(k).im()).isEqualTo(0.0);
            }
        }
    }

    private static void assertTrace(double[][] a, List<Eigenpairs.Pair> pairs, double norm) {
        double trace = 0;
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            trace += a[i][i];
            sum += pairs.get(i).re();
        }
        assertThat(sum).isCloseTo(trace, within(30 * a.length * a.length * EPS * norm));
    }

    @Test
    void findsKnownValues() {
        // Rotation by 60 degrees scaled by 0.9, beside a real 0.5.
        double c = 0.9 * 0.5;
        double s = 0.9 * Math.sqrt(0.75);
        List<Eigenpairs.Pair> pairs = Eigenpairs.of(new double[][] {{c, -s, 3}, {s, c, -1}, {0, 0, 0.5}});
        assertThat(pairs.get(0).modulus()).isCloseTo(0.9, within(1e-14));
        assertThat(pairs.get(0).im()).isCloseTo(s, within(1e-14));
        assertThat(pairs.get(2).re()).isCloseTo(0.5, within(1e-14));
    }

    @Test
    void schurFormOfASymmetricMatrixIsItsEigendecomposition() {
        double[][] a = symmetric(40, new SplittableRandom(7));
        RealSchur schur = RealSchur.of(a);
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 40; j++) {
                double product = 0;
                double inner = 0;
                for (int k = 0; k < 40; k++) {
                    product += schur.vector(i, k) * schur.triangle(k, k) * schur.vector(j, k);
                    inner += schur.vector(k, i) * schur.vector(k, j);
                }
                assertThat(product).isCloseTo(a[i][j], within(1e-13 * frobenius(a)));
                assertThat(inner).isCloseTo(i == j ? 1 : 0, within(1e-13));
            }
        }
    }

    @Test
    void krylovFindsWhatTheDenseMethodFinds() {
        for (int n : new int[] {70, 150, 301}) {
            SplittableRandom random = new SplittableRandom(n);
            double[] decaying = spread(n, i -> StrictMath.pow(0.9, i));
            double[][] a = hidden(decaying, random);
            List<Eigenpairs.Pair> leading = Krylov.leading(map(a), n, 6);
            for (int k = 0; k < 6; k++) {
                assertThat(leading.get(k).modulus()).isCloseTo(StrictMath.pow(0.9, k), within(1e-9));
                assertThat(Krylov.residual(map(a), n, leading.get(k)) / (n * EPS * frobenius(a)))
                        .isLessThan(30);
            }
        }
    }

    @Test
    void krylovFindsRepeatedEigenvalues() {
        int n = 120;
        double[] values = spread(n, i -> i < 4 ? 1.0 : 0.5 * StrictMath.pow(0.95, i));
        List<Eigenpairs.Pair> leading = Krylov.leading(map(hidden(values, new SplittableRandom(3))), n, 5);
        for (int k = 0; k < 4; k++) {
            assertThat(leading.get(k).modulus()).isCloseTo(1.0, within(1e-10));
        }
        assertThat(leading.get(4).modulus()).isCloseTo(0.5 * StrictMath.pow(0.95, 4), within(1e-10));
    }

    @Test
    void krylovKeepsConjugatesTogether() {
        int n = 90;
        double[][] a = scaled(skew(n, new SplittableRandom(11)), 0.1);
        List<Eigenpairs.Pair> odd = Krylov.leading(map(a), n, 3);
        assertThat(odd).hasSize(4);
        assertSortedWithConjugates(odd);
    }

    @Test
    void krylovSurvivesALowRankMap() {
        int n = 100;
        double[][] a = rankOne(n, new SplittableRandom(5));
        List<Eigenpairs.Pair> leading = Krylov.leading(map(a), n, 3);
        assertThat(leading.get(0).modulus()).isGreaterThan(0);
        assertThat(leading.get(1).modulus()).isLessThan(1e-12 * frobenius(a));
    }

    static LinearMap map(double[][] a) {
        return (v, out) -> {
            for (int i = 0; i < a.length; i++) {
                out[i] = Vectors.dot(a[i], v, a.length);
            }
        };
    }

    static double frobenius(double[][] a) {
        double[] norms = Arrays.stream(a)
                .mapToDouble(row -> Vectors.norm(row, row.length))
                .toArray();
        return Vectors.norm(norms, norms.length);
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1.0);
        return ones;
    }

    private static double[] spread(int n, java.util.function.IntToDoubleFunction value) {
        return java.util.stream.IntStream.range(0, n).mapToDouble(value).toArray();
    }

    private static double[][] diagonal(double[] d) {
        double[][] a = new double[d.length][d.length];
        for (int i = 0; i < d.length; i++) {
            a[i][i] = d[i];
        }
        return a;
    }

    private static double[][] jordan(int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i][i] = 0.5;
            if (i + 1 < n) {
                a[i][i + 1] = 1;
            }
        }
        return a;
    }

    /** H D H with H a Householder reflector: the eigenvalues D in a full matrix. */
    private static double[][] hidden(double[] d, SplittableRandom random) {
        int n = d.length;
        double[] v = new double[n];
        for (int i = 0; i < n; i++) {
            v[i] = random.nextDouble() - 0.5;
        }
        double length = Vectors.norm(v, n);
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    double left = (i == k ? 1 : 0) - 2 * v[i] * v[k] / (length * length);
                    double right = (j == k ? 1 : 0) - 2 * v[j] * v[k] / (length * length);
                    a[i][j] += left * d[k] * right;
                }
            }
        }
        return a;
    }

    private static double[][] random(int n, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (double[] row : a) {
            for (int j = 0; j < n; j++) {
                row[j] = random.nextDouble() - 0.5;
            }
        }
        return a;
    }

    private static double[][] nearIdentity(int n, SplittableRandom random) {
        double[][] a = scaled(random(n, random), 1e-10);
        for (int i = 0; i < n; i++) {
            a[i][i] += 1;
        }
        return a;
    }

    private static double[][] symmetric(int n, SplittableRandom random) {
        double[][] a = random(n, random);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                a[i][j] = a[j][i];
            }
        }
        return a;
    }

    private static double[][] skew(int n, SplittableRandom random) {
        double[][] a = random(n, random);
        for (int i = 0; i < n; i++) {
            a[i][i] = 0;
            for (int j = 0; j < i; j++) {
                a[i][j] = -a[j][i];
            }
        }
        return a;
    }

    private static double[][] companion(int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i][(i + 1) % n] = 1;
        }
        return a;
    }

    private static double[][] nonNormal(int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i][i] = 1.0 / (i + 1);
            for (int j = i + 1; j < n; j++) {
                a[i][j] = 10;
            }
        }
        return a;
    }

    private static double[][] scaled(double[][] a, double s) {
        for (double[] row : a) {
            Vectors.scale(s, row, row.length);
        }
        return a;
    }

    private static double[][] rankOne(int n, SplittableRandom random) {
        double[][] u = random(n, random);
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = u[0][i] * u[n - 1][j];
            }
        }
        return a;
    }
}
