package io.koopstream.flink;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** What Flink knows of {@link KoopmanModel}: an opaque value with a serializer of its own, never Kryo. */
public final class ModelTypeInfo extends TypeInformation<KoopmanModel> {

    private static final long serialVersionUID = 1L;

    /** The one type information; it has no state. */
    public static final ModelTypeInfo INSTANCE = new ModelTypeInfo();

    private ModelTypeInfo() {}

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<KoopmanModel> getTypeClass() {
        return KoopmanModel.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<KoopmanModel> createSerializer(SerializerConfig config) {
        return ModelSerializer.INSTANCE;
    }

    /** For Flink 1, where it is abstract; Flink 2 does not have it, hence no {@code @Override}. */
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public TypeSerializer<KoopmanModel> createSerializer(ExecutionConfig config) {
        return ModelSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "KoopmanModel";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelTypeInfo;
    }

    @Override
    public int hashCode() {
        return ModelTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof ModelTypeInfo;
    }

    private Object readResolve() {
        return INSTANCE;
    }

    /** Lets {@code TypeInformation.of(KoopmanModel.class)} find this. */
    public static final class Factory extends TypeInfoFactory<KoopmanModel> {
        @Override
        public TypeInformation<KoopmanModel> createTypeInfo(Type type, Map<String, TypeInformation<?>> parameters) {
            return INSTANCE;
        }
    }
}
