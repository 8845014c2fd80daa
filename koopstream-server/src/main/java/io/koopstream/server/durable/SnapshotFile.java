package io.koopstream.server.durable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** The bytes of a snapshot: named parts, each with its checksum, and a header with one of its own (docs/formats.md has every byte). */
final class SnapshotFile {

    private static final long MAGIC = 0x31504E53504F4F4BL; // "KOOPSNP1" as little-endian bytes
    private static final int VERSION = 1;
    private static final int MAX_PARTS = 16;
    private static final int NAME_BYTES = 4;

    private SnapshotFile() {}

    /** A snapshot of everything in the first records, as buffers to be written one after another. */
    static List<ByteBuffer> of(ModelId id, long records, Map<String, ByteBuffer> parts) {
        Packer out = new Packer(256).put(MAGIC).put(VERSION).put(parts.size());
        id.pack(out);
        out.put(records);
        List<ByteBuffer> all = new ArrayList<>();
        parts.forEach((name, bytes) -> {
            byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
            if (ascii.length != NAME_BYTES) {
                throw new IllegalArgumentException("a part is called '" + name + "': expected four letters");
            }
            out.put(ByteBuffer.wrap(ascii)).put(checksum(bytes)).put((long) bytes.remaining());
            all.add(bytes.duplicate());
        });
        out.put(checksum(out.packed())).put(0);
        all.add(0, out.packed());
        return all;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return (int) checksum.getValue();
    }

    /** The model that a snapshot says it is of; what else it says is not checked. */
    static ModelId id(String name, ByteBuffer bytes) {
        Unpacker in = new Unpacker(bytes, name);
        in.number();
        in.number();
        return ModelId.unpack(in);
    }

    /**
     * The parts of a snapshot, all checked.
     *
     * @throws DamagedDataException if it is anything but a whole snapshot of this model after so many records
     */
    static Map<String, ByteBuffer> parts(ModelId id, long records, String name, ByteBuffer bytes) {
        Unpacker in = new Unpacker(bytes, name);
        if (in.number() != MAGIC) {
            throw new DamagedDataException(name, 0, "a snapshot", "other bytes");
        }
        int version = in.whole();
        int count = in.whole();
        ModelId other = ModelId.unpack(in);
        long covered = in.number();
        if (count < 0 || count > MAX_PARTS) {
            throw in.fault("at most " + MAX_PARTS + " parts", Integer.toString(count));
        }
        List<String> names = new ArrayList<>();
        int[] checksums = new int[count];
        long[] lengths = new long[count];
        for (int i = 0; i < count; i++) {
            byte[] ascii = new byte[NAME_BYTES];
            in.bytes(NAME_BYTES).get(ascii);
            names.add(new String(ascii, StandardCharsets.US_ASCII));
            checksums[i] = in.whole();
            lengths[i] = in.number();
        }
        int headerEnd = in.position();
        if (checksum(bytes.slice(bytes.position(), headerEnd)) != in.whole()) {
            throw in.fault("the checksum of the header", "another");
        }
        in.whole();
        if (version != VERSION) {
            throw in.fault("format version " + VERSION, version + " of a newer program");
        }
        if (!other.equals(id) || covered != records) {
            throw in.fault(
                    "a snapshot of this model after " + records + " records",
                    other.equals(id) ? "one after " + covered : "one of another model");
        }
        Map<String, ByteBuffer> parts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer part = in.bytes(lengths[i]);
            if (checksum(part) != checksums[i]) {
                throw in.fault("the checksum of part " + names.get(i), "another");
            }
            parts.put(names.get(i), part);
        }
        in.requireEnd();
        return parts;
    }
}
