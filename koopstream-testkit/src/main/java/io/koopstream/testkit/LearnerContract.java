package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.koopstream.InvalidSampleException;
import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Spectrum;
import java.util.Arrays;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/**
 * What every learner owes its users: the 36 numbered checks of the reliability plan, as far as the {@link Learner} interface
 * reaches. A subclass fills in the hooks of {@link LearnerHooks}; it is best parameterised over kernels, budgets and streams.
 *
 * <ul>
 *   <li>1 to 21: {@link LearnerInputContract}. Check 22 (read-only buffers) has nothing to test while samples come as arrays, which
 *       Java cannot make read-only; 20 and 21 say what matters about them.
 *   <li>23 to 28, 31, 34 to 36, and refusals in the middle of a stream: here.
 *   <li>24 within one JVM here; across JVMs where a learner has a pinned digest.
 *   <li>29 and 30: here, once {@link LearnerHooks#save} and {@link LearnerHooks#load} are overridden (a model file format does that).
 *   <li>32 and 33: here, once {@link LearnerHooks#newLearnerWithCapacity} and {@link LearnerHooks#newLearnerWithBudget} are.
 * </ul>
 *
 * @param <O> the type of the learned operator
 */
public abstract class LearnerContract<O extends TransitionOperator> extends LearnerInputContract<O> {

    private static final int LONG_STREAM = 1_000;

    @Test
    protected void check23BatchesOfAnySizeEqualSingleSamplesBitForBit() {
        Samples samples = stream(SEED, LONG_STREAM + 3);
        String expected = digest(learned(samples));
        for (int size : new int[] {1, 2, 7, 64, 1000}) {
            Learner<O> learner = newLearner();
            for (int from = 0; from < samples.size(); from += size) {
                Samples batch = samples.range(from, Math.min(samples.size(), from + size));
                learner.partialFit(batch.inputs(), batch.outputs());
            }
            assertThat(digest(learner)).as("%s in batches of %d", samples, size).isEqualTo(expected);
        }
    }

    @Test
    protected void check24TheSameStreamGivesTheSameBits() {
        assertThat(digest(learned(stream(SEED, LONG_STREAM)))).isEqualTo(digest(learned(stream(SEED, LONG_STREAM))));
        assertThat(digest(learned(stream(SEED + 1, LONG_STREAM))))
                .as("a digest that cannot tell streams apart proves nothing")
                .isNotEqualTo(digest(learned(stream(SEED, LONG_STREAM))));
    }

    @Test
    protected void check25QueriesChangeNothing() {
        Samples samples = stream(SEED, 200);
        Learner<O> quiet = learned(samples);
        Learner<O> asked = newLearner();
        for (int i = 0; i < samples.size(); i++) {
            asked.update(samples.input(i), samples.output(i));
            if (i % 20 == 0) {
                askEverything(asked.snapshot(), samples.input(i));
            }
        }
        assertThat(digest(asked)).isEqualTo(digest(quiet));
    }

    private static void askEverything(TransitionOperator operator, double[] x) {
        operator.weights(x);
        operator.embedding(x).norm();
        operator.koopman(y -> y[0]).at(x);
        operator.norm();
        operator.distance(operator);
        operator.coefficients();
        if (operator.dictionarySize() > 0) {
            operator.predict(x);
            if (operator instanceof KoopmanOperator koopman) {
                koopman.forecast(x, 3);
                koopman.power(3).norm();
                Spectrum.leading(koopman, 1).eigenvalues();
            }
        }
    }

    @Test
    protected void check26TheOrderAndNumberOfQueriesIsIrrelevant() {
        Samples samples = stream(SEED, 200);
        O operator = learned(samples).snapshot();
        assumeTrue(operator.dictionarySize() > 0, "nothing was kept under these settings");
        double[][] forwards = new double[50][];
        for (int i = 0; i < 50; i++) {
            forwards[i] = operator.predict(samples.input(i));
        }
        for (int i = 49; i >= 0; i -= 7) {
            assertThat(operator.predict(samples.input(i))).containsExactly(forwards[i]);
        }
        if (operator instanceof KoopmanOperator koopman) {
            double[][] path = koopman.forecast(samples.input(0), 10);
            assertThat(koopman.forecast(samples.input(0), 4)).isDeepEqualTo(Arrays.copyOf(path, 4));
            assertThat(path[0]).containsExactly(forwards[0]);
        }
    }

