package io.koopstream.server.durable;

import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What all files of one model have in common and those of no other: a file that was copied over from another model is recognised.
 *
 * @param high upper half
 * @param low lower half
 */
record ModelId(long high, long low) {

    static ModelId random() {
        UUID id = UUID.randomUUID();
        return new ModelId(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    void pack(Packer out) {
        out.put(high).put(low);
    }

    static ModelId unpack(Unpacker in) {
        return new ModelId(in.number(), in.number());
    }

    /** A checksum that has begun with this id, so that nothing of another model has the right one. */
    CRC32C checksum() {
        CRC32C checksum = new CRC32C();
        checksum.update(new Packer(2 * Long.BYTES).put(high).put(low).packed());
        return checksum;
    }
}
