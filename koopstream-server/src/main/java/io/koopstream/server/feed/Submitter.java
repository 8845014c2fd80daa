package io.koopstream.server.feed;

import io.koopstream.io.samples.SampleReader;
import io.koopstream.server.durable.StorageFullException;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.BusyException;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.RowBatches;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Sends batches of a source one after another, waiting while the model has no room or the disk none: the source is not read meanwhile. */
final class Submitter implements RowBatches.Sender<InterruptedException> {

    private static final long DISK_PAUSE_MILLIS = 1_000;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Rows of a batch at most: enough that the log is not synced for a few of them. */
    private static final int MAX_ROWS = 1_000;

    private final LiveModel model;

    Submitter(LiveModel model) {
        this.model = model;
    }

    /** Rows of a source as batches that are sent here. */
    RowBatches<InterruptedException> batches(String stream, SampleReader reader, long next) {
        return new RowBatches<>(this, stream, reader, next, MAX_ROWS);
    }

    /** Returns when the batch is acknowledged. */
    @Override
    public void send(Batch batch) throws InterruptedException {
        while (true) {
            try {
                model.submit(batch).get();
                return;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof BusyException) {
                    while (!model.awaitRoom(batch.size(), PATIENCE)) {
                        // A source has all the time there is.
                    }
                } else if (e.getCause() instanceof StorageFullException) {
                    TimeUnit.MILLISECONDS.sleep(DISK_PAUSE_MILLIS);
                } else if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                } else {
                    throw new IllegalStateException(e.getCause());
                }
            }
        }
    }
}
