package io.koopstream.flink;

import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.flink.state.IncompatibleStateException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Forecasts from models that every task holds: one model for all records, e.g. of a merged stream, or one per key where there are few. The
 * records need no key and no order. See {@link PredictFunction} for very many models.
 */
public final class BroadcastPredictFunction extends BroadcastProcessFunction<SampleEvent, ModelRecord, Prediction> {

    private static final long serialVersionUID = 1L;

    private static final MapStateDescriptor<String, ModelParts> NEWEST =
            new MapStateDescriptor<>("newest-models", Types.STRING, TypeInformation.of(ModelParts.class));
    private static final MapStateDescriptor<String, ModelParts> ARRIVING =
            new MapStateDescriptor<>("arriving-models", Types.STRING, TypeInformation.of(ModelParts.class));

    private final int steps;
    /** The key of the one model; null when every record is answered by the model of its own key. */
    private final String modelKey;

    private transient Predictor predictor;

    private BroadcastPredictFunction(int steps, String modelKey) {
        this.steps = PredictFunction.requireHorizon(steps);
        this.modelKey = modelKey;
    }

    /** Answers every record from the model of its own key. */
    public static BroadcastPredictFunction byKey(int steps) {
        return new BroadcastPredictFunction(steps, null);
    }

    /** Answers every record from one model. */
    public static BroadcastPredictFunction fromOne(String modelKey, int steps) {
        return new BroadcastPredictFunction(steps, modelKey);
    }

    /** Connects records with models that are sent to every task. */
    public SingleOutputStreamOperator<Prediction> connect(
            DataStream<SampleEvent> events, DataStream<ModelRecord> models) {
        return events.connect(models.broadcast(NEWEST, ARRIVING)).process(this, TypeInformation.of(Prediction.class));
    }

    @Override
    public void open(OpenContext context) {
        predictor = new Predictor(steps);
    }

    @Override
    public void processElement(SampleEvent event, ReadOnlyContext context, Collector<Prediction> out) throws Exception {
        String key = modelKey != null ? modelKey : event == null || event.key == null ? "" : event.key;
        predictor.answer(
                key,
                event,
                context.getBroadcastState(NEWEST).get(key),
                out::collect,
                rejected -> context.output(LearnFunction.REJECTED, rejected));
    }

    @Override
    public void processBroadcastElement(ModelRecord record, Context context, Collector<Prediction> out)
            throws Exception {
        BroadcastState<String, ModelParts> arriving = context.getBroadcastState(ARRIVING);
        ModelParts known = arriving.get(record.key);
        ModelParts model = known == null ? new ModelParts() : known;
        try {
            if (model.add(record).isPresent()) {
                context.getBroadcastState(NEWEST).put(record.key, model);
                arriving.remove(record.key);
            } else {
                arriving.put(record.key, model);
            }
        } catch (IncompatibleStateException e) {
            context.output(
                    LearnFunction.REJECTED, RejectedSample.of(record.key, null, Reason.BAD_MODEL, e.getMessage()));
        }
    }
}
