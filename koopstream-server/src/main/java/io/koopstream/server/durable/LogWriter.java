package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;
import io.koopstream.io.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of a log, where records are added. All records of a call are added or none; they are synced before the call returns when that was
 * asked for. After a sync that failed nothing is added any more: what is on the disk then is unknown, and trying again would make it look fine.
 *
 * <p>One writer.
 */
final class LogWriter {

    /** How far the log was acknowledged is noted with every group of records and synced with every so many; in between, and at rest, by {@link #syncAckRecord}. */
    private static final int GROUPS_UNTIL_SYNC = 64;

    private final Storage storage;
    private final Path directory;
    private final String model;
    private final ModelId id;
    private final Durability durability;
    private final long segmentBytes;
    private final SegmentList segments;
    private final AckFile acks;
    private final Packer frames = new Packer(1 << 12);
    private Storage.AppendFile file;
    private long length;
    private long last;
    private long synced;
    private int groups;
    private volatile String death;

    /** @param last number of the last record so far; everything up to it is safe elsewhere */
    LogWriter(
            Storage storage,
            Path directory,
            String model,
            ModelId id,
            Durability durability,
            long segmentBytes,
            SegmentList segments,
            AckFile acks,
            long last) {
        this.storage = storage;
        this.directory = directory;
        this.model = model;
        this.id = id;
        this.durability = durability;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        this.acks = acks;
        this.last = last;
        this.synced = last;
    }

    /** Why nothing can be added any more; null when it can. */
    String death() {
        return death;
    }

    void append(List<ByteBuffer> records) {
        if (death != null) {
            throw new StorageFailedException(death, null);
        }
        if (file == null || length >= segmentBytes) {
            begin();
        }
        frames.clear();
        long number = last;
        for (ByteBuffer record : records) {
            number++;
            Segment.frame(frames, id, number, synced, record);
        }
        try {
            file.write(frames.packed());
        } catch (IOException e) {
            takeBack();
            throw StorageFailedException.of("the log of " + model, e);
        }
        if (durability == Durability.FSYNC) {
            sync();
            synced = number;
        }
        length += frames.size();
        last = number;
        takeNote();
    }

    private void takeNote() {
        try {
            acks.write(synced, last);
            groups++;
            if (durability == Durability.FSYNC && groups % GROUPS_UNTIL_SYNC == 0) {
                acks.sync();
            }
        } catch (IOException e) {
            throw dead("the acknowledged position could not be recorded", e);
        }
    }

    /** Makes sure that how far the log was acknowledged is noted for good. Everything up to the last record is safe. */
    void syncAckRecord() throws IOException {
        if (death == null) {
            acks.open();
            if (durability == Durability.FSYNC) {
                acks.sync();
            }
        }
    }

    private void sync() {
        try {
            file.sync();
        } catch (IOException e) {
            throw dead("syncing it failed", e);
        }
    }

    /** Cuts what a failed write has left, for good: otherwise half a record, or one that was refused, could come back. */
    private void takeBack() {
        try {
            file.truncate(length);
            file.sync();
        } catch (IOException e) {
            throw dead("the remains of a failed write could not be removed", e);
        }
    }

    private KoopstreamException dead(String what, IOException cause) {
        death = "the log of " + model + " can no longer be trusted: " + what + " (" + cause.getMessage()
                + "); check the disk and start the server again, which recovers everything acknowledged";
        return new StorageFailedException(death, cause);
    }

    /** Begins the next file. The one before it is synced, so that the name of the new one says how far the log is safe. */
    private void begin() {
        if (file != null) {
            sync();
            synced = last;
            closeFile();
        }
        try {
            acks.open();
            acks.sync();
        } catch (IOException e) {
            throw StorageFailedException.of("the acknowledgement record of " + model, e);
        }
        Path path = directory.resolve(segments.fileName(last + 1));
        Storage.AppendFile created = null;
        try {
            // Left by a crash before its first record was whole, or by a failure below.
            storage.delete(path);
            created = storage.create(path);
            created.write(Segment.header(id, last + 1));
        } catch (IOException e) {
            close(created);
            try {
                storage.delete(path);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw StorageFailedException.of("a new log file of " + model, e);
        }
        file = created;
        length = Segment.HEADER;
        try {
            file.sync();
            storage.syncDirectory(directory);
        } catch (IOException e) {
            throw dead("a new file of it could not be synced", e);
        }
        segments.add(last + 1);
    }

    private void closeFile() {
        close(file);
        file = null;
    }

    private static void close(Storage.AppendFile open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // All of it was synced, or does not count.
            }
        }
    }

    void close() {
        if (file != null) {
            try {
                if (death == null && synced < last) {
                    file.sync();
                    acks.write(last, last);
                }
                if (death == null) {
                    acks.sync();
                }
            } catch (IOException e) {
                // What was acknowledged is as safe as was asked for; only the note about it is a little behind.
            }
            closeFile();
        }
        try {
            acks.close();
        } catch (IOException e) {
            // All of it was synced, or does not count.
        }
    }
}
