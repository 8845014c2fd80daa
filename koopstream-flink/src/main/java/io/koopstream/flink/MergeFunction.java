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
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The foot of one big stream: puts the models of the parts together whenever all of them have published the same version, in the order of
 * the parts, so that the result does not depend on who was faster. Rounds are counted in samples ({@link LearnSettings#publishEvery}),
 * never in time. At the end of a bounded stream the last versions are merged, whatever they are.
 *
 * <p>Use on {@code learned.getSideOutput(LearnFunction.MODELS).keyBy(partitioning.toOne())}. What does not go together comes out at
 * {@link LearnFunction#REJECTED}.
 */
public final class MergeFunction extends KeyedProcessFunction<String, ModelRecord, ModelRecord> {

    private static final long serialVersionUID = 1L;

    private static final String END = "end";

    private final Partitioning partitioning;
    private final ModelMerge merge;
    private final int blockBytes;
    /** By part: the version whose blocks are arriving. */
    private transient MapState<Integer, ModelParts> arriving;
    /** By round and part: versions that are complete and wait for those of the other parts. */
    private transient MapState<String, ModelParts> waiting;

    /**
     * @param partitioning the parts
     * @param merge how they become one
     * @param blockBytes the most bytes of a published record
     */
    public MergeFunction(Partitioning partitioning, ModelMerge merge, int blockBytes) {
        this.partitioning = partitioning;
        this.merge = merge;
        this.blockBytes = blockBytes;
    }

    @Override
    public void open(OpenContext context) {
        TypeInformation<ModelParts> parts = TypeInformation.of(ModelParts.class);
        arriving = getRuntimeContext().getMapState(new MapStateDescriptor<>("arriving-parts", Types.INT, parts));
        waiting = getRuntimeContext().getMapState(new MapStateDescriptor<>("waiting-parts", Types.STRING, parts));
    }

    @Override
    public void processElement(ModelRecord record, Context context, Collector<ModelRecord> out) throws Exception {
        int partition = partitioning.partition(record.key);
        if (partition < 0) {
            reject(context, record.key, record.version, "no part of " + partitioning.stream() + " has this key");
            return;
        }
        context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
        ModelParts known = arriving.get(partition);
        ModelParts model = known == null ? new ModelParts() : known;
        try {
            if (model.add(record).isEmpty()) {
                arriving.put(partition, model);
                return;
            }
        } catch (IncompatibleStateException e) {
            reject(context, record.key, record.version, e.getMessage());
            return;
        }
        arriving.remove(partition);
        String round = model.end ? END : Long.toString(model.version);
        waiting.put(round + "/" + partition, model);
        List<ModelParts> all = take(round, partitioning.partitions());
        if (!model.end && all.size() == partitioning.partitions()) {
            publish(all, false, context, out);
            drop(round);
        }
    }

    /** The end of the stream: parts that have never seen a pair have nothing to add. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ModelRecord> out) throws Exception {
        List<ModelParts> last = take(END, 1);
        if (!last.isEmpty()) {
            publish(last, true, context, out);
        }
        arriving.clear();
        waiting.clear();
    }

    /** The versions of a round in the order of the parts; stops early when there cannot be enough. */
    private List<ModelParts> take(String round, int needed) throws Exception {
        List<ModelParts> parts = new ArrayList<>();
        for (int p = 0; p < partitioning.partitions(); p++) {
            ModelParts part = waiting.get(round + "/" + p);
            if (part != null) {
                parts.add(part);
            } else if (needed == partitioning.partitions()) {
                return List.of();
            }
        }
        return parts;
    }

    private void drop(String round) throws Exception {
        for (int p = 0; p < partitioning.partitions(); p++) {
            waiting.remove(round + "/" + p);
        }
    }

    private void publish(List<ModelParts> parts, boolean end, Context context, Collector<ModelRecord> out) {
        try {
            StoredModel merged =
                    merge.merge(parts.stream().map(ModelParts::model).iterator());
            long version = parts.stream().mapToLong(part -> part.version).sum();
            ModelParts.publish(partitioning.stream(), version, merged, blockBytes, end, out::collect);
        } catch (KoopstreamException e) {
            reject(context, partitioning.stream(), parts.get(0).version, e.getMessage());
        }
    }

    private static void reject(Context context, String key, long version, String message) {
        context.output(
                LearnFunction.REJECTED,
                RejectedSample.of(key, null, Reason.BAD_MODEL, "version " + version + ": " + message));
    }
}
