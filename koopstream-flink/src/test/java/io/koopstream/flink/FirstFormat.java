package io.koopstream.flink;

import io.koopstream.io.ModelFile;
import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Writes models as format 1 had them: the learner and the open trajectories, nothing of the watch. Kept so that the savepoint among the
 * resources can be made again.
 */
final class FirstFormat {

    private FirstFormat() {}

    /** What format 1 was. */
    static final class Serializer extends TypeSerializerSingleton<KoopmanModel> {

        private static final long serialVersionUID = 1L;

        @Override
        public void serialize(KoopmanModel model, DataOutputView target) throws IOException {
            target.writeByte(1);
            ModelFile.writeFramed(target, model.stored());
            model.trajectories().writeTo(target);
        }

        @Override
        public TypeSerializerSnapshot<KoopmanModel> snapshotConfiguration() {
            return new ModelSerializerSnapshot(1);
        }

        private static TypeSerializer<KoopmanModel> present() {
            return ModelSerializer.INSTANCE;
        }

        @Override
        public boolean isImmutableType() {
            return false;
        }

        @Override
        public KoopmanModel createInstance() {
            return present().createInstance();
        }

        @Override
        public KoopmanModel copy(KoopmanModel from) {
            return present().copy(from);
        }

        @Override
        public KoopmanModel copy(KoopmanModel from, KoopmanModel reuse) {
            return copy(from);
        }

        @Override
        public int getLength() {
            return -1;
        }

        @Override
        public KoopmanModel deserialize(DataInputView source) throws IOException {
            return present().deserialize(source);
        }

        @Override
        public KoopmanModel deserialize(KoopmanModel reuse, DataInputView source) throws IOException {
            return deserialize(source);
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) throws IOException {
            serialize(deserialize(source), target);
        }
    }

    /** Learns as {@link LearnFunction} did, with state in format 1. */
    static final class Learn extends KeyedProcessFunction<String, SampleEvent, Learned> {

        private static final long serialVersionUID = 1L;

        private final LearnSettings settings;
        private transient ValueState<KoopmanModel> models;

        Learn(LearnSettings settings) {
            this.settings = settings;
        }

        @Override
        public void open(OpenContext context) {
            models = getRuntimeContext().getState(new ValueStateDescriptor<>(LearnFunction.STATE, new Serializer()));
        }

        @Override
        public void processElement(SampleEvent event, Context context, Collector<Learned> out) throws Exception {
            KoopmanModel model = models.value();
            if (model == null) {
                model = KoopmanModel.start(settings);
                context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            }
            model.accept(event.key, event, false).learned().ifPresent(out::collect);
            models.update(model);
        }
    }
}
