package io.koopstream.server.engine;

import io.koopstream.KoopstreamException;

/** One more than is allowed of something: models, streams, samples in a batch. Nothing was accepted. */
public final class LimitException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final long limit;

    /**
     * @param what what there is too much of, and what to do
     * @param limit how many are allowed
     */
    public LimitException(String what, long limit) {
        super(what);
        this.limit = limit;
    }

    /** How many are allowed. */
    public long limit() {
        return limit;
    }
}
