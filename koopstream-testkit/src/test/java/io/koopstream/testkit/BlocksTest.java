package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Learning in blocks is learning step by step: same decisions, same model, whatever the caller's portions. */
class BlocksTest {

    private static final Kernel KERNEL = Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)");
    /** More in a run by hand, {@code -Dblocks.samples=100000}: the bound is the one promised for 10⁵ samples. */
    private static final int SAMPLES = Integer.getInteger("blocks.samples", 6000);

    private static final double AGREEMENT = 1e-7;

    private static SogdConfig.Builder sogd() {
        return SogdConfig.forState(2, KERNEL).stepSize(0.3).budget(0.02);
    }

    private static LeastSquaresConfig.Builder leastSquares() {
        return LeastSquaresConfig.forState(2, KERNEL);
    }

    /** Pairs of a noisy double well in each coordinate. */
    private static double[][][] pairs(int count) {
        SplittableRandom random = new SplittableRandom(11);
        double[] state = {0.5, -0.5};
        double[][][] pairs = new double[count][2][];
        for (double[][] pair : pairs) {
            double[] next = new double[2];
            for (int c = 0; c < 2; c++) {
                double noise = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
                next[c] = state[c] + 0.1 * (state[c] - state[c] * state[c] * state[c]) + 0.4 * noise;
            }
            pair[0] = state;
            pair[1] = next;
            state = next;
        }
        return pairs;
    }

    private static void feed(Learner<?> learner, double[][][] pairs) {
        for (double[][] pair : pairs) {
            learner.update(pair[0], pair[1]);
        }
    }

    private static void assertSameModel(
            LearnerState one, LearnerState many, TransitionOperator a, TransitionOperator b) {
        Counters expected = one.counters();
        Counters actual = many.settled().counters();
        assertThat(actual.dependents()).isEqualTo(expected.dependents());
        assertThat(actual.removals()).isEqualTo(expected.removals());
        assertThat(actual.refusals()).isEqualTo(expected.refusals());
        assertSameNumbers(one.inputBasis(), many.settled().inputBasis());
        assertSameNumbers(one.outputBasis(), many.settled().outputBasis());
        for (double x = -1.5; x <= 1.5; x += 0.25) {
            for (double y = -1.5; y <= 1.5; y += 0.25) {
                double[] from = {x, y};
                assertThat(b.predict(from))
                        .containsExactly(a.predict(from), org.assertj.core.api.Assertions.within(AGREEMENT));
            }
        }
    }

    private static void assertSameNumbers(NewtonBasis a, NewtonBasis b) {
        assertThat(b.size()).isEqualTo(a.size());
        for (int i = 0; i < a.size(); i++) {
            assertThat(b.sampleNumber(i)).isEqualTo(a.sampleNumber(i));
        }
    }

    @ParameterizedTest
    @EnumSource(Criterion.class)
    void algorithmOneDecidesAndLearnsTheSame(Criterion criterion) {
        double[][][] pairs = pairs(SAMPLES);
        for (int cap : new int[] {DictionaryCap.NONE, 30}) {
            for (Averaging averaging : List.of(Averaging.none(), Averaging.tail(3))) {
                SogdConfig.Builder settings =
                        sogd().criterion(criterion).maxDictionary(cap).averaging(averaging);
                SogdLearner<TransitionOperator> one = SogdLearner.transition(settings.build());
                feed(one, pairs);
                for (int block : new int[] {7, 64, 100}) {
                    SogdLearner<TransitionOperator> many =
                            SogdLearner.transition(settings.blockSize(block).build());
                    feed(many, pairs);
                    assertSameModel(one.state(), many.state(), one.snapshot(), many.snapshot());
                }
            }
        }
    }

    @Test
    void leastSquaresDecidesAndLearnsTheSame() {
        double[][][] pairs = pairs(SAMPLES);
        for (int cap : new int[] {DictionaryCap.NONE, 30}) {
            for (double forgetting : new double[] {1, 0.999}) {
                LeastSquaresConfig.Builder settings =
                        leastSquares().forgetting(forgetting).maxDictionary(cap);
                LeastSquaresLearner<TransitionOperator> one = LeastSquaresLearner.transition(settings.build());
                feed(one, pairs);
                for (int block : new int[] {7, 64, 100}) {
                    LeastSquaresLearner<TransitionOperator> many = LeastSquaresLearner.transition(
                            settings.blockSize(block).build());
                    feed(many, pairs);
                    assertSameModel(one.state(), many.state(), one.snapshot(), many.snapshot());
                }
            }
        }
    }

    private static <L extends Learner<TransitionOperator>> void assertPortionsDoNotMatter(
            L whole, L asked, Function<L, LearnerState> state, Function<LearnerState, L> resume) {
        double[][][] pairs = pairs(531);
        feed(whole, pairs);
        L current = asked;
        List<double[]> x = new ArrayList<>();
        List<double[]> y = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(5);
        for (double[][] pair : pairs) {
            x.add(pair[0]);
            y.add(pair[1]);
            if (random.nextInt(9) == 0) {
                current.partialFit(x.toArray(new double[0][]), y.toArray(new double[0][]));
                x.clear();
                y.clear();
                current.snapshot();
                state.apply(current).settled();
                // Saved and restored in the middle of a block.
                current = resume.apply(state.apply(current));
            }
        }
        current.partialFit(x.toArray(new double[0][]), y.toArray(new double[0][]));
        assertThat(state.apply(current).digest()).isEqualTo(state.apply(whole).digest());
        assertThat(current.samples()).isEqualTo(531);
        assertThat(state.apply(current).pending().inputs().size()).isEqualTo(531 % 16);
    }

    @Test
    void portionsQuestionsAndRestartsLeaveNoTrace() {
        SogdConfig sogd = sogd().blockSize(16)
                .maxDictionary(25)
                .averaging(Averaging.tail(1))
                .build();
        assertPortionsDoNotMatter(
                SogdLearner.transition(sogd),
                SogdLearner.transition(sogd),
                SogdLearner::state,
                state -> ((SogdState) state).resumeTransition());
        LeastSquaresConfig leastSquares =
                leastSquares().blockSize(16).forgetting(0.99).maxDictionary(25).build();
        assertPortionsDoNotMatter(
                LeastSquaresLearner.transition(leastSquares),
                LeastSquaresLearner.transition(leastSquares),
                LeastSquaresLearner::state,
                state -> ((LeastSquaresState) state).resumeTransition());
    }

    @Test
    void aSampleWaitsUntilItsBlockIsFull() {
        SogdLearner<TransitionOperator> learner =
                SogdLearner.transition(sogd().blockSize(3).build());
        double[][][] pairs = pairs(6);
        assertThat(learner.update(pairs[0][0], pairs[0][1])).isEqualTo(StepOutcome.PENDING);
        assertThat(learner.samples()).isEqualTo(1);
        assertThat(learner.dictionarySize()).isZero();
        assertThat(learner.snapshot().inputBasis().size()).isEqualTo(1);
        assertThat(learner.update(pairs[1][0], pairs[1][1])).isEqualTo(StepOutcome.PENDING);
        String before = learner.state().digest();
        assertThatThrownBy(() -> learner.update(new double[] {Double.NaN, 0}, pairs[2][1]))
                .isInstanceOf(InvalidSampleException.class);
        assertThat(learner.state().digest()).isEqualTo(before);
        assertThat(learner.update(pairs[2][0], pairs[2][1])).isNotEqualTo(StepOutcome.PENDING);
        assertThat(learner.dictionarySize()).isPositive();
    }

    @Test
    void aDiscountIsForAllThatCameBefore() {
        LeastSquaresLearner<TransitionOperator> one =
                LeastSquaresLearner.transition(leastSquares().build());
        LeastSquaresLearner<TransitionOperator> many =
                LeastSquaresLearner.transition(leastSquares().blockSize(64).build());
        double[][][] pairs = pairs(300);
        for (int t = 0; t < pairs.length; t++) {
            one.update(pairs[t][0], pairs[t][1]);
            many.update(pairs[t][0], pairs[t][1]);
            if (t == 100) {
                one.discount(0.1);
                many.discount(0.1);
            }
        }
        ToDoubleFunction<LeastSquaresState> weight = LeastSquaresState::weight;
        assertThat(weight.applyAsDouble(many.state().settled()))
                .isCloseTo(weight.applyAsDouble(one.state()), org.assertj.core.api.Assertions.within(1e-9));
        assertSameModel(one.state(), many.state(), one.snapshot(), many.snapshot());
    }

    @Test
    void aSillyBlockSizeIsRefused() {
        for (int size : new int[] {0, -1, 1025}) {
            assertThatThrownBy(() -> sogd().blockSize(size).build())
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("blockSize");
            assertThatThrownBy(() -> leastSquares().blockSize(size).build())
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("blockSize");
        }
    }
}
