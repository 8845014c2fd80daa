package io.koopstream.flink;

import io.koopstream.flink.state.OwnTypeInfo;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** What Flink knows of {@link KoopmanModel}. */
public final class ModelTypeInfo extends OwnTypeInfo<KoopmanModel> {

    private static final long serialVersionUID = 1L;

    /** The one type information; it has no state. */
    public static final ModelTypeInfo INSTANCE = new ModelTypeInfo();

    private ModelTypeInfo() {
        super(KoopmanModel.class, ModelSerializer.INSTANCE);
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
