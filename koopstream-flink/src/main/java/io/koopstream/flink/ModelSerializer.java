package io.koopstream.flink;

import io.koopstream.flink.state.VersionedSerializer;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * A {@link KoopmanModel} in Flink's state. Its stream is written as {@link io.koopstream.io.StreamFile} has it, number by number, so that a large model
 * is never in memory as bytes; what else the key owns follows. A copy is a deep copy: Flink takes one while a snapshot is
 * being written, which is what lets a model be changed in place.
 */
public final class ModelSerializer extends VersionedSerializer<KoopmanModel> {

    private static final long serialVersionUID = 1L;

    /** The format that is written. */
    static final int FORMAT = 5;

    /** Differs only in what {@link io.koopstream.io.StreamFile} wrote then, and reads. */
    static final int OLDEST_FORMAT = 4;

    /** The one serializer; it has no state. */
    public static final ModelSerializer INSTANCE = new ModelSerializer();

    private ModelSerializer() {}

    @Override
    protected String what() {
        return "a Koopman model";
    }

    @Override
    protected int format() {
        return FORMAT;
    }

    @Override
    protected int oldestFormat() {
        return OLDEST_FORMAT;
    }

    @Override
    protected void write(KoopmanModel model, DataOutput target) throws IOException {
        model.writeTo(target);
    }

    @Override
    protected KoopmanModel read(DataInput source) throws IOException {
        return KoopmanModel.readFrom(source);
    }

    /** A model of one coordinate that has learned nothing; Flink never needs one where models are state. */
    @Override
    public KoopmanModel createInstance() {
        return KoopmanModel.empty();
    }

    @Override
    public KoopmanModel copy(KoopmanModel from) {
        return from.copy();
    }

    @Override
    public TypeSerializerSnapshot<KoopmanModel> snapshotConfiguration() {
        return new ModelSerializerSnapshot();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelSerializer;
    }

    @Override
    public int hashCode() {
        return ModelSerializer.class.hashCode();
    }

    private Object readResolve() {
        return INSTANCE;
    }
}
