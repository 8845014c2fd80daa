package io.koopstream.flink;

import io.koopstream.io.StreamFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;

/**
 * A stored model in sections: one behind the other they are the bytes that {@link ModelSerializer} writes, and those that hold a dictionary stay the same
 * while statistics change. So only what changed need be stored again.
 */
final class ModelSections {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ModelSections() {}

    /** The sections of a model. */
    static List<byte[]> of(KoopmanModel model) throws IOException {
        Target target = new Target(new ByteArrayOutputStream(1 << 12));
        ModelSerializer.INSTANCE.serialize(model, target);
        target.section();
        return target.sections;
    }

    /** The model in these sections. */
    static KoopmanModel model(List<byte[]> sections) throws IOException {
        List<InputStream> streams = new ArrayList<>();
        sections.forEach(section -> streams.add(new ByteArrayInputStream(section)));
        return ModelSerializer.INSTANCE.deserialize(
                new DataInputViewStreamWrapper(new SequenceInputStream(Collections.enumeration(streams))));
    }

    /**
     * 64 bits that tell whether a section changed. Every step is invertible in what it takes, so one changed word always shows; several escape once in
     * 2⁶⁴ times.
     */
    static long digest(byte[] section) {
        long digest = section.length;
        int i = 0;
        for (; i + Long.BYTES <= section.length; i += Long.BYTES) {
            digest = mixed(digest ^ (long) LONGS.get(section, i));
        }
        for (; i < section.length; i++) {
            digest = mixed(digest ^ section[i]);
        }
        return digest;
    }

    private static long mixed(long bits) {
        long product = bits * 0x9E3779B97F4A7C15L;
        return product ^ (product >>> 32);
    }

    /** Cuts what is written where it says so. */
    private static final class Target extends DataOutputViewStreamWrapper implements StreamFile.SectionedOutput {

        private final ByteArrayOutputStream bytes;
        private final List<byte[]> sections = new ArrayList<>();

        Target(ByteArrayOutputStream bytes) {
            super(bytes);
            this.bytes = bytes;
        }

        @Override
        public void section() throws IOException {
            flush();
            if (bytes.size() > 0) {
                sections.add(bytes.toByteArray());
                bytes.reset();
            }
        }
    }
}
