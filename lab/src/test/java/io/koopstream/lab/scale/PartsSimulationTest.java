package io.koopstream.lab.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.FourWell;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three hundred parts of one stream: what they tell adds up to what one learner knows, for less bytes than models have, whoever is faster. */
class PartsSimulationTest {

    private static final int PARTS = 300;
    private static final int FAN_IN = 16;
    private static final int PAIRS = 40;
    private static final int ROUNDS = 3;
    private static final LeastSquaresConfig CONFIG = LeastSquaresConfig.forState(2, Kernels.gaussian(0.6))
            .lambda(1e-4)
            .epsilon(0.3)
            .blockSize(16)
            .holdOut(0.1)
            .build();

    private final FourWell system = new FourWell();

    private LeastSquaresState scouted() {
        LeastSquaresLearner<KoopmanOperator> scout = LeastSquaresLearner.koopman(CONFIG);
        for (double[][] path : system.simulate(10, 100, 99)) {
            for (int t = 0; t + 1 < path.length; t++) {
                scout.update(path[t], path[t + 1]);
            }
        }
        return scout.state();
    }

    private PartsSimulation run(LeastSquaresState start, boolean grows, int step) {
        PartsSimulation simulation = new PartsSimulation(
                new PartsSimulation.Plan(PARTS, FAN_IN, PAIRS, ROUNDS, grows, Integer.MAX_VALUE, 7), system, start);
        for (int r = 0; r < ROUNDS; r++) {
            // A step without a common factor with the number of parts visits all of them.
            simulation.round(i -> i * step % PARTS);
        }
        return simulation;
    }

    @Test
    void onAFixedDictionaryTheSumIsThatOfOneLearnerWhoeverIsFaster() {
        LeastSquaresState start = scouted();
        PartsSimulation inOrder = run(start, false, 1);
        PartsSimulation shuffled = run(start, false, 7);
        LeastSquaresState single = inOrder.single(CONFIG, start);

        assertThat(shuffled.end().digest()).as("bits").isEqualTo(inOrder.end().digest());
        assertThat(inOrder.whole().pairs()).isEqualTo((long) PARTS * PAIRS * ROUNDS);
        assertThat(inOrder.whole().weight()).isEqualTo((double) inOrder.whole().samples());
        double traceOfTold = inOrder.whole().inputStatistics().trace();
        // Every state has κ(x,x) = 1, of which the dictionary sees nearly all: S has the trace of the number of
        // samples.
        assertThat(traceOfTold / inOrder.end().inputStatistics().trace()).isBetween(1 - 1e-12, 1 + 1e-12);
        KoopmanOperator told = ScaleReport.operator(inOrder.whole());
        // Another order of addition: rounding, amplified by at most 1/λ in the solution.
        assertThat(told.distance(ScaleReport.operator(inOrder.end()))).isLessThan(1e-9);
        assertThat(told.distance(ScaleReport.operator(shuffled.whole()))).isLessThan(1e-9);
        // One learner holds other pairs out: that many samples, about a tenth, are not the same.
        assertThat(told.distance(ScaleReport.operator(single))).isLessThan(0.1 * told.norm());
        assertThat(told.dictionarySize()).isEqualTo(single.dictionarySize());
        // Shares are cut before they are put together, not after, and the first runs of a part are its shortest.
        assertThat(inOrder.whole().holdOut().size())
                .as("held-out pairs from all")
                .isGreaterThan(inOrder.end().holdOut().size() / 2);
    }

    @Test
    void stagesBoundWhatComesToOneTaskAndDifferencesAreSmallerThanModels() {
        PartsSimulation simulation = run(scouted(), false, 1);
        List<PartsSimulation.Stage> stages = simulation.stages();

        assertThat(stages).extracting(PartsSimulation.Stage::tasks).containsExactly(19, 2, 1);
        for (PartsSimulation.Stage stage : stages) {
            assertThat(stage.mostBytes()).isLessThan(FAN_IN * simulation.modelBytes());
        }
        long m = simulation.whole().dictionarySize();
        long perPart = m * (m + 1) / 2 + m * m + 3 * m;
        assertThat(stages.get(0).additions()).isEqualTo(ROUNDS * PARTS * perPart);
        assertThat(stages.get(2).additions()).isEqualTo(ROUNDS * 2 * perPart);
    }

    @Test
    void aDictionaryThatGrowsIsAgreedOnAndServesAsWellAsThatOfOneLearner() {
        LeastSquaresState nothing = LeastSquaresLearner.koopman(CONFIG).state();
        PartsSimulation simulation = run(nothing, true, 1);
        LeastSquaresState single = simulation.single(CONFIG, nothing);
        double[][] exact = system.exactEigenvalues(4).orElseThrow();

        assertThat(simulation.whole().dictionarySize())
                .isBetween(single.dictionarySize() / 2, 2 * single.dictionarySize());
        assertThat(simulation.end().inputBasis().beginsWith(simulation.whole().inputBasis()))
                .as("what was agreed on stays")
                .isTrue();
        assertThat(simulation.whole().weight())
                .isEqualTo((double) simulation.whole().samples());
        assertThat(run(nothing, true, 7).whole().inputBasis().points().toRows())
                .as("agreed on in the order of the parts, not of their coming")
                .isDeepEqualTo(simulation.whole().inputBasis().points().toRows());
        // One learner is off by this much itself; the margin is that of another dictionary.
        double one = ScaleReport.error(single, exact);
        assertThat(ScaleReport.error(simulation.end(), exact)).isLessThan(one + 0.01);
        assertThat(ScaleReport.error(simulation.whole(), exact)).isLessThan(one + 0.02);
    }

    @Test
    void aFullDictionaryGrowsNoMore() {
        PartsSimulation simulation = new PartsSimulation(
                new PartsSimulation.Plan(8, FAN_IN, PAIRS, 2, true, 12, 7),
                system,
                LeastSquaresLearner.koopman(CONFIG).state());
        simulation.round(i -> i);
        simulation.round(i -> i);

        assertThat(simulation.whole().dictionarySize()).isEqualTo(12);
    }
}
