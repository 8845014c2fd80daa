package io.koopstream.server.engine;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that everything together may take which grows by what is sent: models, samples that wait, bodies under way. One sum, so that many things that
 * are each within their limits cannot take more than there is. What a model may take is taken before it grows, and nobody takes so much that nothing is left for the others. Any
 * thread.
 */
public final class MemoryBudget {

    private static final long MIB = 1 << 20;

    /** Models take at most all but one part in so many, so that there is always room for what is sent to them. */
    private static final int TRAFFIC = 4;

    private final long total;
    private final long forModels;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong models = new AtomicLong();

    MemoryBudget(long total) {
        this.total = total;
        this.forModels = total - total / TRAFFIC;
    }

    /** Takes so many bytes if they are free. */
    public boolean tryTake(long bytes) {
        long before = used.getAndUpdate(now -> fits(bytes, now) ? now + bytes : now);
        return fits(bytes, before);
    }

    /**
     * Takes so many bytes if they are free, and as many as are taken by whoever asks are left for the others.
     *
     * @param taken what has been taken by him
     */
    boolean tryTakeFairly(long bytes, long taken) {
        return taken + bytes <= total - used.get() - bytes && tryTake(bytes);
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

    /** Bytes that are free for another model. */
    long free() {
        return Math.max(0, Math.min(forModels - models.get(), total - used.get()));
    }

    /** Whether the models alone leave no room for so many bytes, so that waiting does not help. */
    boolean isFullOfModels(long bytes) {
        return !fits(bytes, models.get());
    }

    /** How much is taken, in words. */
    String state() {
        return mib(used.get()) + " of " + mib(total) + " MiB are in use, " + mib(models.get())
                + " by models, which may take " + mib(forModels);
    }

    static long mib(long bytes) {
        return bytes / MIB + (bytes % MIB == 0 ? 0 : 1);
    }

    /** What one model may take: at least what it asked for at first, more before it grows. One writer. */
    final class Share {
        private final long least;
        private long taken;

        private Share(long least) {
            this.least = least;
        }

        /** Takes what a model will hold, if it is free. Of what it did not ask for at first it gets no more than is left for the other models. */
        boolean tryGrow(long bytes) {
            synchronized (models) {
                long more = bytes - taken;
                if (more <= 0) {
                    return true;
                }
                long left = forModels - models.get() - more;
                if (left < Math.max(0, bytes - least)) {
                    return false;
                }
                take(more);
                return true;
            }
        }

        /** Gives back all but what is left of a model. */
        void shrink(long bytes) {
            synchronized (models) {
                take(Math.min(taken, bytes) - taken);
            }
        }

        /** Gives everything back. */
        void release() {
            shrink(0);
        }

        private void take(long more) {
            used.addAndGet(more);
            models.addAndGet(more);
            taken += more;
        }
    }

    /**
     * The share of a model; empty where what it may take is not free.
     *
     * @param least what it may take by its settings, or takes already
     */
    Optional<Share> share(long least) {
        synchronized (models) {
            if (least > free()) {
                return Optional.empty();
            }
            Share share = new Share(least);
            share.take(least);
            return Optional.of(share);
        }
    }
}
