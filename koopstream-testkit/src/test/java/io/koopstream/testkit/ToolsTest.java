package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.commons.rng.UniformRandomProvider;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tools that judge others are judged here: against exact decimals, matrices with known spectra, and themselves. */
class ToolsTest {

    private static final MathContext DIGITS = new MathContext(60);

    private static BigDecimal exact(DoubleDouble value) {
        return new BigDecimal(value.hi()).add(new BigDecimal(value.lo()));
    }

    private static void assertClose(DoubleDouble actual, BigDecimal expected, String what) {
        BigDecimal error = exact(actual).subtract(expected).abs();
        // 2^-100 ≈ 8e-31, a few units in the last of the 106 bits.
        assertThat(error).as(what).isLessThanOrEqualTo(expected.abs().multiply(new BigDecimal("8e-31")));
    }

    @Test
    void doubleDoubleHasThirtyDigits() {
        UniformRandomProvider random = Streams.random(1);
        for (int i = 0; i < 2_000; i++) {
            DoubleDouble a = DoubleDouble.of(random.nextDouble()).plus(DoubleDouble.of(random.nextDouble() * 1e-17));
            DoubleDouble b =
                    DoubleDouble.of(random.nextDouble() + 0.1).plus(DoubleDouble.of(random.nextDouble() * 1e-18));
            String what = "seed 1, draw " + i;
            assertClose(a.plus(b), exact(a).add(exact(b)), what);
            assertClose(a.times(b), exact(a).multiply(exact(b)), what);
            assertClose(a.dividedBy(b), exact(a).divide(exact(b), DIGITS), what);
            assertClose(b.sqrt(), exact(b).sqrt(DIGITS), what);
            assertThat(a.compareTo(b)).as(what).isEqualTo(exact(a).compareTo(exact(b)));
        }
        DoubleDouble third = DoubleDouble.of(1).dividedBy(DoubleDouble.of(3));
        assertThat(DoubleDouble.of(1).minus(third.times(3)).toDouble()).isCloseTo(0, Offset.offset(1e-31));
        assertThat(DoubleDouble.of(-1).sqrt()).isEqualTo(DoubleDouble.ZERO);
    }

    @Test
    void exactMatricesSolveWhatDoublesCannot() {
        // The Hilbert matrix of size 12 has condition 1.7e16: in double nothing would be left.
        int n = 12;
        ExactMatrix hilbert = ExactMatrix.of(n, n, (i, j) -> DoubleDouble.of(1).dividedBy(DoubleDouble.of(i + j + 1)));
        ExactMatrix ones = ExactMatrix.of(n, 1, (i, j) -> DoubleDouble.of(1));
        double[][] solved = hilbert.solve(hilbert.times(ones)).toRows();
        for (double[] row : solved) {
            assertThat(row[0]).isCloseTo(1, Offset.offset(1e-13));
        }
        assertThat(hilbert.traceOfProduct(hilbert).toDouble())
                .isCloseTo(
                        hilbert.times(hilbert).toRows()[0][0] + diagonal(hilbert.times(hilbert)), Offset.offset(1e-14));
        ExactMatrix singular = ExactMatrix.of(2, 2, (i, j) -> DoubleDouble.of(1));
        assertThatThrownBy(() -> singular.solve(singular)).isInstanceOf(ArithmeticException.class);
    }

    private static double diagonal(ExactMatrix matrix) {
        double sum = 0;
        for (int i = 1; i < matrix.rows(); i++) {
            sum += matrix.get(i, i).toDouble();
        }
        return sum;
    }

