package io.koopstream.flink;

import io.koopstream.flink.state.OwnTypeInfo;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** What Flink knows of {@link SampleEvent}. */
public final class SampleEventTypeInfo extends OwnTypeInfo<SampleEvent> {

    private static final long serialVersionUID = 1L;

    /** The one type information; it has no state. */
    public static final SampleEventTypeInfo INSTANCE = new SampleEventTypeInfo();

    private SampleEventTypeInfo() {
        super(SampleEvent.class, SampleEventSerializer.INSTANCE);
    }

    private Object readResolve() {
        return INSTANCE;
    }

    /** Lets {@code TypeInformation.of(SampleEvent.class)} find this. */
    public static final class Factory extends TypeInfoFactory<SampleEvent> {
        @Override
        public TypeInformation<SampleEvent> createTypeInfo(Type type, Map<String, TypeInformation<?>> parameters) {
            return INSTANCE;
        }
    }
}
