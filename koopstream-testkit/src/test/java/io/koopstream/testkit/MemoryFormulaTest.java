package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of a learner is what {@link SogdConfig#bytes} and {@link LeastSquaresConfig#bytes} say: counted array by array. */
class MemoryFormulaTest {

    private static final Kernel KERNEL = Kernels.gaussian(0.5);
    /** Storage grows by half its length, in rows and in columns. */
    private static final double GROWTH = 1.5 * 1.5;
    /**
     * Bytes a kept sample beyond the formula, whatever m: headers and references of up to 4 × 1.5 columns, two sample numbers, and the work vectors of
     * a step.
     */
    private static final double PER_KEPT_SAMPLE = 1000;

    private static final double CONSTANT = 64 * 1024;

    private static SogdConfig.Builder sogd(int d) {
        return SogdConfig.forState(d, KERNEL).stepSize(0.1).budget(0);
    }

    private static LeastSquaresConfig.Builder leastSquares(int d) {
        return LeastSquaresConfig.forState(d, KERNEL).epsilon(0);
    }

    /** Points so far apart that every one of them is kept. */
    private static <L extends Learner<?>> L fed(L learner, int m, int d) {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < m; i++) {
            learner.update(point(random, m, d), point(random, m, d));
        }
        assertThat(learner.dictionarySize()).isEqualTo(m);
        return learner;
    }

    /** The same as states of one trajectory that ends where it began. */
    private static LeastSquaresLearner<KoopmanOperator> fedStates(LeastSquaresConfig config, int m, int d) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        SplittableRandom random = new SplittableRandom(11);
        double[] first = point(random, m, d);
        double[] state = first;
        for (int i = 1; i <= m; i++) {
            double[] next = i == m ? first : point(random, m, d);
            learner.update(state, next);
            state = next;
        }
        assertThat(learner.dictionarySize()).isEqualTo(m);
        return learner;
    }

    /** The formula, and the m pairs, which are all remembered. */
    private static double withPairs(LeastSquaresConfig config, int m, int d) {
        return config.bytes(m) + 8.0 * 2 * m * d;
    }

    private static double[] point(SplittableRandom random, int m, int d) {
        double[] point = new double[d];
        for (int c = 0; c < d; c++) {
            point[c] = 10 * m * random.nextDouble();
        }
        return point;
    }

    /** Work arrays of blocks that lab/records/performance.md states, with the growth of one of their two lengths. */
    private static void requireFormula(Learner<?> learner, double formula, double blockWork) {
        double rest = PER_KEPT_SAMPLE * learner.dictionarySize() + CONSTANT;
        assertThat((double) RetainedArrays.bytes(learner))
                .as("a learner that has grown")
                .isBetween(formula, GROWTH * formula + 1.5 * blockWork + rest);
        assertThat((double) RetainedArrays.bytes(learner.copy()))
                .as("its copy, which is trimmed to size and has not worked yet")
                .isBetween(formula, formula + rest);
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "205, 2", "310, 2", "463, 3", "310, 50"})
    void algorithmOne(int m, int d) {
        SogdConfig config = sogd(d).build();
        assertThat(config.bytes(m)).isEqualTo(8.0 * (3L * m * m + 2L * m * d));
        requireFormula(fed(SogdLearner.koopman(config), m, d), config.bytes(m), 0);
    }

    @ParameterizedTest
    @CsvSource({"205, 2", "310, 20"})
    void algorithmOneWithAveragedIterates(int m, int d) {
        SogdConfig config = sogd(d).averaging(Averaging.tail(1)).build();
        assertThat(config.bytes(m)).isEqualTo(8.0 * (4L * m * m + 2L * m * d));
        requireFormula(fed(SogdLearner.koopman(config), m, d), config.bytes(m), 0);
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "205, 2", "310, 2", "463, 3", "310, 50"})
    void leastSquares(int m, int d) {
        LeastSquaresConfig config = leastSquares(d).build();
        assertThat(config.bytes(m)).isEqualTo(8.0 * (3L * m * m + m * (2L * d + 1)));
        requireFormula(fedStates(config, m, d), withPairs(config, m, d), 0);
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "205, 2", "310, 50"})
    void leastSquaresBetweenTwoSpaces(int m, int d) {
        LeastSquaresConfig config = LeastSquaresConfig.forTransition(
                        new Rkhs(KERNEL, d), new Rkhs(Kernels.gaussian(0.4), d))
                .epsilon(0)
                .build();
        assertThat(config.bytes(m)).isEqualTo(8.0 * (4L * m * m + m * (3L * d + 1)));
        requireFormula(fed(LeastSquaresLearner.transition(config), m, d), withPairs(config, m, d), 0);
    }

    /** Entries of a triangular factor that is packed for solves. */
    private static double packed(int m) {
        return 0.5 * m * (m + 11);
    }

    @ParameterizedTest
    @CsvSource({"256, 2, 64", "320, 20, 64", "320, 2, 16"})
    void blocks(int m, int d, int block) {
        SogdConfig sogd = sogd(d).blockSize(block).build();
        requireFormula(
                fed(SogdLearner.koopman(sogd), m, d),
                sogd.bytes(m),
                8.0 * (5L * block * m + 2L * block * block + 2L * block * d + 2 * packed(m)));
        LeastSquaresConfig squares = leastSquares(d).blockSize(block).build();
        requireFormula(
                fedStates(squares, m, d),
                withPairs(squares, m, d),
                8.0 * (3L * (block + 1) * m + 4L * (block + 1) * d + packed(m)));
    }
}
