package io.koopstream.server.durable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads what a {@link Packer} wrote. No length in the bytes makes it take more memory than the bytes themselves. */
public final class Unpacker {

    private final ByteBuffer bytes;
    private final String source;
    private final int start;

    /**
     * @param bytes between position and limit; the buffer itself stays as it is
     * @param source what they are, for messages
     */
    public Unpacker(ByteBuffer bytes, String source) {
        this.bytes = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.source = source;
        this.start = bytes.position();
    }

    private ByteBuffer have(long needed) {
        if (needed < 0 || needed > bytes.remaining()) {
            throw fault(needed + " more bytes", bytes.remaining() + " bytes");
        }
        return bytes;
    }

    /** What the bytes are, for messages. */
    public String source() {
        return source;
    }

    /** The error to throw about these bytes. */
    public DamagedDataException fault(String expected, String actual) {
        return new DamagedDataException(source, position(), expected, actual);
    }

    /** A byte, 0 or 1. */
    public boolean flag() {
        byte value = have(1).get();
        if (value != 0 && value != 1) {
            throw fault("0 or 1", Byte.toString(value));
        }
        return value == 1;
    }

    /** A byte from 0 to 255. */
    public int small() {
        return Byte.toUnsignedInt(have(1).get());
    }

    /** Four bytes. */
    public int whole() {
        return have(Integer.BYTES).getInt();
    }

    /** Four bytes that say how many items of a size follow. */
    public int count(long bytesEach) {
        int count = whole();
        if (count < 0 || count * bytesEach > bytes.remaining()) {
            throw fault("a count of items of " + bytesEach + " bytes that are there", Integer.toString(count));
        }
        return count;
    }

    /** Eight bytes. */
    public long number() {
        return have(Long.BYTES).getLong();
    }

    /** Eight bytes, every bit of them. */
    public double real() {
        return Double.longBitsToDouble(number());
    }

    /** A text. */
    public String text() {
        int length = count(1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes(length)).toString();
        } catch (CharacterCodingException e) {
            throw fault("text in UTF-8", "other bytes");
        }
    }

    /** Numbers. */
    public double[] reals(int count) {
        have((long) count * Double.BYTES);
        double[] values = new double[count];
        bytes.asDoubleBuffer().get(values);
        bytes.position(bytes.position() + count * Double.BYTES);
        return values;
    }

    /** Numbers. */
    public long[] numbers(int count) {
        have((long) count * Long.BYTES);
        long[] values = new long[count];
        bytes.asLongBuffer().get(values);
        bytes.position(bytes.position() + count * Long.BYTES);
        return values;
    }

    /** Bytes, shared. */
    public ByteBuffer bytes(long count) {
        have(count);
        ByteBuffer part = bytes.slice(bytes.position(), (int) count);
        bytes.position(bytes.position() + (int) count);
        return part;
    }

    /** How many bytes were read. */
    public int position() {
        return bytes.position() - start;
    }

    /** Whether there are more bytes. */
    public boolean hasMore() {
        return bytes.hasRemaining();
    }

    /** Refuses bytes that nobody asked for. */
    public void requireEnd() {
        if (bytes.hasRemaining()) {
            throw fault("the end", bytes.remaining() + " more bytes");
        }
    }
}
