package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The config cases of the reliability plan that apply to Algorithm 1: 1 to 13 and 18 to 21. Capacities (14 to 16) are in
 * {@link MaxDictionaryTest}, the admission floor is no setting (17), and configuration files (22) belong to the module that reads them.
 */
class SogdConfigTest {

    private static final Kernel GAUSSIAN = Kernels.gaussian(0.5);

    private static SogdConfig.Builder builder() {
        return SogdConfig.forState(2, GAUSSIAN);
    }

    private static InvalidConfigException assertRefused(String field, ThrowingCallable settings, String... rule) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, settings);
        assertThat(refusal).as("must be refused").isNotNull();
        assertThat(refusal.field()).isEqualTo(field);
        assertThat(refusal.rule()).contains(rule);
        assertThat(refusal).hasMessageStartingWith(field + " = " + refusal.value() + ": ");
        return refusal;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void cases1To4LambdaMustBePositive(double lambda) {
        InvalidConfigException refusal = assertRefused(
                "lambda", () -> builder().lambda(lambda).build(), "must be a finite number > 0", "try 1e-3");
        assertThat(refusal.value()).isEqualTo(String.valueOf(lambda));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.3, Double.NaN, Double.POSITIVE_INFINITY})
    void cases5To8EtaMustBePositive(double eta) {
        assertRefused("eta", () -> builder().stepSize(eta).build(), "must be a finite number > 0");
        StepSize custom = StepSize.custom("own", t -> eta);
        assertRefused("eta", () -> builder().stepSize(custom).build(), "must be a finite number > 0");
    }

    /** κ∞ = 1 and λ = 0.5 make η (κ∞ + 2λ) = 2η exact, so the edge is η = 1. */
    @Test
    void case9AStepAtTheEdgeOfStabilityIsAccepted() {
        assertThat(builder().lambda(0.5).stepSize(1).build().stepSize().at(1)).isEqualTo(1);
        assertRefused(
                "eta",
                () -> builder().lambda(0.5).stepSize(Math.nextUp(1.0)).build(),
                "eta*(kappa + 2*lambda) <= 2",
                "grow without bound",
                "use eta <= 1.0");
    }

    @ParameterizedTest
    @CsvSource({
        "constant, 2.1, gaussian(1)",
        "constant, 3, gaussian(1)",
        "constant, 0.7, 3*gaussian(1)",
        "constant, 0.6, 'linear(offset=0, radius=2)'",
        "decay, 4.3, gaussian(1)"
    })
    void case9StepsThatCouldExplodeAreRefusedWithTheReason(String kind, double eta, String kernel) {
        // decay(eta, 3, 0.5) starts at eta / 2.
        StepSize stepSize = kind.equals("constant") ? StepSize.constant(eta) : StepSize.decay(eta, 3, 0.5);
        double bound = Kernels.parse(kernel).bound();
        assertRefused(
                "eta",
                () -> SogdConfig.forState(2, Kernels.parse(kernel))
                        .stepSize(stepSize)
                        .build(),
                "kappa = sup k(x,x) = " + (bound == (int) bound ? String.valueOf((int) bound) : bound),
                "the iterates could grow without bound",
                "use eta <=");
    }

    /** Why case 9 is refused: with the step condition broken the recursion itself diverges. */
    @Test
    void case9TheRefusedStepWouldExplode() {
        LiteralSogd literal = new LiteralSogd(GAUSSIAN, GAUSSIAN, 1e-3, LiteralSogd.Residual.EXACT);
        double[] x = {0.2};
        double[] y = {0.3};
        literal.update(x, y, 2.1, 1e300);
        literal.update(x, y, 2.1, 0);
        for (int i = 0; i < 200; i++) {
            literal.update(x, y, 2.1, 1e300);
        }
        // Each step multiplies the error by 1 − 2.1 (1 + λ), that is by −1.1.
        assertThat(literal.norm()).isGreaterThan(1e6);
    }

    @Test
    void theBoundOfTheInputKernelAloneDecides() {
        Rkhs small = new Rkhs(GAUSSIAN, 1);
        Rkhs large = new Rkhs(Kernels.parse("100*gaussian(1)"), 1);
        assertThat(SogdConfig.forTransition(small, large).stepSize(1.5).build().isOneSpace())
                .isFalse();
        assertRefused(
                "eta",
                () -> SogdConfig.forTransition(large, small).stepSize(1.5).build(),
                "kappa");
    }

    /** Of the paper: assumption.3. */
    @Test
    void thePapersConditionAlsoHolds() {
        // η < 1/λ (Assumption 3a) follows from η (κ∞ + 2λ) <= 2.
        assertRefused("eta", () -> builder().lambda(100).stepSize(0.01).build(), "eta*(kappa + 2*lambda) <= 2");
        assertThat(builder().lambda(100).stepSize(0.0099).build().lambda()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void cases10To12KernelWidthsMustBePositive(double width) {
        assertRefused("sigma", () -> Kernels.gaussian(width), "must be a finite number > 0");
        assertRefused("gamma", () -> Kernels.gaussianGamma(width), "must be a finite number > 0");
        assertRefused("sigma", () -> Kernels.laplacian(width), "must be a finite number > 0");
        assertRefused("sigma", () -> Kernels.matern32(width), "must be a finite number > 0");
        assertRefused("sigma", () -> Kernels.matern52(width), "must be a finite number > 0");
        assertRefused("sigma", () -> Kernels.inverseMultiquadric(width), "must be a finite number > 0");
        assertRefused("sigma", () -> Kernels.rationalQuadratic(width, 1), "must be a finite number > 0");
        assertRefused("alpha", () -> Kernels.rationalQuadratic(1, width), "must be a finite number > 0");
        assertRefused("scale", () -> Kernels.scaled(GAUSSIAN, 1, width), "must be a finite number > 0");
        assertRefused("weight", () -> Kernels.sum(1, GAUSSIAN, width, GAUSSIAN), "must be a finite number > 0");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void case13APolynomialNeedsADeclaredDomain(double radius) {
        assertRefused("radius", () -> Kernels.polynomial(2, 1, radius), "bounded only on a declared domain");
        assertRefused("radius", () -> Kernels.linear(1, radius), "bounded only on a declared domain");
    }

    /** Of the paper: assumption.polk. */
    @Test
    void case13AKernelWithoutAFiniteBoundIsRefused() {
        Kernel huge = Kernels.sum(1e308, GAUSSIAN, 1e308, GAUSSIAN);
        assertRefused("kernel", () -> new Rkhs(huge, 1), "finite bound", "Assumption 1");
        Kernel vanishing = Kernels.linear(0, 1e-200);
        assertRefused("kernel", () -> new Rkhs(vanishing, 1), "finite bound");
    }

    @Test
    void cases18And19BudgetsMustNotBeNegative() {
        assertRefused(
                "epsilon", () -> builder().budget(-0.1).build(), "must be a finite number >= 0", "keeps every sample");
        assertRefused("epsilon", () -> builder().budget(Double.NaN).build(), "must be a finite number >= 0");
        assertRefused(
                "epsilon", () -> builder().budget(Double.POSITIVE_INFINITY).build(), "must be a finite number >= 0");
        assertRefused("b", () -> builder().budget(Budget.proportional(0)).build(), "must be a finite number > 0");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void case20AStateHasAtLeastOneCoordinate(int dimension) {
        assertRefused("dimension", () -> SogdConfig.forState(dimension, GAUSSIAN), "at least one coordinate");
    }

    @Test
    void aKernelForAnotherDimensionIsRefused() {
        Kernel plane = Kernels.scaled(GAUSSIAN, 1, 2);
        assertRefused("dimension", () -> SogdConfig.forState(3, plane), "takes 2 coordinates");
        Kernel withAction = Kernels.concatenated(2, GAUSSIAN, 1, GAUSSIAN);
        assertRefused("dimension", () -> SogdConfig.forState(2, withAction), "takes 3 coordinates");
    }

    @Test
    void case21AnUnknownKernelNameListsTheKnownOnes() {
        assertRefused(
                "kernel", () -> Kernels.parse("rbf(1)"), "unknown kernel 'rbf'", "gaussian", "matern52", "concat");
    }

    @Test
    void everySettingMustBeGiven() {
        Rkhs space = new Rkhs(GAUSSIAN, 1);
        StepSize step = StepSize.constant(0.3);
        Budget budget = Budget.constant(0);
        assertRefused(
                "input",
                () -> new SogdConfig(
                        null,
                        space,
                        1,
                        step,
                        budget,
                        Criterion.EXACT,
                        Criterion.Delta.NORM,
                        DictionaryCap.NONE,
                        Averaging.none(),
                        1),
                "must be given");
        assertRefused(
                "output",
                () -> new SogdConfig(
                        space,
                        null,
                        1,
                        step,
                        budget,
                        Criterion.EXACT,
                        Criterion.Delta.NORM,
                        DictionaryCap.NONE,
                        Averaging.none(),
                        1),
                "must be given");
        assertRefused(
                "stepSize",
                () -> new SogdConfig(
                        space,
                        space,
                        1,
                        null,
                        budget,
                        Criterion.EXACT,
                        Criterion.Delta.NORM,
                        DictionaryCap.NONE,
                        Averaging.none(),
                        1),
                "must be given");
        assertRefused(
                "budget",
                () -> new SogdConfig(
                        space,
                        space,
                        1,
                        step,
                        null,
                        Criterion.EXACT,
                        Criterion.Delta.NORM,
                        DictionaryCap.NONE,
                        Averaging.none(),
                        1),
                "must be given");
        assertRefused(
                "criterion",
                () -> new SogdConfig(
                        space,
                        space,
                        1,
                        step,
                        budget,
                        null,
                        Criterion.Delta.NORM,
                        DictionaryCap.NONE,
                        Averaging.none(),
                        1),
                "must be given");
        assertRefused(
                "delta",
                () -> new SogdConfig(
                        space, space, 1, step, budget, Criterion.EXACT, null, DictionaryCap.NONE, Averaging.none(), 1),
                "must be given");
        assertRefused("kernel", () -> new Rkhs(null, 1), "must be given");
    }

    @Test
    void aKoopmanOperatorNeedsOneSpace() {
        SogdConfig config = SogdConfig.forTransition(new Rkhs(GAUSSIAN, 3), new Rkhs(GAUSSIAN, 2))
                .build();
        assertRefused("output", () -> SogdLearner.koopman(config), "one space");
        assertThat(SogdLearner.transition(config).output().dimension()).isEqualTo(2);
        assertThat(builder().build().isOneSpace()).isTrue();
    }

    @Test
    void defaultsSuitAnyKernelThatIsNotTiny() {
        for (String kernel : List.of("gaussian(1)", "250*gaussian(1)", "linear(offset=1, radius=50)")) {
            SogdConfig config = SogdConfig.forState(2, Kernels.parse(kernel)).build();
            assertThat(config.stepSize().at(1) * config.input().kernel().bound())
                    .isBetween(0.29, 0.31);
            assertThat(config.criterion()).isEqualTo(Criterion.EXACT);
        }
    }

    @Test
    void defaultsSuitAKernelOnSmallStates() {
        assertThat(SogdConfig.forState(2, Kernels.linear(0, 0.01))
                        .build()
                        .stepSize()
                        .at(1))
                .isPositive();
    }

    private static final String CONSTANT_STEP = "the step size is constant";
    private static final String CONSTANT_BUDGET = "Assumption 3(b) fails";
    private static final String SLOW_DECAY = "sum eta_t^2 diverges for a =";
    private static final String FAST_DECAY = "a = 1 lies outside Assumption 6";
    private static final String CUSTOM = "a custom schedule cannot be checked";
    private static final String PAPER = "criterion PAPER leaves out the input side";

    private static void assertWarns(SogdConfig config, String... expected) {
        assertThat(config.warnings()).hasSameSizeAs(expected);
        for (String text : expected) {
            assertThat(config.warnings()).as("%s", config).anyMatch(warning -> warning.contains(text));
        }
    }

    /** Of the paper: assumption.3, corollary.Koopman.asy. */
    @Test
    void everyAssumptionThatFailsIsSaid() {
        StepSize good = StepSize.decay(0.9, 2, 0.6);
        Budget tied = Budget.proportional(0.5);
        assertWarns(builder().stepSize(good).budget(tied).build());
        assertWarns(builder().stepSize(good).budget(0).build());
        assertWarns(builder().stepSize(0.3).budget(tied).build(), CONSTANT_STEP);
        assertWarns(builder().stepSize(good).budget(0.01).build(), CONSTANT_BUDGET);
        assertWarns(builder().stepSize(StepSize.decay(0.9, 2, 0.5)).budget(tied).build(), SLOW_DECAY);
        assertWarns(builder().stepSize(StepSize.decay(0.9, 2, 1)).budget(tied).build(), FAST_DECAY);
        assertWarns(
                builder().stepSize(good).budget(tied).criterion(Criterion.PAPER).build(), PAPER);
        assertWarns(
                builder().stepSize(good).budget(0).criterion(Criterion.PAPER).build());
        assertWarns(
                builder()
                        .stepSize(StepSize.custom("own", t -> 0.1))
                        .budget(tied)
                        .build(),
                CUSTOM);
        assertWarns(
                builder()
                        .stepSize(good)
                        .budget(Budget.custom("own", (t, eta) -> 0.1))
                        .build(),
                CUSTOM);
        assertWarns(
                builder()
                        .stepSize(StepSize.decay(0.9, 2, 0.4))
                        .budget(0.1)
                        .criterion(Criterion.PAPER)
                        .build(),
                CONSTANT_BUDGET,
                SLOW_DECAY,
                PAPER);
    }

    @Test
    void warningsQuoteTheNumbers() {
        assertThat(builder()
                        .stepSize(StepSize.decay(0.9, 2, 0.4))
                        .budget(0.25)
                        .build()
                        .warnings())
                .anyMatch(warning -> warning.contains("0.25"))
                .anyMatch(warning -> warning.contains("a = 0.4"));
    }

    @Test
    void warnsOfABudgetUnderWhichNothingIsKept() {
        SogdConfig useless = SogdConfig.forState(1, Kernels.gaussian(1))
                .stepSize(0.3)
                .budget(0.3)
                .build();
        assertThat(useless.warnings()).anyMatch(warning -> warning.startsWith("nothing will be kept"));
        SogdLearner<?> learner = SogdLearner.koopman(useless);
        learner.update(new double[] {0}, new double[] {1});
        assertThat(learner.dictionarySize()).isZero();
        assertThat(SogdConfig.forState(1, Kernels.gaussian(1))
                        .stepSize(0.3)
                        .budget(0.29)
                        .build()
                        .warnings())
                .noneMatch(warning -> warning.startsWith("nothing will be kept"));
    }
}
