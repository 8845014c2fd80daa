package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The learner against the paper's literal formulas: the same admissions, the same coefficients W. */
class LiteralReferenceTest {

    /** Beyond this condition of a Gram matrix W itself is no longer determined to six digits by data in double precision. */
    private static final double WORST_CONDITION = 1e8;

    private static final int SAMPLES = 110;

    private enum Source {
        VAN_DER_POL(2, 2),
        LOGISTIC(1, 1),
        WALK(3, 3),
        CONTROLLED(3, 2);

        private final int inputDimension;
        private final int outputDimension;

        Source(int inputDimension, int outputDimension) {
            this.inputDimension = inputDimension;
            this.outputDimension = outputDimension;
        }

        private Samples samples(long seed) {
            return switch (this) {
                case VAN_DER_POL -> Streams.vanDerPol(seed, SAMPLES);
                case LOGISTIC -> Streams.logistic(seed, SAMPLES);
                case WALK -> Streams.randomWalk(seed, SAMPLES, 3);
                case CONTROLLED -> Streams.controlledOscillator(seed, SAMPLES);
            };
        }
    }

    private record Case(
            String inputKernel, String outputKernel, Source source, double budget, Criterion criterion, long seed) {

        @Override
        public String toString() {
            return inputKernel + (inputKernel.equals(outputKernel) ? "" : " to " + outputKernel) + " " + criterion + " "
                    + source + " budget " + budget + " seed " + seed;
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Criterion criterion : Criterion.values()) {
            square(cases, "gaussian(sigma=0.9)", Source.VAN_DER_POL, 0.09, criterion);
            square(cases, "gaussian(gamma=0.6)", Source.VAN_DER_POL, 0.09, criterion);
            square(cases, "laplacian(3)", Source.VAN_DER_POL, 0.12, criterion);
            square(cases, "matern32(2)", Source.VAN_DER_POL, 0.1, criterion);
            square(cases, "matern52(2)", Source.VAN_DER_POL, 0.09, criterion);
            square(cases, "rational-quadratic(sigma=1, alpha=1.5)", Source.VAN_DER_POL, 0.08, criterion);
            square(cases, "inverse-multiquadric(0.2)", Source.LOGISTIC, 0.03, criterion);
            square(cases, "linear(offset=1, radius=6)", Source.VAN_DER_POL, 0.01, criterion);
            square(cases, "linear(offset=0, radius=6)", Source.WALK, 0.003, criterion);
            square(cases, "polynomial(degree=2, offset=1, radius=6)", Source.VAN_DER_POL, 0.0005, criterion);
            square(cases, "0.4*gaussian(0.4)+0.6*gaussian(0.7)", Source.VAN_DER_POL, 0.12, criterion);
            square(cases, "2.5*gaussian(0.9)+0.7*laplacian(2)", Source.VAN_DER_POL, 0.12, criterion);
            square(cases, "gaussian(1.5)*matern32(3)", Source.VAN_DER_POL, 0.1, criterion);
            square(cases, "scaled(gaussian(1), 0.9, 1.4)", Source.VAN_DER_POL, 0.09, criterion);
            cases.add(new Case(
                    "concat(2:gaussian(1.2), 1:laplacian(4))",
                    "matern52(1.5)",
                    Source.CONTROLLED,
                    0.15,
                    criterion,
                    31));
            cases.add(new Case(
                    "1.7*gaussian(1.2)",
                    "scaled(0.2*gaussian(1)+0.1*laplacian(1), 1, 2)",
                    Source.CONTROLLED,
                    0.09,
                    criterion,
                    32));
        }
        // A narrow budget drives the condition up, past where W may be compared: admissions must still agree.
        square(cases, "gaussian(0.25)", Source.LOGISTIC, 2e-3, Criterion.EXACT);
        square(cases, "gaussian(0.25)", Source.LOGISTIC, 2e-3, Criterion.PAPER);
        return cases.stream();
    }

    private static void square(List<Case> cases, String kernel, Source source, double budget, Criterion criterion) {
        cases.add(new Case(kernel, kernel, source, budget, criterion, 11 + cases.size()));
    }

    /** Of the paper: algorithm.main, eq.SFG, lemma.CME.U, eq.U.HS, eq.vanilla-OSGD, eq.CME.CMP.W, eq.tensorproduct. */
    @ParameterizedTest
    @MethodSource("cases")
    void admitsTheSameSamplesAndHasTheSameCoefficients(Case tested) {
        Kernel in = Kernels.parse(tested.inputKernel);
        Kernel out = Kernels.parse(tested.outputKernel);
        double eta = 0.3 / in.bound();
        double lambda = 0.01 * in.bound();
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(
                        new Rkhs(in, tested.source.inputDimension), new Rkhs(out, tested.source.outputDimension))
                .lambda(lambda)
                .stepSize(eta)
                .budget(tested.budget)
                .criterion(tested.criterion)
                .build());
        LiteralSogd literal = new LiteralSogd(in, out, lambda, LiteralSogd.Residual.valueOf(tested.criterion.name()));
        Samples samples = tested.source.samples(tested.seed);
        boolean comparable = true;
        int compared = 0;
        int projected = 0;
        for (int i = 0; i < samples.size(); i++) {
            double[] x = samples.input(i);
            double[] y = samples.output(i);
            boolean admitted = literal.update(x, y, eta, tested.budget);
            StepOutcome outcome = learner.update(x, y);
            assertThat(outcome)
                    .as("%s, sample %d, residual %s", samples, i, literal.lastResidual())
                    .isEqualTo(admitted ? StepOutcome.ADMITTED : StepOutcome.PROJECTED);
            // b² and a² are differences of numbers of size κ, so a residual has an absolute error of √eps times its
            // scale.
            assertThat(learner.lastResidual())
                    .as("residual of sample %d", i)
                    .isCloseTo(literal.lastResidual(), Offset.offset(1e-6));
            if (admitted && comparable) {
                comparable = SymmetricEigen.conditionNumber(literal.inputGram()) < WORST_CONDITION
                        && SymmetricEigen.conditionNumber(literal.outputGram()) < WORST_CONDITION;
            }
            projected += admitted ? 0 : 1;
            if (comparable && (admitted || i % 10 == 0)) {
                assertSame(learner.snapshot().coefficients(), literal.coefficients(), samples, i);
                compared++;
            }
        }
        assertThat(learner.norm()).isCloseTo(literal.norm(), Percentage.withPercentage(1e-5));
        assertThat(learner.dictionarySize()).isEqualTo(literal.size());
        assertThat(projected).as("both branches must be taken").isBetween(20, samples.size() - 3);
        assertThat(compared).isGreaterThanOrEqualTo(5);
    }

    /** Relative to the largest entry, because small entries of W are differences of large ones. */
    private static void assertSame(double[][] actual, double[][] expected, Samples samples, int sample) {
        double largest = 0;
        double worst = 0;
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < expected.length; j++) {
                largest = Math.max(largest, Math.abs(expected[i][j]));
                worst = Math.max(worst, Math.abs(actual[i][j] - expected[i][j]));
            }
        }
        assertThat(actual).hasDimensions(expected.length, expected.length);
        assertThat(worst).as("W after sample %d of %s", sample, samples).isLessThanOrEqualTo(1e-6 * largest);
    }
}