    @Test
    protected void check27ASnapshotIsIndependentOfLaterLearning() {
        Samples samples = stream(SEED, 300);
        Learner<O> learner = learned(samples.range(0, 100));
        O snapshot = learner.snapshot();
        double[][] coefficients = snapshot.coefficients();
        double[][] inputs = snapshot.inputPoints();
        double[] weights = snapshot.weights(samples.input(0));
        double norm = snapshot.norm();
        feed(learner, samples.range(100, 300));
        assertThat(learner.snapshot().norm()).as("learning must have gone on").isNotEqualTo(norm);
        assertThat(snapshot.samples()).isEqualTo(100);
        assertThat(snapshot.norm()).isEqualTo(norm);
        assertThat(snapshot.coefficients()).isDeepEqualTo(coefficients);
        assertThat(snapshot.inputPoints()).isDeepEqualTo(inputs);
        assertThat(snapshot.weights(samples.input(0))).containsExactly(weights);
        learner.reset();
        assertThat(snapshot.norm()).isEqualTo(norm);
    }

    @Test
    protected void check28ACopyIsIndependentAndGoesOnAlike() {
        Samples samples = stream(SEED, 200);
        Learner<O> original = learned(samples.range(0, 100));
        String before = digest(original);
        Learner<O> copy = original.copy();
        assertThat(digest(copy)).isEqualTo(before);
        feed(copy, samples.range(100, 200));
        assertThat(digest(original)).isEqualTo(before);
        String after = digest(copy);
        feed(original, samples.range(100, 200));
        assertThat(digest(copy)).isEqualTo(after);
        assertThat(digest(original)).isEqualTo(after);
        assertThat(config(copy)).isEqualTo(config(original));
    }

    @Test
    protected void check29SavingAndLoadingIsGoingOn() {
        Samples samples = stream(SEED, 200);
        for (int cut : new int[] {0, 1, 100}) {
            Learner<O> learner = learned(samples.range(0, cut));
            assumeTrue(save(learner).isPresent(), "no stored form yet");
            Learner<O> loaded = load(save(learner).orElseThrow());
            assertThat(digest(loaded)).isEqualTo(digest(learner));
            feed(loaded, samples.range(cut, 200));
            feed(learner, samples.range(cut, 200));
            assertThat(digest(loaded)).as("%s, cut at %d", samples, cut).isEqualTo(digest(learner));
        }
    }

    @Test
    protected void check30SavingWhatWasLoadedGivesTheSameBytes() {
        Learner<O> learner = learned(stream(SEED, 100));
        assumeTrue(save(learner).isPresent(), "no stored form yet");
        byte[] stored = save(learner).orElseThrow();
        assertThat(save(load(stored)).orElseThrow()).containsExactly(stored);
    }

    @Test
    protected void check31AResetLearnerIsAsNew() {
        Samples samples = stream(SEED, 100);
        Learner<O> learner = learned(stream(SEED + 1, 100));
        learner.reset();
        assertThat(digest(learner)).isEqualTo(digest(newLearner()));
        assertThat(learner.samples()).isZero();
        assertThat(learner.dictionarySize()).isZero();
        feed(learner, samples);
        assertThat(digest(learner)).isEqualTo(digest(learned(samples)));
    }

    @Test
    protected void check32CapacitiesOfOneTwoAndVeryMany() {
        assumeTrue(newLearnerWithCapacity(1).isPresent(), "the dictionary of this learner cannot be limited");
        Samples samples = stream(SEED, 300);
        for (int capacity : new int[] {1, 2, 5_000}) {
            Learner<O> learner = newLearnerWithCapacity(capacity).orElseThrow();
            for (int i = 0; i < samples.size(); i++) {
                learner.update(samples.input(i), samples.output(i));
                assertThat(learner.dictionarySize()).isLessThanOrEqualTo(capacity);
            }
            assertSound(learner, samples);
        }
    }

