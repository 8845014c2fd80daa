package io.koopstream.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnitRootTest {

    /** x⁺ = ρ x + noise, in stretches with gaps between. */
    private static List<double[][]> series(double rho, int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] all = new double[rows][1];
        for (int t = 1; t < rows; t++) {
            all[t][0] = rho * all[t - 1][0] + random.nextGaussian();
        }
        List<double[][]> stretches = new ArrayList<>();
        for (int t = 0; t + 100 <= rows; t += 120) {
            stretches.add(Arrays.copyOfRange(all, t, t + 100));
        }
        return stretches;
    }

    private static long possible(double rho, int rows) {
        return IntStream.range(0, 100)
                .filter(seed -> UnitRoot.isPossible(series(rho, rows, seed), 0))
                .count();
    }

    @Test
    void nearlyAllRandomWalksAreTakenForOne() {
        assertThat(possible(1, 3_000)).isGreaterThan(85);
        assertThat(possible(1, 300)).isGreaterThan(85);
    }

    @Test
    void whatReturnsIsToldApart() {
        assertThat(possible(0.9, 600)).isLessThan(10);
        assertThat(possible(0.97, 3_000)).isLessThan(10);
    }

    /** Without noise the increments before are linearly dependent; a sine still returns. */
    @Test
    void aSineIsNoRandomWalkAndTooFewRowsMayBeOne() {
        double[][] sine = new double[500][1];
        Arrays.setAll(sine, t -> new double[] {Math.sin(0.3 * t)});

        assertThat(UnitRoot.isPossible(List.<double[][]>of(sine), 0)).isFalse();
        assertThat(UnitRoot.isPossible(List.<double[][]>of(Arrays.copyOf(sine, 12)), 0))
                .isTrue();
        assertThat(UnitRoot.isPossible(List.<double[][]>of(new double[500][1]), 0))
                .isTrue();
    }
}
