package io.koopstream.lab.speed;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;

/**
 * A learner that keeps m samples and no more, and samples to feed it with. The points fill a box that grows with m, so that the Gram matrix is
 * well conditioned at every size; the numpy script does the same.
 */
final class LearnerLoad {

    private static final int SAMPLES = 1024;
    private static final int BLOCK = 64;

    private final Learner<KoopmanOperator> learner;
    private final double[][] x;
    private final double[][] y;
    private int next;

    private LearnerLoad(Learner<KoopmanOperator> learner, double[][] x, double[][] y) {
        this.learner = learner;
        this.x = x;
        this.y = y;
    }

    private LearnerLoad(Learner<KoopmanOperator> learner, int m, int d) {
        this(learner, new double[SAMPLES][], new double[SAMPLES][]);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < SAMPLES; i++) {
            x[i] = point(random, m, d);
            y[i] = point(random, m, d);
        }
    }

    private static double[] point(SplittableRandom random, int m, int d) {
        double size = Math.pow(m, 1.0 / d);
        double[] point = new double[d];
        for (int c = 0; c < d; c++) {
            point[c] = (2 * random.nextDouble() - 1) * size;
        }
        return point;
    }

    /** Algorithm 1 with m kept samples; everything new is admitted until then, nothing after. */
    static LearnerLoad sogd(int m, int d, int blockSize) {
        boolean[] full = new boolean[1];
        SogdConfig config = SogdConfig.forState(d, Kernels.parse("gaussian(gamma=2)"))
                .stepSize(0.3)
                .budget(Budget.custom("bench", (t, eta) -> full[0] ? 1e9 : 0))
                .build();
        // In blocks, which is much faster, but not beyond m; the last few one by one.
        SogdLearner<KoopmanOperator> fast =
                SogdLearner.koopman(config.toBuilder().blockSize(BLOCK).build());
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < m / BLOCK * BLOCK; i++) {
            fast.update(point(random, m, d), point(random, m, d));
        }
        SogdLearner<KoopmanOperator> grown = Blocks.of(fast.state(), 1).resumeKoopman();
        while (grown.dictionarySize() < m) {
            grown.update(point(random, m, d), point(random, m, d));
        }
        full[0] = true;
        return new LearnerLoad(
                blockSize == 1 ? grown : Blocks.of(grown.state(), blockSize).resumeKoopman(), m, d);
    }

    /** Online least squares with m kept samples. */
    static LearnerLoad leastSquares(int m, int d, int blockSize) {
        LeastSquaresConfig config = LeastSquaresConfig.forState(d, Kernels.parse("gaussian(gamma=2)"))
                .epsilon(0)
                .build();
        LeastSquaresLearner<KoopmanOperator> grown = LeastSquaresLearner.koopman(config);
        SplittableRandom random = new SplittableRandom(1);
        while (grown.dictionarySize() < m) {
            // One state at a time, so that there are m and not one more.
            double[] state = point(random, m, d);
            grown.update(state, state);
        }
        LearnerLoad load = new LearnerLoad(
                Blocks.of(grown.state().settled(), config.fixedDictionary(), blockSize)
                        .resumeKoopman(),
                m,
                d);
        // The states of one trajectory.
        for (int i = 0; i < SAMPLES; i++) {
            load.y[i] = load.x[(i + 1) % SAMPLES];
        }
        return load;
    }

    /** Learns from the next samples. */
    void feed(int count) {
        for (int i = 0; i < count; i++) {
            learner.update(x[next], y[next]);
            next = (next + 1) % SAMPLES;
        }
    }

    KoopmanOperator snapshot() {
        return learner.snapshot();
    }

    long samples() {
        return learner.samples();
    }

    /** A load of its own that goes on from here. */
    LearnerLoad copy() {
        LearnerLoad copy = new LearnerLoad(learner.copy(), x, y);
        copy.next = next;
        return copy;
    }
}
