package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.HoldOutConfig.Keep;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pairs are kept aside, which of them are remembered, and that the others are learned. */
class HoldOutTest {

    private static LeastSquaresLearner<KoopmanOperator> learner(HoldOutConfig holdOut) {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(1e6))
                .epsilon(0.5)
                .holdOut(holdOut)
                .build());
    }

    /** Pair t is (t, t + 1/2), so that what is remembered tells when it came. */
    private static List<Integer> feed(LeastSquaresLearner<KoopmanOperator> learner, int from, int to) {
        List<Integer> aside = new ArrayList<>();
        for (int t = from; t < to; t++) {
            if (learner.update(new double[] {t}, new double[] {t + 0.5}) == StepOutcome.HELD_OUT) {
                aside.add(t);
            }
        }
        return aside;
    }

    /** Cycles whose last 4, 8, 16, 32, then always 50 pairs are kept aside. */
    private static List<Integer> expected(double share, int n) {
        List<Integer> aside = new ArrayList<>();
        int[] lengths = {4, 8, 16, 32};
        int end = 0;
        for (int run = 0; end < n; run++) {
            int length = run < 4 ? lengths[run] : 50;
            end += (int) Math.round(length / share);
            for (int t = end - length; t < Math.min(n, end); t++) {
                aside.add(t);
            }
        }
        return aside;
    }

    @ParameterizedTest
    @CsvSource({"0.1, 5000", "0.5, 1000", "0.3, 2000", "0.01, 20000"})
    void thePositionsAreAFunctionOfTheCountAlone(double share, int n) {
        HoldOutConfig config = new HoldOutConfig(share, 100, Keep.UNIFORM);
        List<Integer> expected = expected(share, n);
        LeastSquaresLearner<KoopmanOperator> learner = learner(config);
        assertThat(feed(learner, 0, n)).isEqualTo(expected);
        assertThat(learner.samples()).isEqualTo(n - expected.size());
        assertThat(learner.holdOut().offered()).isEqualTo(expected.size());
        assertThat(learner.holdOut().seen()).isEqualTo(n);
        // Other data, questions, refusals and discounts in between.
        LeastSquaresLearner<KoopmanOperator> other = learner(config);
        List<Integer> aside = new ArrayList<>();
        for (int t = 0; t < n; t++) {
            if (t % 97 == 0) {
                other.snapshot();
                other.holdOut();
                assertThatThrownBy(() -> other.update(new double[] {Double.NaN}, new double[] {0}))
                        .isInstanceOf(InvalidSampleException.class);
            }
            if (t % 1009 == 0) {
                other.discount(0.9);
            }
            if (other.update(new double[] {Math.sin(t)}, new double[] {1}) == StepOutcome.HELD_OUT) {
                aside.add(t);
            }
        }
        assertThat(aside).isEqualTo(expected);
    }

    /** Pair t is (t, t + 1) but where a trajectory ends. */
    private static void walk(LeastSquaresLearner<KoopmanOperator> learner, int from, int to, int gap) {
        for (int t = from; t < to; t++) {
            learner.update(new double[] {t}, new double[] {t == gap ? -1 : t + 1});
        }
    }

    @Test
    void whatFollowsARunIsRememberedUpToAGapOrTheNextRunAndAfterTheFirstSixRunsForAHundredSteps() {
        LeastSquaresLearner<KoopmanOperator> learner = learner(new HoldOutConfig(0.1, 500, Keep.UNIFORM));
        // Runs end before pairs 40, 120, 280, 600, 1100, 1600, 2100; the next one begins with pair 112 after the first.
        walk(learner, 0, 2_500, 300);
        Map<Long, List<Double>> after = new TreeMap<>();
        double[][] rows = learner.holdOut().after();
        for (int i = 0; i < rows.length; i++) {
            after.computeIfAbsent(learner.holdOut().afterRuns()[i], key -> new ArrayList<>())
                    .add(rows[i][0]);
        }
        assertThat(after.keySet()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(after.get(0L)).hasSize(72).startsWith(41.0).endsWith(112.0);
        assertThat(after.get(1L)).hasSize(144).startsWith(121.0).endsWith(264.0);
        assertThat(after.get(2L)).hasSize(21).startsWith(281.0).endsWith(300.0, -1.0);
        assertThat(after.get(3L)).hasSize(450).startsWith(601.0);
        assertThat(after.get(6L)).hasSize(100).startsWith(2_101.0);
    }

    @Test
    void whatFollowsARunIsTheSameAfterARestartAnywhere() {
        HoldOutConfig config = new HoldOutConfig(0.1, 100, Keep.NEWEST);
        LeastSquaresLearner<KoopmanOperator> whole = learner(config);
        walk(whole, 0, 1_300, 700);
        for (int cut : new int[] {38, 40, 41, 90, 112, 115, 281, 650, 701, 702, 1_050, 1_101}) {
            LeastSquaresLearner<KoopmanOperator> first = learner(config);
            walk(first, 0, cut, 700);
            LeastSquaresLearner<KoopmanOperator> second = first.state().resumeKoopman();
            walk(second, cut, 1_300, 700);
            assertThat(second.state().digest())
                    .as("after %d pairs", cut)
                    .isEqualTo(whole.state().digest());
        }
    }

    @Test
    void theShareIsKeptInTheLongRun() {
        LeastSquaresLearner<KoopmanOperator> learner = learner(new HoldOutConfig(0.1, 2000, Keep.UNIFORM));
        int aside = feed(learner, 0, 100_000).size();
        // Less than a run is under way.
        assertThat(aside).isBetween(10_000 - 50, 10_000);
    }

    @Test
    void whatIsNotHeldOutIsLearned() {
        LeastSquaresConfig.Builder settings =
                LeastSquaresConfig.forState(2, Kernels.gaussian(0.7)).lambda(1e-4);
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(settings.holdOut(0.2).build());
        LeastSquaresLearner<KoopmanOperator> rest =
                LeastSquaresLearner.koopman(settings.holdOut(0).build());
        Samples samples = Streams.vanDerPol(3, 300);
        for (int i = 0; i < 300; i++) {
            if (learner.update(samples.input(i), samples.output(i)) != StepOutcome.HELD_OUT) {
                rest.update(samples.input(i), samples.output(i));
            }
        }
        assertThat(learner.samples()).isLessThan(300).isEqualTo(rest.samples());
        assertThat(learner.snapshot().distance(rest.snapshot())).isZero();
        int aside = learner.holdOut().size();
        learner.learnHeldOut();
        assertThat(learner.samples()).isEqualTo(rest.samples() + aside).isEqualTo(300);
        assertThat(learner.holdOut().size()).isZero();
    }

    /** The times of the remembered pairs, by run. */
    private static Map<Long, List<Integer>> runs(HoldOut aside) {
        Map<Long, List<Integer>> runs = new TreeMap<>();
        double[][] x = aside.inputs();
        long[] numbers = aside.runNumbers();
        for (int i = 0; i < x.length; i++) {
            assertThat(aside.outputs()[i][0]).isEqualTo(x[i][0] + 0.5);
            runs.computeIfAbsent(numbers[i], number -> new ArrayList<>()).add((int) x[i][0]);
        }
        return runs;
    }

    @ParameterizedTest
    @EnumSource(Keep.class)
    void wholeRunsAreRemembered(Keep keep) {
        LeastSquaresLearner<KoopmanOperator> learner = learner(new HoldOutConfig(0.25, 520, keep));
        List<Integer> aside = new ArrayList<>();
        for (int n = 0; n < 20_000; n += 250) {
            aside.addAll(feed(learner, n, n + 250));
            HoldOut held = learner.holdOut();
            // 520 pairs have room for ten runs.
            assertThat(held.size()).isLessThanOrEqualTo(500);
            Map<Long, List<Integer>> runs = runs(held);
            assertThat(runs.size()).isLessThanOrEqualTo(10);
            runs.forEach((number, times) -> {
                int first = aside.indexOf(times.get(0));
                assertThat(aside.subList(first, first + times.size())).isEqualTo(times);
                assertThat(first == 0 || aside.get(first - 1) < times.get(0) - 1)
                        .as("run %d begins", number)
                        .isTrue();
                int after = first + times.size();
                assertThat(after == aside.size() || aside.get(after) > times.get(times.size() - 1) + 1)
                        .as("run %d ends", number)
                        .isTrue();
            });
        }
        assertThat(runs(learner.holdOut())).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1234, 5000, 7777})
    void theNewestAreTheNewest(int discounted) {
        LeastSquaresLearner<KoopmanOperator> learner = learner(new HoldOutConfig(0.5, 250, Keep.NEWEST));
        feed(learner, 0, discounted);
        learner.discount(0.5);
        List<Integer> aside = new ArrayList<>();
        for (int n = discounted; n < discounted + 2000; n += 50) {
            aside.addAll(feed(learner, n, n + 50));
            List<Integer> remembered = new ArrayList<>();
            runs(learner.holdOut()).values().forEach(remembered::addAll);
            assertThat(remembered)
                    .as("after %d pairs", n + 50)
                    .isEqualTo(aside.subList(aside.size() - remembered.size(), aside.size()));
        }
        assertThat(learner.holdOut().size()).isGreaterThan(200);
    }

    @Test
    void theReservoirIsUniformOverTheWholeStream() {
        LeastSquaresLearner<KoopmanOperator> learner = learner(new HoldOutConfig(0.5, 10_000, Keep.UNIFORM));
        feed(learner, 0, 60_000);
        double mean = Arrays.stream(learner.holdOut().inputs())
                .mapToDouble(row -> row[0])
                .average()
                .orElseThrow();
        // 200 runs of 600: a uniform choice has a mean of 30000 and a standard error of 60000/sqrt(12·200)·sqrt(2/3).
        assertThat(mean).isCloseTo(30_000, within(4 * 1000.0));
        assertThat(runs(learner.holdOut())).hasSize(200);
    }

    @Test
    void aDiscountForgetsWhatWasHeldOutAndChangesNoAnswer() {
        LeastSquaresConfig config = LeastSquaresConfig.forState(2, Kernels.gaussian(0.7))
                .lambda(1e-4)
                .holdOut(0.2)
                .blockSize(7)
                .build();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        Samples samples = Streams.vanDerPol(3, 300);
        learner.partialFit(samples.inputs(), samples.outputs());
        KoopmanOperator before = learner.snapshot();
        double weight = learner.state().settled().weight();
        assertThat(learner.holdOut().size()).isPositive();
        learner.discount(0.25);
        assertThat(learner.holdOut().size()).isZero();
        assertThat(learner.state().weight()).isEqualTo(0.25 * weight);
        // A power of two: no rounding at all.
        assertThat(learner.snapshot().distance(before)).isZero();
        learner.discount(0.3);
        assertThat(learner.snapshot().distance(before)).isLessThan(1e-9);
        assertThat(learner.state().family().increments(1e-4).frobeniusNorm()).isPositive();
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new HoldOutConfig(0.6, 100, Keep.NEWEST))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("holdout = 0.6");
        assertThatThrownBy(() -> new HoldOutConfig(Double.NaN, 100, Keep.NEWEST))
                .hasMessageStartingWith("holdout = NaN");
        assertThatThrownBy(() -> new HoldOutConfig(-0.1, 100, Keep.NEWEST)).hasMessageStartingWith("holdout = -0.1");
        assertThatThrownBy(() -> new HoldOutConfig(0.1, 49, Keep.NEWEST)).hasMessageStartingWith("capacity = 49");
        assertThatThrownBy(() -> new HoldOutConfig(0.1, 100, null)).isInstanceOf(InvalidConfigException.class);
    }
}
