package io.koopstream.server.durable;

import io.koopstream.io.EncodableText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Numbers and texts one after another as bytes, little-endian; {@link Unpacker} reads them. One writer. */
public final class Packer {

    private ByteBuffer bytes;

    /** With room for some bytes; it grows. */
    public Packer(int room) {
        bytes = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer room(long needed) {
        if (bytes.remaining() < needed) {
            int size = Math.toIntExact(Math.max(bytes.position() + needed, 2L * bytes.position()));
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), size))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(bytes.position());
        }
        return bytes;
    }

    /** One byte, 0 or 1. */
    public Packer put(boolean value) {
        room(1).put((byte) (value ? 1 : 0));
        return this;
    }

    /** One byte. */
    public Packer put(byte value) {
        room(1).put(value);
        return this;
    }

    /** Four bytes. */
    public Packer put(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    /** Eight bytes. */
    public Packer put(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /** Eight bytes, every bit of them. */
    public Packer put(double value) {
        return put(Double.doubleToRawLongBits(value));
    }

    /** Its length in UTF-8 and the bytes. */
    public Packer put(String text) {
        byte[] utf8 = EncodableText.utf8(text);
        put(utf8.length);
        room(utf8.length).put(utf8);
        return this;
    }

    /** Numbers, without how many there are. */
    public Packer put(double[] values, int from, int to) {
        int count = to - from;
        ByteBuffer target = room((long) count * Double.BYTES);
        target.asDoubleBuffer().put(values, from, count);
        target.position(target.position() + count * Double.BYTES);
        return this;
    }

    /** Numbers, without how many there are. */
    public Packer put(long[] values) {
        ByteBuffer target = room((long) values.length * Long.BYTES);
        target.asLongBuffer().put(values);
        target.position(target.position() + values.length * Long.BYTES);
        return this;
    }

    /** Bytes, without how many there are; the buffer they come from stays as it is. */
    public Packer put(ByteBuffer more) {
        room(more.remaining()).put(more.duplicate());
        return this;
    }

    /** How many bytes were put so far. */
    public int size() {
        return bytes.position();
    }

    /** Forgets what was put; keeps the memory. */
    public void clear() {
        bytes.clear();
    }

    /** What was put so far, ready to be read; shares the memory. */
    public ByteBuffer packed() {
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
    }

    /** What was put so far, copied. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
