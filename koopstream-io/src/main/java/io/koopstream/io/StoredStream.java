package io.koopstream.io;

import io.koopstream.stream.LearningStreamState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a stream's state in a model file, which are made a state only when somebody goes on from it. Immutable. */
public final class StoredStream {

    private final byte[] bytes;

    StoredStream(byte[] bytes) {
        this.bytes = bytes;
    }

    /** From the numbers of a tensor. */
    static StoredStream of(long[] numbers, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asLongBuffer().put(numbers);
        return new StoredStream(java.util.Arrays.copyOf(buffer.array(), length));
    }

    int length() {
        return bytes.length;
    }

    /** As the numbers of a tensor, zeros after the last byte. */
    long[] numbers() {
        long[] numbers = new long[(bytes.length + Long.BYTES - 1) / Long.BYTES];
        ByteBuffer.wrap(java.util.Arrays.copyOf(bytes, numbers.length * Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(numbers);
        return numbers;
    }

    /** The state, checked. */
    LearningStreamState state() {
        return StreamFile.decode(bytes);
    }
}
