package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.learner.leastsquares.StatisticsSum;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.FourWell;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What parts of a stream tell each other: differences of statistics that add up, and dictionaries that become one. */
class StatisticsDeltaTest {

    private static final LeastSquaresConfig CONFIG = LeastSquaresConfig.forState(2, Kernels.gaussian(0.6))
            .lambda(1e-4)
            .epsilon(0.3)
            .blockSize(8)
            .holdOut(0.1)
            .build();

    private static LeastSquaresLearner<KoopmanOperator> learned(LeastSquaresState start, long seed) {
        LeastSquaresLearner<KoopmanOperator> learner = start.resumeKoopman();
        for (double[][] path : new FourWell().simulate(10, 40, seed)) {
            for (int t = 0; t + 1 < path.length; t++) {
                learner.update(path[t], path[t + 1]);
            }
        }
        return learner;
    }

    private static LeastSquaresState nothing() {
        return LeastSquaresLearner.koopman(CONFIG).state();
    }

    private static LeastSquaresState scouted() {
        return learned(nothing(), 1).state();
    }

    private static double largestDifference(Matrix a, Matrix b) {
        Matrix difference = a.copy();
        difference.add(-1, b);
        return difference.frobeniusNorm();
    }

    /** Without feedback of the rounding thirty differences would add up to more. */
    private static double largestInUlps(Matrix a, Matrix b) {
        double largest = 0;
        for (int j = 0; j < a.columns(); j++) {
            for (int i = 0; i < a.rows(); i++) {
                largest = Math.max(largest, Math.abs(a.get(i, j) - b.get(i, j)) / Math.ulp(b.get(i, j)));
            }
        }
        return largest;
    }

    private static StatisticsSum counting(Counters counters) {
        return StatisticsSum.read(RecordedState.of(StatisticsSum.of(scouted())::save)
                .with("samples", counters.samples())
                .with("dependents", counters.dependents())
                .with("removals", counters.removals())
                .with("refusals", counters.refusals())
                .with("loss", counters.loss()));
    }

    @Test
    void aDifferenceTakesBackEveryCount() {
        StatisticsSum some = counting(new Counters(100, 20, 7, 3, 0.5));
        StatisticsSum more = counting(new Counters(1000, 300, 40, 5, 0.25));
        assertThat(some.plus(more).counters()).isEqualTo(new Counters(1100, 320, 47, 8, 0.75));
        assertThat(some.plus(more).minus(more).counters()).isEqualTo(some.counters());
        assertThat(largestDifference(some.plus(more).minus(more).crossStatistics(), some.crossStatistics()))
                .isLessThan(1e-9);
    }

    /** With forgetting the sums shrink too; the differences then are negative. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 0.98})
    void howeverOftenAPartTellsTheSumStaysWithinRoundingOfItsStatistics(double forgetting) {
        LeastSquaresConfig config = CONFIG.toBuilder().forgetting(forgetting).build();
        LeastSquaresState start =
                learned(LeastSquaresLearner.koopman(config).state(), 1).state().dictionaryOnly();
        LeastSquaresLearner<KoopmanOperator> learner = start.resumeKoopman();
        DeltaSender teller = DeltaSender.startingFrom(start);
        LeastSquaresState whole = start;
        StatisticsGroup group = StatisticsGroup.NOTHING;
        for (double[][] path : new FourWell().simulate(30, 20, 5)) {
            for (int t = 0; t + 1 < path.length; t++) {
                learner.update(path[t], path[t + 1]);
            }
            StatisticsDelta.Sent<DeltaSender> told = teller.send(learner.state(), 1);
            teller = told.next();
            group = group.plus(0, told.delta());
            StatisticsDelta.Sent<StatisticsGroup> passed = group.send(config, 1);
            group = passed.next();
            whole = whole.plus(passed.delta(), Integer.MAX_VALUE);
        }
        LeastSquaresState state = learner.state().settled();

        assertThat(whole.crossStatistics().toRows())
                .as("what was told is what is known")
                .isDeepEqualTo(teller.sent().crossStatistics().toRows());
        assertThat(largestInUlps(whole.inputStatistics(), state.inputStatistics()))
                .isLessThanOrEqualTo(2);
        assertThat(largestInUlps(whole.crossStatistics(), state.crossStatistics()))
                .isLessThanOrEqualTo(2);
        assertThat(whole.samples()).isEqualTo(state.samples());
        assertThat(whole.pairs()).isEqualTo(state.pairs()).isEqualTo(600);
        assertThat(whole.holdOut().size()).isEqualTo(state.holdOut().size()).isPositive();
        assertThat(teller.epoch()).isEqualTo(30);
    }

    @Test
    void nothingIsCountedTwiceAndNothingIsLeftOut() {
        LeastSquaresState start = scouted().dictionaryOnly();
        LeastSquaresLearner<KoopmanOperator> learner = learned(start, 2);
        StatisticsDelta.Sent<DeltaSender> first =
                DeltaSender.startingFrom(start).send(learner.state(), 2);
        StatisticsDelta.Sent<DeltaSender> second = first.next().send(learner.state(), 2);
        StatisticsGroup once = StatisticsGroup.NOTHING.plus(3, first.delta());

        for (int wrong = 0; wrong < 2; wrong++) {
            StatisticsGroup group = wrong == 0 ? once : StatisticsGroup.NOTHING;
            StatisticsDelta.Sent<DeltaSender> news = wrong == 0 ? first : second;
            assertThatThrownBy(() -> group.plus(3, news.delta()))
                    .asInstanceOf(InstanceOfAssertFactories.type(IncompatibleStatesException.class))
                    .extracting(IncompatibleStatesException::difference)
                    .isEqualTo(Difference.EPOCH);
        }
        assertThat(second.delta().added().weight()).as("nothing new").isZero();
        assertThat(once.plus(3, second.delta()).pairs()).isEqualTo(learner.pairs());
    }

    @Test
    void statisticsOnOtherPointsAreRefused() {
        LeastSquaresState start = scouted().dictionaryOnly();
        LeastSquaresState other = learned(nothing(), 9).state().dictionaryOnly();
        StatisticsDelta.Sent<DeltaSender> told =
                DeltaSender.startingFrom(other).send(learned(other, 2).state(), 1);
        StatisticsDelta.Sent<StatisticsGroup> passed =
                StatisticsGroup.NOTHING.plus(0, told.delta()).send(CONFIG, 1);

        assertThatThrownBy(() -> start.plus(passed.delta(), Integer.MAX_VALUE))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageContaining("agreed on");
    }

    /** As long as all pairs are remembered, it is as if the part had always had the other dictionary. */
    @Test
    void aPartThatRemembersItsPairsCountsThemOnTheNewDictionary() {
        LeastSquaresState agreed = learned(nothing(), 9).state();
        LeastSquaresState moved = learned(nothing(), 2).state().on(agreed);
        LeastSquaresState direct = learned(agreed.dictionaryOnly(), 2).state().settled();

        assertThat(moved.inputBasis().points().toRows())
                .isDeepEqualTo(agreed.settled().inputBasis().points().toRows());
        assertThat(largestDifference(moved.inputStatistics(), direct.inputStatistics()))
                .isLessThan(1e-9);
        assertThat(largestDifference(moved.crossStatistics(), direct.crossStatistics()))
                .isLessThan(1e-9);
        assertThat(moved.resumeKoopman().samples()).isEqualTo(direct.samples());
    }

