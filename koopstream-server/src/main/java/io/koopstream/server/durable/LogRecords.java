package io.koopstream.server.durable;

import io.koopstream.io.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Records of a log that {@link ModelStore#recover} has found whole, handed out one after another, so that they can be learned while others are appended. One reader;
 * it holds one file of the log in memory, until it {@linkplain #letGo lets go}.
 */
public final class LogRecords {

    private final Storage storage;
    private final Path directory;
    private final ModelId id;
    private final SegmentList segments;
    private final long last;
    private long next;
    private Segment segment;
    private int offset;

    /**
     * @param next the first record wanted
     * @param last the last one
     */
    LogRecords(Storage storage, Path directory, ModelId id, SegmentList segments, long next, long last) {
        this.storage = storage;
        this.directory = directory;
        this.id = id;
        this.segments = segments;
        this.next = next;
        this.last = last;
    }

    /** Whether there are more. */
    public boolean hasNext() {
        return next <= last;
    }

    /** Where the record that was handed out last is, for messages. */
    public String source() {
        return segment.name();
    }

    /**
     * The contents of the next record.
     *
     * @throws DamagedDataException if it is not there any more
     * @throws StorageFailedException if it cannot be read
     */
    public ByteBuffer next() {
        Segment.Frame frame = segment == null ? null : find();
        if (frame == null) {
            String name = segments.fileName(segments.holding(next));
            try {
                segment = new Segment(id, name, storage.read(directory.resolve(name)));
            } catch (IOException e) {
                throw StorageFailedException.of("reading " + name, e);
            }
            offset = 0;
            frame = find();
            if (frame == null) {
                throw new DamagedDataException(name, -1, "record " + next + ", which was there", "damaged bytes");
            }
        }
        offset = frame.end();
        next++;
        return segment.contents(frame);
    }

    /** Where the last record ended the next one begins; anything before the first one, and what a crash left at the end of a file, is passed over. */
    private Segment.Frame find() {
        Segment.Frame frame = segment.search(offset, next);
        return frame != null && frame.number() == next ? frame : null;
    }

    /** Frees the memory; the file is read again when the next record is wanted. */
    public void letGo() {
        segment = null;
    }
}
