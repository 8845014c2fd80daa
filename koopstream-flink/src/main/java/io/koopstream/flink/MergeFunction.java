package io.koopstream.flink;

import io.koopstream.KoopstreamException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.StoredModel;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * One stage on the way from the models of the parts to that of the whole: keeps the newest model of each of its parts and puts them together, in the
 * order of the parts, whenever they have taken as many new pairs as {@code every} for each of them. A part that lags or is idle holds nobody back, and what is
 * kept is bounded by the number of parts. At the end of a bounded stream the last models are put together, which gives one and the same model whoever
 * was faster; which versions meet on the way there does depend on that.
 *
 * <p>Use on {@code models.keyBy(stage.byGroup())}, stage after stage. What does not go together comes out at {@link LearnFunction#REJECTED}.
 */
public final class MergeFunction extends KeyedProcessFunction<String, ModelRecord, ModelRecord> {

    private static final long serialVersionUID = 2L;

    private final Partitioning.Stage stage;
    private final ModelMerge merge;
    private final long every;
    private final int blockBytes;
    /** By part: the version whose blocks are arriving. */
    private transient MapState<Integer, ModelParts> arriving;
    /** By part: the newest complete version. */
    private transient MapState<Integer, ModelParts> newest;
    /** The version that was published last. */
    private transient ValueState<Long> published;

    /**
     * @param stage the parts, and what they become
     * @param merge how they become one
     * @param settings those of the parts
     */
    public MergeFunction(Partitioning.Stage stage, ModelMerge merge, LearnSettings settings) {
        this.stage = stage;
        this.merge = merge;
        this.every = Math.max(1, settings.publishEvery());
        this.blockBytes = settings.blockBytes();
    }

    @Override
    public void open(OpenContext context) {
        TypeInformation<ModelParts> parts = TypeInformation.of(ModelParts.class);
        arriving = getRuntimeContext().getMapState(new MapStateDescriptor<>("arriving-parts", Types.INT, parts));
        newest = getRuntimeContext().getMapState(new MapStateDescriptor<>("newest-parts", Types.INT, parts));
        published = getRuntimeContext().getState(new ValueStateDescriptor<>("published-version", Types.LONG));
    }

    @Override
    public void processElement(ModelRecord record, Context context, Collector<ModelRecord> out) throws Exception {
        int part = stage.from().part(record.key);
        if (part < 0) {
            reject(context, record.key, record.version, "it is none of " + stage.from());
            return;
        }
        context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
        ModelParts known = arriving.get(part);
        ModelParts model = known == null ? new ModelParts() : known;
        try {
            if (model.add(record).isEmpty()) {
                arriving.put(part, model);
                return;
            }
        } catch (IncompatibleStateException e) {
            reject(context, record.key, record.version, e.getMessage());
            return;
        }
        arriving.remove(part);
        newest.put(part, model);
        if (!model.end) {
            List<ModelParts> all = inOrder(context);
            Long before = published.value();
            if (version(all) - (before == null ? 0 : before) >= every * stage.weight() * all.size()) {
                publish(all, false, context, out);
            }
        }
    }

    /** The end of the stream: parts that have never seen a pair have nothing to add. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ModelRecord> out) throws Exception {
        List<ModelParts> last = inOrder(context);
        if (!last.isEmpty()) {
            publish(last, true, context, out);
        }
        arriving.clear();
        newest.clear();
    }

    private List<ModelParts> inOrder(Context context) throws Exception {
        List<ModelParts> all = new ArrayList<>();
        int first = stage.to().part(context.getCurrentKey()) * stage.fanIn();
        for (int p = 0; p < stage.fanIn(); p++) {
            ModelParts part = newest.get(first + p);
            if (part != null) {
                all.add(part);
            }
        }
        return all;
    }

    private static long version(List<ModelParts> parts) {
        return parts.stream().mapToLong(part -> part.version).sum();
    }

    private void publish(List<ModelParts> parts, boolean end, Context context, Collector<ModelRecord> out)
            throws Exception {
        long version = version(parts);
        published.update(version);
        try {
            StoredModel merged =
                    merge.merge(parts.stream().map(ModelParts::model).iterator());
            String key = stage.isLast() ? stage.to().stream() : context.getCurrentKey();
            ModelParts.publish(key, version, merged, blockBytes, end, out::collect);
        } catch (KoopstreamException e) {
            reject(context, context.getCurrentKey(), version, e.getMessage());
        }
    }

    private static void reject(Context context, String key, long version, String message) {
        context.output(
                LearnFunction.REJECTED,
                RejectedSample.of(key, null, Reason.BAD_MODEL, "version " + version + ": " + message));
    }
}
