package io.koopstream.server.durable;

import io.koopstream.KoopstreamException;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
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

    private static final Pattern NUMBER = Pattern.compile("[0-8][0-9]{18}");

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

    private AckFile acks;
    private LogWriter log;
    /** The end of the log where it may not be safe; null where it is. */
    private LogReader.Tail unsafe;
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
        ByteBuffer bytes = settingsBytes(storage, directory, file);
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

    private static ByteBuffer settingsBytes(Storage storage, Path directory, String file) throws IOException {
        try {
            return storage.read(directory.resolve(file));
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(file, -1, "the settings of the model", "no such file");
        }
    }

    private static void addNumber(String file, String prefix, java.util.Collection<Long> numbers) {
        // Anything else that is called similarly was put there by somebody and is nobody's business here.
        if (file.startsWith(prefix)
                && NUMBER.matcher(file.substring(prefix.length())).matches()) {
            numbers.add(Long.parseLong(file.substring(prefix.length())));
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
     * @param lost acknowledged records that are gone, over the life of the model; those of mode {@code os} among them
     * @param notes what was left out and why, in words
     */
    public record Recovery(long snapshot, long records, long lost, List<String> notes) {}

    /**
     * Finds what was stored: the newest whole snapshot, else the one before, else nothing, and the log from there on. {@link #secure} has to
     * follow before anything is appended.
     *
     * @throws DamagedDataException if something that was acknowledged is missing
     */
    public Recovery recover(Rebuilder rebuilder) {
        return recover(rebuilder, false);
    }

    /**
     * The same for whoever has the word of an operator that what is lost is lost: what comes before the first missing record is recovered. A
     * {@link #snapshot} and {@link #forgetLost} have to follow.
     */
    public Recovery recoverWhatIsThere(Rebuilder rebuilder) {
        return recover(rebuilder, true);
    }

    private Recovery recover(Rebuilder rebuilder, boolean acceptLoss) {
        List<String> notes = new ArrayList<>();
        try {
            AckFile.Mark mark =
                    AckFile.read(storage, directory, name, id, notes).orElse(null);
            KoopstreamException newest = null;
            for (Long records : new TreeSet<>(snapshots).descendingSet()) {
                String file = snapshotFile(records);
                try {
                    rebuilder.begin(parts(records), file);
                    return replay(records, mark, rebuilder, acceptLoss, notes);
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
            return replay(0, mark, rebuilder, acceptLoss, notes);
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

    private Recovery replay(long after, AckFile.Mark noted, Rebuilder rebuilder, boolean acceptLoss, List<String> notes)
            throws IOException {
        AckFile.Mark mark = noted == null ? AckFile.Mark.NONE : noted;
        LogReader reader = new LogReader(storage, directory, id, segments, mark.safe());
        try {
            reader.replay(after, (number, contents, source) -> rebuilder.record(contents, source));
        } catch (KoopstreamException e) {
            if (!acceptLoss) {
                throw new ReplayFailure(e);
            }
            notes.add(e.getMessage());
        }
        long last = reader.reached();
        notes.addAll(reader.notes());
        long gone = Math.max(0, mark.acknowledged() - last);
        if (gone > 0) {
            notes.add(gone + " acknowledged batches are lost: those after number " + last);
        }
        long lost = mark.lost() + gone;
        unsafe = last > mark.safe() || !reader.notes().isEmpty() ? reader.tail() : null;
        acks = new AckFile(storage, directory, name, id, new AckFile.Mark(mark.turn() + 1, last, last, lost));
        log = new LogWriter(storage, directory, name, id, durability, segmentBytes, segments, acks, last);
        return new Recovery(after, last, lost, List.copyOf(notes));
    }

    /**
     * Makes sure that what was recovered survives a loss of power: what a process that died had not synced may be seen now, and yet be lost later, even after
     * another sync. So the end of the log is written anew, without what a crash left behind its last whole record. Takes note of how far the log was
     * acknowledged, for good; called again whenever nothing comes for a while.
     */
    public void secure() {
        try {
            if (unsafe != null) {
                Path file = directory.resolve(segments.fileName(unsafe.first()));
                ByteBuffer bytes = storage.read(file);
                ByteBuffer whole = bytes.slice(bytes.position(), unsafe.length());
                AtomicFile.replace(storage, file, anew -> anew.write(whole));
                unsafe = null;
            }
            log.syncAckRecord();
        } catch (IOException e) {
            throw StorageFailedException.of("the end of the log of " + name, e);
        }
    }

    /** The records after one, up to another, of those that were recovered. */
    public LogRecords records(long after, long last) {
        return new LogRecords(storage, directory, id, segments, after + 1, last);
    }

    /** What is wrong with any file, whether it is needed or not, in words; empty when all are whole. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        try {
            AckFile.Mark mark =
                    AckFile.read(storage, directory, name, id, faults).orElse(AckFile.Mark.NONE);
            for (Long records : snapshots) {
                try {
                    parts(records);
                } catch (KoopstreamException e) {
                    faults.add(e.getMessage());
                }
            }
            List<Long> firsts = segments.all();
            long before =
                    firsts.isEmpty() ? Math.max(0, snapshots.isEmpty() ? 0 : snapshots.last()) : firsts.get(0) - 1;
            LogReader reader = new LogReader(storage, directory, id, segments, Math.max(mark.safe(), 0));
            try {
                reader.replay(before, (number, contents, source) -> {});
            } catch (KoopstreamException e) {
                faults.add(e.getMessage());
            }
            faults.addAll(reader.notes());
            return faults;
        } catch (IOException e) {
            throw StorageFailedException.of("reading the files of " + name, e);
        }
    }

    /**
     * Puts the log aside after {@link #recoverWhatIsThere} and a snapshot of what was recovered: the snapshot takes its place.
     *
     * @param aside where its files go, so that nothing is destroyed
     * @return the names of the files
     */
    public List<String> forgetLost(Path aside) {
        List<String> moved = new ArrayList<>();
        try {
            acks.open();
            for (long first : segments.all()) {
                if (moved.isEmpty()) {
                    storage.openDirectory(aside);
                }
                String file = segments.fileName(first);
                storage.rename(
                        directory.resolve(file),
                        aside.resolve(file + ".before-repair-" + acks.newest().turn()));
                moved.add(file);
            }
            if (!moved.isEmpty()) {
                storage.syncDirectory(aside);
                storage.syncDirectory(directory);
            }
            return moved;
        } catch (IOException e) {
            throw StorageFailedException.of("moving the log of " + name, e);
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
     * @param records how many records it has taken wholly
     * @param parts names of four letters to contents
     */
    public synchronized void snapshot(long records, Map<String, ByteBuffer> parts) {
        if (closed) {
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
