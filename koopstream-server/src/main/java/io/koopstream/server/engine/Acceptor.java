package io.koopstream.server.engine;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.KoopstreamException;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Rkhs;
import io.koopstream.server.durable.Durability;
import io.koopstream.stream.StreamOption;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

/**
 * Decides which batches are accepted: whether their states fit, whether their numbers go on. It is ahead of the {@link ModelMachine}, which learns
 * what was accepted later. One writer, but for {@link #prepare}.
 */
final class Acceptor {

    private final ModelSettings settings;
    private final int maxStreams;
    private final Durability durability;
    private final IntSupplier delays;
    /** Streams with their ledgers; null for those without numbers. */
    private final Map<String, StreamLedger> ledgers;

    private volatile int dimension;
    /** The kernel where states are observations, so that its domain is checked too; null otherwise. */
    private final Kernel kernel;

    private long samples;

    /**
     * Goes on after what is in the log.
     *
     * @param delays how many delays the states of the machine have, as far as is known now
     */
    Acceptor(Recovered recovered, int maxStreams, Durability durability, IntSupplier delays) {
        this.settings = recovered.machine().settings();
        this.maxStreams = maxStreams;
        this.durability = durability;
        this.delays = delays;
        this.ledgers = new HashMap<>(recovered.ledgers());
        this.samples = recovered.samples();
        this.dimension = recovered.dimension();
        boolean observed = settings.stream().delays().orElse(0) == 0
                && settings.stream().preparation().isNone()
                && !settings.stream().choosesKernel();
        this.kernel = observed ? settings.stream().get(StreamOption.KERNEL) : null;
    }

    /** A batch under way. */
    static final class Submission {
        final CompletableFuture<Ack> ack = new CompletableFuture<>();
        private Batch batch;
        private long[] hashes;
        private ByteBuffer packed;
        private final int size;
        private int duplicates;
        private Ack promise;
        private RuntimeException refusal;
        private Runnable release = () -> {};

        Submission(Batch batch) {
            this.batch = batch;
            this.size = batch.size();
        }

        /** How many items it came with. */
        int size() {
            return size;
        }

        /** What of it is new. */
        Batch batch() {
            return batch;
        }

        long[] hashes() {
            return hashes;
        }

        ByteBuffer packed() {
            return packed;
        }

        boolean isNew() {
            return duplicates < size;
        }

        int duplicates() {
            return duplicates;
        }

        boolean isRefused() {
            return refusal != null;
        }

        void refuse(RuntimeException reason) {
            refusal = reason;
        }

        /** It holds memory that is given back so. */
        void holding(Runnable giveBack) {
            release = giveBack;
        }

        /** Gives its memory back, once. */
        void release() {
            release.run();
            release = () -> {};
        }

        /** Tells whoever waits for it. */
        void answer() {
            if (refusal != null) {
                ack.completeExceptionally(refusal);
            } else {
                ack.complete(promise);
            }
        }
    }

    /** Any thread: checks a batch as far as it can be without what came before, and does the work that needs no order. */
    Submission prepare(Batch batch) {
        // Delays may be chosen while the batch waits; the stream refuses its pairs then, and counts them.
        int lags = delays.getAsInt();
        if (batch.kind() == Batch.Kind.PAIRS && lags > 0) {
            throw new InvalidSampleException(
                    Reason.PAIR_WITH_DELAYS,
                    -1,
                    "the model builds states from " + (lags + 1) + " observations: send states in order, not pairs");
        }
        int known = dimension;
        if (known == 0) {
            known = batch.dimension();
            settings.requireDimension(known);
        }
        requireFits(batch, known);
        Submission submission = new Submission(batch);
        submission.hashes = batch.hashesOfNumbered();
        submission.packed = batch.packed();
        return submission;
    }

