package io.koopstream.flink.state;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * What Flink knows of a type with a serializer of its own: an opaque value, never Kryo. One for each type.
 *
 * @param <T> the type
 */
public abstract class OwnTypeInfo<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final VersionedSerializer<T> serializer;

    /** @param serializer of all values of the type; it has no state */
    protected OwnTypeInfo(Class<T> type, VersionedSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

    @Override
    public final boolean isBasicType() {
        return false;
    }

    @Override
    public final boolean isTupleType() {
        return false;
    }

    @Override
    public final int getArity() {
        return 1;
    }

    @Override
    public final int getTotalFields() {
        return 1;
    }

    @Override
    public final Class<T> getTypeClass() {
        return type;
    }

    @Override
    public final boolean isKeyType() {
        return false;
    }

    @Override
    public final TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    /** For Flink 1, where it is abstract; Flink 2 does not have it, hence no {@code @Override}. */
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public final TypeSerializer<T> createSerializer(ExecutionConfig config) {
        return serializer;
    }

    @Override
    public final String toString() {
        return type.getSimpleName();
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof OwnTypeInfo<?> info && info.type == type;
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    @Override
    public final boolean canEqual(Object other) {
        return equals(other);
    }
}
