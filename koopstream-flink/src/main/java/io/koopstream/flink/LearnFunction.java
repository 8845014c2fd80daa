package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.flink.state.IncompatibleStateException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * One model per key: predicts every pair, then learns it. The main output is what was learned; models, changes of the dynamics, scores and
 * rejected records are side outputs, see {@link #MODELS}, {@link #DRIFT}, {@link #SCORES}, {@link #GAPS} and {@link #REJECTED}.
 *
 * <p>Use after {@code keyBy(SampleEvent.byKey())}, with a {@code uid} of your own; on another state backend than that on the heap through
 * {@link LearnOperator}. Records of one key must come in
 * the order of their trajectories; what does not is rejected, never paired wrongly.
 *
 * <p>A model is published when its version reaches or passes a multiple of {@link LearnSettings#publishEvery}, when a {@linkplain SampleEvent#request
 * request} asks for it, before a key is {@linkplain LearnSettings#forgetAfter forgotten}, and at the end of a bounded stream (also of one that is stopped
 * with {@code --drain}).
 *
 * <p>What keys were learned with is part of the state, and compared when a job starts: one that says something else ends there, for good.
 */
public final class LearnFunction extends KeyedProcessFunction<String, SampleEvent, Learned>
        implements CheckpointedFunction {

    private static final long serialVersionUID = 3L;

    /** Published models, in parts. */
    public static final OutputTag<ModelRecord> MODELS =
            new OutputTag<>("koopstream-models", TypeInformation.of(ModelRecord.class));

    /** Changes of the dynamics. */
    public static final OutputTag<DriftNotice> DRIFT =
            new OutputTag<>("koopstream-drift", TypeInformation.of(DriftNotice.class));

    /** How unusual every record was, where the settings ask for it ({@code scores}). */
    public static final OutputTag<ScoreRecord> SCORES =
            new OutputTag<>("koopstream-scores", TypeInformation.of(ScoreRecord.class));

    /** Records that begin their trajectory anew because others are missing before them ({@link RejectedSample.Reason#GAP}). They are learned from. */
    public static final OutputTag<RejectedSample> GAPS =
            new OutputTag<>("koopstream-gaps", TypeInformation.of(RejectedSample.class));

    /** Records that were not learned from, each with its reason. */
    public static final OutputTag<RejectedSample> REJECTED =
            new OutputTag<>("koopstream-rejected", TypeInformation.of(RejectedSample.class));

    /** Young models of a task that are held whole; the others are made of their records when they come again. */
    private static final int MAX_AWAKE = 512;

    /** The same where each begins as a copy of a model. */
    private static final int MAX_AWAKE_COPIES = 32;

    private final LearnSettings settings;
    /** What keys are learned with, in words. */
    private final String fingerprint;

    private transient TaskModels models;
    /** Makes a key the current one, where models are cached; see {@link LearnOperator}. */
    private transient Consumer<String> switchTo;

    /** Young models that were woken, oldest first. */
    private transient ArrayDeque<KoopmanModel> awake;

    /** The newest event time of a key, where keys are forgotten. */
    private transient ValueState<Long> seen;

    /** What tells of the parts of one stream; null for keys of their own, and where whole models are told. */
    private final PartNews news;

    private transient ListState<String> stored;
    /** The fingerprints of all keys there are, this job's among them. */
    private transient Set<String> fingerprints;

    private transient LearnMetrics metrics;

    /** A function in which every key starts as the settings say. */
    public LearnFunction(LearnSettings settings) {
        this.settings = settings;
        this.news = null;
        this.fingerprint = settings.lasting() + (settings.names().isEmpty() ? "" : " of " + settings.names());
    }

    /**
     * A function whose keys are the parts of one stream.
     *
     * @param merge how their models become one: where statistics are added, a part tells what it has added since it last told, and its whole model only
     *     when the stream ends
     */
    public LearnFunction(LearnSettings settings, Partitioning parts, ModelMerge merge) {
        this.settings = settings;
        if (settings.start().isEmpty() && settings.stream().choosesKernel()) {
            throw new InvalidConfigException(
                    "kernel", null, "is missing; parts of one stream must agree on it before the stream begins");
        }
        if (settings.newKeysOnly()) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE,
                    "changedSettings",
                    "new-keys",
                    "the parts of one stream learn alike; start it without the savepoint, from a published model");
        }
        if (!settings.forgetAfter().isZero()) {
            throw new InvalidConfigException(
                    InvalidConfigException.Reason.NOT_APPLICABLE,
                    "forgetAfter",
                    settings.forgetAfter(),
                    "the parts of one stream are not forgotten; leave it out");
        }
        this.news = merge.addsStatistics() ? new PartNews(settings, parts, merge) : null;
        // Parts that began with other dictionaries would not add up.
        this.fingerprint = parts + " with " + settings.lasting() + " of " + settings.names()
                + settings.start()
                        .map(model -> " from " + model.state().digest())
                        .orElse("");
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        stored = context.getOperatorStateStore().getUnionListState(new ListStateDescriptor<>("settings", Types.STRING));
        fingerprints = new TreeSet<>();
        stored.get().forEach(fingerprints::add);
        Optional<String> other = fingerprints.stream()
                .filter(one -> !LearnSettings.areSame(one, fingerprint))
                .findFirst();
        if (other.isPresent() && !settings.newKeysOnly()) {
            throw IncompatibleStateException.otherSettings(other.get(), fingerprint);
        }
        fingerprints.add(fingerprint);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        // Every task knows all of them, and gets all of them back.
        boolean one = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0;
        stored.update(one ? List.copyOf(fingerprints) : List.of());
    }

    @Override
    public void open(OpenContext context) {
        metrics = new LearnMetrics(getRuntimeContext().getMetricGroup());
        models = new TaskModels(getRuntimeContext(), switchTo, settings.cacheBytes(), metrics);
        if (!settings.forgetAfter().isZero()) {
            seen = getRuntimeContext().getState(new ValueStateDescriptor<>("last-record", Types.LONG));
        }
        awake = new ArrayDeque<>();
        if (news != null) {
            news.open(getRuntimeContext());
        }
    }

    /** Says, before it is opened, that models are to be cached in front of the state. */
    void behindCache(Consumer<String> makesKeyCurrent) {
        switchTo = makesKeyCurrent;
    }

    /** Writes what the cache holds, when a checkpoint begins. */
    void flush() throws Exception {
        if (models != null) {
            models.flush();
        }
    }

    @Override
    public void processElement(SampleEvent event, Context context, Collector<Learned> out) throws Exception {
        String key = context.getCurrentKey();
        if (event == null || event.key == null) {
            reject(context, RejectedSample.of(key, event, Reason.NULL, "the record or its key is missing"));
            return;
        }
        if (event.request) {
            answer(key, event, context);
            return;
        }
        if (seen != null) {
            seen(context);
        }
        // Asked for anew with every record, never kept: while a snapshot is written, this hands out a copy.
        KoopmanModel model = models.get(key);
        if (Lateness.isLate(settings, event, context)) {
            reject(context, Lateness.rejected(key, event, context.timestamp()));
            if (model != null) {
                model.follow(settings);
                model.leftOut(event);
                models.put(key, model);
            }
            return;
        }
        if (model == null) {
            model = KoopmanModel.start(settings);
            metrics.met();
            if (settings.publishAtEnd()) {
                context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            }
        } else {
            if (model.following() == null) {
                metrics.met();
            }
            model.follow(settings);
        }
        if (model.isAsleep()) {
            awake.add(model);
            if (awake.size() > (settings.start().isPresent() ? MAX_AWAKE_COPIES : MAX_AWAKE)) {
                awake.remove().sleep();
            }
        }
        long before = model.version();
        long start = System.nanoTime();
        KoopmanModel.Step step =
                model.accept(key, event, settings.predictions(), news == null ? null : news.predictor());
        metrics.updated(System.nanoTime() - start);
        models.put(key, model);
        step.rejected().ifPresent(rejected -> reject(context, rejected));
        step.forgotten().ifPresent(rejected -> reject(context, rejected));
        tell(step, context);
        step.learned().ifPresent(out::collect);
        if (model.version() > before) {
            metrics.learned(model.version() - before, model);
            // The end of a warm-up takes many pairs at once, and may pass a multiple.
            long every = settings.publishEvery();
            if (every > 0 && model.version() / every > before / every) {
                publish(key, model, false, context);
            }
        }
    }

    private void tell(KoopmanModel.Step step, Context context) {
        for (DriftNotice notice : step.drift()) {
            metrics.drifted();
            context.output(DRIFT, notice);
        }
        for (ScoreRecord score : step.scores()) {
            metrics.scored(score);
            context.output(SCORES, score);
        }
    }

    /** Silence is measured in the stream's own time: while a job stands still, or catches up, no key is silent. */
    private void seen(Context context) throws Exception {
        Long time = context.timestamp();
        if (time == null || time == Long.MIN_VALUE) {
            // Flink would start the job over and over; the next record has no time either.
            throw new SuppressRestartsException(
                    new InvalidConfigException(
                            InvalidConfigException.Reason.NOT_APPLICABLE,
                            "forgetAfter",
                            settings.forgetAfter(),
                            "silence is measured in event time, and records have none; assignTimestampsAndWatermarks, or leave it out"));
        }
        if (time < Long.MAX_VALUE) {
            long newest = seen.value() == null ? time : Math.max(seen.value(), time);
            seen.update(newest);
            awaitSilence(newest, context);
        }
    }

    /** Timers stand at few points of time, so that a busy key has one or two, not one per record. */
    private void awaitSilence(long from, Context context) {
        long span = settings.forgetAfter().toMillis();
        long grain = Math.max(1, span / 8);
        context.timerService().registerEventTimeTimer(((from + span) / grain + 1) * grain);
    }

    private void answer(String key, SampleEvent request, Context context) throws Exception {
        KoopmanModel model = models.get(key);
        if (model != null) {
            model.follow(settings);
        }
        if (model == null || model.isWarmingUp()) {
            reject(
                    context,
                    RejectedSample.of(
                            key, request, Reason.NO_MODEL, "key " + key + " has too few records yet; ask later"));
        } else {
            publish(key, model, false, context);
        }
    }

    /** The end of the stream, when the watermark passes everything; or perhaps of a key. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<Learned> out) throws Exception {
        boolean ended = timestamp == Long.MAX_VALUE;
        if (!ended) {
            if (seen == null || seen.value() == null || context.timerService().currentWatermark() == Long.MAX_VALUE) {
                return;
            }
            // Also where a timer by the clock comes out of a savepoint of an earlier release.
            if (context.timeDomain() == TimeDomain.PROCESSING_TIME
                    || timestamp - seen.value() < settings.forgetAfter().toMillis()) {
                awaitSilence(seen.value(), context);
                return;
            }
        }
        KoopmanModel model = models.get(context.getCurrentKey());
        if (model != null && (settings.publishAtEnd() || !ended)) {
            publishLast(model, context);
        }
        if (!ended) {
            models.clear(context.getCurrentKey());
            seen.clear();
            context.timerService().deleteEventTimeTimer(Long.MAX_VALUE);
            metrics.forgot();
        }
    }

    private void publishLast(KoopmanModel model, OnTimerContext context) throws Exception {
        String key = context.getCurrentKey();
        model.follow(settings);
        try {
            tell(model.endWarmUp(key), context);
            models.put(key, model);
        } catch (KoopstreamException e) {
            reject(
                    context,
                    RejectedSample.of(
                            key,
                            null,
                            Reason.NO_MODEL,
                            "the stream ended before settings could be chosen: " + e.getMessage()));
        }
        // One that has learned nothing says nothing.
        if (!model.isWarmingUp() && model.version() > 0) {
            publish(key, model, true, context);
        }
        model.sleep();
    }

    private void publish(String key, KoopmanModel model, boolean end, Context context) throws Exception {
        Consumer<ModelRecord> target = record -> context.output(MODELS, record);
        if (news != null && !end) {
            news.tell(key, model, target);
            models.put(key, model);
        } else {
            ModelParts.publish(key, model.version(), model.stored(), settings.blockBytes(), end, target);
        }
        metrics.published();
    }

    private void reject(Context context, RejectedSample rejected) {
        metrics.rejected(rejected.reason);
        context.output(rejected.reason == Reason.GAP ? GAPS : REJECTED, rejected);
    }
}
