package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.io.StoredModel;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.ModelStore;
import io.koopstream.server.durable.StorageFullException;
import io.koopstream.server.engine.Acceptor.Submission;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A model that accepts batches, learns them and answers, all at once. A batch waits in a bounded queue, is checked against its stream, written to
 * the log and acknowledged by one thread, and learned by another, the {@link LearningLoop}.
 *
 * <p>Any thread may call any method.
 */
public final class LiveModel {

    /** Records written and synced together at most; those behind them are not kept waiting longer. */
    private static final int MAX_IN_GROUP = 4096;

    private static final long ROOM_PAUSE_MILLIS = 5;

    /** So many nanoseconds of learning may wait before the model counts as behind. */
    private static final double BEHIND = 20e6;

    private final String name;
    private final EngineConfig config;
    private final InstantSource clock;
    private final ModelStore files;
    private final ModelSettings settings;
    private final LearningLoop learning;
    private final Acceptor acceptor;
    private final LinkedBlockingQueue<Submission> incoming = new LinkedBlockingQueue<>();
    /** Tells the thread that nothing comes after it. */
    private final Submission end = new Submission(Batch.states(1, new double[1], false));

    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private volatile String failure;
    private volatile String diskTrouble;
    private volatile Instant lastAccepted;
    private volatile boolean closed;
    /** Nanoseconds that the last group of batches took to be in the log. */
    private volatile long lastLogging;

    private Thread acceptThread;
    private Thread learnThread;

    private final long startedWith;

    /**
     * What came since the process was started: received = accepted + duplicates + rejected, once nothing waits.
     *
     * @param received items that were sent
     * @param accepted items that were new
     * @param duplicates items that had come before
     * @param rejected items of batches that were refused
     * @param waiting items in the queue
     */
    public record Counts(long received, long accepted, long duplicates, long rejected, long waiting) {}

    /** A model that stands still until {@link #start}. */
    LiveModel(
            String name,
            ModelMachine machine,
            ModelStore files,
            EngineConfig config,
            HeavyWork heavy,
            InstantSource clock,
            Executor snapshots) {
        this.name = name;
        this.settings = machine.settings();
        this.files = files;
        this.config = config;
        this.clock = clock;
        this.startedWith = machine.received();
        this.learning = new LearningLoop(machine, files, config, heavy, clock, snapshots, waiting, this::fail);
        this.acceptor = new Acceptor(machine, config.maxStreams(), config.durability(), () -> view().delays());
    }

    /** Waits until no snapshot is being written. */
    void awaitSnapshot() {
        learning.awaitSnapshot();
    }

    /** What it has learned; for its own thread, and for others once that has ended or nothing is sent. */
    ModelMachine machine() {
        return learning.machine();
    }

