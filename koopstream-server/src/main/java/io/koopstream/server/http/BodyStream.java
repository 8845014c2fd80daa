package io.koopstream.server.http;

import io.koopstream.server.http.ApiError.Code;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request, of bounded size, that must have arrived by a given time. Ends with a typed error instead of waiting for ever. */
final class BodyStream extends InputStream {

    private final InputStream body;
    private final long limit;
    private final long deadline;
    private long read;

    /**
     * @param limit bytes it may have
     * @param deadline by {@link System#nanoTime}, when it must have arrived; {@link Long#MAX_VALUE} for none
     */
    BodyStream(InputStream body, long limit, long deadline) {
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
            throw tooLarge(limit);
        }
        if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
            throw new ApiError(Code.TIMEOUT, "the body did not arrive in time; send smaller batches");
        }
        return count;
    }
}
