package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.engine.Acceptor.Submission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The half of a {@link LiveModel} that learns: it takes accepted batches in order, publishes a {@link ModelView} whenever something changed, but
 * spends about a twentieth of its time on that, and has snapshots written. One thread runs it; any thread may ask how it goes.
 */
final class LearningLoop {

    /** A view costs the learner at most one part in so many of its time. */
    private static final long VIEW_SHARE = 20;

    /**
     * Views are published no more often than this while samples come: readers share what is computed from one, so that many of them cost the
     * learner little. Whoever waits for a sample gets a view at once.
     */
    private static final long MIN_BETWEEN_VIEWS = 200_000_000;

    private final ModelMachine machine;
    private final ModelStore files;
    private final HeavyWork heavy;
    private final InstantSource clock;
    private final Executor snapshots;
    private final long snapshotEvery;
    private final AtomicLong waiting;
    private final Failure failure;
    private final ViewBoard views;
    private final LinkedBlockingQueue<Submission> accepted = new LinkedBlockingQueue<>();
    /** Tells that nothing comes after it. */
    private final Submission end = new Submission(Batch.states(1, new double[1], false));

    /** Nanoseconds to learn a sample, for telling when a queue will have room. */
    private volatile double pace = 10_000;

    private volatile boolean failed;
    private volatile String snapshotTrouble;
    private volatile Instant lastSnapshot;
    private volatile CompletableFuture<Void> snapshot = CompletableFuture.completedFuture(null);
    private long nextSnapshot;
    private long viewsFrom;
    private boolean published = true;

    /** Told when nothing more can be learned. */
    interface Failure {
        void because(String reason);
    }

    /** @param waiting items that wait, from which those are taken that were learned */
    LearningLoop(
            ModelMachine machine,
            ModelStore files,
            EngineConfig config,
            HeavyWork heavy,
            InstantSource clock,
            Executor snapshots,
            AtomicLong waiting,
            Failure failure) {
        this.machine = machine;
        this.files = files;
        this.heavy = heavy;
        this.clock = clock;
        this.snapshots = snapshots;
        this.snapshotEvery = config.snapshotEvery();
        this.waiting = waiting;
        this.failure = failure;
        this.views = new ViewBoard(machine.view(heavy));
        this.nextSnapshot = machine.received() + snapshotEvery;
    }

    /** What it has learned; for its own thread, and for others once that has ended or nothing is sent. */
    ModelMachine machine() {
        return machine;
    }

    /** The views. */
    ViewBoard views() {
        return views;
    }

    /** Nanoseconds to learn a sample, a running mean. */
    double pace() {
        return pace;
    }

    /** Whether learning failed: the machine may be in the middle of a batch. */
    boolean hasFailed() {
        return failed;
    }

    /** What went wrong with the last snapshot; null when nothing did. */
    String snapshotTrouble() {
        return snapshotTrouble;
    }

    /** When a snapshot was last saved; null when none was since the process was started. */
    Instant lastSnapshot() {
        return lastSnapshot;
    }

    /** Waits until no snapshot is being written. */
    void awaitSnapshot() {
        snapshot.join();
    }

    /** Batches to be learned after those before. */
    void add(List<Submission> fresh) {
        accepted.addAll(fresh);
    }

    /** Nothing comes after what was added. */
    void end() {
        accepted.add(end);
    }

    /** Learns until {@link #end}. */
    void run() {
        boolean more = true;
        while (more) {
            try {
                long pause = viewsFrom - System.nanoTime();
                Submission next = published ? accepted.take() : accepted.poll(Math.max(0, pause), TimeUnit.NANOSECONDS);
                more = learnSome(next);
            } catch (InterruptedException e) {
                // Nobody interrupts this thread on purpose; going on loses nothing.
            }
        }
        publish();
    }

    /** Learns a batch, or publishes when there is none; false after the last. */
    private boolean learnSome(Submission next) {
        if (next == end) {
            return false;
        }
        if (next != null && !failed) {
            learn(next);
        }
        if (!published && (next == null || System.nanoTime() >= viewsFrom || views.isAwaited(machine.received()))) {
            publish();
        }
        return true;
    }

    private void learn(Submission next) {
        long start = System.nanoTime();
        Batch batch = next.batch();
        try {
            machine.apply(batch, next.hashes());
            published = false;
            if (machine.received() >= nextSnapshot && snapshot.isDone()) {
                nextSnapshot = machine.received() + snapshotEvery;
                writeSnapshot();
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            // What was learned of the batch is undefined; the log has all of it.
            failed = true;
            failure.because("learning failed (" + e + "); everything accepted is in the log: start the server again"
                    + (e instanceof OutOfMemoryError ? " with more memory" : ""));
        }
        waiting.addAndGet(-batch.size());
        double before = pace;
        pace = before + 0.1 * ((double) (System.nanoTime() - start) / batch.size() - before);
    }

    private void writeSnapshot() {
        MachineState state = machine.capture();
        long records = machine.batches();
        snapshot = CompletableFuture.runAsync(
                () -> {
                    try {
                        files.snapshot(records, state.parts());
                        lastSnapshot = clock.instant();
                        snapshotTrouble = null;
                    } catch (KoopstreamException e) {
                        // The log has everything; the next snapshot may succeed.
                        snapshotTrouble = e.getMessage();
                    }
                },
                snapshots);
    }

    /** Saves what was learned, once {@link #run} has ended. */
    void saveLast() {
        try {
            files.snapshot(machine.batches(), machine.capture().parts());
        } catch (KoopstreamException e) {
            snapshotTrouble = e.getMessage();
        }
    }

    private void publish() {
        if (!failed) {
            // Otherwise the last view stands.
            long start = System.nanoTime();
            views.publish(machine.view(heavy));
            long finish = System.nanoTime();
            viewsFrom = finish + Math.max(MIN_BETWEEN_VIEWS, (VIEW_SHARE - 1) * (finish - start));
        }
        published = true;
    }
}
