package io.koopstream.server.engine;

import io.koopstream.forecast.Calibration;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What held-out runs say about the forecasts of a model: which mixture errs least, and how wide bands are. To find it costs ten times as much as a
 * forecast, and it hardly changes with a few more samples, so the views of a model share it: as it is while samples and dictionary are at most a tenth more
 * than they were; as it is while a new one is found beside them, by one thread that rests nineteen times as long as it works, until either has doubled; never
 * after a change of the dynamics. Found at most once at a time. Any thread.
 */
final class Calibrations {

    /** It is taken for the same while nothing has grown by more than this share. */
    private static final double SAME = 0.1;

    /** It is no longer good enough to go on with when anything has grown by this share. */
    private static final double TOO_OLD = 1;

    private static final int REST_PER_WORK = 19;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Executor beside;
    private Known known;
    private boolean finding;
    private long notBefore = System.nanoTime();

    /**
     * Of which statistics a calibration is.
     *
     * @param samples that were learned
     * @param kept of them in the dictionary
     * @param changed the pair with which the dynamics last changed; 0 for never
     */
    record Basis(long samples, int kept, long changed) {

        private boolean isWithin(double share, Basis other) {
            return changed == other.changed
                    && isWithin(share, samples, other.samples)
                    && isWithin(share, kept, other.kept);
        }

        private static boolean isWithin(double share, long one, long other) {
            return Math.max(one, other) <= (1 + share) * Math.min(one, other);
        }
    }

    private record Known(Calibration calibration, Basis basis) {}

    /** @param beside runs what nobody waits for */
    Calibrations(Executor beside) {
        this.beside = beside;
    }

    /** A thread for what nobody waits for. It ends when there is nothing to do. */
    static void besideAll(Runnable work) {
        Thread thread = new Thread(work, "koopstream-calibrate");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * What serves statistics.
     *
     * @param fresh finds it from them
     */
    Calibration of(Basis basis, Supplier<Calibration> fresh) {
        synchronized (this) {
            while (known == null || !basis.isWithin(TOO_OLD, known.basis)) {
                if (!finding) {
                    finding = true;
                    break;
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CancellationException("the server is closing");
                }
            }
            if (known != null && basis.isWithin(TOO_OLD, known.basis)) {
                if (!basis.isWithin(SAME, known.basis) && !finding && System.nanoTime() - notBefore >= 0) {
                    finding = true;
                    beside.execute(() -> find(basis, fresh));
                }
                return known.calibration;
            }
        }
        return find(basis, fresh);
    }

    /** For tests: it has rested enough. */
    synchronized void rested() {
        notBefore = System.nanoTime();
    }

    private Calibration find(Basis basis, Supplier<Calibration> fresh) {
        long start = THREADS.getCurrentThreadCpuTime();
        Calibration found = null;
        try {
            found = fresh.get();
            return found;
        } finally {
            synchronized (this) {
                boolean newest = known == null || basis.samples >= known.basis.samples;
                known = found != null && newest ? new Known(found, basis) : known;
                notBefore = System.nanoTime() + REST_PER_WORK * (THREADS.getCurrentThreadCpuTime() - start);
                finding = false;
                notifyAll();
            }
        }
    }
}