    @Test
    protected void check33BudgetsOfZeroAndVeryMuch() {
        assumeTrue(newLearnerWithBudget(0).isPresent(), "this learner has no budget");
        Samples samples = stream(SEED, 60);
        Learner<O> all = newLearnerWithBudget(0).orElseThrow();
        Learner<O> usual = learned(samples);
        feed(all, samples);
        assertSound(all, samples);
        assertThat(all.dictionarySize()).isPositive().isGreaterThanOrEqualTo(usual.dictionarySize());
        Learner<O> none = newLearnerWithBudget(Double.MAX_VALUE).orElseThrow();
        feed(none, samples);
        assertSound(none, samples);
        assertThat(none.dictionarySize()).isZero();
        assertThat(none.samples()).isEqualTo(60);
    }

    @Test
    protected void check34EverySettingChangesTheResult() {
        Samples samples = stream(SEED, 200);
        double[] expected = behaviour(learned(samples), samples);
        Map<String, Learner<O>> variants = variants();
        assertThat(variants).isNotEmpty();
        variants.forEach((setting, learner) -> {
            feed(learner, samples);
            assertThat(behaviour(learner, samples))
                    .as("after a change of %s", setting)
                    .isNotEqualTo(expected);
        });
    }

    @Test
    protected void check35SettingsAreValues() {
        Object config = config(newLearner());
        Object again = config(newLearner());
        assertThat(again).isNotSameAs(config).isEqualTo(config).hasSameHashCodeAs(config);
        assertThat(again).hasToString(config.toString());
        assertThat(config.toString()).as("an identity is no description").doesNotContain("@");
        variants().forEach((setting, learner) -> {
            assertThat(config(learner)).as(setting).isNotEqualTo(config);
            assertThat(config(learner).toString()).as(setting).isNotEqualTo(config.toString());
        });
    }

    @Test
    protected void check36MemoryIsBounded() {
        // The same few pairs again and again: the dictionary stops growing, so must everything else.
        Samples few = stream(SEED, 20);
        Learner<O> learner = newLearner();
        int rounds = 2_500;
        repeat(learner, few, rounds);
        long before = usedHeap();
        long growth = Long.MAX_VALUE;
        // What is kept per sample shows every time; classes that Java loads meanwhile only once.
        int times = 3;
        for (int i = 0; i < times; i++) {
            long start = usedHeap();
            repeat(learner, few, rounds);
            growth = Math.min(growth, usedHeap() - start);
        }
        assertThat(learner.samples()).isEqualTo((1L + times) * rounds * few.size());
        // Eight bytes per sample would be 400 kB; 1 % of the small heap of a test run is far less than that.
        assertThat(growth).as("growth of the heap of %d bytes", before).isLessThan(before / 100);
    }

    private static void repeat(Learner<?> learner, Samples samples, int rounds) {
        double[][] inputs = samples.inputs();
        double[][] outputs = samples.outputs();
        for (int r = 0; r < rounds; r++) {
            learner.partialFit(inputs, outputs);
        }
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            runtime.gc();
            smallest = Math.min(smallest, runtime.totalMemory() - runtime.freeMemory());
        }
        return smallest;
    }

    @Test
    protected void refusedSamplesLeaveNoTraceInAStream() {
        double[] poison = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e155, -Double.MAX_VALUE};
        for (int seed = 0; seed < 10; seed++) {
            UniformRandomProvider random = Streams.random(SEED + seed);
            double rate = 0.001 + 0.5 * random.nextDouble();
            Samples samples = stream(SEED + seed, 150);
            Learner<O> poisoned = newLearner();
            for (int i = 0; i < samples.size(); i++) {
                while (random.nextDouble() < rate) {
                    double[] x = samples.input(i);
                    double[] y = samples.output(i);
                    double[] victim = random.nextBoolean() ? x : y;
                    victim[random.nextInt(victim.length)] = poison[random.nextInt(poison.length)];
                    assertThatThrownBy(() -> poisoned.update(x, y)).isInstanceOf(InvalidSampleException.class);
                }
                poisoned.update(samples.input(i), samples.output(i));
            }
            assertThat(digest(poisoned)).as("%s, poison rate %s", samples, rate).isEqualTo(digest(learned(samples)));
        }
    }
}