    /** The second difference matrix of size n has the eigenvalues 2 − 2 cos(kπ/(n+1)). */
    @Test
    void jacobiFindsAKnownSpectrum() {
        int n = 25;
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            matrix[i][i] = 2;
            if (i > 0) {
                matrix[i][i - 1] = -1;
                matrix[i - 1][i] = -1;
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(matrix);
        double[] values = new double[n];
        for (int k = 0; k < n; k++) {
            values[k] = eigen.value(k);
            double[] v = eigen.vector(k);
            for (int i = 0; i < n; i++) {
                double product = 0;
                for (int j = 0; j < n; j++) {
                    product += matrix[i][j] * v[j];
                }
                assertThat(product).isCloseTo(eigen.value(k) * v[i], Offset.offset(1e-13));
            }
        }
        java.util.Arrays.sort(values);
        for (int k = 0; k < n; k++) {
            assertThat(values[k]).isCloseTo(2 - 2 * Math.cos((k + 1) * Math.PI / (n + 1)), Offset.offset(1e-13));
        }
        assertThat(SymmetricEigen.conditionNumber(matrix)).isCloseTo(values[n - 1] / values[0], Offset.offset(1e-9));
        assertThat(SymmetricEigen.conditionNumber(new double[][] {{1, 1}, {1, 1}}))
                .isGreaterThan(1e15);
    }

    @Test
    void streamsAreAFunctionOfTheirSeed() {
        for (SogdSettings.Source source : SogdSettings.Source.values()) {
            Samples once = source.samples(3, 100);
            assertThat(source.samples(3, 100).inputs()).as("%s", once).isDeepEqualTo(once.inputs());
            assertThat(source.samples(3, 100).outputs()).as("%s", once).isDeepEqualTo(once.outputs());
            assertThat(source.samples(4, 100).inputs()).as("%s", once).isNotEqualTo(once.inputs());
            assertThat(once.toString()).contains("seed=3");
            for (double[] x : source.samples(3, 2_000).inputs()) {
                for (double c : x) {
                    assertThat(c).as("%s", once).isBetween(-6.0, 6.0);
                }
            }
        }
    }

    @Test
    void streamsAreWhatTheirNamesSay() {
        Samples orbit = Streams.periodicOrbit(7, 50);
        assertThat(orbit.input(7)).containsExactly(orbit.input(0));
        assertThat(orbit.output(0)).containsExactly(orbit.input(1));
        double[] settled = Streams.settlingSpiral(1, 3_000).output(2_999);
        assertThat(Math.hypot(settled[0], settled[1])).isLessThan(1e-200);
        Samples duplicates = Streams.withDuplicates(Streams.vanDerPol(1, 1_000), 0.3, 2);
        long repeated = 1_000
                - java.util.Arrays.stream(duplicates.inputs())
                        .map(java.util.Arrays::toString)
                        .distinct()
                        .count();
        assertThat(repeated).isBetween(240L, 360L);
        Samples moved = orbit.shifted(10).scaled(2);
        assertThat(moved.input(0)[0]).isEqualTo(2 * (orbit.input(0)[0] + 10));
        assertThat(orbit.range(3, 5).size()).isEqualTo(2);
        orbit.inputs()[0][0] = 99;
        orbit.input(0)[0] = 99;
        assertThat(orbit.input(0)[0]).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void gramFamiliesAreAFunctionOfTheirSeed(GramFamily family) {
        assertThat(family.points(20, 3)).isDeepEqualTo(family.points(20, 3)).hasNumberOfRows(20);
        assertThat(family.points(0, 3)).isEmpty();
        if (family != GramFamily.PERIODIC_ORBIT) {
            assertThat(family.points(20, 4)).isNotEqualTo(family.points(20, 3));
        }
    }

    /** The literal algorithm on a stream small enough to follow by hand. */
    @Test
    void literalSogdFollowsTheFormulasByHand() {
        LiteralSogd literal =
                new LiteralSogd(Kernels.linear(0, 9), Kernels.linear(0, 9), 0.5, LiteralSogd.Residual.EXACT);
        // U = 0: Ũ = η y ⊗ x = 0.1 · 3 · 2, nothing to project on.
        assertThat(literal.update(new double[] {2}, new double[] {3}, 0.1, 0.5)).isTrue();
        assertThat(literal.lastResidual()).isCloseTo(0.6, Offset.offset(1e-15));
        assertThat(literal.coefficients()[0][0]).isEqualTo(0.1);
        // In one dimension U is the number u = 0.6; the step is u ← u − η (u x − y) x − ηλu, and the span is
        // everything.
        assertThat(literal.update(new double[] {1}, new double[] {-1}, 0.1, 1e-9))
                .isFalse();
        assertThat(literal.lastResidual()).isLessThan(1e-15);
        double u = 0.6 - 0.1 * (0.6 * 1 + 1) * 1 - 0.1 * 0.5 * 0.6;
        assertThat(literal.norm()).isCloseTo(Math.abs(u), Offset.offset(1e-15));
        assertThat(literal.coefficients()[0][0]).isCloseTo(u / 6, Offset.offset(1e-15));
        assertThat(literal.admitted()).containsExactly(1L);
    }
}
