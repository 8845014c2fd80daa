package io.koopstream.server.http.guard;

import io.koopstream.server.engine.MemoryBudget;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpException;

/** The body of a request, of bounded size, that must have arrived by a given time. Ends with a typed error instead of waiting for ever. */
public final class BodyStream extends InputStream {

    /**
     * Bytes beyond the limit that are read and thrown away: a sender that is still writing when the connection is closed sees a broken pipe
     * instead of the answer that says why.
     */
    private static final long DISCARDED = 4 << 20;

    /** Bytes of numbers and objects for a byte of text, at the worst. */
    private static final long WHOLE_PER_BYTE = 16;

    /** What a body takes that is learned while it arrives. */
    private static final long STREAMED = 1 << 20;

    private final InputStream body;
    private final long limit;
    private final long deadline;
    private final boolean text;
    private final MemoryBudget memory;
    private final long perByte;
    private long held;
    private long read;

    /**
     * @param limit bytes it may have
     * @param deadline by {@link System#nanoTime}, when it must have arrived; {@link Long#MAX_VALUE} for none
     * @param text whether it is text, which is UTF-8
     * @param memory where the memory for it is taken from until it is closed
     */
    public BodyStream(InputStream body, long limit, long deadline, boolean text, MemoryBudget memory) {
        this.body = body;
        this.limit = limit;
        this.deadline = deadline;
        this.text = text;
        this.memory = memory;
        // What is read as a whole becomes numbers; what is learned while it arrives takes a buffer.
        this.perByte = deadline == Long.MAX_VALUE ? 0 : WHOLE_PER_BYTE;
        hold(deadline == Long.MAX_VALUE ? STREAMED : 0);
    }

    private void hold(long bytes) {
        if (!memory.tryTake(bytes)) {
            throw new ApiError(Code.BUSY, "not enough memory for the body now; send it again in a second")
                    .retryAfter(1);
        }
        held += bytes;
    }

    /** Gives its memory back. */
    @Override
    public void close() throws IOException {
        memory.give(held);
        held = 0;
        body.close();
    }

    /** Text in UTF-16 or UTF-32 shows in its first bytes. */
    private void requireUtf8(byte[] bytes, int offset, int count) {
        for (int i = 0; i < count && read + i < 4; i++) {
            byte b = bytes[offset + i];
            if (b == 0 || b == (byte) 0xfe || b == (byte) 0xff) {
                throw new ApiError(Code.UNSUPPORTED_TYPE, "the body is not UTF-8; send it in UTF-8");
            }
        }
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
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof HttpException) {
                    throw new ApiError(
                            Code.BAD_REQUEST,
                            "the body was cut off, or is not in valid chunked encoding: send all of it, with its length or as chunks");
                }
            }
            // The connection went quiet or away; nobody is likely to read this.
            throw new ApiError(Code.TIMEOUT, "the body ended early");
        }
        if (count > 0) {
            if (text) {
                requireUtf8(bytes, offset, count);
            }
            hold(perByte * count);
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
