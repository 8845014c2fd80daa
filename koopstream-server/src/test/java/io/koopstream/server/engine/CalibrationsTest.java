package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.forecast.Calibration;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecaster;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What held-out runs say is shared by views that hardly differ, and found by one at a time. */
@Timeout(1800)
class CalibrationsTest {

    private final List<Runnable> beside = new ArrayList<>();
    private final Calibrations calibrations = new Calibrations(beside::add);
    private final AtomicInteger found = new AtomicInteger();
    private LearningStream stream;

    @BeforeEach
    void learn() {
        stream = LearningStream.of(
                StreamConfig.parse(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.2", "maxDictionary", "20")), 1);
        for (double[] row : TestStreams.doubleWell(1_500, 3)) {
            stream.accept(Observation.of("", row));
        }
    }

    private Calibration of(long samples, int kept, long changed) {
        LearnerState state = stream.learner().orElseThrow().state();
        Calibration[] used = new Calibration[1];
        Forecaster forecaster = Forecaster.of(state, DelayLayout.none(1), fresh -> {
            used[0] = calibrations.of(new Calibrations.Basis(samples, kept, changed), () -> {
                found.incrementAndGet();
                return fresh.get();
            });
            return used[0];
        });
        assertThat(forecaster.calibratedOn()).isEmpty();
        assertThat(forecaster.judgedHorizon()).isPositive();
        assertThat(forecaster.calibratedOn()).hasValue(state.samples());
        return used[0];
    }

    @Test
    void aTenthMoreIsTheSameAndMoreIsFoundBeside() {
        Calibration first = of(1_000, 100, 0);
        assertThat(of(1_100, 110, 0)).isSameAs(first);
        assertThat(beside).isEmpty();
        calibrations.rested();
        assertThat(of(1_101, 100, 0))
                .as("the last serves until there is a new one")
                .isSameAs(first);
        assertThat(of(1_900, 111, 0)).isSameAs(first);
        assertThat(beside).as("one at a time").hasSize(1);
        assertThat(found).hasValue(1);
        beside.remove(0).run();
        assertThat(found).hasValue(2);
        assertThat(of(1_200, 100, 0)).isNotSameAs(first);
        assertThat(of(1_300, 100, 0)).as("it rests before the next").isNotNull();
        assertThat(beside).isEmpty();
    }

    @Test
    void whatHasDoubledOrChangedIsFoundAtOnce() {
        Calibration first = of(1_000, 100, 0);
        Calibration second = of(2_001, 100, 0);
        assertThat(second).isNotSameAs(first);
        Calibration third = of(2_001, 201, 0);
        assertThat(third).isNotSameAs(second);
        assertThat(of(2_002, 201, 2_002)).as("after a change of the dynamics").isNotSameAs(third);
        assertThat(of(900, 201, 2_002)).as("an older view").isNotNull();
        assertThat(found).hasValue(5);
        assertThat(beside).isEmpty();
    }

    @Test
    void thoseWhoNeedItAtOnceWaitForOne() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Calibration made = new Calibrations(beside::add).of(new Calibrations.Basis(1, 1, 0), () -> of(5, 5, 0));
        List<Calibration> got = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger computed = new AtomicInteger();
        Calibrations shared = new Calibrations(beside::add);
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                Calibration one = shared.of(new Calibrations.Basis(1_000, 100, 0), () -> {
                    computed.incrementAndGet();
                    begun.countDown();
                    try {
                        assertThat(go.await(20, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return made;
                });
                synchronized (got) {
                    got.add(one);
                }
            }));
            threads.get(i).start();
        }
        assertThat(begun.await(20, TimeUnit.MINUTES)).isTrue();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(computed).hasValue(1);
        assertThat(got).hasSize(4).allMatch(one -> one == made);
    }
}
