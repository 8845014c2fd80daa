package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds after every single step of the learner. */
class SogdInvariantsTest {

    static Stream<SogdSettings> settings() {
        return Stream.concat(SogdSettings.square().stream(), SogdSettings.rectangular().stream());
    }

    /** ‖U_{t+1}‖ ≤ (1 − λη) ‖U_t‖ + η √(κ∞_in κ∞_out), hence ≤ √(κ∞_in κ∞_out) / λ for ever. */
    private static void assertNormObeysItsRecursion(SogdConfig config, Samples samples) {
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(config);
        double scale = Math.sqrt(
                config.input().kernel().bound() * config.output().kernel().bound());
        double before = 0;
        for (int i = 0; i < samples.size(); i++) {
            learner.update(samples.input(i), samples.output(i));
            double eta = config.stepSize().at(i + 1);
            double norm = learner.norm();
            // The first step meets the bound with equality; 1e-12 covers the roundings of a norm over m² entries.
            assertThat(norm)
                    .as("%s, sample %d: one step", samples, i)
                    .isLessThanOrEqualTo(((1 - config.lambda() * eta) * before + eta * scale) * (1 + 1e-12));
            assertThat(norm).as("%s, sample %d: for ever", samples, i).isLessThanOrEqualTo(scale / config.lambda());
            before = norm;
        }
        assertThat(before).isPositive();
    }

    /** Of the paper: lemma.CME.bound. */
    @ParameterizedTest
    @MethodSource("settings")
    void theNormObeysItsRecursion(SogdSettings settings) {
        for (long seed = 1; seed <= 3; seed++) {
            assertNormObeysItsRecursion(settings.config(), settings.samples(seed, 300));
        }
    }

    /**
     * Nothing is sparsified here, so the dictionary becomes as ill-conditioned as the floor allows, and the step is nearly the largest
     * legal one, where coordinates longer than their feature would make the iterates explode.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian(0.2)",
                "gaussian(0.3)",
                "gaussian(0.5)",
                "gaussian(1)",
                "gaussian(5)",
                "gaussian(0.3)*gaussian(1)",
                "inverse-multiquadric(1)",
                "rational-quadratic(sigma=1, alpha=2)",
                "matern52(3)",
                "polynomial(degree=8, offset=1, radius=3)",
                "polynomial(degree=20, offset=1, radius=3)"
            })
    void theNormObeysItsRecursionInIllConditionedDictionaries(String text) {
        Kernel kernel = Kernels.parse(text);
        SogdConfig config = SogdConfig.forState(1, kernel)
                .lambda(0.01 * kernel.bound())
                .stepSize(1.95 / kernel.bound())
                .budget(0)
                .build();
        for (long seed = 1; seed <= 20; seed++) {
            assertNormObeysItsRecursion(config, Streams.randomWalk(seed, 400, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theDictionaryGrowsByAdmittedSamplesOnly(SogdSettings settings) {
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(settings.config());
        Samples samples = settings.samples(5, 300);
        List<Long> inputs = new ArrayList<>();
        List<Long> outputs = new ArrayList<>();
        long dependents = 0;
        for (int i = 0; i < samples.size(); i++) {
            StepOutcome outcome = learner.update(samples.input(i), samples.output(i));
            if (outcome.keepsInput()) {
                inputs.add(i + 1L);
            }
            if (outcome.keepsOutput()) {
                outputs.add(i + 1L);
            }
            dependents += outcome == StepOutcome.DEPENDENT ? 1 : 0;
            assertThat(learner.dictionarySize())
                    .as("%s, sample %d", samples, i)
                    .isEqualTo(Math.max(inputs.size(), outputs.size()));
            assertThat(learner.lastResidual() <= learner.lastBudget())
                    .as("%s, sample %d is %s with residual %s", samples, i, outcome, learner.lastResidual())
                    .isEqualTo(outcome == StepOutcome.PROJECTED);
        }
        assertKept(learner.state().inputBasis(), inputs, samples.inputs());
        assertKept(learner.state().outputBasis(), outputs, samples.outputs());
        assertThat(learner.counters().dependents()).isEqualTo(dependents);
        assertThat(learner.samples()).isEqualTo(samples.size());
    }

    private static void assertKept(NewtonBasis basis, List<Long> numbers, double[][] points) {
        assertThat(basis.size()).isEqualTo(numbers.size());
        for (int k = 0; k < numbers.size(); k++) {
            assertThat(basis.sampleNumber(k)).isEqualTo(numbers.get(k));
            assertThat(basis.points().get(k)).containsExactly(points[(int) (numbers.get(k) - 1)]);
        }
    }

    static Stream<SogdSettings> exactSettings() {
        return settings().filter(settings -> settings.criterion() == Criterion.EXACT);
    }

    /** eq.CME.stop, eq.CME.fixedpt.SA: The residual is what it says: the distance between the step as Lemma 4 takes it and the operator that came out. */
    @ParameterizedTest
    @MethodSource("exactSettings")
    void theResidualIsTheDistanceToTheUnprojectedStep(SogdSettings settings) {
        SogdConfig config = settings.config();
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(config);
        Samples samples = settings.samples(9, 60);
        double scale = Math.sqrt(
                config.input().kernel().bound() * config.output().kernel().bound());
        for (int i = 0; i < samples.size(); i++) {
            TransitionOperator before = learner.snapshot();
            StepOutcome outcome = learner.update(samples.input(i), samples.output(i));
            if (i % 3 == 0) {
                double eta = config.stepSize().at(i + 1);
                double distance = distanceToPlainStep(
                        before, learner.snapshot(), samples.input(i), samples.output(i), eta, config.lambda());
                boolean projected = !outcome.keepsInput() && !outcome.keepsOutput();
                double expected = projected ? learner.lastResidual() : 0;
                // a² and b² are differences of numbers of size κ: their roots are uncertain by √eps ≈ 1.5e-8 of η κ,
                // and W by
                // the condition of the Gram matrices.
                assertThat(distance)
                        .as("%s, sample %d is %s", samples, i, outcome)
                        .isCloseTo(expected, Offset.offset(1e-6 * eta * scale));
                if (outcome == StepOutcome.PROJECTED) {
                    assertThat(distance).isLessThanOrEqualTo(learner.lastBudget() + 1e-6 * eta * scale);
                }
            }
        }
    }

