package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * The files of one model: its settings, the log of its records and snapshots of its state. {@link #recover} comes first, once; then one thread may
 * {@link #append} while another writes a {@link #snapshot}.
 */
public final class ModelStore implements Closeable {

    private static final long MAGIC = 0x31544553504F4F4BL; // "KOOPSET1" as little-endian bytes
    private static final int VERSION = 1;
    /** Snapshots kept: when the newest is damaged, the one before it serves, with the log from there on. */
    private static final int KEPT = 2;

    private final Storage storage;
    private final Path directory;
    private final String name;
    private final ModelId id;
    private final byte[] settings;
    private final Durability durability;
    private final long segmentBytes;
    private final SegmentList segments;
    /** Snapshots by the number of records they cover; those found damaged are not among them. */
    private final NavigableSet<Long> snapshots;

    private LogWriter log;
    private boolean closed;

    private ModelStore(
            Storage storage,
            Path directory,
            String name,
            ModelId id,
            byte[] settings,
            Durability durability,
            long segmentBytes,
            SegmentList segments,
            NavigableSet<Long> snapshots) {
        this.storage = storage;
        this.directory = directory;
        this.name = name;
        this.id = id;
        this.settings = settings;
        this.durability = durability;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        this.snapshots = snapshots;
    }

    static String settingsFile(String model) {
        return model + ".settings";
    }

    /** Writes the settings of a new model; with them it is there. */
    static void create(Storage storage, Path directory, String model, byte[] settings) throws IOException {
        Packer out = new Packer(64 + settings.length).put(MAGIC).put(VERSION).put(settings.length);
        ModelId.random().pack(out);
        out.put(ByteBuffer.wrap(settings));
        CRC32C checksum = new CRC32C();
        checksum.update(out.packed());
        out.put((int) checksum.getValue());
        AtomicFile.replace(storage, directory.resolve(settingsFile(model)), file -> file.write(out.packed()));
    }

    static ModelStore open(Storage storage, Path directory, String model, Durability durability, long segmentBytes)
            throws IOException {
        String file = settingsFile(model);
        ByteBuffer bytes = storage.read(directory.resolve(file));
        Unpacker in = new Unpacker(bytes, file);
        if (in.number() != MAGIC) {
            throw new DamagedDataException(file, 0, "the settings of a model", "other bytes");
        }
        int version = in.whole();
        int length = in.count(1);
        ModelId id = ModelId.unpack(in);
        byte[] settings = new byte[length];
        in.bytes(length).get(settings);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(bytes.position(), in.position()));
        if ((int) checksum.getValue() != in.whole()) {
            throw in.fault("the checksum of the settings", "another");
        }
        if (version != VERSION) {
            throw in.fault("format version " + VERSION, version + " of a newer program");
        }
        in.requireEnd();
        List<Long> firsts = new ArrayList<>();
        NavigableSet<Long> snapshots = new TreeSet<>();
        for (String other : storage.list(directory)) {
            addNumber(other, model + ".log.", firsts);
            addNumber(other, model + ".snapshot.", snapshots);
        }
        return new ModelStore(
                storage,
                directory,
                model,
                id,
                settings,
                durability,
                segmentBytes,
                new SegmentList(model, firsts),
                snapshots);
    }

    private static void addNumber(String file, String prefix, java.util.Collection<Long> numbers) {
        if (file.startsWith(prefix)) {
            try {
                numbers.add(Long.parseLong(file.substring(prefix.length())));
            } catch (NumberFormatException e) {
                throw new DamagedDataException(file, -1, "a number at the end of its name", "something else");
            }
        }
    }

    private String snapshotFile(long records) {
        return name + String.format(Locale.ROOT, ".snapshot.%019d", records);
    }

    /** The settings it was created with, copied. */
    public byte[] settings() {
        return settings.clone();
    }

    /** Builds a state from what is stored. */
    public interface Rebuilder {

        /**
         * Begins with a snapshot, or with nothing.
         *
         * @param parts of a snapshot; empty when there is none
         * @param source for messages
         * @throws KoopstreamException if it cannot be used: an older one is tried then
         */
        void begin(Map<String, ByteBuffer> parts, String source);

        /** Takes the next record. */
        void record(ByteBuffer contents, String source);
    }

    /**
     * What was recovered.
     *
     * @param snapshot records in the snapshot it began with
     * @param records records in all
     * @param notes what was left out and why, in words
     */
    public record Recovery(long snapshot, long records, List<String> notes) {

        /** Whether everything was in the newest snapshot. */
        public boolean isSaved() {
            return snapshot == records && notes.isEmpty();
        }
    }

    /**
     * Rebuilds what was stored: the newest whole snapshot, else the one before, else nothing, and the log from there on. Unless the recovery
     * {@linkplain Recovery#isSaved is saved}, a {@link #snapshot} has to follow before anything is appended: what a process that died had
     * not synced may be seen now, and yet be lost later.
     *
     * @throws DamagedDataException if something that was acknowledged is missing
     */
    public Recovery recover(Rebuilder rebuilder) {
        List<String> notes = new ArrayList<>();
        try {
            KoopstreamException newest = null;
            for (Long records : new TreeSet<>(snapshots).descendingSet()) {
                String file = snapshotFile(records);
                try {
                    rebuilder.begin(parts(records), file);
                    return replay(records, rebuilder, notes);
                } catch (KoopstreamException e) {
                    newest = newest == null ? e : newest;
                    notes.add(file + ": not used (" + e.getMessage() + ")");
                    snapshots.remove(records);
                }
            }
            List<Long> firsts = segments.all();
            if (newest != null && (firsts.isEmpty() || firsts.get(0) > 1)) {
                throw newest;
            }
            rebuilder.begin(Map.of(), settingsFile(name));
            return replay(0, rebuilder, notes);
        } catch (ReplayFailure e) {
            throw e.reason;
        } catch (IOException e) {
            throw StorageFailedException.of("reading the files of " + name, e);
        }
    }

    private Map<String, ByteBuffer> parts(long records) {
        String file = snapshotFile(records);
        try {
            return SnapshotFile.parts(id, records, file, storage.read(directory.resolve(file)));
        } catch (IOException e) {
            throw StorageFailedException.of("reading " + file, e);
        }
    }

    /** Not a reason to try an older snapshot, which needs more of the same log. */
    private static final class ReplayFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final KoopstreamException reason;

        ReplayFailure(KoopstreamException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private Recovery replay(long after, Rebuilder rebuilder, List<String> notes) throws IOException {
        LogReader reader = new LogReader(storage, directory, id, segments);
        try {
            long last = reader.replay(after, (number, contents, source) -> rebuilder.record(contents, source));
            notes.addAll(reader.notes());
            log = new LogWriter(storage, directory, name, id, durability, segmentBytes, segments, last);
            return new Recovery(after, last, List.copyOf(notes));
        } catch (KoopstreamException e) {
            throw new ReplayFailure(e);
        }
    }

    /**
     * Appends records, all or none; when it returns they are as durable as was asked for.
     *
     * @throws StorageFullException if there is no space; it can be tried again
     * @throws StorageFailedException if something else failed; see {@link #isDead}
     */
    public void append(List<ByteBuffer> records) {
        log.append(records);
    }

    /** Whether nothing can be appended any more, because what is on the disk is unknown. */
    public boolean isDead() {
        return log.death() != null;
    }

    /**
     * Saves a state, and removes what is no longer needed: snapshots but the two newest, and the log up to the older of them.
     *
     * @param records how many records it has taken
     * @param parts names of four letters to contents
     */
    public synchronized void snapshot(long records, Map<String, ByteBuffer> parts) {
        if (closed || snapshots.contains(records)) {
            return;
        }
        try {
            List<ByteBuffer> bytes = SnapshotFile.of(id, records, parts);
            AtomicFile.replace(storage, directory.resolve(snapshotFile(records)), file -> {
                for (ByteBuffer part : bytes) {
                    file.write(part);
                }
            });
            snapshots.add(records);
            trim();
        } catch (IOException e) {
            throw StorageFailedException.of("a snapshot of " + name, e);
        }
    }

    private void trim() throws IOException {
        while (snapshots.size() > KEPT) {
            snapshots.pollFirst();
        }
        for (String file : storage.list(directory)) {
            List<Long> number = new ArrayList<>(1);
            addNumber(file, name + ".snapshot.", number);
            if (!number.isEmpty() && !snapshots.contains(number.get(0))) {
                storage.delete(directory.resolve(file));
            }
        }
        if (snapshots.size() == KEPT) {
            for (long first : segments.before(snapshots.first())) {
                storage.delete(directory.resolve(segments.fileName(first)));
                segments.remove(first);
            }
        }
    }

    /** Ends it; nothing is lost if nobody does. A snapshot under way is finished first, later ones are not begun. */
    @Override
    public synchronized void close() {
        closed = true;
        if (log != null) {
            log.close();
        }
    }
}
