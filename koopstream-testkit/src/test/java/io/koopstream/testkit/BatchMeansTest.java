package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.BatchMeans;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.BlockStatistics;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statistics of a batch are the sums over its own pairs, also where the first pairs of the stream are counted again. */
class BatchMeansTest {

    /** A noisy map on a region that grows for the first thousand pairs, so that states are kept throughout them. */
    private static double[][] path(int pairs) {
        SplittableRandom random = new SplittableRandom(5);
        double[][] path = new double[pairs + 1][];
        for (int i = 0; i <= pairs; i++) {
            path[i] = new double[] {Math.min(1, 0.2 + i / 1000.0) * random.nextDouble(-2, 2)};
        }
        return path;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1200, -1",
        "7, 1200, -1",
        "1, 4096, -1",
        "1, 4097, -1",
        "1, 5000, -1",
        "64, 5000, -1",
        "1, 2500, 1600",
        "7, 2500, 1603"
    })
    void aBatchIsTheSumOverItsPairs(int block, int n, int discountedAt) {
        BatchMeans<KoopmanOperator> learner = new BatchMeans<>(
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.4))
                        .epsilon(0.3)
                        .blockSize(block)
                        .build()),
                8,
                20);
        double[][] path = path(n);
        for (int i = 0; i < n; i++) {
            if (i == discountedAt) {
                learner.discount(0.5);
            }
            learner.update(path[i], path[i + 1]);
        }
        BlockStatistics statistics = learner.blocks();
        NewtonBasis basis = learner.learner().state().settled().inputBasis();
        long grown = basis.sampleNumber(basis.size() - 1);
        // With a discount only what is kept before it is counted again.
        assertThat(grown).isBetween(300L, discountedAt < 0 ? 4000L : (long) discountedAt);
        Matrix states = basis.coordinates(Points.of(1, path));
        int begin = 0;
        for (BlockStatistics.Block batch : statistics.blocks()) {
            double worth = begin < discountedAt ? 0.5 : 1;
            int end = begin;
            Matrix input = new Matrix(basis.size(), basis.size());
            Matrix cross = new Matrix(basis.size(), basis.size());
            double weight = 0;
            while (weight < batch.weight() - 1e-6) {
                double own = end < discountedAt ? worth : 1;
                double[] x = Arrays.copyOf(states.column(end), basis.size());
                double[] y = Arrays.copyOf(states.column(end + 1), basis.size());
                input.rankOne(1, own, x, x);
                cross.rankOne(1, own, y, x);
                weight += own;
                end++;
            }
            input.add(-1, batch.input());
            cross.add(-1, batch.cross());
            // Differences of sums over up to n pairs.
            assertThat(input.frobeniusNorm())
                    .as("S of pairs %d to %d", begin, end)
                    .isLessThan(1e-11 * n);
            assertThat(cross.frobeniusNorm())
                    .as("T of pairs %d to %d", begin, end)
                    .isLessThan(1e-11 * n);
            begin = end;
        }
        assertThat(begin).isEqualTo(n);
        assertThat(statistics.blocks()).hasSizeGreaterThanOrEqualTo(8);
    }
}
