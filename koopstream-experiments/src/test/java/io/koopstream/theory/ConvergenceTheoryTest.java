package io.koopstream.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.theory.FiniteTimeBound.Constants;
import io.koopstream.theory.Mixing.Estimate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Constants by hand, bounds against a script that was written from the paper alone, verdicts in words. */
class ConvergenceTheoryTest {

    private static final Mixing QUICK = new Mixing(1, 0.4);

    private static SogdConfig config(double lambda, StepSize steps, Budget budget) {
        return SogdConfig.forState(1, Kernels.gaussian(0.5))
                .lambda(lambda)
                .stepSize(steps)
                .budget(budget)
                .build();
    }

    @Test
    void mixingTimeByHand() {
        // 0.5^7 = 0.0078 is the first power of one half below 0.01.
        assertThat(new Mixing(1, 0.5).time(0.01)).isEqualTo(7);
        // 4 · 0.5^9 = 0.0078.
        assertThat(new Mixing(4, 0.5).time(0.01)).isEqualTo(9);
        // Equality counts, whatever the logarithms round to.
        assertThat(new Mixing(1, 0.5).time(0.25)).isEqualTo(2);
        // Nothing to wait for is still one step.
        assertThat(new Mixing(1, 0.5).time(3)).isEqualTo(1);
        // 1/log 2 against log(4/0.5)/log 2 = 3.
        assertThat(new Mixing(1, 0.5).coefficient()).isCloseTo(1 / Math.log(2), within(1e-15));
        assertThat(new Mixing(4, 0.5).coefficient()).isCloseTo(3, within(1e-15));
    }

    /** Of the paper: eq.mixing0. */
    @Test
    void mixingTimeIsBelowItsBound() {
        for (double rate : new double[] {0.05, 0.3, 0.7, 0.99}) {
            for (double factor : new double[] {0.3, 1, 10}) {
                Mixing mixing = new Mixing(factor, rate);
                for (double delta = 1; delta > 1e-6; delta /= 3) {
                    assertThat((double) mixing.time(delta))
                            .isLessThanOrEqualTo(mixing.coefficient() * (Math.log(1 / delta) + 1) + 1e-9);
                    assertThat(mixing.distanceAfter(mixing.time(delta))).isLessThanOrEqualTo(delta);
                }
            }
        }
    }

