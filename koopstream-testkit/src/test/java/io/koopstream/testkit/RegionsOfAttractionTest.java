package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.RegionsOfAttraction;
import io.koopstream.systems.Duffing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions of attraction of the Duffing oscillator against integration. */
class RegionsOfAttractionTest {

    /** Four sampling intervals, one second: long enough for paths to settle within some steps. */
    private static final int LAG = 4;

    private static final int SIDE = 60;

    private static final Duffing SYSTEM = new Duffing();

    private static KoopmanOperator learned(long seed) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.parse("0.5*gaussian(0.3)+0.5*gaussian(0.6)"))
                        .lambda(1e-4)
                        .epsilon(0.2)
                        .build());
        for (double[][] path : SYSTEM.simulate(400, 40, seed)) {
            learner.fitTrajectory(path, LAG);
        }
        return learner.snapshot();
    }

    private static double[][] grid() {
        double[][] grid = new double[SIDE * SIDE][];
        for (int i = 0; i < grid.length; i++) {
            grid[i] = new double[] {-2 + 4 * (i % SIDE + 0.5) / SIDE, -2 + 4 * (Math.floorDiv(i, SIDE) + 0.5) / SIDE};
        }
        return grid;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void regionsOfTheDuffingOscillatorAreThoseOfIntegration(long seed) {
        RegionsOfAttraction regions = RegionsOfAttraction.of(learned(seed), 0.05);
        assertThat(regions.count()).as("seed %d", seed).isEqualTo(2);
        double[][] grid = grid();
        int[] labels = regions.labels(grid);
        double[] margins = regions.margins(grid);
        // Which region is which attractor's, from the states that stand for them.
        int[] attractor = {SYSTEM.basinOf(regions.representatives()[0]), SYSTEM.basinOf(regions.representatives()[1])};
        assertThat(attractor).as("seed %d", seed).containsExactlyInAnyOrder(-1, 1);
        int right = 0;
        int clear = 0;
        int rightAndClear = 0;
        for (int i = 0; i < grid.length; i++) {
            assertThat(margins[i]).as("seed %d", seed).isBetween(0.0, 1.0);
            boolean agrees = labels[i] >= 0 && attractor[labels[i]] == SYSTEM.basinOf(grid[i]);
            right += agrees ? 1 : 0;
            clear += margins[i] > 0.5 ? 1 : 0;
            rightAndClear += agrees && margins[i] > 0.5 ? 1 : 0;
        }
        double share = (double) right / grid.length;
        double shareOfClear = (double) rightAndClear / clear;
        System.out.printf(
                "Duffing, seed %d: %.2f %% of %d points as integrated; margin above 0.5 on %.0f %%, of these %.2f %%%n",
                seed, 100 * share, grid.length, 100.0 * clear / grid.length, 100 * shareOfClear);
        assertThat(share).as("seed %d", seed).isGreaterThanOrEqualTo(0.95);
        // The margin tells where to trust: most points have a large one, and there the labels are better than on the
        // whole.
        assertThat(clear).as("seed %d", seed).isGreaterThan(grid.length / 2);
        assertThat(shareOfClear).as("seed %d", seed).isGreaterThan(share);
    }

    @Test
    void withOneAttractorThereIsOneRegion() {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.5))
                        .lambda(1e-4)
                        .build());
        for (int i = -20; i <= 20; i++) {
            learner.update(new double[] {0.1 * i}, new double[] {0.05 * i});
        }
        RegionsOfAttraction regions = RegionsOfAttraction.of(learner.snapshot(), 0.1);
        assertThat(regions.count()).isEqualTo(1);
        double[][] points = {{0.3}, {40}};
        assertThat(regions.labels(points)).containsExactly(0, RegionsOfAttraction.NONE);
        assertThat(regions.margins(points)).containsExactly(1.0, 0.0);
        assertThatThrownBy(() -> RegionsOfAttraction.of(learner.snapshot(), 0))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("tolerance = 0.0");
        assertThatThrownBy(() -> RegionsOfAttraction.of(learner.snapshot(), 1e-15))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("no eigenvalue is within");
    }
}
