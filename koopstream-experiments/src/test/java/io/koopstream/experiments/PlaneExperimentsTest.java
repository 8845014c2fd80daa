package io.koopstream.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.experiments.FourWellExperiment.Growth;
import io.koopstream.experiments.FourWellExperiment.Method;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The four-well and the Duffing experiment, shortened: the same quantities. */
class PlaneExperimentsTest {

    @Test
    void theFirstTwoThousandSamplesGiveThePapersSizeAndTheFourSets() {
        FourWellExperiment experiment = new FourWellExperiment(20, 1);
        List<Growth> growth = new ArrayList<>();
        KoopmanOperator paper =
                experiment.learn(Method.PAPER, new int[] {1_000, 2_000}, growth).get(1);
        // The paper: 101.
        assertThat(paper.dictionarySize()).isBetween(81, 121);
        assertThat(growth.get(growth.size() - 1)).isEqualTo(new Growth(2_000, paper.dictionarySize()));
        assertThat(growth).extracting(Growth::size).isSorted();
        KoopmanOperator leastSquares = experiment
                .learn(Method.LEAST_SQUARES, new int[] {2_000}, new ArrayList<>())
                .get(0);
        assertThat(experiment.agreement(experiment.sets(leastSquares, 2_000))).isBetween(0.98, 1.0);
        // What was hardly learned is told apart from what was: few samples do not give four sets.
        KoopmanOperator early = experiment
                .learn(Method.LEAST_SQUARES, new int[] {200}, new ArrayList<>())
                .get(0);
        assertThat(experiment.agreement(experiment.sets(early, 200))).isLessThan(0.95);
    }

    @Test
    void theRegionsOfTheDuffingOscillatorAreThoseOfIntegration() {
        DuffingExperiment experiment = new DuffingExperiment(355, 1);
        double[][] grid = DuffingExperiment.grid(40);
        int[] truth = experiment.truth(grid);
        KoopmanOperator leastSquares = experiment.leastSquares(DuffingExperiment.SMALL_NOVELTY);
        assertThat(leastSquares.dictionarySize()).isBetween(270, 330);
        assertThat(experiment.agreement(DuffingExperiment.regions(leastSquares), grid, truth))
                .isGreaterThanOrEqualTo(0.95);
        // The paper: 300 and 190, with its criterion.
        assertThat(experiment.sogd(DuffingExperiment.smallBudget()).dictionarySize())
                .isBetween(270, 330);
        assertThat(experiment.sogd(DuffingExperiment.largeBudget()).dictionarySize())
                .isBetween(170, 210);
        assertThat(DuffingExperiment.signAgreement(leastSquares, grid, truth)).isGreaterThanOrEqualTo(0.95);
        double[] shares = DuffingExperiment.overSeeds(355, 1, 3, DuffingExperiment.smallBudget(), 20);
        assertThat(shares).isSorted().hasSize(3);
        assertThat(shares[1]).isGreaterThanOrEqualTo(0.9);
        for (double margin : experiment.signedMargins(DuffingExperiment.regions(leastSquares), grid)) {
            assertThat(Double.isNaN(margin) || Math.abs(margin) <= 1).isTrue();
        }
    }

    @Test
    void operatorsOfPartsOfTheTrajectoriesAreAveraged() {
        DuffingExperiment experiment = new DuffingExperiment(60, 1);
        KoopmanOperator whole = experiment.averaged(DuffingExperiment.largeBudget(), 1);
        assertThat(whole.distance(experiment.sogd(DuffingExperiment.largeBudget())))
                .isLessThan(1e-8);
        assertThat(experiment.averaged(DuffingExperiment.largeBudget(), 3).dictionarySize())
                .isGreaterThan(whole.dictionarySize());
    }

    @Test
    void bothRepeatExactlyForASeedOnly() {
        for (Method method : Method.values()) {
            assertThat(wells(method, 1)).isDeepEqualTo(wells(method, 1));
            assertThat(wells(method, 1)[0]).isNotEqualTo(wells(method, 2)[0]);
        }
        assertThat(springs(1)).isDeepEqualTo(springs(1));
        assertThat(springs(1)[0]).isNotEqualTo(springs(2)[0]);
    }

    private static double[][] wells(Method method, long seed) {
        return new FourWellExperiment(3, seed)
                .learn(method, new int[] {300}, new ArrayList<>())
                .get(0)
                .coefficients();
    }

    private static double[][] springs(long seed) {
        return new DuffingExperiment(20, seed)
                .sogd(DuffingExperiment.smallBudget())
                .coefficients();
    }
}
