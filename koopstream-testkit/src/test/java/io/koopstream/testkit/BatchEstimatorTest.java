package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.theory.RegularisedRisk;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The minimiser U_λ of the regularised risk, the risk itself, and its gradient. */
class BatchEstimatorTest {

    /** Pairs with the spaces they live in. */
    record Problem(Rkhs input, Rkhs output, Samples samples, double lambda) {

        TransitionOperator fit() {
            return new RegularisedRisk(samples.inputs(), samples.outputs(), lambda).minimiser(input, output);
        }

        RegularisedRisk risk() {
            return new RegularisedRisk(samples.inputs(), samples.outputs(), lambda);
        }

        /** Some other operator between the same spaces. */
        TransitionOperator other(long seed, int n) {
            SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(input, output)
                    .stepSize(0.3 / input.kernel().bound())
                    .budget(0)
                    .build());
            Samples some = samples.range((int) seed, (int) seed + n);
            learner.partialFit(some.inputs(), some.outputs());
            return learner.snapshot();
        }
    }

    static Stream<Problem> problems() {
        Rkhs plane = new Rkhs(Kernels.gaussian(0.7), 2);
        Rkhs line = new Rkhs(Kernels.parse("1.5*gaussian(0.3)+0.5*laplacian(1)"), 1);
        Rkhs flat = new Rkhs(Kernels.polynomial(2, 1, 6), 2);
        return Stream.of(
                new Problem(plane, plane, Streams.vanDerPol(1, 120), 1e-3),
                new Problem(plane, plane, Streams.withDuplicates(Streams.vanDerPol(2, 120), 0.4, 3), 1e-5),
                new Problem(plane, plane, Streams.settlingSpiral(2, 120), 1e-4),
                new Problem(line, line, Streams.logistic(3, 100), 1e-2),
                new Problem(flat, flat, Streams.vanDerPol(4, 100), 1e-1),
                new Problem(
                        new Rkhs(Kernels.gaussian(1), 3),
                        new Rkhs(Kernels.matern52(1), 2),
                        Streams.controlledOscillator(5, 120),
                        1e-3));
    }

    /** Of the paper: lemma.CME.gradient. */
    @ParameterizedTest
    @MethodSource("problems")
    void theGradientVanishesAtTheMinimiser(Problem problem) {
        TransitionOperator gradient = problem.risk().gradient(problem.fit());
        // The gradient is a difference of operators of norm about κ∞ ‖U‖: 1e-10 leaves room for a few hundred
        // roundings.
        assertThat(gradient.norm())
                .isLessThan(1e-10
                        * problem.input.kernel().bound()
                        * Math.max(1, problem.fit().norm()));
        TransitionOperator other = problem.other(1, 20);
        assertThat(problem.risk().gradient(other).norm())
                .as("away from it it does not vanish")
                .isGreaterThan(1e-3);
    }

    /** Of the paper: eq.v-regression-lambda. */
    @ParameterizedTest
    @MethodSource("problems")
    void noOtherOperatorHasASmallerRisk(Problem problem) {
        RegularisedRisk risk = problem.risk();
        TransitionOperator minimiser = problem.fit();
        double least = risk.of(minimiser);
        for (int seed = 0; seed < 10; seed++) {
            TransitionOperator other = problem.other(seed, 10 + seed);
            double distance = minimiser.distance(other);
            // R_λ is strongly convex: R(V) ≥ R(U_λ) + (λ/2) ‖V − U_λ‖².
            assertThat(risk.of(other))
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo((least + 0.5 * problem.lambda * distance * distance) * (1 - 1e-9));
        }
        for (long seed = 0; seed < 10; seed++) {
            TransitionOperator near = moved(minimiser, randomDirection(minimiser, seed), 1e-3);
            assertThat(risk.of(near)).as("seed %d", seed).isGreaterThan(least);
        }
    }

    private static Matrix randomDirection(TransitionOperator u, long seed) {
        UniformRandomProvider random = Streams.random(seed);
        int rows = u.matrix().rows();
        int columns = u.matrix().columns();
        Matrix direction = new Matrix(rows, columns);
        for (int j = 0; j < columns; j++) {
            double[] column = Streams.normal(random, rows);
            for (int i = 0; i < rows; i++) {
                direction.set(i, j, column[i]);
            }
        }
        direction.scale(1 / direction.frobeniusNorm());
        return direction;
    }

    /** U + h D, D in the bases of U. */
    private static TransitionOperator moved(TransitionOperator u, Matrix direction, double h) {
        Matrix matrix = u.matrix().copy();
        matrix.add(h, direction);
        return new TransitionOperator(u.inputBasis(), u.outputBasis(), matrix, u.samples());
    }

    /** Of the paper: lemma.CME.gradient. */
    @ParameterizedTest
    @MethodSource("problems")
    void theGradientIsTheSlopeOfTheRisk(Problem problem) {
        RegularisedRisk risk = problem.risk();
        TransitionOperator u = problem.other(3, 25);
        TransitionOperator gradient = risk.gradient(u);
        for (long seed = 0; seed < 8; seed++) {
            Matrix direction = randomDirection(u, seed);
            double h = 1e-3;
            // The risk is quadratic, so the central difference is exact up to rounding of the risk over 2h.
            double slope = (risk.of(moved(u, direction, h)) - risk.of(moved(u, direction, -h))) / (2 * h);
            TransitionOperator unit = new TransitionOperator(u.inputBasis(), u.outputBasis(), direction, 0);
            assertThat(gradient.inner(unit))
                    .as("seed %d", seed)
                    .isCloseTo(
                            slope, Offset.offset(1e-9 * problem.input.kernel().bound()));
        }
    }

    /** eq.regression, eq.v-regression-relax: R_λ(U) = (1/2n) Σ ‖φ(y_i) − U φ(x_i)‖² + (λ/2) ‖U‖², summed pair by pair with kernel values alone. */
    @ParameterizedTest
    @MethodSource("problems")
    void theRiskIsTheMeanSquaredErrorPlusTheRidge(Problem problem) {
        TransitionOperator u = problem.other(2, 20);
        double sum = 0;
        for (int i = 0; i < problem.samples.size(); i++) {
            double[] y = problem.samples.output(i);
            double image = u.embedding(problem.samples.input(i)).norm();
            double cross = u.embedding(problem.samples.input(i)).at(y);
            sum += problem.output.kernel().value(y, y) - 2 * cross + image * image;
        }
        double expected = 0.5 * sum / problem.samples.size() + 0.5 * problem.lambda * u.norm() * u.norm();
        assertThat(problem.risk().of(u)).isCloseTo(expected, Offset.offset(1e-8 * expected));
    }

    /** def:cross-covariance, eq.covariance.spectral: In well-conditioned cases W = (G_X + nλ)⁻¹, the familiar kernel ridge regression. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void coefficientsAreThoseOfKernelRidgeRegression(long seed) {
        int n = 25;
        Rkhs space = new Rkhs(Kernels.gaussian(0.5), 4);
        Samples samples = Streams.randomWalk(seed, n, 4);
        double lambda = 0.01;
        TransitionOperator u = new RegularisedRisk(samples.inputs(), samples.outputs(), lambda).minimiser(space, space);
        ExactMatrix gram = LiteralSogd.gram(space.kernel(), samples.inputs());
        ExactMatrix regularised = ExactMatrix.of(
                n, n, (i, j) -> i == j ? gram.get(i, j).plus(DoubleDouble.of(n * lambda)) : gram.get(i, j));
        double[][] inverse = regularised
                .solve(ExactMatrix.of(n, n, (i, j) -> DoubleDouble.of(i == j ? 1 : 0)))
                .toRows();
        double[][] w = u.coefficients();
        // The estimator chooses its own order of the points; sample numbers tell which is which.
        assertThat(u.inputBasis().size()).isEqualTo(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int row = (int) u.outputBasis().sampleNumber(i) - 1;
                int column = (int) u.inputBasis().sampleNumber(j) - 1;
                assertThat(w[i][j])
                        .as("%s, W of samples %d, %d", samples, row, column)
                        .isCloseTo(inverse[row][column], Offset.offset(1e-9));
            }
        }
    }

    @Test
    void theOrderOfTheSamplesDoesNotMatter() {
        Problem problem = problems().findFirst().orElseThrow();
        double[][] inputs = problem.samples.inputs();
        double[][] outputs = problem.samples.outputs();
        shuffle(inputs, outputs, Streams.random(5));
        TransitionOperator shuffled =
                new RegularisedRisk(inputs, outputs, problem.lambda).minimiser(problem.input, problem.output);
        assertThat(shuffled.distance(problem.fit())).isLessThan(1e-6);
    }

    private static void shuffle(double[][] inputs, double[][] outputs, UniformRandomProvider random) {
        for (int i = inputs.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double[] x = inputs[i];
            inputs[i] = inputs[j];
            inputs[j] = x;
            double[] y = outputs[i];
            outputs[i] = outputs[j];
            outputs[j] = y;
        }
    }

    /** eq.K.bias-variance: Independent draws from the samples with decaying steps: SOGD must come close to U_λ, and closer with more of them. */
    @Test
    void decayingStepsApproachTheMinimiser() {
        Rkhs space = new Rkhs(Kernels.gaussian(1), 2);
        Samples samples = Streams.vanDerPol(6, 60);
        double lambda = 0.05;
        TransitionOperator target =
                new RegularisedRisk(samples.inputs(), samples.outputs(), lambda).minimiser(space, space);
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(space, space)
                .lambda(lambda)
                .stepSize(StepSize.decay(20, 20, 1))
                .budget(0)
                .build());
        UniformRandomProvider random = Streams.random(7);
        double[] distances = new double[3];
        int learned = 0;
        int[] checkpoints = {500, 5_000, 50_000};
        for (int k = 0; k < checkpoints.length; k++) {
            for (; learned < checkpoints[k]; learned++) {
                int i = random.nextInt(samples.size());
                learner.update(samples.input(i), samples.output(i));
            }
            distances[k] = learner.snapshot().distance(target) / target.norm();
        }
        // With steps 20/t and λ = 0.05 the error falls like t^(−1/2): about a factor 3 for ten times the samples.
        assertThat(distances[1]).isLessThan(0.6 * distances[0]);
        assertThat(distances[2]).isLessThan(0.6 * distances[1]).isLessThan(0.05);
    }

    @Test
    void badDataAreRefused() {
        Rkhs space = new Rkhs(Kernels.gaussian(1), 1);
        double[][] one = {{1}};
        assertThatThrownBy(() -> new RegularisedRisk(one, new double[0][], 1).minimiser(space, space))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("1 inputs and 0 outputs");
        assertThatThrownBy(() -> new RegularisedRisk(new double[0][], new double[0][], 1).minimiser(space, space))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("at least one");
        assertThatThrownBy(() -> new RegularisedRisk(one, new double[][] {{Double.NaN}}, 1).minimiser(space, space))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("xNext[0][0] = NaN");
        for (double lambda : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new RegularisedRisk(one, one, lambda).minimiser(space, space))
                    .isInstanceOfSatisfying(
                            InvalidConfigException.class,
                            e -> assertThat(e.field()).isEqualTo("lambda"));
        }
    }

    /** A ridge far below rounding either works or is refused in words; it used to end in a null pointer. */
    @Test
    void aVanishingRidgeIsRefusedInWords() {
        Rkhs space = new Rkhs(Kernels.polynomial(20, 1, 5), 1);
        for (long seed = 0; seed < 20; seed++) {
            double[][] x = Streams.normalPoints(seed, 150, 1, 1.2);
            try {
                assertThat(new RegularisedRisk(x, x, 1e-300)
                                .minimiser(space, space)
                                .norm())
                        .as("seed %d", seed)
                        .isFinite();
            } catch (InvalidConfigException e) {
                assertThat(e).hasMessageContaining("must be larger");
            }
        }
    }
}
