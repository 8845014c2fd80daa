package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.RkhsElement;
import io.koopstream.operator.TransitionOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of an operator against each other and against sums over W, on random elements and points. */
class OperatorIdentitiesTest {

    /** Gram matrices here have a condition below 1e6, norms are of order one: at least nine digits are left. */
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    static Stream<TransitionOperator> operators() {
        return Stream.concat(
                LongStream.range(1, 4).mapToObj(LearnedOperators::ofPlane),
                LongStream.range(1, 4).mapToObj(LearnedOperators::ofControlled));
    }

    private static double squaredNorm(double[] x) {
        double sum = 0;
        for (double c : x) {
            sum += c * c;
        }
        return sum;
    }

    /** Of the paper: eq:def.muYx, eq:CME_update. */
    @ParameterizedTest
    @MethodSource("operators")
    void weightsAreWTimesTheGramRow(TransitionOperator u) {
        double[][] w = u.coefficients();
        double[][] inputs = u.inputPoints();
        assertThat(w).hasDimensions(u.outputPoints().length, inputs.length);
        for (double[] x : LearnedOperators.probes(u.domain().dimension(), 5)) {
            double[] weights = u.weights(x);
            for (int i = 0; i < w.length; i++) {
                double sum = 0;
                for (int j = 0; j < inputs.length; j++) {
                    sum += w[i][j] * u.domain().kernel().value(inputs[j], x);
                }
                assertThat(weights[i]).isCloseTo(sum, CLOSE);
            }
        }
    }

    /** Of the paper: eq.CME.innerproduct. */
    @ParameterizedTest
    @MethodSource("operators")
    void expectationsAreWeightedSumsOverTheKeptOutputs(TransitionOperator u) {
        double[][] outputs = u.outputPoints();
        for (double[] x : LearnedOperators.probes(u.domain().dimension(), 6)) {
            double[] weights = u.weights(x);
            double expected = 0;
            double[] mean = new double[u.codomain().dimension()];
            double total = 0;
            for (int i = 0; i < weights.length; i++) {
                expected += weights[i] * squaredNorm(outputs[i]);
                total += weights[i];
                for (int c = 0; c < mean.length; c++) {
                    mean[c] += weights[i] * outputs[i][c];
                }
            }
            assertThat(u.expect(OperatorIdentitiesTest::squaredNorm, x)).isCloseTo(expected, CLOSE);
            assertThat(u.embedding(x).expect(OperatorIdentitiesTest::squaredNorm))
                    .isCloseTo(expected, CLOSE);
            assertThat(u.koopman(OperatorIdentitiesTest::squaredNorm).at(x))
                    .as("K g at x is the expectation of g given x")
                    .isCloseTo(expected, CLOSE);
            assertThat(u.predict(x)).containsExactly(mean, CLOSE);
            assertThat(u.expectVector(y -> y, x)).containsExactly(u.predict(x));
            assertThat(u.expect(y -> 1, x)).isCloseTo(total, CLOSE);
        }
    }

