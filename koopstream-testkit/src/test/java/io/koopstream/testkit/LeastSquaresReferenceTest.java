package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Online least squares against its definition, sum by sum. */
class LeastSquaresReferenceTest {

    private static final Kernel KERNEL = Kernels.gaussian(0.5);

    /** As many pairs of a one-dimensional stream are counted again, for block sizes that divide it. */
    private static final int REMEMBERED = 4096;

    /** A noisy logistic map that moves to the right with time, so that states go on being kept. */
    private static double[][][] pairs(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double state = 0.3;
        double[][][] pairs = new double[count][2][];
        for (int i = 0; i < count; i++) {
            double next = 3.7 * state * (1 - state) * 0.98 + 0.02 * random.nextDouble();
            double shift = 4.0 * i / count;
            pairs[i][0] = new double[] {state + shift};
            // Every tenth pair begins anew: not all streams are trajectories.
            pairs[i][1] = new double[] {next + 4.0 * (i + 1) / count};
            state = i % 10 == 9 ? random.nextDouble() : next;
        }
        return pairs;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0.2, 1, 400", "7, 0.2, 1, 400", "64, 0.2, 1, 400", "1, 0.05, 0.99, 300", "64, 0.05, 0.99, 300",
        "1, 0.2, 1, 4096", "1, 0.2, 1, 5000", "64, 0.2, 1, 5000", "1, 0.1, 0.9995, 4500", "64, 0.1, 0.9995, 4500"
    })
    void everySumIsThatOfTheDefinition(int block, double epsilon, double forgetting, int n) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, KERNEL)
                        .epsilon(epsilon)
                        .forgetting(forgetting)
                        .blockSize(block)
                        .build());
        LiteralLeastSquares literal = new LiteralLeastSquares(KERNEL, epsilon, forgetting, REMEMBERED);
        for (double[][] pair : pairs(n, 17)) {
            learner.update(pair[0], pair[1]);
            literal.update(pair[0], pair[1]);
        }
        LeastSquaresState state = learner.state().settled();
        assertThat(state.outputBasis()).isSameAs(state.inputBasis());
        assertThat(state.inputBasis().points().toRows()).isDeepEqualTo(literal.points());
        assertThat(state.dictionarySize()).isGreaterThan(8);
        LiteralLeastSquares.Sums expected = literal.sums();
        assertThat(state.weight()).isCloseTo(expected.weight()[0], within(1e-9));
        assertClose(state.inputStatistics(), expected.input(), n, "S");
        assertClose(state.crossStatistics(), expected.cross(), n, "T");
        assertClose(state.incrementStatistics(), expected.increments(), n, "V");
        assertThat(state.squaredIncrements()).containsExactly(expected.squares(), within(1e-12 * n));
    }

    /** Coordinates are known to a rounding times the condition of the factor, at most 1/ε; there are n of them in a sum. */
    private static void assertClose(Matrix actual, double[][] expected, int n, String name) {
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < expected[i].length; j++) {
                assertThat(actual.get(i, j)).as("%s[%d][%d]", name, i, j).isCloseTo(expected[i][j], within(1e-11 * n));
            }
        }
    }
}
