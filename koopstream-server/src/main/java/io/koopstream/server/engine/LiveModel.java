package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.HeavyWork;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.LogRecords;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A model that accepts batches, learns them and answers, all at once. A batch waits in a bounded queue, is checked against its stream, written to
 * the log and acknowledged by one thread, and learned by another, the {@link LearningLoop}.
 *
 * <p>Any thread may call any method.
 */
public final class LiveModel {

    /** The reason that is left where making a better one fails. */
    private static final String LOST =
            "accepting or learning failed; everything acknowledged is in the log: start the server again";

    private static final System.Logger LOG = System.getLogger(LiveModel.class.getName());

    /** Records written and synced together at most; those behind them are not kept waiting longer. */
    private static final int MAX_IN_GROUP = 4096;

    private static final long PAUSE_MILLIS = 20;

    /** Without a batch for so long, the model is at rest. */
    private static final long REST_MILLIS = 200;

    /** So many nanoseconds of learning may wait before the model counts as behind. */
    private static final double BEHIND = 20e6;

    private final String name;
    private final EngineConfig config;
    private final InstantSource clock;
    private final MemoryBudget.Share share;
    private final ModelStore files;
    private final ModelSettings settings;
    private final LearningLoop learning;
    private final Acceptor acceptor;
    private final LinkedBlockingQueue<Submission> incoming = new LinkedBlockingQueue<>();
    /** Tells the thread that nothing comes after it. */
    private final Submission end = new Submission(Batch.states(1, new double[1], false));

    private final IngestLimits queue;
    private volatile String failure;
    private final ModelFailedException lastAnswer;
    private volatile String diskTrouble;
    private volatile Instant lastAccepted;
    private volatile boolean closed;
    /** Nanoseconds that the last group of batches took to be in the log. */
    private volatile long lastLogging;

    /** Whether the note of what was acknowledged is safe; the accepting thread's own. */
    private boolean ackSynced = true;

    private Thread acceptThread;
    private Thread learnThread;

