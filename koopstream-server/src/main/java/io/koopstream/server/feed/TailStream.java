package io.koopstream.server.feed;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;

/**
 * A file that grows, as a stream that waits at its end. It ends when the file was replaced (after the rest of the old one was read), cut, or
 * written anew in place.
 */
final class TailStream extends InputStream {

    private static final long POLL_MILLIS = 50;
    private static final int HEAD = 256;

    /** What is done before it waits. */
    interface Pause {
        void run() throws InterruptedException;
    }

    private final Path file;
    private final FileChannel channel;
    private final Object key;
    private final Pause pause;
    private byte[] head = new byte[0];
    private long position;
    private boolean ended;

    TailStream(Path file, Pause pause) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.key = key();
        this.pause = pause;
    }

    private Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            boolean paused = false;
            while (!ended) {
                if (wasRewritten()) {
                    ended = true;
                    break;
                }
                int count = channel.read(ByteBuffer.wrap(bytes, offset, length), position);
                if (count > 0) {
                    position += count;
                    return count;
                }
                if (wasReplaced()) {
                    // What was written between the last look and the replacement.
                    count = channel.read(ByteBuffer.wrap(bytes, offset, length), position);
                    if (count > 0) {
                        position += count;
                        return count;
                    }
                    ended = true;
                    break;
                }
                if (!paused) {
                    pause.run();
                    paused = true;
                }
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("asked to stop");
        }
        return -1;
    }

    /** Whether it is shorter than what was read, or begins otherwise. */
    private boolean wasRewritten() throws IOException {
        long size = channel.size();
        if (size < position) {
            return true;
        }
        int length = (int) Math.min(HEAD, size);
        ByteBuffer start = ByteBuffer.allocate(length);
        while (start.hasRemaining() && channel.read(start, start.position()) > 0) {
            // Until it is full.
        }
        byte[] now = Arrays.copyOf(start.array(), start.position());
        boolean same = now.length >= head.length && Arrays.equals(head, Arrays.copyOf(now, head.length));
        if (same) {
            head = now;
        }
        return !same;
    }

    private boolean wasReplaced() throws IOException {
        try {
            return !Objects.equals(key, key());
        } catch (NoSuchFileException e) {
            // Moved away; the new one is not there yet.
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
