package io.koopstream.server.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that everything together may take which grows by what is sent: models, samples that wait, bodies under way. One sum, so that many things that
 * are each within their limits cannot take more than there is. Any thread.
 */
public final class MemoryBudget {

    private static final long MIB = 1 << 20;

    private final long total;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong models = new AtomicLong();

    MemoryBudget(long total) {
        this.total = total;
    }

    /** Takes so many bytes if they are free. */
    public boolean tryTake(long bytes) {
        long before = used.getAndUpdate(now -> fits(bytes, now) ? now + bytes : now);
        return fits(bytes, before);
    }

    /** No sum of what is taken and what is asked for: that may be more than a long holds. */
    private boolean fits(long bytes, long taken) {
        return bytes <= total - taken;
    }

    /** Gives bytes back. */
    public void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Bytes there are in all. */
    public long total() {
        return total;
    }

    /** Bytes that are taken now. */
    public long used() {
        return used.get();
    }

    /** Whether the models alone leave no room for so many bytes, so that waiting does not help. */
    boolean isFullOfModels(long bytes) {
        return !fits(bytes, models.get());
    }

    /** How much is taken, in words. */
    String state() {
        return mib(used.get()) + " of " + mib(total) + " MiB are in use, " + mib(models.get()) + " by models";
    }

    private static long mib(long bytes) {
        return bytes / MIB + (bytes % MIB == 0 ? 0 : 1);
    }

    /** What one model takes: at least what it asked for, more as it grows. One writer. */
    final class Share {
        private final long least;
        private long taken;

        private Share(long least) {
            this.least = least;
        }

        /** Takes note of what it holds now; what is there is there, whether it fits or not. */
        void hold(long bytes) {
            long next = Math.max(least, bytes);
            used.addAndGet(next - taken);
            models.addAndGet(next - taken);
            taken = next;
        }

        /** Gives everything back. */
        void release() {
            used.addAndGet(-taken);
            models.addAndGet(-taken);
            taken = 0;
        }
    }

    /**
     * The share of a model.
     *
     * @param least what it may take by its settings
     * @param fits whether it has to be free; otherwise it is there already
     * @throws LimitException if it is not free
     */
    Share share(long least, boolean fits) {
        if (fits) {
            if (!tryTake(least)) {
                throw new LimitException(
                        "the model may take " + mib(least) + " MiB, and " + state()
                                + "; give it a smaller maxDictionary, delete a model, or start the server with more memory (-Xmx)",
                        total);
            }
            give(least);
        }
        Share share = new Share(least);
        share.hold(least);
        return share;
    }
}
