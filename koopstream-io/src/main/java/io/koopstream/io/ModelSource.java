package io.koopstream.io;

import io.koopstream.io.ModelFormatException.Reason;
import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Bytes of a known number, read once from front to back, so that what was checked is what is used. */
final class ModelSource {

    private final String name;
    private final long size;
    private final Bytes bytes;
    /** Gives the CRC that follows the bytes; null where a SHA-256 is within them. */
    private final DataInput frame;

    private ModelSource(String name, long size, DataInput frame, Bytes bytes) {
        this.name = name;
        this.size = size;
        this.frame = frame;
        this.bytes = bytes;
    }

    /** What a reader does with an open file. */
    interface Use<T> {
        T with(ModelSource source);
    }

    /** Gives the bytes. */
    private interface Bytes {
        /** Reads some bytes, at most as many as fit, into a buffer on the heap; less than 0 at the end. */
        int read(ByteBuffer target) throws IOException;
    }

    /** The bytes between the buffer's position and its limit; the buffer itself stays as it is. */
    static ModelSource of(ByteBuffer buffer) {
        ByteBuffer left = buffer.duplicate();
        return new ModelSource("model bytes", left.remaining(), null, target -> {
            int count = Math.min(target.remaining(), left.remaining());
            target.put(left.slice(left.position(), count));
            left.position(left.position() + count);
            return count == 0 ? -1 : count;
        });
    }

    /** The bytes between their number and their CRC, or behind their number and checked by themselves, as they once were. */
    static ModelSource of(DataInput data, boolean framed) throws IOException {
        long length;
        try {
            length = data.readLong();
        } catch (EOFException e) {
            // As long as nothing: the reader has the words for it.
            length = 0;
        }
        return new ModelSource("model bytes", Math.max(0, length), framed ? data : null, target -> {
            int count = target.remaining();
            data.readFully(target.array(), target.arrayOffset() + target.position(), count);
            target.position(target.limit());
            return count;
        });
    }

    /** A number of bytes of a stream. */
    static ModelSource of(InputStream stream, long length) {
        return new ModelSource("model bytes", length, null, target -> {
            int count = stream.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
            target.position(target.position() + Math.max(0, count));
            return count;
        });
    }

    /** Opens a file, uses it and closes it. */
    static <T> T open(Path path, Use<T> use) {
        try {
            // Opening a pipe would wait for a writer, so the kind of file is looked at first.
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                String kind = Files.isDirectory(path) ? "it is a directory" : "it is not a regular file";
                throw new FileSystemException(path.toString(), null, kind);
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                return use.with(new ModelSource(path.toString(), channel.size(), null, channel::read));
            }
        } catch (UncheckedIOException e) {
            throw new ModelAccessException("read", path, e.getCause());
        } catch (IOException e) {
            throw new ModelAccessException("read", path, e);
        }
    }

    /** True if a CRC of the bytes follows them, instead of a SHA-256 within them. */
    boolean isFramed() {
        return frame != null;
    }

    /** The CRC that follows, when all bytes were read. */
    int crc() {
        try {
            return frame.readInt();
        } catch (EOFException e) {
            throw fault(Reason.TRUNCATED, -1, "a checksum", "the end");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number of bytes. */
    long size() {
        return size;
    }

    /** Reads until the target is full. */
    void fill(ByteBuffer target) {
        try {
            while (target.hasRemaining()) {
                if (bytes.read(target) < 0) {
                    throw new EOFException();
                }
            }
        } catch (EOFException e) {
            throw fault(Reason.TRUNCATED, -1, size + " bytes", "fewer");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The error to throw about these bytes. */
    ModelFormatException fault(Reason reason, long offset, String expected, String actual) {
        return new ModelFormatException(reason, name, offset, expected, actual, null);
    }

    /** The error to throw about these bytes, found by the core. */
    ModelFormatException fault(Reason reason, long offset, String expected, RuntimeException cause) {
        return new ModelFormatException(reason, name, offset, expected, cause.getMessage(), cause);
    }
}
