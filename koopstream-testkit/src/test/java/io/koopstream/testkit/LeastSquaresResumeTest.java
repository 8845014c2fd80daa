package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored and resumed, copied, asked or fed in another way: the same bits. */
class LeastSquaresResumeTest {

    private static LeastSquaresConfig.Builder plane() {
        return LeastSquaresConfig.forState(2, Kernels.gaussian(0.7)).epsilon(0.1);
    }

    private static LeastSquaresLearner<KoopmanOperator> stored(LeastSquaresLearner<KoopmanOperator> learner) {
        LeastSquaresState state = learner.state();
        LeastSquaresState again = PlainStateFormat.read(state.config(), PlainStateFormat.write(state));
        assertThat(again.digest()).isEqualTo(state.digest());
        return again.resumeKoopman();
    }

    private static void feed(LeastSquaresLearner<KoopmanOperator> learner, double[][] path, int from, int to) {
        for (int i = from; i < to; i++) {
            learner.update(path[i], path[i + 1]);
        }
    }

    /** A van der Pol path whose every state but the last begins a pair. */
    private static double[][] path(int pairs) {
        Samples samples = Streams.vanDerPol(23, pairs);
        double[][] path = Arrays.copyOf(samples.inputs(), pairs + 1);
        path[pairs] = samples.output(pairs - 1);
        return path;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1000, 0",
        "1, 0.99, 8, 0.2",
        "7, 1, 1000, 0",
        "7, 0.99, 8, 0.2",
        "64, 1, 8, 0.2",
        "64, 0.99, 8, 0"
    })
    void goingOnFromAnyPointIsGoingOn(int block, double forgetting, int cap, double heldOut) {
        int n = 150;
        double[][] path = path(n);
        LeastSquaresConfig config = plane().forgetting(forgetting)
                .maxDictionary(cap)
                .blockSize(block)
                .holdOut(heldOut)
                .build();
        LeastSquaresLearner<KoopmanOperator> whole = LeastSquaresLearner.koopman(config);
        feed(whole, path, 0, n);
        String expected = whole.state().digest();
        assertThat(whole.counters().removals() > 0).isEqualTo(cap == 8);
        LeastSquaresLearner<KoopmanOperator> start = LeastSquaresLearner.koopman(config);
        for (int cut = 0; cut <= n; cut++) {
            LeastSquaresLearner<KoopmanOperator> resumed = stored(start);
            feed(resumed, path, cut, n);
            assertThat(resumed.state().digest())
                    .as("stored after %d pairs", cut)
                    .isEqualTo(expected);
            if (cut < n) {
                feed(start, path, cut, cut + 1);
            }
        }
    }

    /** A state of 2048 coordinates: 128 pairs are remembered, so the short stream goes beyond them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void goingOnWhereTheFirstPairsAreForgottenIsGoingOn(int block) {
        int n = 220;
        double[][] path = new double[n + 1][];
        for (int i = 0; i <= n; i++) {
            path[i] = Arrays.copyOf(new double[] {Math.sin(i), Math.cos(0.3 * i), 0.01 * i}, 2048);
        }
        LeastSquaresConfig config = LeastSquaresConfig.forState(2048, Kernels.gaussian(0.7))
                .forgetting(0.999)
                .blockSize(block)
                .build();
        LeastSquaresLearner<KoopmanOperator> whole = LeastSquaresLearner.koopman(config);
        feed(whole, path, 0, n);
        assertThat(whole.state().first().inputs().size()).isZero();
        for (int cut : new int[] {1, 120, 126, 127, 128, 129, 132, 133, 134, 192, 200}) {
            LeastSquaresLearner<KoopmanOperator> part = LeastSquaresLearner.koopman(config);
            feed(part, path, 0, cut);
            part = stored(part);
            feed(part, path, cut, n);
            assertThat(part.state().digest())
                    .as("stored after %d pairs", cut)
                    .isEqualTo(whole.state().digest());
        }
    }

    @Test
    void aStateThatEndsOnePairAndBeginsTheNextIsMeasuredOnceToTheSameBits() {
        double[][] path = path(300);
        LeastSquaresConfig config = plane().maxDictionary(20).build();
        LeastSquaresLearner<KoopmanOperator> goesOn = LeastSquaresLearner.koopman(config);
        LeastSquaresLearner<KoopmanOperator> measuresAgain = LeastSquaresLearner.koopman(config);
        for (int i = 0; i < 300; i++) {
            goesOn.update(path[i], path[i + 1]);
            // A copy knows nothing of the pair before.
            measuresAgain = measuresAgain.copy();
            measuresAgain.update(path[i], path[i + 1]);
            assertThat(measuresAgain.state().digest())
                    .as("pair %d", i)
                    .isEqualTo(goesOn.state().digest());
        }
        assertThat(goesOn.counters().removals()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void aTrajectoryAndItsPairsAreTheSameData(int block) {
        double[][] path = path(200);
        LeastSquaresConfig config =
                plane().blockSize(block).holdOut(HoldOutConfig.DEFAULT_SHARE).build();
        LeastSquaresLearner<KoopmanOperator> states = LeastSquaresLearner.koopman(config);
        LeastSquaresLearner<KoopmanOperator> pairs = LeastSquaresLearner.koopman(config);
        LeastSquaresLearner<KoopmanOperator> table = LeastSquaresLearner.koopman(config);
        states.fitTrajectory(path, 1);
        for (int i = 0; i < 200; i++) {
            pairs.update(path[i].clone(), path[i + 1].clone());
        }
        table.partialFit(Arrays.copyOf(path, 200), Arrays.copyOfRange(path, 1, 201));
        assertThat(states.state().digest())
                .isEqualTo(pairs.state().digest())
                .isEqualTo(table.state().digest());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void aQuestionLeavesNoTrace(int block) {
        double[][] path = path(150);
        LeastSquaresConfig config = plane().blockSize(block).holdOut(0.3).build();
        LeastSquaresLearner<KoopmanOperator> quiet = LeastSquaresLearner.koopman(config);
        LeastSquaresLearner<KoopmanOperator> asked = LeastSquaresLearner.koopman(config);
        for (int i = 0; i < 150; i++) {
            quiet.update(path[i], path[i + 1]);
            asked.update(path[i], path[i + 1]);
            asked.snapshot();
            asked.predictor();
            asked.state().choice();
        }
        assertThat(asked.state().digest()).isEqualTo(quiet.state().digest());
    }

    /** Blocks are added by other threads while the next ones are measured; whoever asks in between sees all that was learned. */
    @ParameterizedTest
    @CsvSource({"1, 1000", "0.99, 1000", "1, 150"})
    void threadsDoNotChangeBits(double forgetting, int cap) {
        double[][] path = path(1_500);
        LeastSquaresConfig config = LeastSquaresConfig.forState(2, Kernels.gaussian(0.1))
                .epsilon(0.1)
                .forgetting(forgetting)
                .maxDictionary(cap)
                .blockSize(64)
                .build();
        List<String> digests = new ArrayList<>();
        String before = System.getProperty(Products.THREADS_PROPERTY);
        try {
            for (String threads : List.of("1", "2", "4")) {
                System.setProperty(Products.THREADS_PROPERTY, threads);
                LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
                StringBuilder digest = new StringBuilder();
                for (int from = 0; from < 1_500; from += 500) {
                    feed(learner, path, from, from + 500);
                    digest.append(learner.state().digest()).append(' ');
                }
                assertThat(learner.dictionarySize())
                        .as("large enough for threads")
                        .isGreaterThanOrEqualTo(140);
                digests.add(digest.toString());
            }
        } finally {
            if (before == null) {
                System.clearProperty(Products.THREADS_PROPERTY);
            } else {
                System.setProperty(Products.THREADS_PROPERTY, before);
            }
        }
        assertThat(digests).containsOnly(digests.get(0));
    }
}
