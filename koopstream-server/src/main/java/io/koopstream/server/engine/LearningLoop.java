package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.engine.Acceptor.Submission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

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

    private static final String NO_MEMORY =
            "not enough memory to write a snapshot; the log is complete, and the next snapshot may succeed";

    private final ModelMachine machine;
    private final ModelStore files;
    private final HeavyWork heavy;
    private final InstantSource clock;
    private final Executor snapshots;
    private final long snapshotEvery;
    private final IngestLimits queue;
    private final MemoryBudget.Share memory;
    private final Failure failure;
    private final ViewBoard views;
    private final LinkedBlockingQueue<Submission> accepted = new LinkedBlockingQueue<>();
    /** Tells that nothing comes after it. */
    private final Submission end = new Submission(Batch.states(1, new double[1], false));

    /** Nanoseconds to learn a sample, for telling when a queue will have room. */
    private volatile double pace = 10_000;

    private volatile boolean failed;
    private volatile String snapshotTrouble;
    private volatile String viewTrouble;
    private volatile long stop;
    private volatile boolean stopping;
    private volatile Instant lastSnapshot;
    private volatile CompletableFuture<Void> snapshot = CompletableFuture.completedFuture(null);
    private long nextSnapshot;
    private long viewsFrom;
    private boolean published = true;

    /** Told when nothing more can be learned. */
    interface Failure {
        void because(String reason);
    }

    /** @param queue what waits, from which that is taken that was learned */
    LearningLoop(
            ModelMachine machine,
            ModelStore files,
            EngineConfig config,
            HeavyWork heavy,
            InstantSource clock,
            Executor snapshots,
            IngestLimits queue,
            MemoryBudget.Share memory,
            Failure failure) {
        this.machine = machine;
        this.files = files;
        this.heavy = heavy;
        this.clock = clock;
        this.snapshots = snapshots;
        this.snapshotEvery = config.snapshotEvery();
        this.queue = queue;
        this.memory = memory;
        this.failure = failure;
        this.views = new ViewBoard(machine.view(heavy));
        this.nextSnapshot = machine.received() + snapshotEvery;
        memory.hold(machine.bytes());
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

    /** What went wrong with the last snapshot or the last view; null when nothing did. */
    String trouble() {
        String snapshots = snapshotTrouble;
        return snapshots == null ? viewTrouble : snapshots;
    }

    /** When a snapshot was last saved; null when none was since the process was started. */
    Instant lastSnapshot() {
        return lastSnapshot;
    }

    /** Waits until no snapshot is being written. */
    void awaitSnapshot() {
        snapshot.exceptionally(error -> null).join();
    }

    /** Batches to be learned after those before. */
    void add(List<Submission> fresh) {
        accepted.addAll(fresh);
    }

    /** Nothing comes after what was added. */
    void end() {
        accepted.add(end);
    }

    /** Learns no more from a moment on (by {@link System#nanoTime}); the log has what is left. */
    void stopAt(long moment) {
        stop = moment;
        stopping = true;
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
            } catch (RuntimeException | Error e) {
                // Even saying what was wrong failed; nothing is learned any more, and batches do not wait for it.
                failed = true;
                published = true;
            }
        }
        publish();
    }

    /** One step of {@link #run}, which does not wait. */
    void learnWaiting() {
        learnSome(accepted.poll());
    }

    /** Learns a batch, or publishes when there is none; false after the last. */
    private boolean learnSome(Submission next) {
        if (next == end) {
            return false;
        }
        if (next != null) {
            try {
                if (!failed && !isTimeUp()) {
                    learn(next);
                }
            } finally {
                queue.leave(next);
            }
        }
        if (!published && (next == null || System.nanoTime() >= viewsFrom || views.isAwaited(machine.received()))) {
            publish();
        }
        return true;
    }

    private boolean isTimeUp() {
        return stopping && System.nanoTime() - stop > 0;
    }

    private void learn(Submission next) {
        long start = System.nanoTime();
        Batch batch = next.batch();
        try {
            machine.apply(batch, next.hashes());
            published = false;
            if (machine.received() >= nextSnapshot && snapshot.isDone()) {
                nextSnapshot = machine.received() + snapshotEvery;
                trySnapshot();
            }
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            // What was learned of the batch is undefined; the log has all of it.
            failed = true;
            failure.because("learning failed (" + e + "); everything accepted is in the log: resume the model"
                    + (e instanceof OutOfMemoryError
                            ? " when there is more memory, or start the server with more (-Xmx)"
                            : ", or start the server again"));
        }
        double before = pace;
        pace = before + 0.1 * ((double) (System.nanoTime() - start) / batch.size() - before);
    }

    private void trySnapshot() {
        try {
            writeSnapshot();
        } catch (OutOfMemoryError e) {
            // The machine is as it was, and the log has everything.
            snapshotTrouble = NO_MEMORY;
        } catch (LinkageError e) {
            snapshotTrouble = "a snapshot could not be written (" + e + "); the log is complete";
        }
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
                    } catch (OutOfMemoryError e) {
                        snapshotTrouble = NO_MEMORY;
                    } catch (LinkageError e) {
                        snapshotTrouble = "a snapshot could not be written (" + e + "); the log is complete";
                    }
                },
                snapshots);
    }

    /** Saves what was learned, once {@link #run} has ended. */
    void saveLast() {
        try {
            files.snapshot(machine.batches(), machine.capture().parts());
        } catch (KoopstreamException | OutOfMemoryError | LinkageError e) {
            // The log has everything, and the others are to be saved as well.
            snapshotTrouble = e.getMessage();
        }
    }

    private void publish() {
        if (!failed) {
            // Otherwise the last view stands.
            long start = System.nanoTime();
            try {
                memory.hold(machine.bytes());
                views.publish(machine.view(heavy));
                viewTrouble = null;
            } catch (OutOfMemoryError e) {
                viewTrouble = "not enough memory to publish the newest state; answers come from an older one";
            } catch (LinkageError e) {
                viewTrouble = "the newest state could not be published (" + e + "); answers come from an older one";
            }
            long finish = System.nanoTime();
            viewsFrom = finish + Math.max(MIN_BETWEEN_VIEWS, (VIEW_SHARE - 1) * (finish - start));
        }
        published = true;
    }
}