    /** Begins to accept and to learn. */
    void start() {
        acceptThread = new Thread(this::acceptUntilClosed, "koopstream-accept-" + name);
        learnThread = new Thread(learning::run, "koopstream-learn-" + name);
        acceptThread.setDaemon(true);
        learnThread.setDaemon(true);
        acceptThread.start();
        learnThread.start();
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** What was asked for when it was created. */
    public ModelSettings settings() {
        return settings;
    }

    /** What an acknowledged sample survives. */
    public Durability durability() {
        return config.durability();
    }

    /** Whether it goes on. */
    public Health health() {
        String fatal = failure;
        if (fatal != null) {
            return new Health(Health.State.FAILED, fatal);
        }
        String disk = diskTrouble;
        String trouble = disk != null ? disk : learning.snapshotTrouble();
        return trouble == null ? Health.RUNNING : new Health(Health.State.TROUBLED, trouble);
    }

    /** What came since the process was started. */
    public Counts counts() {
        return new Counts(received.get(), taken.get(), duplicates.get(), rejected.get(), waiting.get());
    }

    /**
     * How long things take now.
     *
     * @param update to learn a sample, a running mean
     * @param logging the last group of batches, until it was in the log as safely as was asked for; zero before the first
     * @param sinceSnapshot since a snapshot was last saved; empty when none was since the process was started
     */
    public record Timings(Duration update, Duration logging, Optional<Duration> sinceSnapshot) {}

    /** How long things take now. */
    public Timings timings() {
        return new Timings(
                Duration.ofNanos((long) learning.pace()),
                Duration.ofNanos(lastLogging),
                Optional.ofNullable(learning.lastSnapshot()).map(saved -> Duration.between(saved, clock.instant())));
    }

    /** Whether samples wait that will take more than a moment to learn, so that whatever else needs a processor holds it up. */
    public boolean isBehind() {
        return waiting.get() * learning.pace() > BEHIND;
    }

    /** When a batch was last accepted; empty when none was since the process was started. */
    public Optional<Instant> lastAccepted() {
        return Optional.ofNullable(lastAccepted);
    }

    /** The newest published view; never waits. */
    public ModelView view() {
        return learning.views().newest();
    }

    /** The model of the newest view, for download and export. */
    public StoredModel model() {
        return view().model();
    }

    /**
     * The first view with at least so many items, e.g. those of an {@link Ack}; at once when there is one.
     *
     * @return fails with {@link ModelFailedException} if the model stops before
     */
    public CompletableFuture<ModelView> viewAfter(long samples) {
        return learning.views()
                .after(
                        samples,
                        () -> closed
                                || learning.hasFailed()
                                || (failure != null && samples > startedWith + taken.get()),
                        this::refusal);
    }

    /**
     * Sends a batch. Never waits.
     *
     * @return completes when the batch is in the log, or fails with what it was refused for: {@link io.koopstream.InvalidSampleException},
     *     {@link SequenceException}, {@link BusyException}, {@link LimitException}, {@link StorageFullException}, {@link ModelFailedException}.
     *     It completes in the thread that writes the log: what follows must be short, or go on in a thread of its own
     */
    public CompletableFuture<Ack> submit(Batch batch) {
        received.addAndGet(batch.size());
        try {
            Submission submission = prepare(batch);
            incoming.add(submission);
            if (closed) {
                // The thread may have gone before it saw this one; removing it decides who answers.
                if (incoming.remove(submission)) {
                    waiting.addAndGet(-batch.size());
                    throw refusal();
                }
            }
            return submission.ack;
        } catch (KoopstreamException e) {
            rejected.addAndGet(batch.size());
            return CompletableFuture.failedFuture(e);
        }
    }

    private Submission prepare(Batch batch) {
        if (failure != null || closed) {
            throw refusal();
        }
        if (batch.size() > config.queueSamples()) {
            throw new LimitException(
                    "a batch of " + batch.size() + " items: at most " + config.queueSamples()
                            + " at once; send it in parts",
                    config.queueSamples());
        }
        long queued = waiting.addAndGet(batch.size());
        try {
            if (queued > config.queueSamples()) {
                long nanos = (long) (learning.pace() * batch.size());
                Duration later = Duration.ofMillis(Math.max(10, Math.min(10_000, nanos / 1_000_000)));
                throw new BusyException(queued - batch.size(), config.queueSamples(), later);
            }
            return acceptor.prepare(batch);
        } catch (KoopstreamException e) {
            waiting.addAndGet(-batch.size());
            throw e;
        }
    }

    /**
     * Waits, after a {@link BusyException}, until a batch of this size is welcome again: until half of the queue is free, so that one refusal,
     * which is counted, is not followed by many more.
     *
     * @return whether it came so far in this time
     */
    public boolean awaitRoom(int samples, Duration longest) throws InterruptedException {
        long start = System.nanoTime();
        long most = Math.max(0, Math.min(config.queueSamples() / 2, config.queueSamples() - samples));
        // A model that has failed may never get room: whoever sends again is told so.
        while (waiting.get() > most && failure == null && !closed) {
            if (System.nanoTime() - start > longest.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(ROOM_PAUSE_MILLIS);
        }
        return true;
    }

    private ModelFailedException refusal() {
        String fatal = failure;
        return new ModelFailedException(name, fatal != null ? fatal : "it is closed; start the server again");
    }

    private void acceptUntilClosed() {
        boolean more = true;
        while (more) {
            try {
                more = acceptSome(incoming.take());
            } catch (InterruptedException e) {
                // Nobody interrupts this thread on purpose; going on loses nothing.
            }
        }
    }

    /** Accepts a batch and those behind it; false after the last. */
    private boolean acceptSome(Submission first) {
        List<Submission> group = new ArrayList<>();
        group.add(first);
        incoming.drainTo(group, MAX_IN_GROUP - 1);
        boolean last = group.remove(end);
        if (!group.isEmpty()) {
            accept(group);
        }
        if (last) {
            learning.end();
        }
        return !last;
    }

    private void log(List<ByteBuffer> records) {
        long start = System.nanoTime();
        files.append(records);
        lastLogging = System.nanoTime() - start;
    }

    private void accept(List<Submission> group) {
        List<Submission> fresh = List.of();
        if (failure != null) {
            refuse(group, refusal());
        } else {
            try {
                Instant now = clock.instant();
                fresh = acceptor.accept(group, this::log);
                diskTrouble = null;
                lastAccepted = fresh.isEmpty() ? lastAccepted : now;
            } catch (KoopstreamException e) {
                refuse(group, e);
                if (files.isDead()) {
                    fail(e.getMessage());
                } else {
                    diskTrouble = e.getMessage();
                }
            } catch (RuntimeException | OutOfMemoryError e) {
                // Nobody knows how far it came; the log does, after a start.
                fail("accepting failed (" + e + "); everything acknowledged is in the log: start the server again");
                refuse(group, refusal());
            }
        }
        count(group);
        learning.add(fresh);
        group.forEach(Submission::answer);
    }

    private static void refuse(List<Submission> group, RuntimeException reason) {
        for (Submission submission : group) {
            if (!submission.isRefused()) {
                submission.refuse(reason);
            }
        }
    }

    private void count(List<Submission> group) {
        long gone = 0;
        for (Submission submission : group) {
            if (submission.isRefused()) {
                rejected.addAndGet(submission.size());
                gone += submission.size();
            } else {
                int old = submission.duplicates();
                duplicates.addAndGet(old);
                taken.addAndGet(submission.size() - old);
                gone += old;
            }
        }
        waiting.addAndGet(-gone);
    }

    private void fail(String reason) {
        failure = reason;
        // What was acknowledged before is still learned, unless that is what failed.
        releaseWaiters(learning.hasFailed() ? -1 : startedWith + taken.get());
    }

    private void releaseWaiters(long coming) {
        learning.views().release(coming, this::refusal);
    }

    /**
     * Takes no more batches and learns those that were accepted.
     *
     * @param save whether a last snapshot is written, so that nothing has to be learned again
     */
    void close(boolean save) {
        if (closed) {
            return;
        }
        closed = true;
        incoming.add(end);
        if (acceptThread != null) {
            join(acceptThread);
            join(learnThread);
        }
        releaseWaiters(-1);
        if (failure == null && save) {
            learning.saveLast();
        }
        files.close();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
