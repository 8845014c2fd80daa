package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.LogRecords;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.engine.Acceptor.Submission;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The half of a {@link LiveModel} that learns: what the log holds beyond the last snapshot first, then accepted batches in order. It publishes a {@link ModelView} whenever something changed, but
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

    /** Of what is saved, where the last snapshot failed. */
    private static final long NOTHING = -1;

    private static final String NO_MEMORY =
            "not enough memory or file handles to write a snapshot; the log is complete, and the next snapshot may succeed";

    /** Learning is interrupted so often, within a batch too, to look whether there is something else to do. */
    private static final long PART_NANOS = 50_000_000;

    /** So long does a model replay before another one that waits for it gets its turn. */
    private static final long TURN_NANOS = 250_000_000;

    /** What was learned in so much time is not learned again after a crash: then a snapshot is due, however few samples it was. */
    private static final long SNAPSHOT_NANOS = 20_000_000_000L;

    /** A snapshot takes half of what its model takes until it is written: the state, copied, and its bytes. */
    private static final int SNAPSHOT_OF_BYTES = 2;

    private static final System.Logger LOG = System.getLogger(LearningLoop.class.getName());

    /** Snapshots cost a learner at most one part in so many of its time. */
    private static final int SNAPSHOT_SHARE = 20;

    private final ModelStore files;
    private final HeavyWork heavy;
    private final InstantSource clock;
    private final Executor snapshots;
    private final long snapshotEvery;
    private final IngestLimits queue;
    private final Semaphore turns;
    private final MemoryBudget budget;
    private final MemoryBudget.Share memory;
    /** Kept samples for which there is memory. */
    private int reserved;

    private final Failure failure;
    private final ViewBoard views;
    private final LinkedBlockingQueue<Submission> accepted = new LinkedBlockingQueue<>();
    /** Tells that nothing comes after it. */
    private final Submission end = new Submission(Batch.states(1, new double[1], false));

    /** Null once learning failed: then the last view is all there is. */
    private volatile ModelMachine machine;
    /** What is in the log and not learned yet; null when there is nothing. */
    private volatile LogRecords log;
    /** The batch of the log that is being learned; null between two. */
    private Batch logged;

    private final long learnedAtFirst;
    private final long replayTo;
    /** Items learned so far. */
    private volatile long learned;

    /** Nanoseconds to learn a sample, for telling when a queue will have room. */
    private volatile double pace = 10_000;

    private volatile boolean failed;
    private volatile String snapshotTrouble;
    private volatile String viewTrouble;
    private volatile long stop;
    private volatile boolean stopping;
    private volatile Instant lastSnapshot;
    private volatile CompletableFuture<Void> snapshot = CompletableFuture.completedFuture(null);
    private volatile long snapshotCost;
    /** Items that are saved, or are on their way, and nanoseconds of learning since then. */
    private volatile long saved;

    private long sinceSaved;
    private long viewsFrom;
    private boolean published = true;

    /** Told when nothing more can be learned. */
    interface Failure {
        void because(String reason);
    }

    /**
     * @param log what is to be learned first
     * @param queue what waits, from which that is taken that was learned
     * @param turns those who replay logs get one after another
     */
    LearningLoop(
            Recovered recovered,
            LogRecords log,
            ModelStore files,
            EngineConfig config,
            HeavyWork heavy,
            InstantSource clock,
            Executor snapshots,
            IngestLimits queue,
            Semaphore turns,
            MemoryBudget budget,
            MemoryBudget.Share memory,
            Failure failure) {
        this.machine = recovered.machine();
        this.log = log.hasNext() ? log : null;
        this.replayTo = recovered.samples();
        this.files = files;
        this.heavy = heavy;
        this.clock = clock;
        this.snapshots = snapshots;
        this.snapshotEvery = config.snapshotEvery();
        this.queue = queue;
        this.turns = turns;
        this.budget = budget;
        this.memory = memory;
        this.failure = failure;
        this.views = new ViewBoard(machine.view(heavy));
        this.learnedAtFirst = machine.items();
        this.learned = learnedAtFirst;
        this.saved = learnedAtFirst;
    }

    /** Whether what is in the log is still being learned. */
    boolean isReplaying() {
        return log != null;
    }

    /** How much of the log has been learned since the start, from 0 to 1. */
    double replayed() {
        return (double) (learned - learnedAtFirst) / Math.max(1, replayTo - learnedAtFirst);
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

    /** Learns what is in the log, and then what comes, until {@link #end}. */
    void run() {
        boolean more = true;
        while (more) {
            try {
                if (log != null && !failed && !isTimeUp()) {
                    replay();
                } else {
                    long pause = viewsFrom - System.nanoTime();
                    more = learnSome(
                            published ? accepted.take() : accepted.poll(Math.max(0, pause), TimeUnit.NANOSECONDS));
                }
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
        if (log == null) {
            learnSome(accepted.poll());
        } else {
            learnLogged();
        }
    }

    /** Learns from the log for a while: of models that do so some get their turn at a time, so that a short log is not kept waiting by long ones. */
    private void replay() throws InterruptedException {
        turns.acquire();
        try {
            long start = System.nanoTime();
            do {
                learnLogged();
            } while (log != null
                    && !failed
                    && !isTimeUp()
                    && !(turns.hasQueuedThreads() && System.nanoTime() - start > TURN_NANOS));
        } finally {
            LogRecords left = log;
            if (left != null) {
                left.letGo();
            }
            turns.release();
        }
    }

    /** Learns some of what is in the log. */
    private void learnLogged() {
        try {
            if (logged == null) {
                ByteBuffer contents = log.next();
                logged = Batch.unpacked(contents, log.source());
            }
            if (learn(logged, logged.hashesOfNumbered())) {
                logged = null;
                if (!log.hasNext()) {
                    log = null;
                    // What was learned again is not learned a third time.
                    trySnapshot();
                }
            }
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            fail(e);
        }
        publishIfDue();
    }

    /** Learns a batch, or publishes when there is none; false after the last. */
    private boolean learnSome(Submission next) {
        if (next == end) {
            return false;
        }
        if (next != null) {
            try {
                while (!failed && !isTimeUp() && !learn(next.batch(), next.hashes())) {
                    publishIfDue();
                }
            } finally {
                queue.leave(next);
            }
        }
        if (next == null) {
            publish();
        } else {
            publishIfDue();
        }
        return true;
    }

    private boolean isTimeUp() {
        return stopping && System.nanoTime() - stop > 0;
    }

    /** Learns some of a batch; whether all of it is learned. */
    private boolean learn(Batch batch, long[] hashes) {
        long start = System.nanoTime();
        long before = machine.items();
        boolean whole = false;
        try {
            if (!reserve()) {
                fail(
                        "it keeps " + machine.kept()
                                + " samples, and there is no memory for more without taking it from the other models ("
                                + budget.state()
                                + "); create it again with a smaller maxDictionary or a larger epsilon, or start the server with more memory (-Xmx), and");
                return false;
            }
            whole = machine.apply(batch, hashes, () -> System.nanoTime() - start > PART_NANOS || !isReserved());
            published = false;
            learned = machine.items();
            if ((learned - saved >= snapshotEvery
                            || sinceSaved > Math.max(SNAPSHOT_NANOS, SNAPSHOT_SHARE * snapshotCost))
                    && snapshot.isDone()) {
                trySnapshot();
            }
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            fail(e);
            return false;
        }
        long nanos = System.nanoTime() - start;
        sinceSaved += nanos;
        double mean = pace;
        pace = mean + 0.1 * ((double) nanos / Math.max(1, learned - before) - mean);
        return whole;
    }

    private boolean isReserved() {
        return machine.kept() + machine.keptAtOnce() <= reserved;
    }

    /** Takes the memory for what the next rows may add, more than that where it is there. */
    private boolean reserve() {
        if (isReserved()) {
            return true;
        }
        int least = machine.kept() + machine.keptAtOnce();
        for (int kept : new int[] {least + least / 4, least}) {
            if (memory.tryGrow(machine.bytes(kept))) {
                reserved = kept;
                return true;
            }
        }
        return false;
    }

    /** What was learned of the batch is undefined; the log has all of it. */
    private void fail(Throwable cause) {
        LOG.log(System.Logger.Level.ERROR, "learning failed", cause);
        fail(
                cause instanceof OutOfMemoryError
                        ? "there was not enough memory to learn; start the server with more (-Xmx), or"
                        : "learning failed, the server log says why;");
    }

    /** Gives back what the learner took; the last view stays. */
    private void fail(String reason) {
        failed = true;
        published = true;
        int kept = views.newest().dictionarySize();
        machine = null;
        log = null;
        logged = null;
        memory.shrink(views.newest()
                        .settings()
                        .bytes(
                                kept,
                                views.newest().stateDimension(),
                                views.newest().dimension())
                / 2);
        failure.because(reason + " resume the model: everything accepted is in its log");
    }

    private void trySnapshot() {
        try {
            writeSnapshot();
        } catch (OutOfMemoryError | LinkageError e) {
            // The machine is as it was, and the log has everything.
            notSaved(NO_MEMORY);
        }
    }

    private void notSaved(String why) {
        snapshotTrouble = why;
        saved = NOTHING;
    }

    /** The disk takes something again, so that what was said about it is no longer true. */
    void forgetTrouble() {
        snapshotTrouble = null;
    }

    private void writeSnapshot() {
        long start = System.nanoTime();
        long bytes = machine.bytes(machine.kept()) / SNAPSHOT_OF_BYTES;
        if (!budget.tryTake(bytes)) {
            snapshotTrouble = NO_MEMORY;
            return;
        }
        saved = machine.items();
        sinceSaved = 0;
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
                        notSaved(e.getMessage());
                    } catch (OutOfMemoryError | LinkageError e) {
                        notSaved(NO_MEMORY);
                    }
                    budget.give(bytes);
                    snapshotCost = System.nanoTime() - start;
                },
                snapshots);
    }

    /** Saves what was learned, once {@link #run} has ended. */
    void saveLast() {
        awaitSnapshot();
        if (failed || machine.items() == saved) {
            return;
        }
        try {
            files.snapshot(machine.batches(), machine.capture().parts());
        } catch (KoopstreamException | OutOfMemoryError | LinkageError e) {
            // The log has everything, and the others are to be saved as well.
            snapshotTrouble = e.getMessage();
        }
    }

    private void publishIfDue() {
        if (!published && (System.nanoTime() >= viewsFrom || views.isAwaited(machine.received()))) {
            publish();
        }
    }

    private void publish() {
        if (!failed && !published) {
            // Otherwise the last view stands.
            long start = System.nanoTime();
            try {
                views.publish(machine.view(heavy));
                viewTrouble = null;
            } catch (OutOfMemoryError | LinkageError e) {
                viewTrouble =
                        "not enough memory or file handles to publish the newest state; answers come from an older one";
            }
            long finish = System.nanoTime();
            viewsFrom = finish + Math.max(MIN_BETWEEN_VIEWS, (VIEW_SHARE - 1) * (finish - start));
        }
        published = true;
    }
}