    private final long startedWith;
    private final long lost;
    /** Whether what was recovered would survive a loss of power; the accepting thread's own. */
    private boolean isSecure;

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
            Recovered recovered,
            ModelStore files,
            ModelStore.Recovery recovery,
            EngineConfig config,
            HeavyWork heavy,
            InstantSource clock,
            Executor snapshots,
            Semaphore replays,
            MemoryBudget memory,
            MemoryBudget.Share share) {
        this.name = name;
        this.lastAnswer = new ModelFailedException(name, LOST);
        this.settings = recovered.machine().settings();
        this.files = files;
        this.config = config;
        this.queue = new IngestLimits(config.queueSamples(), memory);
        this.share = share;
        this.clock = clock;
        this.startedWith = recovered.samples();
        LogRecords log = files.records(recovered.machine().batches(), recovery.records());
        this.learning = new LearningLoop(
                recovered, log, files, config, heavy, clock, snapshots, queue, replays, memory, share, this::fail);
        this.lost = recovery.lost();
        this.acceptor = new Acceptor(
                recovered,
                config.maxStreams(),
                config.durability(),
                () -> view().labels().delays());
    }

    /** Waits until no snapshot is being written. */
    void awaitSnapshot() {
        learning.awaitSnapshot();
    }

    /** What it has learned, all of the log; for its own thread, and for others once that has ended or nothing is sent. */
    ModelMachine machine() {
        if (learnThread != null) {
            viewAfter(startedWith).join();
        }
        return learning.machine();
    }

    /** Makes what was recovered safe. When there is no space for that the model answers, but accepts nothing until there is. */
    void begin() {
        try {
            secure();
        } catch (KoopstreamException e) {
            diskTrouble = e.getMessage();
        }
    }

    /** Begins to accept and to learn, each in a thread of its own. */
    void start() {
        begin();
        acceptThread = new Thread(this::acceptUntilClosed, "koopstream-accept-" + name);
        learnThread = new Thread(learning::run, "koopstream-learn-" + name);
        acceptThread.setDaemon(true);
        learnThread.setDaemon(true);
        acceptThread.start();
        learnThread.start();
    }

    private void secure() {
        files.secure();
        isSecure = true;
    }

    /** How many batches that were acknowledged are gone, over its life. */
    public long lost() {
        return lost;
    }

    /** Items it had taken when it was opened. */
    public long startedWith() {
        return startedWith;
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
        String trouble = disk != null ? disk : learning.trouble();
        if (trouble != null) {
            return new Health(Health.State.TROUBLED, trouble);
        }
        String loss = lost == 0 ? "" : lost + " acknowledged batches are lost; it continues without them";
        if (learning.isReplaying()) {
            return new Health(
                    Health.State.REPLAYING,
                    "replaying, " + (int) (100 * learning.replayed())
                            + " %: it accepts samples, answers from what it has learned so far, and goes on with the rest of its log"
                            + (lost == 0 ? "" : "; " + loss));
        }
        return new Health(Health.State.RUNNING, loss);
    }

    /** What came since the process was started. */
    public Counts counts() {
        return queue.counts();
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
        return queue.waiting() * learning.pace() > BEHIND;
    }

    /** When a batch was last accepted; empty when none was since the process was started. */
    public Optional<Instant> lastAccepted() {
        return Optional.ofNullable(lastAccepted);
    }

    /** The newest published view; never waits. */
    public ModelView view() {
        return learning.views().newest();
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
                                || (failure != null && samples > startedWith + queue.taken()),
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
        queue.recordReceived(batch);
        try {
            if (failure != null || closed) {
                throw refusal();
            }
            Submission submission = queue.enter(batch, acceptor, learning.pace());
            incoming.add(submission);
            if (closed) {
                // The thread may have gone before it saw this one; removing it decides who answers.
                if (incoming.remove(submission)) {
                    queue.leave(submission);
                    throw refusal();
                }
            }
            return submission.ack;
        } catch (KoopstreamException e) {
            queue.recordRejected(batch);
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Waits, after a {@link BusyException}, until a batch of this size is welcome again: until half of the queue is free, so that one refusal,
     * which is counted, is not followed by many more.
     *
     * @return whether it came so far in this time
     */
    public boolean awaitRoom(int samples, Duration longest) throws InterruptedException {
        // A model that has failed may never get room: whoever sends again is told so.
        return queue.awaitRoom(samples, longest, () -> failure != null || closed);
    }

    private ModelFailedException refusal() {
        String fatal = failure;
        return new ModelFailedException(name, fatal != null ? fatal : "it is closed; start the server again");
    }

    private void acceptUntilClosed() {
        boolean more = true;
        while (more) {
            try {
                Submission first = ackSynced ? incoming.take() : incoming.poll(REST_MILLIS, TimeUnit.MILLISECONDS);
                if (first == null) {
                    syncAckRecord();
                } else {
                    more = acceptSome(first);
                }
            } catch (InterruptedException e) {
                // Nobody interrupts this thread on purpose; going on loses nothing.
            } catch (OutOfMemoryError | LinkageError e) {
                LOG.log(System.Logger.Level.ERROR, "accepting failed", e);
                fail(
                        "accepting failed, for want of memory or file handles; everything acknowledged is in the log: resume the model");
            }
        }
    }

    /** Accepts what waits, in the thread of the caller, who takes the place of the one that accepts. */
    void acceptWaiting() {
        Submission first = incoming.poll();
        if (first != null) {
            acceptSome(first);
        }
    }

    /** Learns the next batch, or publishes when there is none, in the thread of the caller, who takes the place of the one that learns. */
    void learnWaiting() {
        learning.learnWaiting();
    }

    /** Nothing comes for the moment: time to make the note of what was acknowledged safe. */
    void syncAckRecord() {
        ackSynced = true;
        try {
            secure();
        } catch (KoopstreamException e) {
            // Tried again after the next batch; the log has everything.
            diskTrouble = e.getMessage();
        }
    }

    /** Accepts a batch and those behind it; false after the last. */
    private boolean acceptSome(Submission first) {
        List<Submission> group = new ArrayList<>();
        group.add(first);
        incoming.drainTo(group, MAX_IN_GROUP - 1);
        boolean last = group.remove(end);
        if (!group.isEmpty()) {
            try {
                accept(group);
            } catch (RuntimeException | Error e) {
                // Even saying what was wrong failed, as it does where no class can be loaded any more: whoever waits
                // gets an answer made beforehand.
                failure = failure == null ? LOST : failure;
                refuse(group, lastAnswer);
                group.forEach(Submission::answer);
            }
            ackSynced = false;
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
                if (!isSecure) {
                    secure();
                    learning.forgetTrouble();
                }
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
            } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
                // Nobody knows how far it came; the log does, after a start.
                LOG.log(System.Logger.Level.ERROR, "accepting failed", e);
                fail(
                        "accepting failed; everything acknowledged is in the log: resume the model, or start the server again");
                refuse(group, refusal());
            }
        }
        queue.count(group);
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

    private void fail(String reason) {
        if (failure == null) {
            LOG.log(System.Logger.Level.ERROR, "model " + name + " no longer accepts samples: " + reason);
        }
        failure = reason;
        // What was acknowledged before is still learned, unless that is what failed.
        releaseWaiters(learning.hasFailed() ? -1 : startedWith + queue.taken());
    }

    private void releaseWaiters(long coming) {
        learning.views().release(coming, this::refusal);
    }

    /** Takes no more batches, and learns those that were accepted until a moment (by {@link System#nanoTime}). */
    void stop(long until) {
        if (!closed) {
            closed = true;
            learning.stopAt(until);
            incoming.add(end);
        }
    }

    /**
     * Ends after {@link #stop}. A batch that is being learned when the time is up is left alone: the log has it.
     *
     * @param until when at the latest (by {@link System#nanoTime})
     * @param save whether a last snapshot is written, so that what was learned has not to be learned again
     */
    void close(long until, boolean save) {
        // Acknowledged or refused, everybody who sent something has to know.
        join(acceptThread, Long.MAX_VALUE);
        boolean ended = join(learnThread, until);
        releaseWaiters(-1);
        if (failure == null && save && ended && System.nanoTime() - until < 0) {
            learning.saveLast();
        }
        files.close();
        share.release();
    }

    private static boolean join(Thread thread, long until) {
        boolean interrupted = false;
        while (thread != null && thread.isAlive() && (until == Long.MAX_VALUE || System.nanoTime() - until < 0)) {
            try {
                thread.join(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return thread == null || !thread.isAlive();
    }
}