    @ParameterizedTest
    @MethodSource("operators")
    void normalisedWeightsPredictConstantsExactly(TransitionOperator u) {
        // At a kept input there is data, so the weights have a clear sum.
        double[] x = u.inputPoints()[2];
        double[] weights = u.weights(x);
        double[] normalised = u.normalisedWeights(x);
        double sum = 0;
        double total = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += normalised[i];
            total += weights[i];
        }
        assertThat(sum).isCloseTo(1, Offset.offset(1e-12));
        for (int i = 0; i < weights.length; i++) {
            assertThat(normalised[i] * total).isCloseTo(weights[i], CLOSE);
        }
        assertThat(u.coverage(x)).isCloseTo(1, CLOSE);
    }

    /** Of the paper: thm.Koopma-CME, eq:K.def, eq.Koopman.CME. */
    @ParameterizedTest
    @MethodSource("operators")
    void theAdjointIsTheKoopmanOperator(TransitionOperator u) {
        for (long seed = 0; seed < 20; seed++) {
            RkhsElement f = LearnedOperators.randomElement(u.domain(), 100 + seed);
            RkhsElement g = LearnedOperators.randomElement(u.codomain(), 200 + seed);
            assertThat(u.apply(f).inner(g))
                    .as("seed %d: <Uf, g> = <f, Kg>", seed)
                    .isCloseTo(f.inner(u.applyAdjoint(g)), CLOSE);
            double[] x = LearnedOperators.probes(u.domain().dimension(), seed)[0];
            assertThat(u.applyAdjoint(g).at(x))
                    .as("seed %d", seed)
                    .isCloseTo(u.koopman(g::at).at(x), CLOSE);
            assertThat(u.apply(f).norm()).isLessThanOrEqualTo(u.norm() * f.norm() + 1e-9);
        }
    }

    /** eq.60: the adjoint has the coefficients Wᵀ, and the Gram matrices of input and output change places. */
    @ParameterizedTest
    @MethodSource("operators")
    void theAdjointHasTheSameNorm(TransitionOperator u) {
        double adjoint = LiteralSogd.squaredNorm(
                        ExactMatrix.ofRows(u.coefficients(), u.inputPoints().length)
                                .transposed(),
                        LiteralSogd.gram(u.codomain().kernel(), u.outputPoints()),
                        LiteralSogd.gram(u.domain().kernel(), u.inputPoints()))
                .sqrt()
                .toDouble();
        assertThat(u.norm()).isCloseTo(adjoint, CLOSE);
    }

    /** Of the paper: lemma.isomorphism. */
    @ParameterizedTest
    @MethodSource("operators")
    void applyIsLinearAndExtendsTheEmbedding(TransitionOperator u) {
        for (long seed = 0; seed < 10; seed++) {
            RkhsElement f = LearnedOperators.randomElement(u.domain(), 300 + seed);
            RkhsElement g = LearnedOperators.randomElement(u.domain(), 400 + seed);
            RkhsElement together = u.apply(f.plus(-2.5, g));
            assertThat(together.distance(u.apply(f).plus(-2.5, u.apply(g))))
                    .as("seed %d", seed)
                    // A norm of a difference: the square root of rounding errors.
                    .isLessThan(1e-6);
            double[] x = LearnedOperators.probes(u.domain().dimension(), seed)[1];
            assertThat(u.apply(RkhsElement.feature(u.domain(), x)).distance(u.embedding(x)))
                    .isLessThan(1e-6);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void powersAreRepeatedApplication(long seed) {
        KoopmanOperator u = LearnedOperators.ofPlane(seed);
        RkhsElement f = LearnedOperators.randomElement(u.domain(), seed);
        RkhsElement applied = f;
        for (int n = 1; n <= 5; n++) {
            applied = u.apply(applied);
            assertThat(u.power(n).apply(f).distance(applied)).as("power %d", n).isLessThan(1e-6);
        }
        assertThat(u.power(1).distance(u)).isZero();
        assertThat(u.power(3).power(2).distance(u.power(6))).isLessThan(1e-9);
        assertThat(u.power(7).domain()).isEqualTo(u.domain());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void forecastsArePredictionsOfPowers(long seed) {
        KoopmanOperator u = LearnedOperators.ofPlane(seed);
        double[] start = {0.8, -0.3};
        double[][] path = u.forecast(start, 12);
        double[][] radii = u.forecast(y -> new double[] {squaredNorm(y), 1}, start, 12);
        for (int n = 1; n <= 12; n++) {
            assertThat(path[n - 1]).as("step %d", n).containsExactly(u.power(n).predict(start), CLOSE);
            RkhsElement embedding = u.embedding(start, n);
            assertThat(path[n - 1][1]).isCloseTo(embedding.expect(y -> y[1]), CLOSE);
            assertThat(radii[n - 1][0]).isCloseTo(u.power(n).expect(OperatorIdentitiesTest::squaredNorm, start), CLOSE);
            assertThat(radii[n - 1][1]).isCloseTo(embedding.expect(y -> 1), CLOSE);
        }
    }

    /** One sample alone gives the operator η φ(y) ⊗ φ(x). */
    private static TransitionOperator rankOne(TransitionOperator like, double[] x, double[] y) {
        SogdLearner<TransitionOperator> learner =
                SogdLearner.transition(SogdConfig.forTransition(like.domain(), like.codomain())
                        .stepSize(0.5)
                        .budget(0)
                        .build());
        learner.update(x, y);
        return learner.snapshot();
    }

    /** Of the paper: eq.66, eq.appendix.HS.innerproduct. */
    @ParameterizedTest
    @MethodSource("operators")
    void theInnerProductWithARankOneOperatorIsAMatrixElement(TransitionOperator u) {
        double[][] xs = LearnedOperators.probes(u.domain().dimension(), 8);
        double[][] ys = LearnedOperators.probes(u.codomain().dimension(), 9);
        for (int i = 0; i < xs.length; i++) {
            TransitionOperator v = rankOne(u, xs[i], ys[i]);
            // <U, φ(y) ⊗ φ(x)> = <U φ(x), φ(y)>.
            assertThat(u.inner(v)).isCloseTo(0.5 * u.embedding(xs[i]).at(ys[i]), CLOSE);
            assertThat(v.inner(u)).isCloseTo(u.inner(v), CLOSE);
        }
        assertThat(u.inner(u)).isCloseTo(u.norm() * u.norm(), CLOSE);
    }

    /** ⟨U + V, T⟩ = ⟨U, T⟩ + ⟨V, T⟩, with U + V written as what a batch of both would hold. */
    @Test
    void innerProductsAreBilinear() {
        TransitionOperator u = LearnedOperators.ofPlane(1);
        TransitionOperator v = LearnedOperators.ofPlane(2);
        TransitionOperator t = LearnedOperators.ofPlane(3);
        // The parallelogram law holds exactly when the norm of sums and differences comes from a bilinear form.
        double distance = u.distance(v);
        assertThat(distance * distance).isCloseTo(u.inner(u) + v.inner(v) - 2 * u.inner(v), Offset.offset(1e-8));
        for (double[] x : LearnedOperators.probes(2, 10)) {
            RkhsElement sum = u.embedding(x).plus(1, v.embedding(x));
            for (double[] y : LearnedOperators.probes(2, 11)) {
                TransitionOperator test = rankOne(u, x, y);
                assertThat(u.inner(test) + v.inner(test)).isCloseTo(0.5 * sum.at(y), CLOSE);
            }
        }
        assertThat(Math.abs(u.inner(t))).isLessThanOrEqualTo(u.norm() * t.norm());
    }

    @Test
    void elementsAreFunctionsAndDistributions() {
        Rkhs space = new Rkhs(Kernels.gaussian(0.8), 2);
        Kernel kernel = space.kernel();
        double[][] points = Streams.normalPoints(1, 6, 2, 1);
        double[] weights = {0.5, -1, 2, 0.25, 0, 3};
        RkhsElement f = RkhsElement.of(space, points, weights);
        double[] x = {0.3, 0.1};
        double value = 0;
        double inner = 0;
        double mean = 0;
        for (int i = 0; i < 6; i++) {
            value += weights[i] * kernel.value(points[i], x);
            mean += weights[i] * points[i][0];
            for (int j = 0; j < 6; j++) {
                inner += weights[i] * weights[j] * kernel.value(points[i], points[j]);
            }
        }
        assertThat(f.at(x)).isCloseTo(value, Offset.offset(1e-13));
        assertThat(f.inner(RkhsElement.feature(space, x)))
                .as("reproducing property")
                .isCloseTo(value, Offset.offset(1e-13));
        assertThat(f.norm() * f.norm()).isCloseTo(inner, Offset.offset(1e-12));
        assertThat(f.expect(p -> p[0])).isCloseTo(mean, Offset.offset(1e-13));
        assertThat(f.plus(-1, f).norm()).isLessThan(1e-6);
    }
}
