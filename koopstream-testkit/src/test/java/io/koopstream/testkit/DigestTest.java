package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Equal digests are the proof of most tests of recovery, so a digest has to tell states apart that differ in one number. */
class DigestTest {

    private static final int SAMPLES = 300;

    private static Learner<KoopmanOperator> leastSquares(double holdOut, int block, int maxDictionary) {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.5))
                .epsilon(0.1)
                .maxDictionary(maxDictionary)
                .holdOut(holdOut)
                .blockSize(block)
                .build());
    }

    private static Learner<KoopmanOperator> sogd(int block) {
        return SogdLearner.koopman(SogdConfig.forState(1, Kernels.gaussian(0.5))
                .blockSize(block)
                .averaging(Averaging.tail(3))
                .build());
    }

    private static double at(int t) {
        return Math.sin(0.7 * t);
    }

    /** @param changed the sample whose outcome is a little off, none if negative */
    private static String digest(Learner<KoopmanOperator> learner, int samples, int changed) {
        for (int t = 0; t < samples; t++) {
            learner.update(new double[] {at(t)}, new double[] {at(t + 1) + (t == changed ? 1e-9 : 0)});
        }
        return learner.state().digest();
    }

    private static void tellsEverySample(Supplier<Learner<KoopmanOperator>> learner) {
        Set<String> digests = new HashSet<>();
        int tried = 0;
        for (int changed = -1; changed < SAMPLES; changed += 10) {
            digests.add(digest(learner.get(), SAMPLES, changed));
            tried++;
        }
        assertThat(digests).hasSize(tried);
        assertThat(digest(learner.get(), SAMPLES, -1)).isEqualTo(digest(learner.get(), SAMPLES, -1));
        assertThat(digest(learner.get(), SAMPLES - 1, -1)).isNotIn(digests);
    }

    @Test
    void oneSampleThatIsALittleOffChangesIt() {
        tellsEverySample(() -> leastSquares(0, 1, 100));
        tellsEverySample(() -> sogd(1));
    }

    @Test
    void soDoesOneThatWaitsForItsBlockOrIsHeldOut() {
        tellsEverySample(() -> leastSquares(0, 64, 100));
        tellsEverySample(() -> leastSquares(0.3, 64, 100));
        tellsEverySample(() -> sogd(64));
    }

    @Test
    void soDoesOneThatCameWhenPointsHadToBeRemoved() {
        tellsEverySample(() -> leastSquares(0, 1, 4));
    }
}
