package io.koopstream.server.http.guard;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Lets readers have what the learners can spare. While a learner is behind with its samples, answers together get only so much processor
 * time: what an answer has cost is waited off before the next one begins. While none is behind, nobody waits. Any thread.
 */
public final class ReaderGate {

    /** Processors that answers which are computed get however busy the learners are. */
    private static final double LEAST = 0.1;

    /** The same for answers that are there already. */
    private static final double LEAST_KNOWN = 0.05;

    /** What it costs to read a question and to send an answer, beside what the thread that gives it can see. */
    private static final long EXCHANGE = 200_000;

    /** Processors that a busy model keeps busy: one learns, one reads, checks and logs. */
    private static final int FOR_A_MODEL = 2;

    /** One costly answer keeps the others waiting no longer than this costs. */
    private static final long MAX_DEBT = 100_000_000;

    /** A wait is looked at again this often: the learner may have caught up. */
    private static final long NAP = 5_000_000;

    /** Time as a gate sees it. */
    interface Time {
        /** Nanoseconds of the clock. */
        long now();

        /** Nanoseconds that this thread has been on a processor. */
        long worked();

        /** Waits. */
        void pass(long nanos) throws InterruptedException;
    }

    private final IntSupplier behind;
    private final int processors;
    private final double least;
    private final long each;
    private final Time time;
    private final Semaphore places;
    private long debt;
    private long asOf;

    /**
     * @param behind tells how many models are behind with their samples
     * @param processors of the machine
     */
    public ReaderGate(IntSupplier behind, int processors) {
        this(behind, processors, LEAST, 0, new RealTime());
    }

    /**
     * A gate for answers that are there already: they need not wait for one that is computed, but without any gate readers without a pause would take
     * whole processors.
     */
    public static ReaderGate ofKnown(IntSupplier behind, int processors) {
        return new ReaderGate(behind, processors, LEAST_KNOWN, EXCHANGE, new RealTime());
    }

    ReaderGate(IntSupplier behind, int processors, Time time) {
        this(behind, processors, LEAST, 0, time);
    }

    ReaderGate(IntSupplier behind, int processors, double least, long each, Time time) {
        this.behind = behind;
        this.processors = processors;
        this.least = least;
        this.each = each;
        this.time = time;
        this.places = new Semaphore(Math.max(1, processors - 1), true);
        this.asOf = time.now();
    }

    /** Waits until it may, and answers. What is given must not wait for anybody, least of all for a client. */
    public void answer(Runnable answer) {
        try {
            places.acquire();
            try {
                awaitTurn();
                long start = time.worked();
                try {
                    answer.run();
                } finally {
                    owe(time.worked() - start + each);
                }
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiError(Code.CLOSING, "the server is closing").retryAfter(1);
        }
    }

    private void awaitTurn() throws InterruptedException {
        while (true) {
            int busy = behind.getAsInt();
            if (busy == 0) {
                return;
            }
            double share = Math.max(least, processors - (double) FOR_A_MODEL * busy);
            long left = paidOff(share);
            if (left <= 0) {
                return;
            }
            time.pass(Math.min(NAP, (long) Math.ceil(left / share)));
        }
    }

    /** What is still owed after the time that has passed. */
    private synchronized long paidOff(double share) {
        long now = time.now();
        debt = Math.max(0, debt - (long) ((now - asOf) * share));
        asOf = now;
        return debt;
    }

    private synchronized void owe(long worked) {
        debt = Math.min(MAX_DEBT, debt + worked);
    }

    /** The clock, and what the system says of a thread. */
    private static final class RealTime implements Time {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        @Override
        public long now() {
            return System.nanoTime();
        }

        @Override
        public long worked() {
            return THREADS.getCurrentThreadCpuTime();
        }

        @Override
        public void pass(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    }
}
