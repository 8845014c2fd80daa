package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.operator.KoopmanOperator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Forecasts from the newest published model of each record's own key. Use on records and models that are connected and keyed alike:
 * {@code events.connect(models).keyBy(SampleEvent.byKey(), ModelRecord.byKey())}. A record whose key has no model yet comes out at
 * {@link LearnFunction#REJECTED}. For one model for all, see {@link BroadcastPredictFunction}.
 *
 * <p>Which version answers depends on which of the two streams was faster; every answer says which it was.
 */
public final class PredictFunction extends KeyedCoProcessFunction<String, SampleEvent, ModelRecord, Prediction> {

    private static final long serialVersionUID = 1L;

    private final int steps;
    private transient ValueState<ModelParts> newest;
    private transient ValueState<ModelParts> arriving;
    private transient Predictor predictor;

    /** @param steps how far to look ahead, from 1 */
    public PredictFunction(int steps) {
        this.steps = requireHorizon(steps);
    }

    static int requireHorizon(int steps) {
        if (steps < 1 || steps > KoopmanOperator.MAX_HORIZON) {
            throw new InvalidConfigException("steps", steps, "must be from 1 to " + KoopmanOperator.MAX_HORIZON);
        }
        return steps;
    }

    @Override
    public void open(OpenContext context) {
        TypeInformation<ModelParts> parts = TypeInformation.of(ModelParts.class);
        newest = getRuntimeContext().getState(new ValueStateDescriptor<>("newest-model", parts));
        arriving = getRuntimeContext().getState(new ValueStateDescriptor<>("arriving-model", parts));
        predictor = new Predictor(steps);
    }

    @Override
    public void processElement1(SampleEvent event, Context context, Collector<Prediction> out) throws Exception {
        predictor.answer(
                context.getCurrentKey(),
                event,
                newest.value(),
                out::collect,
                rejected -> context.output(LearnFunction.REJECTED, rejected));
    }

    @Override
    public void processElement2(ModelRecord record, Context context, Collector<Prediction> out) throws Exception {
        ModelParts known = arriving.value();
        ModelParts model = known == null ? new ModelParts() : known;
        try {
            if (model.add(record).isPresent()) {
                newest.update(model);
                arriving.clear();
            } else {
                arriving.update(model);
            }
        } catch (IncompatibleStateException e) {
            context.output(
                    LearnFunction.REJECTED,
                    RejectedSample.of(context.getCurrentKey(), null, Reason.BAD_MODEL, e.getMessage()));
        }
    }
}
