package io.koopstream.server.http.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import org.junit.jupiter.api.Test;

/** Time is told here, not measured. */
class ReaderGateTest {

    private static final long MILLI = 1_000_000;

    /** A clock that moves when somebody works or waits. */
    private static final class ToldTime implements ReaderGate.Time {
        private long now;
        private long worked;
        private boolean interrupted;

        @Override
        public long now() {
            return now;
        }

        @Override
        public long worked() {
            return worked;
        }

        @Override
        public void pass(long nanos) throws InterruptedException {
            if (interrupted) {
                throw new InterruptedException();
            }
            now += nanos;
        }

        void work(long nanos) {
            now += nanos;
            worked += nanos;
        }
    }

    private final ToldTime time = new ToldTime();
    private int behind;

    private ReaderGate gate(int processors) {
        return new ReaderGate(() -> behind, processors, time);
    }

    private double millisFor(ReaderGate gate, int answers, long each) {
        long start = time.now;
        for (int i = 0; i < answers; i++) {
            gate.answer(() -> time.work(each));
        }
        return (time.now - start) / (double) MILLI;
    }

    @Test
    void nobodyWaitsWhileNoLearnerIsBehind() {
        assertThat(millisFor(gate(2), 100, 3 * MILLI)).isEqualTo(300);
    }

    @Test
    void aTenthOfAProcessorIsLeftToReadersOfABusyMachine() {
        behind = 1;

        assertThat(millisFor(gate(2), 100, 3 * MILLI)).isCloseTo(300 / 0.1, within(35.0));
    }

    @Test
    void processorsThatNoLearnerNeedsAreReaders() {
        behind = 1;

        assertThat(millisFor(gate(8), 100, 3 * MILLI)).isEqualTo(300);
    }

    @Test
    void readersOfManyBusyModelsStillGetATenth() {
        behind = 7;

        assertThat(millisFor(gate(8), 100, 3 * MILLI)).isCloseTo(300 / 0.1, within(35.0));
    }

    @Test
    void whoWaitsGoesOnWhenTheLearnerHasCaughtUp() {
        behind = 1;
        int[] asked = new int[1];
        ReaderGate gate = new ReaderGate(() -> ++asked[0] < 10 ? 1 : 0, 2, time);
        gate.answer(() -> time.work(100 * MILLI));
        long start = time.now;

        gate.answer(() -> {});

        assertThat((time.now - start) / MILLI).isBetween(20L, 60L);
    }

    @Test
    void oneCostlyAnswerHoldsUpTheNextForASecondAtMost() {
        behind = 1;
        ReaderGate gate = gate(2);
        gate.answer(() -> time.work(60_000 * MILLI));
        long start = time.now;

        gate.answer(() -> {});

        assertThat((time.now - start) / MILLI).isBetween(0L, 1_000L);
    }

    @Test
    void aFailedAnswerCostsTooAndLeavesItsPlace() {
        behind = 1;
        ReaderGate gate = gate(2);
        assertThatThrownBy(() -> gate.answer(() -> {
                    time.work(10 * MILLI);
                    throw new ApiError(Code.NOT_READY, "nothing is learned yet");
                }))
                .isInstanceOf(ApiError.class);
        long start = time.now;

        gate.answer(() -> {});

        assertThat((time.now - start) / MILLI).isBetween(85L, 105L);
    }

    @Test
    void answersThatAreThereAreCountedWithWhatTheyCostElsewhere() {
        behind = 1;
        ReaderGate known = new ReaderGate(() -> behind, 2, 0.1, MILLI, time);

        assertThat(millisFor(known, 100, MILLI)).isCloseTo(200 / 0.1, within(50.0));
    }

    @Test
    void whoWaitsIsToldThatTheServerCloses() {
        behind = 1;
        ReaderGate gate = gate(2);
        gate.answer(() -> time.work(100 * MILLI));
        time.interrupted = true;

        assertThatThrownBy(() -> gate.answer(() -> {})).hasMessageContaining("closing");
        assertThat(Thread.interrupted()).isTrue();
    }
}
