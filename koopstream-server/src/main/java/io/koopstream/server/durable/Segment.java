package io.koopstream.server.durable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of one log file: a header of {@value #HEADER} bytes, then records, each in a frame (docs/formats.md has every byte). Reads what is
 * there and says where it stops being whole.
 */
final class Segment {

    static final int HEADER = 48;
    static final int FRAME = 24;
    private static final long MAGIC = 0x31474F4C504F4F4BL; // "KOOPLOG1" as little-endian bytes
    private static final int VERSION = 1;
    private static final int HEADER_CHECKED = HEADER - 2 * Integer.BYTES;

    private final ModelId id;
    private final String name;
    private final ByteBuffer bytes;

    Segment(ModelId id, String name, ByteBuffer bytes) {
        this.id = id;
        this.name = name;
        this.bytes = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The header of a file whose first record will have this number. */
    static ByteBuffer header(ModelId id, long first) {
        Packer out = new Packer(HEADER).put(MAGIC).put(VERSION).put(0);
        id.pack(out);
        out.put(first);
        CRC32C checksum = new CRC32C();
        checksum.update(out.packed());
        return out.put((int) checksum.getValue()).put(0).packed();
    }

    /**
     * Puts a record into a frame.
     *
     * @param number of the record
     * @param synced the last record that was known to be synced when this one was written
     */
    static void frame(Packer out, ModelId id, long number, long synced, ByteBuffer record) {
        ByteBuffer head = new Packer(FRAME)
                .put(record.remaining())
                .put(number)
                .put(synced)
                .packed();
        int checksum = checksum(id, head, record);
        out.put(record.remaining()).put(checksum).put(number).put(synced).put(record);
    }

    private static int checksum(ModelId id, ByteBuffer head, ByteBuffer record) {
        CRC32C checksum = id.checksum();
        checksum.update(head.duplicate());
        checksum.update(record.duplicate());
        return (int) checksum.getValue();
    }

    /**
     * A whole record.
     *
     * @param number of it
     * @param synced the last record that was synced when it was written
     * @param offset of its frame
     * @param end of its frame
     */
    record Frame(long number, long synced, int offset, int end) {}

    /** The contents of a record. */
    ByteBuffer contents(Frame frame) {
        return bytes.slice(frame.offset() + FRAME, frame.end() - frame.offset() - FRAME);
    }

    int size() {
        return bytes.limit();
    }

    /** Whether the header is that of this model's file with this first record. */
    boolean hasHeader(long first) {
        if (size() < HEADER) {
            return false;
        }
        return bytes.slice(0, HEADER).equals(header(id, first));
    }

    /** The error about a file that has another header: it says which of a newer format, another model and damage it is. */
    DamagedDataException headerFault(long first) {
        if (!hasAnyHeader()) {
            return new DamagedDataException(name, 0, "the header of a log", "other bytes");
        }
        Unpacker in = new Unpacker(bytes.slice(8, HEADER - 8), name);
        int version = in.whole();
        in.whole();
        ModelId other = ModelId.unpack(in);
        String actual = version != VERSION
                ? "format version " + version + " of a newer program"
                : !other.equals(id) ? "the log of another model" : "a log from record " + in.number();
        return new DamagedDataException(name, 0, "the log of this model from record " + first, actual);
    }

    /** Whether there is a whole header, maybe of another file. */
    boolean hasAnyHeader() {
        if (size() < HEADER || bytes.getLong(0) != MAGIC) {
            return false;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(0, HEADER_CHECKED));
        return (int) checksum.getValue() == bytes.getInt(HEADER_CHECKED);
    }

    /** The frame at an offset; null where there is no whole one. */
    Frame at(int offset) {
        if (offset > size() - FRAME) {
            return null;
        }
        int length = bytes.getInt(offset);
        if (length < 0 || length > size() - FRAME - offset) {
            return null;
        }
        long number = bytes.getLong(offset + 8);
        long synced = bytes.getLong(offset + 16);
        if (number < 1 || synced >= number) {
            return null;
        }
        ByteBuffer head = new Packer(FRAME).put(length).put(number).put(synced).packed();
        if (checksum(id, head, bytes.slice(offset + FRAME, length)) != bytes.getInt(offset + 4)) {
            return null;
        }
        return new Frame(number, synced, offset, offset + FRAME + length);
    }

    /** The first whole frame from an offset on, wherever it begins, with a number from this one on; null when there is none. */
    Frame search(int offset, long least) {
        long most = least + (size() - offset) / FRAME;
        for (int at = offset; at <= size() - FRAME; at++) {
            long number = bytes.getLong(at + 8);
            // Only what could be a frame is worth a checksum.
            if (number >= least && number <= most) {
                Frame frame = at(at);
                if (frame != null) {
                    return frame;
                }
            }
        }
        return null;
    }

    String name() {
        return name;
    }
}
