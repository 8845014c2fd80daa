package io.koopstream.server.feed;

import io.koopstream.server.durable.StorageFullException;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.BusyException;
import io.koopstream.server.engine.LiveModel;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Sends batches of a source one after another, waiting while the model has no room or the disk none: the source is not read meanwhile. */
final class Submitter {

    private static final long DISK_PAUSE_MILLIS = 1_000;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final LiveModel model;

    Submitter(LiveModel model) {
        this.model = model;
    }

    /** Returns when the batch is acknowledged. */
    Ack send(Batch batch) throws InterruptedException {
        while (true) {
            try {
                return model.submit(batch).get();
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