    /** Later the sums are turned: nothing is lost on a dictionary that sees all that the old one saw, and the agreed points keep their bits. */
    @Test
    void sumsFollowAChangeOfTheBasis() {
        LeastSquaresState agreed = scouted();
        LeastSquaresLearner<KoopmanOperator> learner = learned(agreed.emptied(), 2);
        // Forgets the first pairs, not what they have added.
        learner.discount(1);
        LeastSquaresState own = learner.state().settled();
        LeastSquaresState larger = LeastSquaresState.united(
                List.of(agreed, learned(agreed.emptied(), 3).state(), own), Integer.MAX_VALUE);
        LeastSquaresState moved = own.on(larger);
        int common = agreed.settled().dictionarySize();

        assertThat(own.dictionarySize()).as("it has grown").isGreaterThan(common);
        assertThat(moved.dictionarySize()).isGreaterThan(own.dictionarySize());
        assertThat(StatisticsSum.of(moved).inputStatistics().get(common - 1, 0))
                .isEqualTo(own.inputStatistics().get(common - 1, 0));
        // A point of its own that was left out is missed by at most ε.
        assertThat(moved.inputStatistics().trace() / own.inputStatistics().trace())
                .isBetween(1 - 0.3 * 0.3, 1 + 1e-9);
        LeastSquaresState back = moved.on(agreed);
        assertThat(back.dictionarySize()).isEqualTo(common);
        assertThat(back.inputStatistics().get(common - 1, common - 1))
                .isEqualTo(own.inputStatistics().get(common - 1, common - 1));
    }

    @Test
    void statesWithOneDictionaryUniteAsTheyMerge() {
        LeastSquaresState start = scouted().dictionaryOnly();
        List<LeastSquaresState> parts = List.of(
                learned(start, 2).state(),
                learned(start, 3).state(),
                learned(start, 4).state());

        assertThat(LeastSquaresState.united(parts, Integer.MAX_VALUE).digest())
                .isEqualTo(LeastSquaresState.merged(parts).digest());
    }

    @Test
    void statesWithTheirOwnDictionariesUniteToWhatOneLearnerKnows() {
        List<LeastSquaresState> parts = List.of(
                learned(nothing(), 2).state(),
                learned(nothing(), 3).state(),
                learned(nothing(), 4).state());
        LeastSquaresState united = LeastSquaresState.united(parts, Integer.MAX_VALUE);
        LeastSquaresLearner<KoopmanOperator> one = nothing().resumeKoopman();
        for (long seed = 2; seed <= 4; seed++) {
            for (double[][] path : new FourWell().simulate(10, 40, seed)) {
                for (int t = 0; t + 1 < path.length; t++) {
                    one.update(path[t], path[t + 1]);
                }
            }
        }
        KoopmanOperator together = united.operator().asKoopman();

        assertThat(united.samples()).isEqualTo(3 * parts.get(0).samples());
        assertThat(united.dictionarySize()).isBetween(one.dictionarySize() - 5, one.dictionarySize() + 15);
        // ε of every state may be missing on either side, and other pairs are held out.
        assertThat(together.distance(one.snapshot())).isLessThan(0.3 * together.norm());
        assertThat(LeastSquaresState.united(parts, 7).dictionarySize()).isEqualTo(7);
    }

    @Test
    void aDictionaryThatHasLostPointsTellsNothing() {
        LeastSquaresConfig capped = CONFIG.toBuilder().maxDictionary(10).build();
        LeastSquaresState start = LeastSquaresLearner.koopman(capped).state();
        LeastSquaresState full = learned(start, 2).state();

        assertThat(full.counters().removals()).isPositive();
        assertThatThrownBy(() -> DeltaSender.startingFrom(start).send(full, 1))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageContaining("left a dictionary");
    }
}
