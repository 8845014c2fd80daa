package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many readers share one snapshot while its learner goes on. */
class SnapshotTest {

    private static final int READERS = 8;
    private static final int SAMPLES = 4_000;

    private static SogdLearner<KoopmanOperator> learner() {
        return SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(0.7))
                .lambda(0.01)
                .stepSize(0.3)
                .budget(0.05)
                .build());
    }

    /** Runs all tasks at once and fails if one does. */
    private static void runTogether(List<Callable<Void>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Everything one can ask, in one list of bits. */
    private static List<Long> answers(KoopmanOperator operator) {
        double[] x = {0.4, -0.2};
        List<Long> bits = new ArrayList<>();
        for (double value : operator.predict(x)) {
            bits.add(Double.doubleToRawLongBits(value));
        }
        for (double[] row : operator.forecast(x, 5)) {
            bits.add(Arrays.hashCode(row) * 1L);
        }
        bits.add(Double.doubleToRawLongBits(operator.norm()));
        bits.add(Double.doubleToRawLongBits(operator.power(3).norm()));
        bits.add(Double.doubleToRawLongBits(operator.koopman(y -> y[0] * y[1]).at(x)));
        bits.add(Double.doubleToRawLongBits(
                Spectrum.leading(operator, 1).eigenvalue(0).re()));
        return bits;
    }

    @Test
    void oneSnapshotAnswersAllThreadsAlikeWhileLearningGoesOn() throws Exception {
        SogdLearner<KoopmanOperator> learner = learner();
        Samples samples = Streams.vanDerPol(8, SAMPLES);
        LearnerHooks.feed(learner, samples.range(0, 500));
        List<Long> expected = answers(learner.snapshot());
        // A snapshot nobody has asked yet, so that its lazily computed parts are computed under contention.
        KoopmanOperator shared = learner.snapshot();
        AtomicBoolean writing = new AtomicBoolean(true);
        List<Callable<Void>> tasks = new ArrayList<>();
        tasks.add(() -> {
            try {
                LearnerHooks.feed(learner, samples.range(500, SAMPLES));
            } finally {
                writing.set(false);
            }
            return null;
        });
        for (int r = 0; r < READERS; r++) {
            tasks.add(() -> {
                do {
                    assertThat(answers(shared)).isEqualTo(expected);
                } while (writing.get());
                return null;
            });
        }
        runTogether(tasks);
        assertThat(learner.samples()).isEqualTo(SAMPLES);
    }
}
