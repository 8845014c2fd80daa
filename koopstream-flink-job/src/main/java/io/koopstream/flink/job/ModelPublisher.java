package io.koopstream.flink.job;

import io.koopstream.flink.ModelParts;
import io.koopstream.flink.ModelRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Puts the parts of a model together and sends it on: small ones as they are, large ones as a file and a pointer to it. Several files are written at a
 * time, beside the caller's thread, because object storage takes some tens of milliseconds for each; models are sent in the order in which they came.
 *
 * <p>The parts of a version leave the learner within one call, so a checkpoint never falls between them, and whatever waits is sent before its barrier: there
 * is no state. A file is complete before its pointer is sent. An old file is deleted only when a newer pointer has been committed for a whole checkpoint, so
 * that whoever reads committed records finds the file. One thread calls.
 */
final class ModelPublisher implements AutoCloseable {

    /** Files written at once: requests of object storage take ten times as long as those of a disk. */
    private static final int WRITERS = 10;

    private final ModelStore store;
    private final long largestRecord;
    private final int keep;
    private final Consumer<Outgoing> out;
    private final ModelParts arriving = new ModelParts();
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS, task -> {
        Thread thread = new Thread(task, "koop-model-writer");
        thread.setDaemon(true);
        return thread;
    });
    /** Models in the order in which they came, while their files are written. */
    private final Deque<Future<Outgoing>> waiting = new ArrayDeque<>();
    /** Newest file of each stream since the last checkpoint began. */
    private Map<String, Long> written = new HashMap<>();
    /** Newest files that belong to checkpoints which are not known to be complete. */
    private final NavigableMap<Long, Map<String, Long>> awaiting = new TreeMap<>();
    /** Newest files whose pointers were committed by a checkpoint before the last complete one. */
    private final Map<String, Long> committed = new HashMap<>();

    private List<Future<?>> prunings = new ArrayList<>();

    /**
     * @param largestRecord bytes that a model may have to be sent as it is; -1 where all are files
     * @param keep files to keep of each stream
     */
    ModelPublisher(ModelStore store, long largestRecord, int keep, Consumer<Outgoing> out) {
        this.store = store;
        this.largestRecord = largestRecord;
        this.keep = keep;
        this.out = out;
    }

    /** Takes the next part of a model; sends what is ready, and waits while as many models wait as files are written at once. */
    void add(ModelRecord record) throws IOException, InterruptedException {
        Optional<ModelParts> whole = arriving.add(record);
        if (whole.isPresent()) {
            waiting.add(publish(whole.get()));
        }
        while (!waiting.isEmpty() && (waiting.getFirst().isDone() || waiting.size() > WRITERS)) {
            out.accept(result(waiting.removeFirst()));
        }
    }

    private Future<Outgoing> publish(ModelParts model) throws IOException, InterruptedException {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : model.parts) {
            joined.writeBytes(part);
        }
        byte[] bytes = joined.toByteArray();
        String key = model.key;
        long version = model.version;
        if (bytes.length <= largestRecord) {
            return CompletableFuture.completedFuture(
                    Outgoing.model(key, version, ModelPointer.checksum(bytes), false, bytes));
        }
        if (Objects.equals(written.put(key, version), version)) {
            // The end of a stream publishes its last version again: not while that is being written.
            flush();
        }
        return writers.submit(() -> {
            String path = store.write(key, version, bytes).toString();
            String checksum = ModelPointer.checksum(bytes);
            byte[] pointer = new ModelPointer(key, version, path, bytes.length, checksum).json();
            return Outgoing.model(key, version, checksum, true, pointer);
        });
    }

    private static <T> T result(Future<T> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IOException("a model cannot be published: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Waits for all files and sends their pointers. */
    void flush() throws IOException, InterruptedException {
        while (!waiting.isEmpty()) {
            out.accept(result(waiting.removeFirst()));
        }
        for (Future<?> pruning : prunings) {
            result(pruning);
        }
        prunings = new ArrayList<>();
    }

    /** Sends everything that belongs to a checkpoint. */
    void checkpoint(long checkpoint) throws IOException, InterruptedException {
        flush();
        awaiting.put(checkpoint, written);
        written = new HashMap<>();
    }

    /** Transactions are committed at this same moment, in no promised order: what is pruned now are files that an earlier one made old. */
    void complete(long checkpoint) {
        committed.forEach((key, version) -> prunings.add(writers.submit(() -> {
            store.prune(key, version, keep);
            return null;
        })));
        committed.clear();
        Map<Long, Map<String, Long>> complete = awaiting.headMap(checkpoint, true);
        complete.values().forEach(committed::putAll);
        complete.clear();
    }

    @Override
    public void close() {
        writers.shutdownNow();
    }
}
