package io.koopstream.server.http.guard;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request, of bounded size, that must have arrived by a given time. Ends with a typed error instead of waiting for ever. */
public final class BodyStream extends InputStream {

    /**
     * Bytes beyond the limit that are read and thrown away: a sender that is still writing when the connection is closed sees a broken pipe
     * instead of the answer that says why.
     */
    private static final long DISCARDED = 4 << 20;

    private final InputStream body;
    private final long limit;
    private final long deadline;
    private long read;

    /**
     * @param limit bytes it may have
     * @param deadline by {@link System#nanoTime}, when it must have arrived; {@link Long#MAX_VALUE} for none
     */
    public BodyStream(InputStream body, long limit, long deadline) {
        this.body = body;
        this.limit = limit;
        this.deadline = deadline;
    }

    static ApiError tooLarge(long limit) {
        return new ApiError(
                Code.TOO_LARGE,
                "the body is larger than " + limit
                        + " bytes; send smaller batches, or stream it as application/x-ndjson");
    }

    /** A body that is larger than the limit by what its sender says. */
    public ApiError refusedByLength(long length) {
        return length - limit > DISCARDED ? tooLarge(limit) : refused();
    }

    private ApiError refused() {
        byte[] rest = new byte[1 << 14];
        long most = limit + DISCARDED;
        int count = 0;
        try {
            while (count >= 0 && read <= most && !isLate()) {
                read += count;
                count = body.read(rest);
            }
        } catch (IOException e) {
            // The sender has gone, and what it sent is refused anyway.
        }
        return tooLarge(limit);
    }

    private boolean isLate() {
        return deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count;
        try {
            count = body.read(bytes, offset, length);
        } catch (IOException e) {
            // The connection went quiet or away; nobody is likely to read this.
            throw new ApiError(Code.TIMEOUT, "the body stopped before its end");
        }
        if (count > 0) {
            read += count;
        }
        if (read > limit) {
            throw refused();
        }
        if (isLate()) {
            throw new ApiError(Code.TIMEOUT, "the body did not arrive in time; send smaller batches");
        }
        return count;
    }
}