    private void requireFits(Batch batch, int known) {
        if (batch.dimension() != known) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    "states have " + batch.dimension() + " coordinates, those of the model " + known);
        }
        Rkhs space = kernel == null ? null : new Rkhs(kernel, known);
        if (batch.kind() == Batch.Kind.ROWS) {
            // A source goes on whatever it finds; what cannot be learned from is counted.
            return;
        }
        boolean pairs = batch.kind() == Batch.Kind.PAIRS;
        double[] row = new double[known];
        double[] values = batch.values();
        for (int i = 0; i < values.length; i += row.length) {
            System.arraycopy(values, i, row, 0, row.length);
            if (!isPlain(row) || (space != null && kernel.objection(space.view(), row) != null)) {
                int item = i / row.length;
                String name = pairs ? (item % 2 == 0 ? "x[" : "xNext[") + item / 2 + "]" : "states[" + item + "]";
                Rkhs.requirePoint(row, known, name);
                space.requireSample(row, name);
            }
        }
    }

    private static boolean isPlain(double[] row) {
        for (double value : row) {
            if (!(Math.abs(value) <= Rkhs.MAX_COORDINATE)) {
                return false;
            }
        }
        return true;
    }

    /** Where accepted batches go before they are acknowledged: all of a call, or none. */
    interface Log {
        void append(List<ByteBuffer> records);
    }

    /**
     * Accepts what can be accepted of some batches, in order, and has it in the log when it returns. Nobody is {@linkplain Submission#answer told}.
     *
     * @return what is new, in the order of the log
     * @throws RuntimeException that of the log; nothing was accepted then, and the caller refuses them
     */
    List<Submission> accept(List<Submission> group, Log log) {
        Map<String, StreamLedger> before = new HashMap<>();
        List<String> newStreams = new ArrayList<>();
        int dimensionBefore = dimension;
        long samplesBefore = samples;
        List<Submission> fresh = new ArrayList<>(group.size());
        List<ByteBuffer> records = new ArrayList<>(group.size());
        for (Submission submission : group) {
            try {
                stage(submission, before, newStreams);
                if (submission.isNew()) {
                    fresh.add(submission);
                    records.add(submission.packed());
                }
            } catch (KoopstreamException e) {
                submission.refuse(e);
            }
        }
        try {
            if (!records.isEmpty()) {
                log.append(records);
            }
        } catch (RuntimeException e) {
            newStreams.forEach(ledgers::remove);
            ledgers.putAll(before);
            dimension = dimensionBefore;
            samples = samplesBefore;
            throw e;
        }
        return fresh;
    }

    private void stage(Submission submission, Map<String, StreamLedger> before, List<String> newStreams) {
        Batch batch = submission.batch();
        if (dimension != 0 && batch.dimension() != dimension) {
            // Checked before; only two first batches at once get here.
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    "states have " + batch.dimension() + " coordinates, those of the model " + dimension);
        }
        String stream = batch.stream();
        boolean known = ledgers.containsKey(stream);
        if (!known && ledgers.size() >= maxStreams) {
            throw new LimitException(
                    "stream '" + stream + "': the model has " + maxStreams + " streams already; use one of them",
                    maxStreams);
        }
        StreamLedger ledger = ledgers.get(stream);
        int duplicates = 0;
        if (batch.isNumbered() && ledger != null) {
            duplicates = ledger.duplicates(stream, batch.first(), submission.hashes());
        }
        // From here on nothing is refused.
        if (!known) {
            newStreams.add(stream);
            ledgers.put(stream, null);
        }
        if (batch.isNumbered()) {
            if (known && !newStreams.contains(stream) && !before.containsKey(stream)) {
                before.put(stream, ledger == null ? null : ledger.copy());
            }
            StreamLedger entered = ledger == null ? new StreamLedger(batch.first()) : ledger;
            entered.accept(submission.hashes(), duplicates);
            ledgers.put(stream, entered);
        }
        if (dimension == 0) {
            dimension = batch.dimension();
        }
        submission.duplicates = duplicates;
        if (duplicates > 0) {
            submission.batch = batch.from(duplicates);
            submission.hashes = java.util.Arrays.copyOfRange(submission.hashes, duplicates, submission.hashes.length);
            submission.packed = duplicates < submission.size ? submission.batch.packed() : null;
        }
        samples += submission.size - duplicates;
        long next = batch.isNumbered() ? ledgers.get(stream).next() : -1;
        submission.promise = new Ack(submission.size - duplicates, duplicates, samples, next, durability);
    }
}
