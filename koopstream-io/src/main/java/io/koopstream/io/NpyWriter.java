package io.koopstream.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes an NPY file (version 1, little endian, C order) of float64, complex128 or int64 whose first length need not be known before the end.
 */
public final class NpyWriter implements Closeable {

    /** What the numbers are. */
    public enum Kind {
        /** float64. */
        REAL("<f8", 1),
        /** complex128: real and imaginary parts alternate. */
        COMPLEX("<c16", 2),
        /** int64. */
        WHOLE("<i8", 1);

        private final String dtype;
        private final int parts;

        Kind(String dtype, int parts) {
            this.dtype = dtype;
            this.parts = parts;
        }
    }

    private static final int HEADER = 256;

    private final AtomicFile file;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    private final Kind kind;
    private final long[] rest;
    private long numbers;

    /**
     * @param place the file
     * @param kind what the numbers are
     * @param rest all lengths but the first
     */
    public NpyWriter(Path place, Kind kind, long... rest) throws IOException {
        this.kind = kind;
        this.rest = rest.clone();
        this.file = AtomicFile.begin(place);
        this.channel = FileChannel.open(file.path(), StandardOpenOption.WRITE);
        channel.position(HEADER);
    }

    /** The next numbers in C order; a complex number is two. */
    public void write(double... values) throws IOException {
        for (double value : values) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            if (kind == Kind.WHOLE) {
                buffer.putLong((long) value);
            } else {
                buffer.putDouble(value);
            }
        }
        numbers += values.length;
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** Writes the header and puts the file in its place. */
    public void commit() throws IOException {
        flush();
        long each = kind.parts;
        for (long length : rest) {
            each *= length;
        }
        if (each == 0 || numbers % each != 0) {
            throw new IllegalStateException(numbers + " numbers do not fill rows of " + each);
        }
        StringBuilder shape = new StringBuilder().append(numbers / each).append(',');
        for (long length : rest) {
            shape.append(' ').append(length).append(',');
        }
        String text = "{'descr': '" + kind.dtype + "', 'fortran_order': False, 'shape': (" + shape + "), }";
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) (HEADER - 10));
        header.put(text.getBytes(StandardCharsets.ISO_8859_1));
        while (header.position() < HEADER - 1) {
            header.put((byte) ' ');
        }
        header.put((byte) '\n').flip();
        channel.write(header, 0);
        channel.close();
        file.commit();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        file.close();
    }
}
