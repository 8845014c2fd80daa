package io.koopstream.flink;

import io.koopstream.flink.state.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Consumer;

/** The first records of a key, as bytes: some dozens each, where a model would be kilobytes. Immutable. */
final class YoungRecords {

    static final YoungRecords NONE = new YoungRecords(0, new byte[0]);

    /** From here on a model is stored: making it anew costs as many updates as there are records. */
    static final int MAX_RECORDS = 32;

    private static final int MAX_BYTES = 8192;

    private final int count;
    private final byte[] bytes;

    private YoungRecords(int count, byte[] bytes) {
        this.count = count;
        this.bytes = bytes;
    }

    /** These and one more; null when they are too many. */
    YoungRecords and(SampleEvent event) {
        if (count == MAX_RECORDS) {
            return null;
        }
        ByteArrayOutputStream added = new ByteArrayOutputStream(64);
        try {
            SampleEventSerializer.INSTANCE.write(essential(event), new DataOutputStream(added));
        } catch (IOException e) {
            throw new UncheckedIOException("memory does no input or output", e);
        }
        if (bytes.length + added.size() > MAX_BYTES) {
            return null;
        }
        byte[] all = Arrays.copyOf(bytes, bytes.length + added.size());
        System.arraycopy(added.toByteArray(), 0, all, bytes.length, added.size());
        return new YoungRecords(count + 1, all);
    }

    /** How many bytes they take. */
    int size() {
        return bytes.length;
    }

    /** What a stream learns from: neither the key, which the state has, nor the place. */
    private static SampleEvent essential(SampleEvent event) {
        SampleEvent essential = SampleEvent.of(null, event.trajectory, event.state);
        essential.step = event.step;
        essential.time = event.time;
        essential.next = event.next;
        essential.unreadable = event.unreadable;
        essential.lost = event.lost;
        essential.source = event.lost > 0 ? event.source : null;
        return essential;
    }

    void forEach(Consumer<SampleEvent> action) {
        DataInputStream source = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            for (int i = 0; i < count; i++) {
                action.accept(SampleEventSerializer.INSTANCE.read(source));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does no input or output", e);
        }
    }

    void writeTo(DataOutput target) throws IOException {
        target.writeByte(count);
        target.writeShort(bytes.length);
        target.write(bytes);
    }

    static YoungRecords readFrom(DataInput source) throws IOException {
        int count = Wire.require(source.readUnsignedByte(), "records", 0, MAX_RECORDS);
        byte[] bytes = new byte[Wire.require(source.readUnsignedShort(), "bytes of records", 0, MAX_BYTES)];
        source.readFully(bytes);
        YoungRecords records = new YoungRecords(count, bytes);
        // Damage is told when it is read, not when the key's next record comes.
        try {
            records.forEach(event -> {});
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return records;
    }
}
