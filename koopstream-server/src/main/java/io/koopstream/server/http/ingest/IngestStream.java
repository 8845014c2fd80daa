package io.koopstream.server.http.ingest;

import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.BusyException;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.error.Errors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Batches of one sender in their order, a few of them on their way at once. A full queue makes it wait, so that nothing more is read from
 * the sender: back-pressure instead of errors. Used by one thread.
 */
final class IngestStream {

    private static final int ON_THE_WAY = 4;

    private final LiveModel model;
    private final long patienceNanos;
    private final Deque<CompletableFuture<Ack>> waiting = new ArrayDeque<>();
    private long accepted;
    private long duplicates;
    private Ack last;

    IngestStream(LiveModel model, long patienceNanos) {
        this.model = model;
        this.patienceNanos = patienceNanos;
    }

    /** Sends a batch, waiting while there is no room. */
    void send(Batch batch) {
        if (waiting.size() == ON_THE_WAY) {
            awaitOldest();
        }
        long start = System.nanoTime();
        while (true) {
            CompletableFuture<Ack> promise = model.submit(batch);
            BusyException busy = busy(promise);
            if (busy == null) {
                waiting.add(promise);
                return;
            }
            awaitRoom(batch, patienceNanos - (System.nanoTime() - start), busy);
        }
    }

    /** A refusal for want of room is known at once. */
    private static BusyException busy(CompletableFuture<Ack> promise) {
        if (promise.isCompletedExceptionally()) {
            try {
                promise.join();
            } catch (java.util.concurrent.CompletionException e) {
                return e.getCause() instanceof BusyException busy ? busy : null;
            }
        }
        return null;
    }

    private void awaitRoom(Batch batch, long nanos, BusyException busy) {
        try {
            if (!model.awaitRoom(batch.size(), Duration.ofNanos(Math.max(0, nanos)))) {
                throw busy;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiError(Code.CLOSING, "the server is closing; send the rest again").retryAfter(1);
        }
    }

    private void awaitOldest() {
        add(await(waiting.remove(), patienceNanos));
    }

    private void add(Ack ack) {
        accepted += ack.accepted();
        duplicates += ack.duplicates();
        last = ack;
    }

    /** Waits until all is acknowledged. */
    Ack finish() {
        while (!waiting.isEmpty()) {
            awaitOldest();
        }
        if (last == null) {
            throw new ApiError(Code.BAD_REQUEST, "the body has no samples");
        }
        return new Ack(accepted, duplicates, last.samples(), last.next(), last.durability());
    }

    /** What became of the batches before the one that failed: they stay accepted. */
    long acceptedBeforeFailure() {
        while (!waiting.isEmpty()) {
            CompletableFuture<Ack> promise = waiting.remove();
            try {
                add(await(promise, patienceNanos));
            } catch (RuntimeException e) {
                break;
            }
        }
        return accepted;
    }

    /** Waits for an acknowledgement. */
    static Ack await(CompletableFuture<Ack> promise, long nanos) {
        try {
            return promise.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Errors.sneaky(e.getCause());
        } catch (TimeoutException e) {
            throw new ApiError(
                            Code.BUSY,
                            "not acknowledged in time; it may still be accepted: send it again with the same numbers")
                    .retryAfter(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiError(Code.CLOSING, "the server is closing; send it again").retryAfter(1);
        }
    }
}
