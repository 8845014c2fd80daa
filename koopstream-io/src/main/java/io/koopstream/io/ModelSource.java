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
abstract class ModelSource {

    private final String name;
    private final long size;

    private ModelSource(String name, long size) {
        this.name = name;
        this.size = size;
    }

    /** What a reader does with an open file. */
    interface Use<T> {
        T with(ModelSource source);
    }

    /** The bytes between the buffer's position and its limit; the buffer itself stays as it is. */
    static ModelSource of(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.duplicate();
        return new ModelSource("model bytes", bytes.remaining()) {
            @Override
            boolean read(ByteBuffer target) {
                if (!bytes.hasRemaining()) {
                    return false;
                }
                int count = Math.min(target.remaining(), bytes.remaining());
                target.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                return true;
            }
        };
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
        return streamed(Math.max(0, length), framed ? data : null, (bytes, from, count) -> {
            data.readFully(bytes, from, count);
            return count;
        });
    }

    /** So many bytes of a stream. */
    static ModelSource of(InputStream stream, long length) {
        return streamed(length, null, stream::read);
    }

    /** Takes the next bytes from somewhere. */
    private interface Bytes {
        /** Reads some, at most so many; returns how many, -1 at the end. */
        int read(byte[] bytes, int from, int count) throws IOException;
    }

    private static ModelSource streamed(long length, DataInput frame, Bytes source) {
        return new ModelSource("model bytes", length) {
            @Override
            boolean read(ByteBuffer target) {
                try {
                    int from = target.arrayOffset() + target.position();
                    int count = source.read(target.array(), from, target.remaining());
                    target.position(target.position() + Math.max(0, count));
                    return count >= 0;
                } catch (EOFException e) {
                    return false;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            boolean isFramed() {
                return frame != null;
            }

            @Override
            int crc() {
                try {
                    return frame.readInt();
                } catch (EOFException e) {
                    throw fault(Reason.TRUNCATED, -1, "a checksum", "the end");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
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
                return use.with(new ModelSource(path.toString(), channel.size()) {
                    @Override
                    boolean read(ByteBuffer target) {
                        try {
                            return channel.read(target) >= 0;
                        } catch (IOException e) {
                            throw new ModelAccessException("read", path, e);
                        }
                    }
                });
            }
        } catch (IOException e) {
            throw new ModelAccessException("read", path, e);
        }
    }

    /** Reads some bytes, at most as many as fit, into a buffer on the heap; false at the end. */
    abstract boolean read(ByteBuffer target);

    /** Whether a CRC of the bytes follows them, instead of a SHA-256 within them. */
    boolean isFramed() {
        return false;
    }

    /** The CRC that follows, when all bytes were read. */
    int crc() {
        throw new IllegalStateException("nothing follows");
    }

    /** How many bytes there are. */
    final long size() {
        return size;
    }

    /** Reads until the target is full. */
    final void fill(ByteBuffer target) {
        while (target.hasRemaining()) {
            if (!read(target)) {
                throw fault(Reason.TRUNCATED, -1, size + " bytes", "fewer");
            }
        }
    }

    /** The error to throw about these bytes. */
    final ModelFormatException fault(Reason reason, long offset, String expected, String actual) {
        return new ModelFormatException(reason, name, offset, expected, actual, null);
    }

    /** The error to throw about these bytes, found by the core. */
    final ModelFormatException fault(Reason reason, long offset, String expected, RuntimeException cause) {
        return new ModelFormatException(reason, name, offset, expected, cause.getMessage(), cause);
    }
}
