package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A learner that keeps nothing new takes no memory: nothing for the garbage collector to do while samples come in.
 *
 * <p>Runs in a JVM of its own (see the POM): after thousands of other tests with every kernel there is, the compiler's limits on inlining decide by chance whether
 * vectors of one-by-one steps stay in registers or become short-lived objects.
 */
class SteadyStateMemoryTest {

    private static final Kernel KERNEL = Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)");
    private static final int BATCH = 200;
    /** Many more than it takes: on a busy machine the compiler comes late. */
    private static final int MAX_BATCHES = 50_000;

    private static double[][] points() {
        SplittableRandom random = new SplittableRandom(3);
        double[][] points = new double[2 * BATCH][2];
        for (double[] point : points) {
            point[0] = random.nextDouble();
            point[1] = random.nextDouble();
        }
        return points;
    }

    /** Bytes taken by a batch in which nothing is kept; the smallest of many, because code that is not compiled yet takes more. */
    private static long bytes(Learner<?> learner) {
        double[][] points = points();
        long smallest = Long.MAX_VALUE;
        for (int batch = 0; batch < MAX_BATCHES && smallest > 0; batch++) {
            int kept = learner.dictionarySize();
            long start = ThreadUse.allocated();
            for (int i = 0; i < BATCH; i++) {
                learner.update(points[2 * i], points[2 * i + 1]);
            }
            long taken = ThreadUse.allocated() - start;
            if (learner.dictionarySize() == kept) {
                smallest = Math.min(smallest, taken);
            }
        }
        return smallest;
    }

    @Test
    void algorithmOneAllocatesNothing() {
        assertThat(bytes(SogdLearner.koopman(
                        SogdConfig.forState(2, KERNEL).budget(0.05).build())))
                .isZero();
    }

    @Test
    void leastSquaresAllocatesNothing() {
        assertThat(bytes(LeastSquaresLearner.koopman(
                        LeastSquaresConfig.forState(2, KERNEL).build())))
                .isZero();
    }
}
