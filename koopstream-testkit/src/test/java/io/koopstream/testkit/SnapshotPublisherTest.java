package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.SnapshotPublisher;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One writer, many readers: everybody sees whole versions, and nobody sees time run backwards. */
class SnapshotPublisherTest {

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

    @Test
    void versionsSeenByReadersAreWholeAndNeverGoBack() throws Exception {
        SnapshotPublisher<KoopmanOperator> publisher = new SnapshotPublisher<>(learner());
        Samples samples = Streams.vanDerPol(9, SAMPLES);
        Map<Long, Double> normsSeen = new ConcurrentHashMap<>();
        AtomicBoolean writing = new AtomicBoolean(true);
        List<Callable<Void>> tasks = new ArrayList<>();
        tasks.add(() -> {
            try {
                for (int i = 0; i < samples.size(); i++) {
                    publisher.update(samples.input(i), samples.output(i));
                }
                publisher.publish();
            } finally {
                writing.set(false);
            }
            return null;
        });
        for (int r = 0; r < READERS; r++) {
            tasks.add(() -> {
                long newest = 0;
                boolean last;
                do {
                    last = !writing.get();
                    KoopmanOperator operator = publisher.latest();
                    assertThat(operator.samples()).isGreaterThanOrEqualTo(newest);
                    newest = operator.samples();
                    normsSeen.put(newest, operator.norm());
                    publisher.request();
                } while (!last);
                assertThat(newest).as("the version published at the end").isEqualTo(SAMPLES);
                return null;
            });
        }
        runTogether(tasks);
        // Every version that anybody saw is the state after exactly that many samples.
        SogdLearner<KoopmanOperator> alone = learner();
        int checked = 0;
        for (int i = 0; i <= samples.size(); i++) {
            Double seen = normsSeen.get((long) i);
            if (seen != null) {
                assertThat(alone.norm()).as("version %d", i).isEqualTo(seen);
                checked++;
            }
            if (i < samples.size()) {
                alone.update(samples.input(i), samples.output(i));
            }
        }
        assertThat(checked).isEqualTo(normsSeen.size());
    }

    @Test
    void aVersionIsPublishedOnlyWhenAskedFor() {
        SnapshotPublisher<KoopmanOperator> publisher = new SnapshotPublisher<>(learner());
        Samples samples = Streams.vanDerPol(9, 20);
        KoopmanOperator first = publisher.latest();
        assertThat(first.samples()).isZero();
        publisher.update(samples.input(0), samples.output(0));
        assertThat(publisher.latest()).isSameAs(first);
        publisher.request();
        assertThat(publisher.latest())
                .as("the writer publishes, not the reader")
                .isSameAs(first);
        publisher.update(samples.input(1), samples.output(1));
        KoopmanOperator second = publisher.latest();
        assertThat(second.samples()).isEqualTo(2);
        publisher.update(samples.input(2), samples.output(2));
        assertThat(publisher.latest()).as("a request is served once").isSameAs(second);
        publisher.publish();
        assertThat(publisher.latest().samples()).isEqualTo(3);
    }
}