    /** ‖U − Ũ‖_HS over the Gram matrices of all points involved, in 32 digits. */
    private static double distanceToPlainStep(
            TransitionOperator before, TransitionOperator after, double[] x, double[] y, double eta, double lambda) {
        double[][] inputs = with(before.inputPoints(), x);
        double[][] outputs = with(before.outputPoints(), y);
        int columns = inputs.length - 1;
        ExactMatrix inputGram = LiteralSogd.gram(before.domain().kernel(), inputs);
        ExactMatrix outputGram = LiteralSogd.gram(before.codomain().kernel(), outputs);
        ExactMatrix plain = LiteralSogd.plainStep(
                ExactMatrix.ofRows(before.coefficients(), columns),
                inputGram.leading(columns + 1, columns),
                eta,
                lambda);
        ExactMatrix result = ExactMatrix.ofRows(after.coefficients(), after.inputPoints().length);
        return LiteralSogd.squaredNorm(
                        result.padded(outputs.length, inputs.length).minus(plain), inputGram, outputGram)
                .sqrt()
                .toDouble();
    }

    private static double[][] with(double[][] points, double[] last) {
        double[][] more = Arrays.copyOf(points, points.length + 1);
        more[points.length] = last;
        return more;
    }

    /** A sample is called dependent only when one side is, and the factor's pivots are right where one is kept. */
    @ParameterizedTest
    @ValueSource(strings = {"gaussian(0.3)", "gaussian(1)", "matern52(2)", "polynomial(degree=4, offset=1, radius=3)"})
    void onlyNumericallyDependentSamplesAreCalledSo(String text) {
        Kernel kernel = Kernels.parse(text);
        SogdConfig config = SogdConfig.forState(1, kernel)
                .stepSize(0.3 / kernel.bound())
                .lambda(0.01 * kernel.bound())
                .budget(0)
                .build();
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(config);
        Samples samples = Streams.randomWalk(17, 60, 1);
        int dependents = 0;
        for (int i = 0; i < samples.size(); i++) {
            TransitionOperator before = learner.snapshot();
            StepOutcome outcome = learner.update(samples.input(i), samples.output(i));
            Novelty in = Novelty.of(kernel, before.inputPoints(), samples.input(i));
            Novelty out = Novelty.of(kernel, before.outputPoints(), samples.output(i));
            if (learner.lastResidual() > 0) {
                dependents += assertKeptIfNew(
                        outcome.keepsInput(), in, learner.state().inputBasis(), samples, i);
                dependents += assertKeptIfNew(
                        outcome.keepsOutput(), out, learner.state().outputBasis(), samples, i);
            }
        }
        assertThat(dependents).as("the test must reach the floor").isPositive();
    }

