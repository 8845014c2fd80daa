package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Step sizes and budgets: their formulas, their text, and what happens when a custom one misbehaves. */
class ScheduleTest {

    /** Of the paper: assumption.3, assumption.SA-constant, assumption.SA-diminishing. */
    @Test
    void stepSizesFollowTheirFormulas() {
        assertThat(StepSize.constant(0.3).at(1)).isEqualTo(0.3);
        assertThat(StepSize.constant(0.3).at(1_000_000_000_000L)).isEqualTo(0.3);
        StepSize decay = StepSize.decay(6, 3, 0.5);
        // η_t = eta / (t + r)^a with t counted from one.
        assertThat(decay.at(1)).isEqualTo(3.0);
        assertThat(decay.at(6)).isEqualTo(2.0);
        assertThat(decay.at(33)).isEqualTo(1.0);
        for (long t = 1; t < 1000; t++) {
            assertThat(decay.at(t + 1)).isLessThan(decay.at(t)).isPositive();
        }
        assertThat(StepSize.custom("halving", t -> 1.0 / t).at(4)).isEqualTo(0.25);
    }

    /** Of the paper: assumption.3. */
    @Test
    void budgetsFollowTheirFormulas() {
        assertThat(Budget.constant(0.03).at(7, 0.5)).isEqualTo(0.03);
        assertThat(Budget.proportional(3).at(7, 0.5)).isEqualTo(0.75);
        assertThat(Budget.custom("own", (t, eta) -> 5 * t * eta).at(3, 0.1)).isEqualTo(1.5);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1e-7, 1.0 / 3, 2.2250738585072014E-308, 1e20, 123456.789})
    void textReadsBackAsTheSameSchedule(double value) {
        for (StepSize stepSize : new StepSize[] {StepSize.constant(value), StepSize.decay(value, value, 1.0 / 3)}) {
            assertThat(StepSize.parse(stepSize.text())).isEqualTo(stepSize);
        }
        for (Budget budget : new Budget[] {Budget.constant(value), Budget.proportional(value)}) {
            assertThat(Budget.parse(budget.text())).isEqualTo(budget);
        }
    }

    @Test
    void textAcceptsNamesSpacesAndAnyOrder() {
        assertThat(StepSize.parse(" constant ( eta = 0.3 ) ")).isEqualTo(StepSize.constant(0.3));
        assertThat(StepSize.parse("decay(a=0.6, eta=0.9, r=200)")).isEqualTo(StepSize.decay(0.9, 200, 0.6));
        assertThat(Budget.parse("constant(epsilon=0)")).isEqualTo(Budget.constant(0));
        assertThat(Budget.parse("proportional(b=2)")).isEqualTo(Budget.proportional(2));
        assertThat(Budget.parse(Budget.constant(-0.0).text())).isEqualTo(Budget.constant(-0.0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0.3",
                "constant",
                "constant()",
                "constant(x)",
                "constant(0.3",
                "constant(0.3))",
                "constant(0.3,0.4)",
                "constant(b=0.3)",
                "decay(0.9)",
                "decay(eta=0.9,r=200)",
                "decay(eta=0.9,r=200,a=0.6,b=1)",
                "decay(eta=0.9,eta=0.9,r=200,a=0.6)",
                "cosine(0.3)",
                "custom(mine)",
                "constant(0.3) x",
                "CONSTANT(0.3)"
            })
    void malformedTextsAreRefusedWithAnExample(String text) {
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> StepSize.parse(text)))
                .isNotNull()
                .hasMessageContaining("expected constant(0.3) or decay(eta=");
        assertThat(catchThrowableOfType(
                        InvalidConfigException.class,
                        () -> Budget.parse(text.equals("constant(b=0.3)") ? "constant(x=1)" : text)))
                .isNotNull()
                .hasMessageContaining("expected constant(0.01) or proportional(0.5)");
    }

    @Test
    void missingTextIsRefused() {
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> StepSize.parse(null))
                        .field())
                .isEqualTo("stepSize");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Budget.parse(null))
                        .field())
                .isEqualTo("budget");
    }

    @ParameterizedTest
    @CsvSource({
        "constant(0), eta, > 0",
        "constant(-1), eta, > 0",
        "constant(NaN), eta, > 0",
        "constant(Infinity), eta, > 0",
        "'decay(eta=0,r=1,a=0.5)', eta, > 0",
        "'decay(eta=1,r=0,a=0.5)', r, > 0",
        "'decay(eta=1,r=-1,a=0.5)', r, > 0",
        "'decay(eta=1,r=1,a=0)', a, '(0, 1]'",
        "'decay(eta=1,r=1,a=1.01)', a, '(0, 1]'",
        "'decay(eta=1,r=1,a=NaN)', a, '(0, 1]'"
    })
    void stepSizesOutOfRangeAreRefused(String text, String field, String rule) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, () -> StepSize.parse(text));
        assertThat(refusal.field()).isEqualTo(field);
        assertThat(refusal.rule()).contains(rule);
    }

    @ParameterizedTest
    @CsvSource({
        "constant(-0.1), epsilon, >= 0",
        "constant(NaN), epsilon, >= 0",
        "constant(Infinity), epsilon, >= 0",
        "proportional(0), b, > 0",
        "proportional(-1), b, > 0",
        "proportional(NaN), b, > 0"
    })
    void budgetsOutOfRangeAreRefused(String text, String field, String rule) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, () -> Budget.parse(text));
        assertThat(refusal.field()).isEqualTo(field);
        assertThat(refusal.rule()).contains(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "a/b", "-start", "brackets()", "line\nbreak"})
    void customNamesThatCouldNotBeWrittenAreRefused(String name) {
        LongToDoubleFunction some = t -> 0.1;
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> StepSize.custom(name, some))
                        .field())
                .isEqualTo("name");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Budget.custom(name, (t, eta) -> 0.1))
                        .field())
                .isEqualTo("name");
        assertThat(catchThrowableOfType(
                        InvalidConfigException.class, () -> Budget.custom("n".repeat(65), (t, eta) -> 0.1)))
                .isNotNull();
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Budget.custom(null, (t, eta) -> 0.1)))
                .isNotNull();
    }

    private static SogdLearner<KoopmanOperator> learner(StepSize stepSize, Budget budget) {
        return SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(0.7))
                .stepSize(stepSize)
                .budget(budget)
                .build());
    }

    private static void assertRefusedAt(SogdLearner<KoopmanOperator> learner, int sample, String field, String rule) {
        Samples samples = Streams.vanDerPol(3, sample);
        for (int i = 0; i < sample - 1; i++) {
            learner.update(samples.input(i), samples.output(i));
        }
        String before = learner.state().digest();
        InvalidConfigException refusal = catchThrowableOfType(
                InvalidConfigException.class,
                () -> learner.update(samples.input(sample - 1), samples.output(sample - 1)));
        assertThat(refusal).isNotNull();
        assertThat(refusal.field()).isEqualTo(field);
        assertThat(refusal.rule()).contains(rule);
        assertThat(learner.state().digest()).isEqualTo(before);
        assertThat(learner.samples()).isEqualTo(sample - 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void aCustomStepThatIsNoStepIsRefusedWhenUsed(double bad) {
        StepSize broken = StepSize.custom("broken", t -> t < 10 ? 0.3 : bad);
        assertRefusedAt(learner(broken, Budget.constant(0.01)), 10, "eta_10", "finite number > 0");
    }

    @Test
    void aCustomStepThatGrowsIsRefusedWhenUsed() {
        StepSize growing = StepSize.custom("growing", t -> t < 10 ? 0.3 : 0.31);
        assertRefusedAt(learner(growing, Budget.constant(0.01)), 10, "eta_10", "may not grow");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1e-300, Double.NaN, Double.POSITIVE_INFINITY})
    void aCustomBudgetThatIsNoBudgetIsRefusedWhenUsed(double bad) {
        Budget broken = Budget.custom("broken", (t, eta) -> t < 10 ? 0.01 : bad);
        assertRefusedAt(learner(StepSize.constant(0.3), broken), 10, "epsilon_10", "finite number >= 0");
    }

    @Test
    void aCustomScheduleThatThrowsChangesNothing() {
        SogdLearner<KoopmanOperator> learner = learner(StepSize.constant(0.3), Budget.custom("throwing", (t, eta) -> {
            if (t == 5) {
                throw new IllegalStateException("no budget today");
            }
            return 0.01;
        }));
        Samples samples = Streams.vanDerPol(3, 5);
        for (int i = 0; i < 4; i++) {
            learner.update(samples.input(i), samples.output(i));
        }
        String before = learner.state().digest();
        assertThat(catchThrowableOfType(
                        IllegalStateException.class, () -> learner.update(samples.input(4), samples.output(4))))
                .hasMessage("no budget today");
        assertThat(learner.state().digest()).isEqualTo(before);
    }

    @Test
    void aBatchInWhichACustomScheduleFailsIsRefusedAsAWhole() {
        SogdLearner<KoopmanOperator> learner =
                learner(StepSize.custom("broken", t -> t < 10 ? 0.3 : Double.NaN), Budget.constant(0.01));
        Samples samples = Streams.vanDerPol(3, 20);
        assertThat(catchThrowableOfType(
                        InvalidConfigException.class, () -> learner.partialFit(samples.inputs(), samples.outputs())))
                .isNotNull();
        assertThat(learner.samples()).isZero();
    }

    @Test
    void aCustomScheduleEqualToABuiltInOneGivesTheSameModel() {
        SogdLearner<KoopmanOperator> builtIn = learner(StepSize.constant(0.3), Budget.proportional(0.2));
        SogdLearner<KoopmanOperator> custom = learner(
                StepSize.custom("same-step", t -> 0.3), Budget.custom("same-budget", (t, eta) -> 0.2 * 0.3 * 0.3));
        Samples samples = Streams.vanDerPol(3, 200);
        for (int i = 0; i < samples.size(); i++) {
            builtIn.update(samples.input(i), samples.output(i));
            custom.update(samples.input(i), samples.output(i));
        }
        assertThat(custom.snapshot().coefficients())
                .isDeepEqualTo(builtIn.snapshot().coefficients());
    }

    @Test
    void theDigestOfACustomScheduleDependsOnItsNameNotOnTheObject() {
        String first = learner(StepSize.custom("mine", t -> 0.3), Budget.constant(0))
                .state()
                .digest();
        String second = learner(StepSize.custom("mine", t -> 0.3), Budget.constant(0))
                .state()
                .digest();
        String other = learner(StepSize.custom("yours", t -> 0.3), Budget.constant(0))
                .state()
                .digest();
        assertThat(second).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
    }
}
