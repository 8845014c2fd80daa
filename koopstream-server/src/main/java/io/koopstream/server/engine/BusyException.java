package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;
import java.time.Duration;

/** The queue of a model is full. Nothing of the batch was accepted. */
public final class BusyException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    /**
     * @param waiting samples in the queue
     * @param most samples it holds
     * @param retryAfter when to try again
     */
    BusyException(long waiting, long most, Duration retryAfter) {
        super(waiting + " samples are queued and the limit is " + most
                + ": nothing was accepted; send the batch again in " + retryAfter.toMillis() + " ms");
        this.retryAfter = retryAfter;
    }

    /** @param memory how much of it is taken, in words */
    BusyException(String memory, Duration retryAfter) {
        super("not enough memory for the batch now (" + memory + "): nothing was accepted; send it again in "
                + retryAfter.toMillis() + " ms");
        this.retryAfter = retryAfter;
    }

    private BusyException(Duration retryAfter, String what) {
        super(what);
        this.retryAfter = retryAfter;
    }

    /** The files of a model are being read since the server was started. */
    static BusyException opening(String model) {
        return new BusyException(
                Duration.ofSeconds(2),
                "model " + model
                        + " is being opened, which takes longer the more of its log has no snapshot yet; ask again in 2 s");
    }

    /** When to try again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