    /** Returns 1 for a side that was not kept. */
    private static int assertKeptIfNew(boolean kept, Novelty novelty, NewtonBasis basis, Samples samples, int sample) {
        // The learner's own estimates of residual and floor carry rounding errors: a factor two either way.
        if (!kept) {
            assertThat(novelty.overFloor()).as("%s, sample %d", samples, sample).isLessThan(2);
            return 1;
        }
        assertThat(novelty.overFloor()).as("%s, sample %d", samples, sample).isGreaterThan(0.5);
        double pivot = basis.factor().get(basis.size() - 1, basis.size() - 1);
        // NewtonBasis promises an error of b² of some per cent.
        assertThat(pivot * pivot)
                .as("%s, pivot of sample %d", samples, sample)
                .isBetween(0.9 * novelty.squaredResidual, 1.1 * novelty.squaredResidual);
        return 0;
    }

    /**
     * How new a point is to a dictionary, in 32 digits.
     *
     * @param squaredResidual b² = κ(x, x) − κ(x)ᵀ c with G c = κ(x)
     * @param floor where {@code NewtonBasis} stops: 1e-10 κ, or 1000 times the rounding error u κ (1 + ‖c‖₁)² of b²
     */
    private record Novelty(double squaredResidual, double floor) {

        static Novelty of(Kernel kernel, double[][] points, double[] x) {
            ExactMatrix row = LiteralSogd.gram(kernel, points, new double[][] {x});
            DoubleDouble norm = DoubleDouble.of(kernel.value(x, x));
            ExactMatrix c = LiteralSogd.gram(kernel, points).solve(row);
            double sum = 1;
            for (int i = 0; i < points.length; i++) {
                sum += Math.abs(c.get(i, 0).toDouble());
            }
            double rounding = 0.5 * Math.ulp(1.0) * sum * sum;
            return new Novelty(
                    norm.minus(c.transposed().traceOfProduct(row)).toDouble(),
                    Math.max(1e-10, 30 * rounding) * norm.toDouble());
        }

        double overFloor() {
            return squaredResidual / floor;
        }
    }

    /** The first sample has the residual η κ = 0.5 exactly, under either criterion. */
    @ParameterizedTest
    @EnumSource
    void aResidualEqualToTheBudgetIsWithinIt(Criterion criterion) {
        SogdConfig.Builder settings =
                SogdConfig.forState(1, Kernels.gaussian(1)).stepSize(0.5).criterion(criterion);
        double[] x = {1};
        assertThat(SogdLearner.koopman(settings.budget(0.5).build()).update(x, x))
                .isEqualTo(StepOutcome.PROJECTED);
        assertThat(SogdLearner.koopman(settings.budget(Math.nextDown(0.5)).build())
                        .update(x, x))
                .isEqualTo(StepOutcome.ADMITTED);
    }

    /** eq.CME.SFGD, lemma.CME.U, eq.U.w: Without sparsification the learner is the recursion of Lemma 4, as long as all samples are new. */
    @Test
    void aBudgetOfZeroIsTheUnsparsifiedRecursion() {
        Kernel kernel = Kernels.gaussian(0.5);
        double lambda = 0.05;
        for (long seed = 1; seed <= 5; seed++) {
            Samples samples = Streams.randomWalk(seed, 40, 4);
            SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forState(4, kernel)
                    .lambda(lambda)
                    .stepSize(0.4)
                    .budget(0)
                    .build());
            ExactMatrix w = ExactMatrix.ofRows(new double[0][], 0);
            for (int i = 0; i < samples.size(); i++) {
                double[][] seen = samples.range(0, i + 1).inputs();
                ExactMatrix gram = LiteralSogd.gram(kernel, seen, Arrays.copyOf(seen, i));
                w = LiteralSogd.plainStep(w, gram, 0.4, lambda);
                assertThat(learner.update(samples.input(i), samples.output(i))).isEqualTo(StepOutcome.ADMITTED);
            }
            double[][] gram = LiteralSogd.gram(kernel, samples.inputs()).toRows();
            assertThat(SymmetricEigen.conditionNumber(gram)).as("%s", samples).isLessThan(1e6);
            double[][] expected = w.toRows();
            double[][] actual = learner.snapshot().coefficients();
            for (int i = 0; i < expected.length; i++) {
                // Entries are of order one; a condition of 1e6 costs ten of the sixteen digits at most.
                assertThat(actual[i])
                        .as("%s, row %d of W", samples, i)
                        .containsExactly(expected[i], Offset.offset(1e-9));
            }
        }
    }
}
