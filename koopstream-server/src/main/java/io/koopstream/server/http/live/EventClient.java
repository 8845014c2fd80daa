package io.koopstream.server.http.live;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A listener to an event stream. Keeps at most one event that was not taken yet, and never waits. */
final class EventClient implements WriteListener {

    private final String model;
    /** The last row whose score was told; negative where scores are not wanted. The telling thread's own. */
    private long since;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final long patienceNanos;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private ServletOutputStream out;
    private byte[] pending;
    private boolean ends;
    private boolean flushing;
    private boolean isNew = true;
    private long lastWrite = System.nanoTime();

    EventClient(
            String model, long since, HttpServletRequest request, HttpServletResponse response, long patienceNanos) {
        this.model = model;
        this.since = since;
        this.request = request;
        this.response = response;
        this.patienceNanos = patienceNanos;
    }

    String model() {
        return model;
    }

    long since() {
        return since;
    }

    void since(long row) {
        since = row;
    }

    /** Whether it has taken all that was sent; drops it when it has taken nothing for too long. */
    synchronized boolean isFree(long now) {
        boolean busy = pending != null || !request.isAsyncStarted();
        if (pending != null && now - lastWrite > patienceNanos) {
            drop();
        }
        return !busy;
    }

    /** Completes when the client left or was dropped. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    /** Whether nothing was sent to it yet. */
    synchronized boolean isNew() {
        return isNew;
    }

    /** When it last took something. */
    synchronized long lastWrite() {
        return lastWrite;
    }

    /** Sends an event, in place of one that still waits; drops the client when it has taken nothing for too long. */
    synchronized void offer(byte[] event, long now) {
        if (gone.isDone() || !begin()) {
            return;
        }
        if (pending != null && now - lastWrite > patienceNanos) {
            drop();
            return;
        }
        isNew = false;
        pending = event;
        drain();
    }

    /** Sends a last event and ends the stream. */
    synchronized void last(byte[] event) {
        if (gone.isDone() || !begin()) {
            return;
        }
        ends = true;
        pending = event;
        drain();
    }

    private boolean begin() {
        if (out != null) {
            return true;
        }
        // The servlet container must have let go of the request first.
        if (!request.isAsyncStarted()) {
            return false;
        }
        try {
            out = response.getOutputStream();
            out.setWriteListener(this);
        } catch (IOException | IllegalStateException e) {
            drop();
            return false;
        }
        return true;
    }

    private void drain() {
        try {
            while (!gone.isDone() && (pending != null || flushing) && out.isReady()) {
                if (flushing) {
                    flushing = false;
                    out.flush();
                    if (ends && pending == null) {
                        drop();
                    }
                } else {
                    byte[] event = pending;
                    pending = null;
                    lastWrite = System.nanoTime();
                    flushing = true;
                    out.write(event);
                }
            }
        } catch (IOException | IllegalStateException e) {
            drop();
        }
    }

    /** Ends it. */
    void drop() {
        gone.complete(null);
    }

    @Override
    public synchronized void onWritePossible() {
        drain();
    }

    @Override
    public void onError(Throwable error) {
        drop();
    }
}
