package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.RkhsElement;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.theory.InterpolationNorm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Distances between operators with different dictionaries, and between distributions, against brute force. */
class OperatorDistanceTest {

    /** Three operators that can be compared with each other. */
    record Triple(TransitionOperator u, TransitionOperator v, TransitionOperator w) {}

    static Stream<Triple> triples() {
        return Stream.concat(
                LongStream.range(1, 5)
                        .mapToObj(seed -> new Triple(
                                LearnedOperators.ofPlane(seed),
                                LearnedOperators.ofPlane(seed + 10),
                                LearnedOperators.ofPlane(seed + 20))),
                LongStream.range(1, 4)
                        .mapToObj(seed -> new Triple(
                                LearnedOperators.ofControlled(seed),
                                LearnedOperators.ofControlled(seed + 10),
                                LearnedOperators.ofControlled(seed + 20))));
    }

    @ParameterizedTest
    @MethodSource("triples")
    void distanceIsAMetric(Triple operators) {
        TransitionOperator u = operators.u;
        TransitionOperator v = operators.v;
        TransitionOperator w = operators.w;
        assertThat(u.distance(u)).isZero();
        assertThat(u.distance(v)).isGreaterThan(0.1).isCloseTo(v.distance(u), Offset.offset(1e-9));
        assertThat(u.distance(w)).isLessThanOrEqualTo(u.distance(v) + v.distance(w));
        assertThat(Math.abs(u.norm() - v.norm())).isLessThanOrEqualTo(u.distance(v));
    }

    /** The coefficients of U − V on both dictionaries together: W_U and −W_V as diagonal blocks. */
    private static ExactMatrix differenceOf(TransitionOperator u, TransitionOperator v) {
        double[][] first = u.coefficients();
        double[][] second = v.coefficients();
        int columns = u.inputPoints().length;
        return ExactMatrix.of(first.length + second.length, columns + v.inputPoints().length, (i, j) -> {
            if (i < first.length) {
                return j < columns ? DoubleDouble.of(first[i][j]) : DoubleDouble.ZERO;
            }
            return j < columns ? DoubleDouble.ZERO : DoubleDouble.of(-second[i - first.length][j - columns]);
        });
    }

    private static double[][] together(double[][] a, double[][] b) {
        return Stream.concat(Arrays.stream(a), Arrays.stream(b)).toArray(double[][]::new);
    }

    /** Of the paper: eq.K.bias-variance. */
    @ParameterizedTest
    @MethodSource("triples")
    void distanceIsTheTraceOverBothDictionaries(Triple operators) {
        TransitionOperator u = operators.u;
        TransitionOperator v = operators.v;
        double expected = LiteralSogd.squaredNorm(
                        differenceOf(u, v),
                        LiteralSogd.gram(u.domain().kernel(), together(u.inputPoints(), v.inputPoints())),
                        LiteralSogd.gram(u.codomain().kernel(), together(u.outputPoints(), v.outputPoints())))
                .sqrt()
                .toDouble();
        // The frame that spans both dictionaries drops directions below 1e-12 of κ, i.e. 1e-6 as a norm.
        assertThat(u.distance(v)).isCloseTo(expected, Offset.offset(1e-6));
    }

    @Test
    void distanceBetweenStagesOfOneLearnerSeesTheSmallestStep() {
        TransitionOperator before = LearnedOperators.ofPlane(7, 200);
        TransitionOperator after = LearnedOperators.ofPlane(7, 201);
        double expected = LiteralSogd.squaredNorm(
                        differenceOf(before, after),
                        LiteralSogd.gram(before.domain().kernel(), together(before.inputPoints(), after.inputPoints())),
                        LiteralSogd.gram(
                                before.domain().kernel(), together(before.outputPoints(), after.outputPoints())))
                .sqrt()
                .toDouble();
        assertThat(expected).isBetween(1e-4, 1.0);
        assertThat(before.distance(after)).isCloseTo(expected, Offset.offset(1e-9));
    }

    @ParameterizedTest
    @MethodSource("triples")
    void theEndsOfTheInterpolationAreTheKnownDistances(Triple operators) {
        TransitionOperator u = operators.u;
        TransitionOperator v = operators.v;
        double[][] samples = Streams.normalPoints(3, 40, u.domain().dimension(), 1);
        assertThat(InterpolationNorm.distance(u, v, 1, samples)).isEqualTo(u.distance(v));
        double sum = 0;
        for (double[] x : samples) {
            double miss = u.embedding(x).distance(v.embedding(x));
            sum += miss * miss;
        }
        assertThat(InterpolationNorm.distance(u, v, 0, samples))
                .isCloseTo(Math.sqrt(sum / samples.length), Offset.offset(1e-7));
    }

