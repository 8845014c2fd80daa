package io.koopstream.flink.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What a checkpoint or savepoint remembers of a {@link VersionedSerializer}: the version of the format its values are in. One that cannot be read is
 * refused when the job starts; an earlier one that can is written anew in the present one with the next checkpoint.
 *
 * @param <T> the state
 */
public abstract class VersionedSnapshot<T> implements TypeSerializerSnapshot<T> {

    private final VersionedSerializer<T> serializer;
    private final int written;

    /** @param written the version of the format in which values are written */
    protected VersionedSnapshot(VersionedSerializer<T> serializer, int written) {
        this.serializer = serializer;
        this.written = written;
    }

    /** The version of the format in which values are written. */
    @Override
    public final int getCurrentVersion() {
        return written;
    }

    @Override
    public final void writeSnapshot(DataOutputView target) {
        // The version, which Flink writes, says it all.
    }

    @Override
    public final void readSnapshot(int version, DataInputView source, ClassLoader userCodeClassLoader) {
        serializer.requireReadable(version);
    }

    @Override
    public final TypeSerializer<T> restoreSerializer() {
        return serializer;
    }

    /** For Flink 2, which asks the snapshot of the new serializer about the old one. */
    @Override
    public final TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> oldSerializerSnapshot) {
        return oldSerializerSnapshot.getClass() == getClass()
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.incompatible();
    }
}
