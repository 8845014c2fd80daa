package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.server.engine.Acceptor.Submission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Limits on the samples of a model that wait, by number and by bytes, and counts of those received, rejected and taken. Any thread. */
final class IngestLimits {

    private static final long ROOM_PAUSE_MILLIS = 5;

    private final int most;
    private final MemoryBudget memory;
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();

    IngestLimits(int most, MemoryBudget memory) {
        this.most = most;
        this.memory = memory;
    }

    /** The counts so far. */
    LiveModel.Counts counts() {
        return new LiveModel.Counts(received.get(), taken.get(), duplicates.get(), rejected.get(), waiting.get());
    }

    /** Counts a batch as received. */
    void recordReceived(Batch batch) {
        received.addAndGet(batch.size());
    }

    /** Counts a batch as rejected before it waited. */
    void recordRejected(Batch batch) {
        rejected.addAndGet(batch.size());
    }

    /**
     * Lets a batch wait.
     *
     * @param nanos to learn a sample, for telling when there will be room
     * @throws KoopstreamException if there is no room, or what the acceptor says; nothing waits then
     */
    Submission enter(Batch batch, Acceptor acceptor, double nanos) {
        if (batch.size() > most) {
            throw new LimitException(
                    "a batch of " + batch.size() + " items: at most " + most + " at once; send it in parts", most);
        }
        long bytes = batch.bytes();
        long queued = waiting.addAndGet(batch.size());
        boolean entered = false;
        boolean held = false;
        try {
            if (queued > most) {
                long millis = (long) (nanos * batch.size()) / 1_000_000;
                throw new BusyException(
                        queued - batch.size(), most, Duration.ofMillis(Math.max(10, Math.min(10_000, millis))));
            }
            held = memory.tryTakeFairly(bytes, waitingBytes.get());
            if (!held) {
                throw full(bytes);
            }
            Submission submission = acceptor.prepare(batch);
            waitingBytes.addAndGet(bytes);
            submission.holding(() -> {
                memory.give(bytes);
                waitingBytes.addAndGet(-bytes);
            });
            entered = true;
            return submission;
        } finally {
            if (!entered) {
                waiting.addAndGet(-batch.size());
                memory.give(held ? bytes : 0);
            }
        }
    }

    private KoopstreamException full(long bytes) {
        if (memory.isFullOfModels(bytes)) {
            return new LimitException(
                    "not enough memory for more samples: " + memory.state()
                            + "; delete a model, or start the server with more memory (-Xmx)",
                    memory.total());
        }
        return new BusyException(memory.state(), Duration.ofSeconds(1));
    }

    /** A batch waits no longer. Whoever sees that nothing waits sees its memory given back. */
    void leave(Submission submission) {
        submission.release();
        waiting.addAndGet(-submission.batch().size());
    }

    /** Counts what became of batches; what is new goes on waiting until it is learned. */
    void count(List<Submission> group) {
        for (Submission submission : group) {
            int old = submission.isRefused() ? submission.size() : submission.duplicates();
            if (submission.isRefused()) {
                rejected.addAndGet(old);
            } else {
                duplicates.addAndGet(old);
                taken.addAndGet(submission.size() - old);
            }
            if (old == submission.size()) {
                submission.release();
            }
            waiting.addAndGet(-old);
        }
    }

    /** Items that were new. */
    long taken() {
        return taken.get();
    }

    /** Items that wait. */
    long waiting() {
        return waiting.get();
    }

    /** Waits until half of the queue is free, at most so long; whether it came so far, or there is no hope. */
    boolean awaitRoom(int samples, Duration longest, BooleanSupplier hopeless) throws InterruptedException {
        long start = System.nanoTime();
        long enough = Math.max(0, Math.min(most / 2, most - samples));
        do {
            if (System.nanoTime() - start > longest.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(ROOM_PAUSE_MILLIS);
        } while (waiting.get() > enough && !hopeless.getAsBoolean());
        return true;
    }
}