    /** Of the paper: lemma.CME.gamma2HS.2, lemma.Kt. */
    @ParameterizedTest
    @MethodSource("triples")
    void theInterpolationGrowsWithTheExponent(Triple operators) {
        double[][] samples = Streams.normalPoints(4, 40, operators.u.domain().dimension(), 1);
        // κ∞ = 1 here, so the eigenvalues σ of C_XX are at most one and σ^(1−β) grows with β.
        double before = InterpolationNorm.distance(operators.u, operators.v, 0, samples);
        for (double beta = 0.05; beta < 0.99; beta += 0.05) {
            double now = InterpolationNorm.distance(operators.u, operators.v, beta, samples);
            assertThat(now).as("beta %s", beta).isGreaterThan(before);
            before = now;
        }
        assertThat(operators.u.distance(operators.v)).isGreaterThan(before);
        assertThat(InterpolationNorm.distance(operators.u, operators.v, 1e-9, samples))
                .isCloseTo(InterpolationNorm.distance(operators.u, operators.v, 0, samples), Offset.offset(1e-5));
        assertThat(InterpolationNorm.distance(operators.u, operators.u, 0.5, samples))
                .isLessThan(1e-9);
    }

    /**
     * def.power, def.vRKHS.beta, eq.L_kappa, eq.L_kappa_spectral, eq.kov.decomposition, eq.covariance.spectral.0: ‖(U − V) C^((1−β)/2)‖² = Tr[(U−V) C^s (U−V)*], s = 1 − β. With Φ the features of n samples, G/n = E Σ Eᵀ gives
     * C^s = Φ E Σ^(s−1) Eᵀ Φᵀ / n, and (U−V) Φ = Ψ B with B = D K.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 0.8})
    void theInterpolationIsThePowerOfTheCovariance(double beta) {
        List<Triple> triples = triples().toList();
        for (Triple operators : triples) {
            TransitionOperator u = operators.u;
            TransitionOperator v = operators.v;
            Kernel kernel = u.domain().kernel();
            // Few samples far apart: Σ^(s−1) must not amplify rounding errors of tiny eigenvalues.
            double[][] samples = Streams.normalPoints(6, 8, u.domain().dimension(), 1.5);
            int n = samples.length;
            double[][] gram = LiteralSogd.gram(kernel, samples).toRows();
            for (double[] row : gram) {
                Arrays.setAll(row, j -> row[j] / n);
            }
            SymmetricEigen eigen = SymmetricEigen.of(gram);
            assertThat(eigen.smallest()).isGreaterThan(1e-6);
            ExactMatrix images = differenceOf(u, v)
                    .times(LiteralSogd.gram(kernel, together(u.inputPoints(), v.inputPoints()), samples));
            double[][] inner = images.transposed()
                    .times(LiteralSogd.gram(u.codomain().kernel(), together(u.outputPoints(), v.outputPoints())))
                    .times(images)
                    .toRows();
            double sum = 0;
            for (int k = 0; k < n; k++) {
                double[] e = eigen.vector(k);
                double form = 0;
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        form += e[i] * inner[i][j] * e[j];
                    }
                }
                sum += Math.pow(eigen.value(k), -beta) * form / n;
            }
            assertThat(InterpolationNorm.distance(u, v, beta, samples)).isCloseTo(Math.sqrt(sum), Offset.offset(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theDistanceOfMeanEmbeddingsIsTheMaximumMeanDiscrepancy(long seed) {
        Rkhs space = new Rkhs(Kernels.matern52(1), 3);
        double[][] a = Streams.normalPoints(seed, 30, 3, 1);
        double[][] b = Streams.normalPoints(seed + 50, 45, 3, 1.5);
        double squared = mean(space, a, a) + mean(space, b, b) - 2 * mean(space, a, b);
        double mmd = RkhsElement.meanEmbedding(space, a).distance(RkhsElement.meanEmbedding(space, b));
        assertThat(mmd).as("seed %d", seed).isCloseTo(Math.sqrt(squared), Offset.offset(1e-9));
        assertThat(mmd).isPositive();
        // The difference of equal embeddings is zero up to the square root of rounding errors of size eps.
        assertThat(RkhsElement.meanEmbedding(space, a).distance(RkhsElement.meanEmbedding(space, a)))
                .isLessThan(1e-7);
    }

    private static double mean(Rkhs space, double[][] a, double[][] b) {
        double sum = 0;
        for (double[] x : a) {
            for (double[] y : b) {
                sum += space.kernel().value(x, y);
            }
        }
        return sum / ((double) a.length * b.length);
    }
}
