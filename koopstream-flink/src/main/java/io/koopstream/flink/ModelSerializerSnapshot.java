package io.koopstream.flink;

import io.koopstream.flink.state.VersionedSnapshot;

/** The version of the format of {@link KoopmanModel}s in a savepoint; see {@link VersionedSnapshot}. */
public final class ModelSerializerSnapshot extends VersionedSnapshot<KoopmanModel> {

    /** For Flink, and for the serializer. */
    public ModelSerializerSnapshot() {
        this(ModelSerializer.FORMAT);
    }

    /** Of a savepoint with models in an earlier format, as the tests make them. */
    ModelSerializerSnapshot(int written) {
        super(ModelSerializer.INSTANCE, written);
    }
}
