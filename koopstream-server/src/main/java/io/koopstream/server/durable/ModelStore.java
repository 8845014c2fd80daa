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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
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

    private static final System.Logger LOG = System.getLogger(ModelStore.class.getName());

    private static final Pattern NUMBER = Pattern.compile("[0-8][0-9]{18}");

    private final Storage storage;
    private final Path directory;
    private final String name;
    private final ModelId id;
    private final Settings settings;
    private final List<String> settingsNotes;
    /** The settings' file, or its copy, that is missing or damaged; null when both are whole. */
    private Path damaged;

    private final Durability durability;
    private final long segmentBytes;
    private final SegmentList segments;
    /** Snapshots by the number of records they cover; those found damaged are not among them. */
    private final NavigableSet<Long> snapshots;

    private AckFile acks;
    private LogWriter log;
    /** The end of the log where it may not be safe; null where it is. */
    private LogReader.Tail unsafe;

    private boolean isEndUnknown;
    private boolean closed;

    private ModelStore(
            Storage storage,
            Path directory,
            String name,
            Settings settings,
            Path damaged,
            List<String> settingsNotes,
            Durability durability,
            long segmentBytes,
            SegmentList segments,
            NavigableSet<Long> snapshots) {
        this.storage = storage;
        this.directory = directory;
        this.name = name;
        this.id = settings.id;
        this.settings = settings;
        this.damaged = damaged;
        this.settingsNotes = settingsNotes;
        this.durability = durability;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        this.snapshots = snapshots;
    }

    static String settingsFile(String model) {
        return model + ".settings";
    }

    /** Beside the settings, so that one flipped bit costs nothing; made when a model is first opened. */
    static String copyFile(String model) {
        return model + ".settings-copy";
    }

    /** Writes the settings of a new model; with them it is there. */
    static void create(Storage storage, Path directory, String model, byte[] settings) throws IOException {
        write(storage, directory, model, ModelId.random(), settings);
    }

    /**
     * Writes settings anew that are damaged, with the id that the newest whole snapshot has.
     *
     * @param settings makes them from the parts of the snapshot
     * @throws DamagedDataException if there is no whole snapshot
     */
    static void rebuildSettings(
            Storage storage, Path directory, String model, Function<Map<String, ByteBuffer>, byte[]> settings)
            throws IOException {
        List<Long> snapshots = new ArrayList<>();
        for (String file : storage.list(directory)) {
            addNumber(file, model + ".snapshot.", snapshots);
        }
        snapshots.sort(Comparator.reverseOrder());
        for (long records : snapshots) {
            String file = model + snapshotEnding(records);
            try {
                ByteBuffer bytes = storage.read(directory.resolve(file));
                ModelId id = SnapshotFile.id(file, bytes);
                byte[] words = settings.apply(SnapshotFile.parts(id, records, file, bytes));
                write(storage, directory, model, id, words);
                return;
            } catch (DamagedDataException e) {
                // The one before it may be whole.
                LOG.log(System.Logger.Level.INFO, e.getMessage());
            }
        }
        throw new DamagedDataException(
                settingsFile(model), -1, "settings, or a whole snapshot to rebuild them from", "neither");
    }

    private static void write(Storage storage, Path directory, String model, ModelId id, byte[] settings)
            throws IOException {
        Packer out = new Packer(64 + settings.length).put(MAGIC).put(VERSION).put(settings.length);
        id.pack(out);
        out.put(ByteBuffer.wrap(settings));
        CRC32C checksum = new CRC32C();
        checksum.update(out.packed());
        out.put((int) checksum.getValue());
        AtomicFile.replace(storage, directory.resolve(settingsFile(model)), file -> file.write(out.packed()));
    }

    /** The settings of a model as its file holds them. */
    private record Settings(ModelId id, ByteBuffer words, ByteBuffer file) {}

    private static Settings settings(Storage storage, Path path) throws IOException {
        String file = path.getFileName().toString();
        ByteBuffer bytes;
        try {
            bytes = storage.read(path);
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(file, -1, "the settings of the model", "no such file");
        }
        Unpacker in = new Unpacker(bytes, file);
        if (in.number() != MAGIC) {
            throw new DamagedDataException(file, 0, "the settings of a model", "other bytes");
        }
        int version = in.whole();
        int length = in.count(1);
        ModelId id = ModelId.unpack(in);
        ByteBuffer words = in.bytes(length);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(bytes.position(), in.position()));
        if ((int) checksum.getValue() != in.whole()) {
            throw in.fault("the checksum of the settings", "another");
        }
        if (version != VERSION) {
            throw in.fault("format version " + VERSION, version + " of a newer program");
        }
        in.requireEnd();
        return new Settings(id, words, bytes);
    }

    /** Whether a file holds the settings of a model, whole. */
    static boolean isSettings(Storage storage, Path path) throws IOException {
        try {
            settings(storage, path);
            return true;
        } catch (DamagedDataException e) {
            return false;
        }
    }

    static ModelStore open(Storage storage, Path directory, String model, Durability durability, long segmentBytes)
            throws IOException {
        Settings settings = null;
        Path damaged = null;
        List<String> notes = new ArrayList<>();
        DamagedDataException damage = null;
        for (String file : List.of(settingsFile(model), copyFile(model))) {
            try {
                Settings found = settings(storage, directory.resolve(file));
                if (settings != null && !settings.file.equals(found.file)) {
                    throw new DamagedDataException(file, 0, "a copy of the settings", "others");
                }
                settings = settings == null ? found : settings;
            } catch (DamagedDataException e) {
                damage = damage == null ? e : damage;
                damaged = directory.resolve(file);
                // A model that no newer program has opened has no copy.
                if (storage.list(directory).contains(file)) {
                    notes.add(DamagedDataException.fault(e));
                }
            }
        }
        if (settings == null) {
            throw damage;
        }
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
                settings,
                damaged,
                notes,
                durability,
                segmentBytes,
                new SegmentList(model, firsts),
                snapshots);
    }

    private static void addNumber(String file, String prefix, java.util.Collection<Long> numbers) {
        // Anything else that is called similarly was put there by somebody and is nobody's business here.
        if (file.startsWith(prefix)
                && NUMBER.matcher(file.substring(prefix.length())).matches()) {
            numbers.add(Long.parseLong(file.substring(prefix.length())));
        }
    }

    private String snapshotFile(long records) {
        return name + snapshotEnding(records);
    }

    private static String snapshotEnding(long records) {
        return String.format(Locale.ROOT, ".snapshot.%019d", records);
    }

    /** The settings it was created with, copied. */
    public byte[] settings() {
        byte[] words = new byte[settings.words.remaining()];
        settings.words.duplicate().get(words);
        return words;
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
     * @param records records in all
     * @param lost acknowledged records that are gone, over the life of the model; those of mode {@code os} among them
     * @param isEndUnknown whether nothing says how far the log went, though there was a note of it once
     * @param notes what was left out and why, in words
     */
    public record Recovery(long records, long lost, boolean isEndUnknown, List<String> notes) {}

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
        List<String> notes = new ArrayList<>(settingsNotes);
        try {
            AckFile.Mark mark = mark(notes);
            KoopstreamException newest = null;
            for (Long records : new TreeSet<>(snapshots).descendingSet()) {
                String file = snapshotFile(records);
                try {
                    rebuilder.begin(parts(records), file);
                    return replay(records, mark, rebuilder, acceptLoss, notes);
                } catch (KoopstreamException e) {
                    newest = newest == null ? e : newest;
                    notes.add(file + ": not used (" + DamagedDataException.fault(e) + ")");
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

    private AckFile.Mark mark(List<String> notes) throws IOException {
        // Whoever makes the copy of the settings makes the note of what was acknowledged as well.
        List<String> files = storage.list(directory);
        isEndUnknown = files.contains(copyFile(name)) && !files.contains(AckFile.fileName(name));
        if (isEndUnknown) {
            notes.add(AckFile.fileName(name) + ": is missing; whether the end of the log is missing too is unknown");
        }
        return AckFile.read(storage, directory, name, id, notes).orElse(AckFile.Mark.NONE);
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

    private Recovery replay(long after, AckFile.Mark mark, Rebuilder rebuilder, boolean acceptLoss, List<String> notes)
            throws IOException {
        LogReader reader = new LogReader(storage, directory, id, segments, mark.safe());
        try {
            reader.replay(after, (number, contents, source) -> rebuilder.record(contents, source));
        } catch (KoopstreamException e) {
            if (!acceptLoss) {
                throw new ReplayFailure(e);
            }
            notes.add(DamagedDataException.fault(e));
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
        return new Recovery(last, lost, isEndUnknown, List.copyOf(notes));
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
            if (damaged != null) {
                AtomicFile.replace(storage, damaged, file -> file.write(settings.file.duplicate()));
                damaged = null;
            }
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
        List<String> faults = new ArrayList<>(settingsNotes);
        try {
            AckFile.Mark mark = mark(faults);
            for (Long records : snapshots) {
                try {
                    parts(records);
                } catch (KoopstreamException e) {
                    faults.add(DamagedDataException.fault(e));
                }
            }
            List<Long> firsts = segments.all();
            long before =
                    firsts.isEmpty() ? Math.max(0, snapshots.isEmpty() ? 0 : snapshots.last()) : firsts.get(0) - 1;
            LogReader reader = new LogReader(storage, directory, id, segments, Math.max(mark.safe(), 0));
            try {
                reader.replay(before, (number, contents, source) -> {});
            } catch (KoopstreamException e) {
                faults.add(DamagedDataException.fault(e));
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
        Closeable lease = ModelDirectory.lease(storage, directory).orElse(null);
        if (lease == null) {
            // Somebody copies the directory; the next snapshot takes the files away.
            return;
        }
        try {
            deleteOld();
        } finally {
            lease.close();
        }
    }

    private void deleteOld() throws IOException {
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
