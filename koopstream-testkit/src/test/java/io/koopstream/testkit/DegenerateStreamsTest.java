package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that bring nothing new: the learner goes on, its dictionary does not. */
class DegenerateStreamsTest {

    private static final double LAMBDA = 0.01;

    private static SogdLearner<KoopmanOperator> learner(int dimension, double epsilon, Criterion criterion) {
        return SogdLearner.koopman(SogdConfig.forState(dimension, Kernels.gaussian(0.7))
                .lambda(LAMBDA)
                .stepSize(0.5)
                .budget(epsilon)
                .criterion(criterion)
                .build());
    }

    private static void assertBounded(SogdLearner<KoopmanOperator> learner, Samples samples) {
        assertThat(learner.norm()).as("%s", samples).isBetween(0.0, 1 / LAMBDA);
        if (learner.dictionarySize() > 0) {
            assertThat(learner.snapshot().inputBasis().factorDefect())
                    .as("%s", samples)
                    .isLessThan(30);
            assertThat(learner.snapshot().outputBasis().factorDefect())
                    .as("%s", samples)
                    .isLessThan(30);
            for (double value : learner.snapshot().predict(samples.input(0))) {
                assertThat(value).as("%s", samples).isFinite();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMillionEqualSamplesAreOneSampleLearnedWell(Criterion criterion) {
        double[] x = {0.3, -1.2};
        double[] y = {0.4, -1.0};
        SogdLearner<KoopmanOperator> learner = learner(2, 0, criterion);
        assertThat(learner.update(x, y)).isEqualTo(StepOutcome.ADMITTED);
        for (int i = 1; i < 1_000_000; i++) {
            assertThat(learner.update(x, y) == StepOutcome.ADMITTED)
                    .as("sample %d", i)
                    .isFalse();
        }
        assertThat(learner.dictionarySize()).isEqualTo(1);
        assertThat(learner.samples()).isEqualTo(1_000_000);
        // The fixed point of M ← (1 − λη) M + η (1 − M) is 1 / (1 + λ).
        assertThat(learner.norm()).isCloseTo(1 / (1 + LAMBDA), Offset.offset(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40})
    void aPeriodicOrbitIsKeptOnce(int period) {
        for (Criterion criterion : Criterion.values()) {
            SogdLearner<KoopmanOperator> learner = learner(2, 0, criterion);
            Samples samples = Streams.periodicOrbit(period, 50 * period);
            int afterFirstRound = 0;
            for (int i = 0; i < samples.size(); i++) {
                learner.update(samples.input(i), samples.output(i));
                if (i == period - 1) {
                    afterFirstRound = learner.dictionarySize();
                }
            }
            assertThat(afterFirstRound).isBetween(1, period);
            assertThat(learner.dictionarySize()).as("%s", samples).isEqualTo(afterFirstRound);
            assertBounded(learner, samples);
        }
    }

    @Test
    void aShortOrbitIsLearnedExactlyUpToTheRidge() {
        SogdLearner<KoopmanOperator> learner = learner(2, 0, Criterion.EXACT);
        Samples samples = Streams.periodicOrbit(3, 30_000);
        for (int i = 0; i < samples.size(); i++) {
            learner.update(samples.input(i), samples.output(i));
        }
        for (int i = 0; i < 3; i++) {
            double[] predicted = learner.snapshot().predict(samples.input(i));
            // Three points at distance √3 with width 0.7: nearly orthogonal features, so the ridge costs about one per
            // cent.
            assertThat(predicted[0]).isCloseTo(samples.output(i)[0], Offset.offset(0.03));
            assertThat(predicted[1]).isCloseTo(samples.output(i)[1], Offset.offset(0.03));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void settlingOnAnEquilibriumStopsTheGrowth(long seed) {
        for (Criterion criterion : Criterion.values()) {
            SogdLearner<KoopmanOperator> learner = learner(2, 0, criterion);
            Samples samples = Streams.settlingSpiral(seed, 6_000);
            int settled = 0;
            for (int i = 0; i < samples.size(); i++) {
                learner.update(samples.input(i), samples.output(i));
                if (i == 200) {
                    // By then the state is below 1e-18.
                    settled = learner.dictionarySize();
                }
            }
            assertThat(learner.dictionarySize()).as("%s", samples).isEqualTo(settled);
            assertBounded(learner, samples);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void nearDuplicatesNeverBreakTheFactor(int digits) {
        for (double epsilon : new double[] {0, 1e-8, 1e-3}) {
            SogdLearner<KoopmanOperator> learner = learner(2, epsilon, Criterion.EXACT);
            Samples three = Streams.periodicOrbit(3, 600);
            double[][] kicks = Streams.normalPoints(digits, 1_200, 2, Math.pow(10, -digits));
            int[] next = {0};
            Samples samples = three.map("jitter 1e-" + digits, point -> {
                double[] kick = kicks[next[0]++];
                return new double[] {point[0] + kick[0], point[1] + kick[1]};
            });
            for (int i = 0; i < samples.size(); i++) {
                learner.update(samples.input(i), samples.output(i));
            }
            assertBounded(learner, samples);
            if (digits >= 7) {
                // A squared distance of 1e-14 is below every floor: only the three places remain.
                assertThat(learner.dictionarySize()).as("%s", samples).isEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {100, 1e4, 1e8})
    void anOffsetOnlyCostsTheDigitsItTakes(double offset) {
        Samples samples = Streams.vanDerPol(6, 400);
        SogdLearner<KoopmanOperator> here = learner(2, 0.05, Criterion.EXACT);
        SogdLearner<KoopmanOperator> there = learner(2, 0.05, Criterion.EXACT);
        Samples moved = samples.shifted(offset);
        for (int i = 0; i < samples.size(); i++) {
            here.update(samples.input(i), samples.output(i));
            there.update(moved.input(i), moved.output(i));
        }
        assertBounded(there, moved);
        assertThat(there.dictionarySize()).as("%s", moved).isCloseTo(here.dictionarySize(), Offset.offset(2));
        // At 1e8 coordinates keep eight digits after the point, and the kernel depends on differences only.
        assertThat(there.norm()).as("%s", moved).isCloseTo(here.norm(), Offset.offset(1e-3));
    }

    @Test
    void aTrajectoryThatNeverLearnsAnythingNewUnderAHugeBudgetStaysEmpty() {
        SogdLearner<KoopmanOperator> learner = learner(2, 1e300, Criterion.EXACT);
        Samples samples = Streams.vanDerPol(6, 400);
        for (int i = 0; i < samples.size(); i++) {
            assertThat(learner.update(samples.input(i), samples.output(i))).isEqualTo(StepOutcome.PROJECTED);
        }
        assertThat(learner.dictionarySize()).isZero();
        assertThat(learner.norm()).isZero();
    }

    /** κ of 1e300 or 1e-300 makes κ² and η² leave the range of doubles, though no result does. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-150, 1e-80, 1, 1e80, 1e150})
    void theUnitsOfALinearKernelDoNotMatter(double unit) {
        double bound = 9 * unit * unit;
        for (Criterion criterion : Criterion.values()) {
            SogdLearner<KoopmanOperator> learner =
                    SogdLearner.koopman(SogdConfig.forState(3, Kernels.linear(0, 3 * unit))
                            .lambda(0.01 * bound)
                            .stepSize(0.3 / bound)
                            .budget(0.001)
                            .criterion(criterion)
                            .build());
            SogdLearner<KoopmanOperator> usual = SogdLearner.koopman(SogdConfig.forState(3, Kernels.linear(0, 3))
                    .lambda(0.09)
                    .stepSize(0.3 / 9)
                    .budget(0.001)
                    .criterion(criterion)
                    .build());
            // Powers of two would be exact; powers of ten cost a rounding each.
            Samples samples = Streams.randomWalk(4, 100, 3).scaled(0.8);
            for (int i = 0; i < samples.size(); i++) {
                Samples one = samples.range(i, i + 1);
                StepOutcome expected = usual.update(one.input(0), one.output(0));
                Samples scaled = one.scaled(unit);
                assertThat(learner.update(scaled.input(0), scaled.output(0)))
                        .as("%s, residual %s against %s", scaled, learner.lastResidual(), usual.lastResidual())
                        .isEqualTo(expected);
                assertThat(learner.lastResidual()).isCloseTo(usual.lastResidual(), Offset.offset(1e-7));
            }
            assertThat(learner.norm()).isCloseTo(usual.norm(), Offset.offset(1e-7));
            assertThat(usual.dictionarySize()).isEqualTo(3);
        }
    }
}