    /** Of the paper: assumption.mixing. */
    @Test
    void aChainsRateBoundsItsDistanceFromTheInvariantLaw() {
        double[][] p = {{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.3, 0.3, 0.4}};
        // Rows 0 and 1 differ most: (0.4 + 0.3 + 0.1) / 2.
        assertThat(Mixing.ofChain(p).rate()).isCloseTo(0.4, within(1e-15));
        assertThat(Mixing.ofChain(p).factor()).isEqualTo(1);
        assertThatThrownBy(() -> Mixing.ofChain(new double[][] {{0, 1}, {1, 0}}))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("no common successor");
        assertThatThrownBy(() -> Mixing.ofChain(new double[][] {{0.5, 0.4}, {1, 0}}))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("transition[0]");
        assertThatThrownBy(() -> new Mixing(1, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("rate = 1.0");
    }

    @Test
    void constantsByHand() {
        Constants constants = new Constants(1, 1, 500, 2e-4, 0.5);
        assertThat(constants.compressionShare()).isCloseTo(0.1, within(1e-15));
        assertThat(constants.growth()).isCloseTo(2.1, within(1e-15));
        // 98 · 4.41 + 32 · 2.1
        assertThat(constants.drift()).isCloseTo(499.38, within(1e-10));
        assertThat(constants.largestWindow()).isCloseTo(1 / 499.38, within(1e-15));
        assertThat(constants.largestWindow()).isLessThan(1 / (4 * constants.growth()));
        assertThat(constants.squaredScale()).isCloseTo(2.25, within(1e-15));
        Constants other = new Constants(4, 2, 0, 1e-4, 0);
        // 8 · 4^2.5 / 4 and 2 · 4^0.5 · 3 + 2 · 25
        assertThat(other.theta2(0.5)).isCloseTo(64, within(1e-12));
        assertThat(other.koopmanError(3, 0.5, 5)).isCloseTo(62, within(1e-12));
        assertThatThrownBy(() -> other.theta2(1)).isInstanceOf(InvalidConfigException.class);
    }

    /** Of the paper: thm.CME.FT.one-step, thm.Koopman.FT.general, corollary.FT.const, thm.FT.diminish. */
    @Test
    void boundsAgreeWithTheScript() throws IOException {
        List<String[]> rows;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                ConvergenceTheoryTest.class.getResourceAsStream("theory_reference.csv"), StandardCharsets.UTF_8))) {
            rows = lines.lines().skip(1).map(line -> line.split(",", -1)).toList();
        }
        assertThat(rows).hasSize(12);
        for (String[] row : rows) {
            double[] v = new double[row.length];
            for (int i = 1; i < row.length; i++) {
                v[i] = Double.parseDouble(row[i]);
            }
            boolean decays = v[9] > 0;
            // The paper's r counts from sample 0, a learner's from sample 1.
            StepSize steps = decays ? StepSize.decay(v[7], v[8] - 1, v[9]) : StepSize.constant(v[7]);
            FiniteTimeBound bound = new FiniteTimeBound(
                    new Constants(v[1], v[2], v[3], steps.at(1), v[4]), steps, new Mixing(v[5], v[6]), 2_000);
            int t = (int) v[10];
            double tolerance = 1e-11;
            assertThat(bound.start()).as(row[0]).isEqualTo((int) v[11]);
            assertThat(new Mixing(v[5], v[6]).coefficient() / v[12]).as(row[0]).isCloseTo(1, within(tolerance));
            assertThat(bound.constants().growth() / v[13]).as(row[0]).isCloseTo(1, within(tolerance));
            assertThat(bound.constants().drift() / v[14]).as(row[0]).isCloseTo(1, within(tolerance));
            assertThat(bound.theta1(t) / v[15]).as(row[0]).isCloseTo(1, within(tolerance));
            assertThat(bound.general(new int[] {t})[0] / v[16]).as(row[0]).isCloseTo(1, within(tolerance));
            double closed = decays ? bound.decayingStep(t) : bound.constantStep(t);
            assertThat(closed / v[17]).as(row[0]).isCloseTo(1, within(tolerance));
            // The corollaries simplify upwards.
            assertThat(closed).as(row[0]).isGreaterThanOrEqualTo(v[16]);
        }
    }

    @Test
    void thetaThreeAndFourByHand() {
        FiniteTimeBound constant = new FiniteTimeBound(
                new Constants(1, 1, 500, 2e-4, 0.5), StepSize.constant(2e-4), new Mixing(1, 0.5), 100);
        // τ = 13, since 2^-13 = 1.2e-4; 2 (499.38 · 13 · 2.25 + 2000).
        assertThat(constant.theta3(0.5)).isCloseTo(2 * (499.38 * 13 * 2.25 + 2000), within(1e-6));
        FiniteTimeBound decaying = new FiniteTimeBound(
                new Constants(1, 1, 0, 1e-3, 0), StepSize.decay(Math.E, 98, 0.5), new Mixing(4, 0.5), 100);
        // B_mix = 3, B̌ = 456, log(1 + 99) − 1 + 1.
        assertThat(decaying.theta4(1)).isCloseTo(2 * 3 * 456 * Math.log(100), within(1e-9));
    }

    @Test
    void smallStepsWithALargeRidgeAreCovered() {
        ConvergenceTheory theory =
                ConvergenceTheory.of(config(1, StepSize.constant(1e-4), Budget.constant(1e-5)), QUICK, 0.5, 10_000);
        assertThat(theory.condition("Theorem 9").holds()).isTrue();
        assertThat(theory.constantStepApplies()).isTrue();
        assertThat(theory.decayingStepApplies()).isFalse();
        assertThat(theory.condition("Corollary 11").reason()).isEqualTo("Assumption 6 does not hold");
        assertThat(theory.condition(ConvergenceTheory.INDEPENDENT).reason()).contains("0.5 < a <= 1");
        assertThat(theory.bound().orElseThrow().constants().compression()).isCloseTo(1000, within(1e-9));
        assertThat(theory.summary()).contains("Theorem 9 holds: the steps over one mixing time sum to");
    }

    @Test
    void thePapersOwnSettingsAreNot() {
        ConvergenceTheory theory = ConvergenceTheory.of(
                config(1e-3, StepSize.constant(0.3), Budget.constant(0.0081)), QUICK, Double.POSITIVE_INFINITY, 1_000);
        assertThat(theory.condition("Assumption 3(b)").holds()).isTrue();
        assertThat(theory.condition("Theorem 9").holds()).isFalse();
        assertThat(theory.condition("Theorem 9").reason())
                .contains("allowed is lambda/B-check")
                .contains("smaller steps");
        assertThat(theory.bound()).isEmpty();
        assertThat(theory.condition("Corollary 10").reason()).isEqualTo("the condition of Theorem 9 does not hold");
    }

    @Test
    void decayingStepsAreCoveredWhenTheOffsetIsLargeEnough() {
        Budget budget = Budget.proportional(2);
        ConvergenceTheory theory =
                ConvergenceTheory.of(config(1, StepSize.decay(0.05, 10_000, 0.6), budget), QUICK, 0.5, 5_000);
        assertThat(theory.decayingStepApplies()).as(theory.summary()).isTrue();
        assertThat(theory.condition(ConvergenceTheory.INDEPENDENT).holds()).isTrue();
        // Smaller steps also satisfy the theorem, but then they decay before they have forgotten the start.
        ConvergenceTheory slow =
                ConvergenceTheory.of(config(1, StepSize.decay(0.01, 10_000, 0.6), budget), QUICK, 0.5, 5_000);
        assertThat(slow.bound()).isPresent();
        assertThat(slow.decayingStepApplies()).isFalse();
        assertThat(slow.condition("Corollary 11").reason()).contains("larger r or eta");
    }

    /** corollary.Koopman.asy: every condition on steps, budget and mixing is met, and one trajectory is outside it all the same. */
    @Test
    void theoremSixCoversIndependentPairsOnly() {
        ConvergenceTheory theory = ConvergenceTheory.of(
                config(1, StepSize.decay(0.05, 10_000, 0.6), Budget.proportional(2)), QUICK, 0.5, 5_000);
        assertThat(theory.conditions().stream()
                        .filter(condition -> condition.statement().startsWith("Theorem 6")))
                .extracting(ConvergenceTheory.Condition::statement, ConvergenceTheory.Condition::holds)
                .containsExactly(
                        tuple("Theorem 6, independent pairs", true), tuple("Theorem 6, one trajectory", false));
        assertThat(theory.condition(ConvergenceTheory.TRAJECTORY).reason())
                .contains("independent pairs only")
                .contains("does not fade (erratum 11)");
        assertThat(theory.condition(ConvergenceTheory.INDEPENDENT).reason()).contains("drawn anew");
    }

    /** lemma.CME.bound: an unknown norm of U_λ, and one above what it can be, count as the largest possible. */
    @Test
    void theNormOfTheMinimiserIsBoundedWithoutData() {
        assertThat(Constants.largestNorm(1, 0.01)).isCloseTo(5, within(1e-12));
        assertThat(Constants.largestNorm(4, 4)).isCloseTo(0.5, within(1e-15));
        assertThat(Constants.largestNorm(1, 3)).isCloseTo(0.25, within(1e-15));
        SogdConfig config = config(1, StepSize.constant(1e-4), Budget.constant(0));
        for (double norm : new double[] {0.6, Double.POSITIVE_INFINITY}) {
            assertThat(ConvergenceTheory.of(config, QUICK, norm, 10_000)
                            .bound()
                            .orElseThrow()
                            .constants()
                            .operatorNorm())
                    .isCloseTo(0.5, within(1e-15));
        }
        assertThat(ConvergenceTheory.of(config, QUICK, 0.4, 10_000)
                        .bound()
                        .orElseThrow()
                        .constants()
                        .operatorNorm())
                .isEqualTo(0.4);
    }

    @Test
    void aLimitedDictionaryBreaksTheBudget() {
        SogdConfig limited = config(1, StepSize.constant(1e-4), Budget.constant(0)).toBuilder()
                .maxDictionary(50)
                .build();
        ConvergenceTheory theory = ConvergenceTheory.of(limited, QUICK, 1, 1000);
        assertThat(theory.condition("Assumption 3(b)").holds()).isFalse();
        assertThat(theory.condition("Assumption 3(b)").reason()).contains("limited to 50 points");
        assertThat(theory.bound()).isEmpty();
    }

    @Test
    void eachFailingAssumptionIsNamed() {
        StepSize decaying = StepSize.decay(0.06, 10_000, 0.6);
        assertThat(ConvergenceTheory.of(config(1, decaying, Budget.constant(1e-6)), QUICK, 1, 100)
                        .condition("Assumption 3(b)")
                        .reason())
                .contains("the budget stays");
        assertThat(ConvergenceTheory.of(config(1, decaying, Budget.constant(0)), null, 1, 100)
                        .condition("Assumption 4")
                        .holds())
                .isFalse();
        SogdConfig paper = SogdConfig.forState(1, Kernels.gaussian(0.5))
                .lambda(1)
                .stepSize(1e-4)
                .budget(1e-6)
                .criterion(Criterion.PAPER)
                .build();
        assertThat(ConvergenceTheory.of(paper, QUICK, 1, 100)
                        .condition("Assumption 3(b)")
                        .reason())
                .contains("erratum 1");
        assertThat(ConvergenceTheory.of(
                                config(1, StepSize.custom("mine", t -> t < 50 ? 1e-4 : 2e-4), Budget.constant(0)),
                                QUICK,
                                1,
                                100)
                        .condition("Assumption 3(a)")
                        .reason())
                .contains("may not grow: eta_50 = 2.0E-4 after 1.0E-4");
        assertThat(ConvergenceTheory.of(
                                config(1, StepSize.constant(1e-4), Budget.constant(0)), new Mixing(1, 0.999), 1, 100)
                        .condition("Theorem 9")
                        .reason())
                .contains("to mix once");
        assertThatThrownBy(() -> ConvergenceTheory.of(config(1, decaying, Budget.constant(0)), QUICK, 1, 100)
                        .condition("Theorem 99"))
                .isInstanceOf(InvalidQueryException.class);
    }

    /** A schedule of one's own that is a built-in one in disguise has its verdicts and its bounds, as far as it was looked at. */
    @Test
    void schedulesOfOnesOwnAreCheckedUpToTheHorizon() {
        StepSize decaying = StepSize.decay(0.05, 10_000, 0.6);
        ConvergenceTheory own = ConvergenceTheory.of(
                config(1, StepSize.custom("own", decaying::at), Budget.custom("own", (t, eta) -> 2 * eta * eta)),
                QUICK,
                1,
                500);
        ConvergenceTheory known = ConvergenceTheory.of(config(1, decaying, Budget.proportional(2)), QUICK, 1, 500);
        assertThat(own.condition("Assumption 3(a)").text()).contains("holds", "checked up to t = 500");
        assertThat(own.condition("Assumption 3(b)").text()).contains("b_cmp", "= 2.00", "checked up to t = 500");
        int[] times = {100, 500};
        assertThat(known.summary()).contains("Theorem 9 holds");
        assertThat(own.bound().orElseThrow().general(times))
                .containsExactly(known.bound().orElseThrow().general(times), within(1e-9));
        assertThat(own.condition(ConvergenceTheory.INDEPENDENT).holds()).isFalse();
    }

    @Test
    void aSquaredNormIsComparedByItsRoot() {
        SogdConfig squared = config(1, StepSize.constant(1e-4), Budget.constant(1e-12)).toBuilder()
                .delta(Criterion.Delta.SQUARED)
                .build();
        assertThat(ConvergenceTheory.of(squared, QUICK, 1, 100)
                        .condition("Assumption 3(b)")
                        .reason())
                .contains("sqrt(epsilon)/eta^2 = 100");
        SogdConfig decaying = squared.toBuilder()
                .stepSize(StepSize.decay(0.06, 10_000, 0.6))
                .budget(Budget.proportional(1))
                .build();
        assertThat(ConvergenceTheory.of(decaying, QUICK, 1, 100)
                        .condition("Assumption 3(b)")
                        .holds())
                .isFalse();
    }

    @Test
    void theMixingRateOfAnAutoregressionIsReadOffItsLearnedSpectrum() {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(1, Kernels.gaussian(0.7)).build());
        SplittableRandom random = new SplittableRandom(4);
        double x = 0;
        for (int t = 0; t < 20_000; t++) {
            double noise = 0;
            for (int i = 0; i < 12; i++) {
                noise += random.nextDouble() - 0.5;
            }
            double next = 0.6 * x + 0.5 * noise;
            learner.update(new double[] {x}, new double[] {next});
            x = next;
        }
        Estimate estimate = Estimate.of(Spectrum.leading(learner.snapshot(), 4));
        // The eigenvalues of an autoregression are the powers of its coefficient; 20,000 samples leave about 0.01.
        assertThat(estimate.rate()).isCloseTo(0.6, within(0.03));
        assertThat(estimate.leading()).isCloseTo(1, within(0.01));
        assertThat(estimate.assuming(2)).isEqualTo(new Mixing(2, estimate.rate()));
        assertThat(estimate.relaxationSteps()).isCloseTo(-1 / Math.log(estimate.rate()), within(1e-12));
    }
}
