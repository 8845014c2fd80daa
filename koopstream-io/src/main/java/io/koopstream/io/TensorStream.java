package io.koopstream.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The data of a model as numbers, in order. What is taken from it has gone through the checksum. */
final class TensorStream {

    private static final int BUFFER = 1 << 16;

    private final ModelSource source;
    private final Checksum checksum;
    private final ByteBuffer buffer;
    private long loaded;

    /**
     * @param source read from
     * @param checksum told every byte
     * @param start where the data begins in the file, which is where the source stands
     */
    TensorStream(ModelSource source, Checksum checksum, long start) {
        this.source = source;
        this.checksum = checksum;
        this.loaded = start;
        this.buffer = ByteBuffer.allocate((int) Math.min(BUFFER, source.size() - start))
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(0);
    }

    /** The place in the file of the next number. */
    long offset() {
        return loaded - buffer.remaining();
    }

    /** The next numbers. */
    void next(double[] target, int count) {
        for (int from = 0; from < count; ) {
            int some = Math.min(count - from, loaded());
            buffer.asDoubleBuffer().get(target, from, some);
            buffer.position(buffer.position() + some * Double.BYTES);
            from += some;
        }
    }

    /** The next whole numbers. */
    void next(long[] target) {
        for (int from = 0; from < target.length; ) {
            int some = Math.min(target.length - from, loaded());
            buffer.asLongBuffer().get(target, from, some);
            buffer.position(buffer.position() + some * Long.BYTES);
            from += some;
        }
    }

    /** How many numbers are there without loading more, at least one. */
    private int loaded() {
        load();
        return buffer.remaining() / Long.BYTES;
    }

    /** Passes over everything that is left. */
    void skipRest() {
        buffer.position(buffer.limit());
        while (loaded < source.size()) {
            load();
            buffer.position(buffer.limit());
        }
    }

    private void load() {
        if (!buffer.hasRemaining()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), source.size() - loaded));
            source.fill(buffer);
            checksum.update(buffer.flip());
            buffer.rewind();
            loaded += buffer.limit();
        }
    }
}
