package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full dictionary: what stays, what goes, what it costs, and that the cost is never understated. */
class MaxDictionaryTest {

    private static final Rkhs PLANE = new Rkhs(Kernels.gaussian(0.7), 2);

    private static SogdConfig.Builder sogd() {
        return SogdConfig.forState(2, PLANE.kernel()).lambda(0.02).stepSize(0.5).budget(0);
    }

    private static LeastSquaresConfig.Builder leastSquares() {
        return LeastSquaresConfig.forState(2, PLANE.kernel()).lambda(1e-3).epsilon(0);
    }

    private static void feed(Learner<?> learner, Samples samples) {
        for (int i = 0; i < samples.size(); i++) {
            learner.update(samples.input(i), samples.output(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 25})
    void theBoundOfAlgorithm1HoldsAgainstTheSameStepsWithoutACap(int cap) {
        SogdLearner<KoopmanOperator> free = SogdLearner.koopman(sogd().build());
        SogdLearner<KoopmanOperator> capped =
                SogdLearner.koopman(sogd().maxDictionary(cap).build());
        Samples samples = Streams.vanDerPol(4, 600);
        for (int i = 0; i < samples.size(); i++) {
            free.update(samples.input(i), samples.output(i));
            capped.update(samples.input(i), samples.output(i));
            if (i % 50 == 49) {
                KoopmanOperator learned = capped.snapshot();
                assertThat(learned.distance(free.snapshot()))
                        .as("after %d samples, %s", i + 1, learned.pruning())
                        .isPositive()
                        .isLessThanOrEqualTo(learned.pruning().errorBound() * (1 + 1e-9) + 1e-9);
            }
        }
        assertThat(capped.dictionarySize()).isEqualTo(cap);
        assertThat(free.snapshot().pruning()).isEqualTo(Pruning.NONE);
        assertThat(capped.counters().refusals()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 25})
    void theBoundOfLeastSquaresHoldsForBothMeanCovariancesAndTheOperator(int cap) {
        LeastSquaresLearner<KoopmanOperator> free =
                LeastSquaresLearner.koopman(leastSquares().build());
        LeastSquaresLearner<KoopmanOperator> capped =
                LeastSquaresLearner.koopman(leastSquares().maxDictionary(cap).build());
        Samples samples = Streams.vanDerPol(5, 600);
        feed(free, samples);
        feed(capped, samples);
        double bound = capped.counters().loss() / capped.state().weight() * (1 + 1e-9) + 1e-9;
        assertThat(outputs(capped.state()).distance(outputs(free.state())))
                .isPositive()
                .isLessThanOrEqualTo(bound);
        assertThat(inputs(capped.state()).distance(inputs(free.state())))
                .isPositive()
                .isLessThanOrEqualTo(bound);
        KoopmanOperator learned = capped.snapshot();
        assertThat(learned.distance(free.snapshot()))
                .isPositive()
                .isLessThanOrEqualTo(learned.pruning().errorBound() * (1 + 1e-9));
        assertThat(learned.pruning().errorBound()).isGreaterThan(bound);
        assertThat(learned.pruning().removals()).isGreaterThan(cap == 1 ? -1 : 0);
    }

    /** The mean covariance of outputs with inputs, Q_Y T Q_Xᵀ / n. */
    private static TransitionOperator outputs(LeastSquaresState state) {
        Matrix mean = state.crossStatistics().copy();
        mean.scale(1 / state.weight());
        return new TransitionOperator(state.inputBasis(), state.outputBasis(), mean, state.samples());
    }

    /** The mean covariance of inputs with themselves, Q_X S Q_Xᵀ / n. */
    private static TransitionOperator inputs(LeastSquaresState state) {
        Matrix mean = state.inputStatistics().copy();
        mean.scale(1 / state.weight());
        return new TransitionOperator(state.inputBasis(), state.inputBasis(), mean, state.samples());
    }

    @Test
    void anExchangeIsTheBestOfAllAndDoublesTheDeterminant() {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(leastSquares().maxDictionary(7).build());
        Samples samples = Streams.vanDerPol(6, 800);
        int exchanges = 0;
        for (int i = 0; i < samples.size(); i++) {
            double[][] before = learner.snapshot().inputPoints();
            long removals = learner.counters().removals();
            // Input and output share the dictionary: the same state twice, so that a sample brings one.
            StepOutcome outcome = learner.update(samples.input(i), samples.input(i));
            double[][] after = learner.snapshot().inputPoints();
            if (before.length == 7 && outcome != StepOutcome.PROJECTED) {
                double best = 0;
                for (int out = 0; out < before.length; out++) {
                    double[][] changed = before.clone();
                    changed[out] = samples.input(i);
                    best = Math.max(best, logDeterminant(changed) - logDeterminant(before));
                }
                double gained = logDeterminant(after) - logDeterminant(before);
                if (outcome.keepsInput()) {
                    exchanges++;
                    assertThat(learner.counters().removals()).isGreaterThan(removals);
                    assertThat(gained).isCloseTo(best, within(1e-6)).isGreaterThan(Math.log(2) - 1e-9);
                } else {
                    assertThat(best).isLessThan(Math.log(2) + 1e-6);
                    assertThat(after).isDeepEqualTo(before);
                }
            }
        }
        assertThat(exchanges).isGreaterThan(5);
    }

    /** Of the Gram matrix; minus infinity for points that coincide. */
    private static double logDeterminant(double[][] points) {
        NewtonBasis basis = new NewtonBasis(PLANE);
        double sum = 0;
        for (double[] point : Points.of(2, points).toRows()) {
            double[] beta = new double[points.length];
            double squared = basis.coordinates(point, beta, new Scratch());
            sum += Math.log(squared);
            if (squared > 0) {
                basis.append(1, point, beta, Math.sqrt(squared));
            }
        }
        return sum;
    }

    @Test
    void whatRemainsIsTheProjectionOfWhatWas() {
        SogdLearner<KoopmanOperator> learner =
                SogdLearner.koopman(sogd().maxDictionary(12).build());
        Samples samples = Streams.vanDerPol(7, 2_000);
        int checked = 0;
        for (int i = 0; i < samples.size() && checked < 5; i++) {
            SogdLearner<KoopmanOperator> before = learner.copy();
            learner.update(samples.input(i), samples.output(i));
            if (learner.counters().removals() > before.counters().removals()) {
                checked++;
                double grown = learner.counters().loss() - before.counters().loss();
                // The exact step from the operator before the removal: the two differ by what was removed, no more.
                SogdLearner<KoopmanOperator> exact = uncapped(before);
                exact.update(samples.input(i), samples.output(i));
                double distance = exact.snapshot().distance(learner.snapshot());
                assertThat(distance)
                        .isPositive()
                        .isLessThan(grown + 0.02 * before.counters().loss() + 1e-9);
                assertThat(learner.state().inputBasis().factorDefect()).isLessThan(30);
            }
        }
        assertThat(checked).isEqualTo(5);
    }

    private static SogdLearner<KoopmanOperator> uncapped(SogdLearner<KoopmanOperator> learner) {
        SogdConfig config =
                learner.config().toBuilder().maxDictionary(DictionaryCap.NONE).build();
        return PlainStateFormat.read(config, PlainStateFormat.write(learner.state()))
                .resumeKoopman();
    }

    @Test
    void exchangesEndOnAStreamThatIsAlwaysNew() {
        // Narrow against the spread: every sample is new, the dictionary is full after 40, and there is no end of
        // candidates.
        LeastSquaresConfig config = LeastSquaresConfig.forState(3, Kernels.gaussian(0.6))
                .epsilon(0.01)
                .maxDictionary(40)
                .build();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        double[][] points = Streams.normalPoints(8, 20_001, 3, 1.0);
        long half = 0;
        for (int i = 0; i < 20_000; i++) {
            learner.update(points[i], points[i + 1]);
            if (i == 10_000) {
                half = learner.counters().removals();
            }
        }
        assertThat(half).isGreaterThan(10);
        assertThat(learner.counters().removals() - half).isLessThanOrEqualTo(half / 4);
        assertThat(learner.dictionarySize()).isEqualTo(40);
        assertThat(learner.state().inputBasis().factorDefect()).isLessThan(30);
        assertThat(learner.state().outputBasis().factorDefect()).isLessThan(30);
    }

    @Test
    void cases14To16ACapMustBePositiveAndFitIntoMemory() {
        for (int cap : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> sogd().maxDictionary(cap).build())
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith("maxDictionary = " + cap + ": must be >= 1");
            assertThatThrownBy(() -> leastSquares().maxDictionary(cap).build())
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith("maxDictionary = " + cap);
        }
        SogdConfig huge = sogd().maxDictionary(50_000_000).build();
        assertThatThrownBy(() -> SogdLearner.koopman(huge))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("MiB, this JVM may take")
                .hasMessageContaining("use at most");
        LeastSquaresConfig alsoHuge = leastSquares().maxDictionary(50_000_000).build();
        assertThatThrownBy(() -> LeastSquaresLearner.koopman(alsoHuge)).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void theCapThatARefusalAdvisesFitsAndOneMoreDoesNot() {
        for (int[] shape : new int[][] {{3, 40}, {5, 20_000}}) {
            Throwable refused = catchThrowable(() -> DictionaryCap.requireRoom(1 << 30, shape[0], shape[1]));
            Matcher advised = Pattern.compile("use at most (\\d+)").matcher(refused.getMessage());
            assertThat(advised.find()).isTrue();
            int most = Integer.parseInt(advised.group(1));
            DictionaryCap.requireRoom(most, shape[0], shape[1]);
            assertThatThrownBy(() -> DictionaryCap.requireRoom(most + 1, shape[0], shape[1]))
                    .isInstanceOf(InvalidConfigException.class);
        }
        assertThat(DictionaryCap.text(DictionaryCap.NONE)).isEmpty();
        assertThat(DictionaryCap.text(7)).isEqualTo("\nmaxDictionary 7");
    }

    /** States of models that were learned where there was room for a large cap. */
    static Stream<LearnerState> statesWithAHugeCap() {
        Samples samples = Streams.vanDerPol(3, 50);
        SogdLearner<KoopmanOperator> sogd =
                SogdLearner.koopman(sogd().blockSize(16).build());
        LeastSquaresLearner<KoopmanOperator> squares =
                LeastSquaresLearner.koopman(leastSquares().blockSize(16).build());
        feed(sogd, samples);
        feed(squares, samples);
        SogdState one = sogd.state();
        LeastSquaresState two = squares.state();
        int cap = 50_000_000;
        return Stream.of(
                PlainStateFormat.read(
                        one.config().toBuilder().maxDictionary(cap).build(), PlainStateFormat.write(one)),
                PlainStateFormat.read(
                        two.config().toBuilder().maxDictionary(cap).build(), PlainStateFormat.write(two)));
    }

    @ParameterizedTest
    @MethodSource("statesWithAHugeCap")
    void aSmallReaderOpensAModelWithALargeCap(LearnerState state) {
        assertThat(state.pending().inputs().size()).isPositive();
        assertThat(state.operator().samples()).isEqualTo(50);
        assertThat(state.predictor().norm()).isPositive();
        assertThat(state.forecastOperator().norm()).isPositive();
        assertThat(state.settled().pending().inputs().size()).isZero();
        // To learn on is another matter: there would be no room for what the cap promises.
        assertThatThrownBy(state::resumeKoopman).isInstanceOf(InvalidConfigException.class);
    }
}
