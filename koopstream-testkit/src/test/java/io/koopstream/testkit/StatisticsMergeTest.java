package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.FourWell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statistics of least-squares learners that share a dictionary add up, and only those. */
class StatisticsMergeTest {

    private static final LeastSquaresConfig CONFIG = LeastSquaresConfig.forState(2, Kernels.gaussian(0.6))
            .lambda(1e-4)
            .epsilon(0.3)
            .build();

    /** A state that has seen some trajectories, for its dictionary. */
    private static LeastSquaresState scouted(LeastSquaresConfig config, long seed) {
        LeastSquaresLearner<KoopmanOperator> scout = LeastSquaresLearner.koopman(config);
        learn(scout, new FourWell().simulate(10, 40, seed));
        return scout.state();
    }

    private static void learn(LeastSquaresLearner<KoopmanOperator> learner, double[][][] trajectories) {
        for (double[][] path : trajectories) {
            for (int t = 0; t + 1 < path.length; t++) {
                learner.update(path[t], path[t + 1]);
            }
        }
    }

    private static List<LeastSquaresState> parts(LeastSquaresState start, long seed) {
        List<LeastSquaresState> parts = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            LeastSquaresLearner<KoopmanOperator> worker = start.resumeKoopman();
            learn(worker, new FourWell().simulate(5 + p, 60, seed + p));
            parts.add(worker.state());
        }
        return parts;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fourPartsMakeWhatOneLearnerWouldHaveLearned(long seed) {
        LeastSquaresState start = scouted(CONFIG, seed).dictionaryOnly();
        LeastSquaresState merged = LeastSquaresState.merged(parts(start, 100 * seed));
        LeastSquaresLearner<KoopmanOperator> single = start.resumeKoopman();
        for (int p = 0; p < 4; p++) {
            learn(single, new FourWell().simulate(5 + p, 60, 100 * seed + p));
        }
        assertThat(merged.samples()).isEqualTo(60 * (5 + 6 + 7 + 8)).isEqualTo(single.samples());
        assertThat(merged.weight()).isEqualTo(single.state().weight());
        KoopmanOperator sum = merged.resumeKoopman().snapshot();
        // Another order of addition: rounding, amplified by at most 1/λ in the solution.
        assertThat(sum.distance(single.snapshot())).as("seed %d", seed).isLessThan(1e-9);
        assertThat(sum.norm()).as("seed %d", seed).isGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theSumIsThatInPartitionOrderBitForBit(long seed) {
        List<LeastSquaresState> parts = parts(scouted(CONFIG, seed).dictionaryOnly(), 10 * seed);
        LeastSquaresState merged = LeastSquaresState.merged(parts);
        int m = merged.inputBasis().size();
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < merged.outputBasis().size(); i++) {
                double expected = 0;
                for (LeastSquaresState part : parts) {
                    expected += part.crossStatistics().get(i, j);
                }
                assertThat(merged.crossStatistics().get(i, j))
                        .as("seed %d, T[%d][%d]", seed, i, j)
                        .isEqualTo(expected);
            }
            for (int i = 0; i < m; i++) {
                double expected = 0;
                for (LeastSquaresState part : parts) {
                    expected += part.inputStatistics().get(i, j);
                }
                assertThat(merged.inputStatistics().get(i, j))
                        .as("seed %d, S[%d][%d]", seed, i, j)
                        .isEqualTo(expected);
            }
        }
        for (int j = 0; j < m; j++) {
            for (int c = 0; c <= 2; c++) {
                double expected = 0;
                for (LeastSquaresState part : parts) {
                    expected += part.incrementStatistics().get(j, c);
                }
                assertThat(merged.incrementStatistics().get(j, c))
                        .as("seed %d, V[%d][%d]", seed, j, c)
                        .isEqualTo(expected);
            }
        }
        for (int c = 0; c < 2; c++) {
            double expected = 0;
            for (LeastSquaresState part : parts) {
                expected += part.squaredIncrements()[c];
            }
            assertThat(merged.squaredIncrements()[c]).as("seed %d", seed).isEqualTo(expected);
        }
        // One more state after another, or none, is the same sum.
        LeastSquaresState added = parts.get(0);
        for (LeastSquaresState part : parts.subList(1, 4)) {
            added = LeastSquaresState.merged(List.of(added, part));
        }
        assertThat(LeastSquaresState.merged(List.of(added)).digest())
                .as("seed %d", seed)
                .isEqualTo(merged.digest());
    }

    @Test
    void heldOutRunsComeFromAllPartsInTurnAndAsManyAsAreRemembered() {
        LeastSquaresConfig config = CONFIG.toBuilder()
                .holdOut(new HoldOutConfig(0.25, 300, HoldOutConfig.Keep.NEWEST))
                .build();
        List<LeastSquaresState> parts = parts(scouted(config, 3).dictionaryOnly(), 30);
        LeastSquaresState merged = LeastSquaresState.merged(parts);
        long seen = 0;
        long offered = 0;
        List<double[]> all = new ArrayList<>();
        for (LeastSquaresState part : parts) {
            assertThat(part.holdOut().size()).isPositive();
            seen += part.holdOut().seen();
            offered += part.holdOut().offered();
            all.addAll(List.of(part.holdOut().inputs()));
        }
        HoldOut together = merged.holdOut();
        assertThat(together.seen()).isEqualTo(seen).isEqualTo(60 * (5 + 6 + 7 + 8));
        assertThat(together.offered()).isEqualTo(offered);
        // Room for six runs: the first of every part, then the second of two.
        assertThat(Arrays.stream(together.runNumbers()).distinct().count()).isEqualTo(6);
        double[][] x = together.inputs();
        for (double[] row : x) {
            assertThat(all).anySatisfy(own -> assertThat(own).isEqualTo(row));
        }
        double[] first = parts.get(0).holdOut().inputs()[0];
        double[] second = parts.get(1).holdOut().inputs()[0];
        assertThat(x[0]).isEqualTo(first);
        assertThat(x[4]).as("the first run has four pairs").isEqualTo(second);
        // Going on from the sum is going on, stored or not.
        LeastSquaresLearner<KoopmanOperator> direct = merged.resumeKoopman();
        LeastSquaresLearner<KoopmanOperator> stored = PlainStateFormat.read(
                        config.fixedDictionary(), PlainStateFormat.write(merged))
                .resumeKoopman();
        learn(direct, new FourWell().simulate(20, 60, 77));
        learn(stored, new FourWell().simulate(20, 60, 77));
        assertThat(stored.state().digest()).isEqualTo(direct.state().digest());
        assertThat(direct.state().choice().isChosen()).isTrue();
    }

    @Test
    void aPartNeverKeepsAPointAndSurvivesStorage() {
        LeastSquaresState start = scouted(CONFIG, 5).dictionaryOnly();
        LeastSquaresLearner<KoopmanOperator> worker = start.resumeKoopman();
        worker.update(new double[] {7, 7}, new double[] {8, 8});
        assertThat(worker.dictionarySize()).isEqualTo(start.inputBasis().size());
        LeastSquaresState state = worker.state();
        // Fewer samples than points: a state that only a given dictionary explains.
        LeastSquaresState restored = PlainStateFormat.read(state.config(), PlainStateFormat.write(state));
        assertThat(restored.digest()).isEqualTo(state.digest());
        assertThat(state.digest()).isNotEqualTo(start.digest());
    }

    @Test
    void refusesStatesThatDoNotBelongTogether() {
        LeastSquaresState start = scouted(CONFIG, 1);
        String before = start.digest();
        assertThatThrownBy(() -> LeastSquaresState.merged(List.of(start, start.dictionaryOnly(), scouted(CONFIG, 2))))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageStartingWith("state 2 keeps other inputs")
                .extracting(e -> ((IncompatibleStatesException) e).difference())
                .isEqualTo(Difference.INPUTS);
        assertThat(start.digest()).isEqualTo(before);
        LeastSquaresConfig other = CONFIG.toBuilder().forgetting(0.99).build();
        assertThatThrownBy(() -> LeastSquaresState.merged(List.of(start, scouted(other, 1))))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageContaining("spaces and forgetting must agree");
        assertThatThrownBy(() -> LeastSquaresState.merged(List.of()))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageStartingWith("no states to merge");
    }
}
