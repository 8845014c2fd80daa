package io.koopstream.flink;

import io.koopstream.KoopstreamException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StatisticsFile;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * One stage on the way from the parts to the whole. Where statistics are added, it adds up what its parts say they have added since they last told, and
 * tells that on as one, or as a model where it is the last stage; each difference is counted once, whatever fails, because sums and epochs are state. Where
 * operators are averaged, it keeps the newest model of each part. Either way it tells whenever its parts have taken as many new pairs as {@code every} for
 * each of them: a part that lags or is idle holds nobody back. At the end of a bounded stream the last models of all parts are put together, in the order of
 * the parts, which gives one and the same model whoever was faster; what is told on the way there does depend on that.
 *
 * <p>Use on {@code models.keyBy(stage.byGroup())}, stage after stage. What does not go together comes out at {@link LearnFunction#REJECTED}.
 */
public final class MergeFunction extends KeyedProcessFunction<String, ModelRecord, ModelRecord> {

    private static final long serialVersionUID = 3L;

    private final Partitioning.Stage stage;
    private final ModelMerge merge;
    private final long every;
    private final LearnSettings settings;
    /** By part: the version whose blocks are arriving. */
    private transient MapState<Integer, ModelParts> arriving;
    /** By part: the newest complete version. */
    private transient MapState<Integer, ModelParts> newest;
    /** The version that was published last. */
    private transient ValueState<Long> published;
    /** What was told since then, as {@link StatisticsFile} has it. */
    private transient ValueState<byte[]> group;
    /** The model of the whole that was published last, where statistics are added. */
    private transient ValueState<ModelParts> whole;

    private transient StoredModel start;
    /** Null where nothing comes back. */
    private transient WholeModel exchange;

    /**
     * @param stage the parts, and what they become
     * @param merge how they become one
     * @param settings those of the parts
     */
    public MergeFunction(Partitioning.Stage stage, ModelMerge merge, LearnSettings settings) {
        this.stage = stage;
        this.merge = merge;
        this.every = Math.max(1, settings.publishEvery());
        this.settings = settings;
    }

    @Override
    public void open(OpenContext context) {
        TypeInformation<ModelParts> parts = TypeInformation.of(ModelParts.class);
        arriving = getRuntimeContext().getMapState(new MapStateDescriptor<>("arriving-parts", Types.INT, parts));
        newest = getRuntimeContext().getMapState(new MapStateDescriptor<>("newest-parts", Types.INT, parts));
        published = getRuntimeContext().getState(new ValueStateDescriptor<>("published-version", Types.LONG));
        if (merge.addsStatistics()) {
            group = getRuntimeContext()
                    .getState(
                            new ValueStateDescriptor<>("group", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
            whole = getRuntimeContext().getState(new ValueStateDescriptor<>("whole", parts));
            StoredModel model = KoopmanModel.start(settings).stored();
            start = new StoredModel(ModelMerge.start(settings).emptied(), model.labels());
            exchange = merge.exchange()
                    .filter(of -> stage.isLast())
                    .map(of -> new WholeModel(of, stage.to().stream()))
                    .orElse(null);
        }
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
        if (model.difference) {
            add(part, model, context, out);
            return;
        }
        newest.put(part, model);
        if (!model.end) {
            List<ModelParts> all = inOrder(context);
            Long before = published.value();
            if (version(all) - (before == null ? 0 : before) >= every * stage.weight() * all.size()) {
                publish(all, false, context, out);
            }
        }
    }

    private void add(int part, ModelParts model, Context context, Collector<ModelRecord> out) throws Exception {
        if (start == null) {
            reject(
                    context,
                    model.key,
                    model.version,
                    "the parts tell differences of statistics, operators are averaged");
            return;
        }
        byte[] known = group.value();
        StatisticsGroup all = known == null ? StatisticsGroup.NOTHING : StatisticsFile.decodeGroup(known);
        try {
            all = all.plus(part, model.news());
            Long before = published.value();
            if (all.pairs() - (before == null ? 0 : before) >= every * stage.weight() * all.size()) {
                all = tell(all, context, out);
                published.update(all.pairs());
            }
            group.update(StatisticsFile.encode(all));
        } catch (IncompatibleStateException e) {
            throw e;
        } catch (KoopstreamException e) {
            reject(context, model.key, model.version, e.getMessage());
        }
    }

    /** Tells what was told here, as one. */
    private StatisticsGroup tell(StatisticsGroup all, Context context, Collector<ModelRecord> out) throws Exception {
        LeastSquaresState begun = (LeastSquaresState) start.state();
        StatisticsDelta.Sent<StatisticsGroup> told =
                all.send(begun.config(), stage.to().parts());
        if (stage.isLast()) {
            ModelParts before = whole.value();
            LeastSquaresState sum =
                    before == null ? begun : (LeastSquaresState) before.model().state();
            StoredModel model = new StoredModel(agreed(sum).plus(told.delta(), merge.maxDictionary()), start.labels());
            if (exchange != null) {
                exchange.publish(ModelFile.encode(model));
            }
            ModelParts now = new ModelParts();
            ModelParts.publish(key(context), all.pairs(), model, settings.blockBytes(), false, record -> {
                now.add(record);
                out.collect(record);
            });
            whole.update(now);
        } else {
            ModelParts.publish(key(context), told.delta(), settings.blockBytes(), out::collect);
        }
        return told.next();
    }

    /** On what was published before, also by this task before it went back to a checkpoint. */
    private LeastSquaresState agreed(LeastSquaresState sum) throws IOException {
        LeastSquaresState published = exchange == null ? null : exchange.newest();
        if (published == null || published.dictionarySize() <= sum.dictionarySize()) {
            return sum;
        }
        WholeModel.requireBegins(published, sum, sum.dictionarySize());
        return sum.on(published);
    }

    private String key(Context context) {
        return stage.isLast() ? stage.to().stream() : context.getCurrentKey();
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
            ModelParts.publish(key(context), version, merged, settings.blockBytes(), end, out::collect);
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
