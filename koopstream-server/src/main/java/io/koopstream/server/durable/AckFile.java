package io.koopstream.server.durable;

import io.koopstream.io.AtomicFile;
import io.koopstream.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * How far a log was acknowledged, kept apart from the log: by it a write that the power cut short is told from a log that was shortened later. Of two
 * slots in sectors of their own one holds what was synced last and is left alone until the other is synced (docs/formats.md has every byte).
 *
 * <p>One writer.
 */
final class AckFile implements Closeable {

    /** Slots are so far apart that a torn sector spoils one of them only. */
    private static final int SLOT = 512;

    private static final long MAGIC = 0x314B4341504F4F4BL; // "KOOPACK1" as little-endian bytes
    private static final int VERSION = 1;

    /**
     * What a slot says.
     *
     * @param turn how many were written before it
     * @param safe the last record that was known to be synced
     * @param acknowledged the last record that was acknowledged; more than {@code safe} only where syncs were not asked for
     * @param lost records that were acknowledged and are gone, over the life of the model
     */
    record Mark(long turn, long safe, long acknowledged, long lost) {

        /** What there is before anything was acknowledged, or where nobody took note of it. */
        static final Mark NONE = new Mark(0, 0, 0, 0);

        private ByteBuffer packed(ModelId id) {
            Packer out = new Packer(SLOT).put(MAGIC).put(VERSION).put(0);
            id.pack(out);
            out.put(turn).put(safe).put(acknowledged).put(lost);
            CRC32C checksum = new CRC32C();
            checksum.update(out.packed());
            out.put((int) checksum.getValue());
            return out.put(ByteBuffer.allocate(SLOT - out.size())).packed();
        }

        private static Mark unpacked(ByteBuffer slot, ModelId id) {
            try {
                Unpacker in = new Unpacker(slot, "");
                boolean known = in.number() == MAGIC && in.whole() == VERSION && in.whole() == 0;
                boolean own = ModelId.unpack(in).equals(id);
                Mark mark = new Mark(in.number(), in.number(), in.number(), in.number());
                CRC32C checksum = new CRC32C();
                checksum.update(slot.slice(slot.position(), in.position()));
                return known && own && (int) checksum.getValue() == in.whole() ? mark : null;
            } catch (DamagedDataException e) {
                return null;
            }
        }
    }

    private final Storage storage;
    private final Path path;
    private final ModelId id;
    private Mark newest;
    private Storage.AppendFile file;
    private int slot;
    private boolean synced = true;

    /** @param start what is known; the file is opened, or made, when it is first needed */
    AckFile(Storage storage, Path directory, String model, ModelId id, Mark start) {
        this.storage = storage;
        this.path = directory.resolve(fileName(model));
        this.id = id;
        this.newest = start;
    }

    static String fileName(String model) {
        return model + ".acknowledged";
    }

    /**
     * What the file of a model says; empty when there is none, as before there were such files, or none that is whole.
     *
     * @param notes gets a line when the file is damaged
     */
    static Optional<Mark> read(Storage storage, Path directory, String model, ModelId id, List<String> notes)
            throws IOException {
        ByteBuffer bytes;
        try {
            bytes = storage.read(directory.resolve(fileName(model)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Mark newest = null;
        for (int at = 0; at + SLOT <= bytes.limit(); at += SLOT) {
            Mark mark = Mark.unpacked(bytes.slice(at, SLOT), id);
            newest = newest == null || (mark != null && mark.turn > newest.turn) ? mark : newest;
        }
        if (newest == null) {
            notes.add(fileName(model) + ": damaged; whether the end of the log is missing is unknown");
        }
        return Optional.ofNullable(newest);
    }

    /** What was written last. */
    Mark newest() {
        return newest;
    }

    /** Opens the file; makes it when it is not there or not whole. */
    void open() throws IOException {
        if (file == null) {
            // Whatever the slots hold, both are known from here on.
            AtomicFile.replace(storage, path, made -> {
                made.write(newest.packed(id));
                made.write(newest.packed(id));
            });
            file = storage.append(path);
        }
    }

    /** Takes note; survives the end of the process when it returns, a loss of power after {@link #sync}. */
    void write(long safe, long acknowledged) throws IOException {
        newest = new Mark(newest.turn + 1, safe, acknowledged, newest.lost);
        file.writeAt((long) SLOT * slot, newest.packed(id));
        synced = false;
    }

    /** Waits until what was written would survive a loss of power. */
    void sync() throws IOException {
        if (!synced) {
            file.sync();
            synced = true;
            slot = 1 - slot;
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
