package io.koopstream.flink.job;

import io.koopstream.flink.LearnFunction;
import io.koopstream.flink.LearnOperator;
import io.koopstream.flink.LearnSettings;
import io.koopstream.flink.Learned;
import io.koopstream.flink.MergeFunction;
import io.koopstream.flink.ModelRecord;
import io.koopstream.flink.Partitioning;
import io.koopstream.flink.RejectedSample;
import io.koopstream.flink.SampleEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** The job as a graph of operators. Every operator has a {@code uid}: its state is found by it in savepoints. */
final class Pipeline {

    private static final TypeInformation<Outgoing> OUTGOING = TypeInformation.of(Outgoing.class);

    private final JobSettings job;
    private final LearnSettings learn;
    private final ResultSinks sinks;

    Pipeline(JobSettings job) {
        this.job = job;
        this.sinks = new ResultSinks(job);
        LearnSettings.Builder builder = job.learn().settings();
        job.models().ifPresent(models -> builder.publishEvery(models.every()));
        if (job.source().lateAfter().isEmpty()) {
            // Watermarks are then for forgetAfter alone.
            builder.allowedLateness(Duration.ofMillis(Long.MAX_VALUE));
        }
        this.learn = builder.publishAtEnd(job.models().isPresent()).build();
    }

    /** Everything, from Kafka on. */
    void build(StreamExecutionEnvironment environment) {
        build(environment.fromSource(source(), watermarks(), "samples").uid("source"));
    }

    /** Everything after the source. */
    void build(DataStream<RawRecord> records) {
        Optional<Partitioning> parts = job.learn().mode() == MethodChoice.Mode.KEYED
                ? Optional.empty()
                : Optional.of(Partitioning.of(
                        job.name(), job.learn().partitions(), job.run().maxParallelism()));
        SingleOutputStreamOperator<SampleEvent> samples = records.process(new ReadFunction(job.source(), parts))
                .returns(TypeInformation.of(SampleEvent.class))
                .name("read")
                .uid("read");
        DataStream<RejectedSample> rejected = samples.getSideOutput(ReadFunction.UNREADABLE);
        // Parts under another name than keys: state of the one is none of the other.
        String name = parts.isEmpty() ? "learn" : "learn-parts";
        SingleOutputStreamOperator<Learned> learned = learn(
                timed(samples),
                parts.map(of -> new LearnFunction(learn, of, job.learn().merge()))
                        .orElseGet(() -> new LearnFunction(learn)),
                name);
        rejected = rejected.union(
                // The reader has told what it could not read, with the record.
                learned.getSideOutput(LearnFunction.REJECTED)
                        .filter(sample -> sample.reason != RejectedSample.Reason.UNREADABLE)
                        .name("rejected by " + name)
                        .uid("rejected-by-" + name));
        DataStream<ModelRecord> models = learned.getSideOutput(LearnFunction.MODELS);
        if (parts.isPresent()) {
            List<Partitioning.Stage> stages = parts.get().stages(job.learn().fanIn());
            for (int i = 0; i < stages.size(); i++) {
                SingleOutputStreamOperator<ModelRecord> merged = merge(models, stages.get(i), "merge-" + (i + 1));
                rejected = rejected.union(merged.getSideOutput(LearnFunction.REJECTED));
                models = merged;
            }
        }
        publish(models);
        sinks.send(rejected, ResultLines.rejected(), job.rejected(), "rejected");
    }

    /** With the time of the field, where that is the one that counts, and in its order, where that is asked for. */
    private DataStream<SampleEvent> timed(DataStream<SampleEvent> samples) {
        SourceSettings from = job.source();
        DataStream<SampleEvent> timed = from.timeUnit().isEmpty()
                ? samples
                : samples.assignTimestampsAndWatermarks(new FieldTime(
                                from.timeUnit().get(), from.behind().orElseThrow(), from.idleAfter()))
                        .name("event time")
                        .uid("event-time");
        return from.orderWait().isEmpty()
                ? timed
                : timed.keyBy(SampleEvent.byKey())
                        .process(new OrderFunction())
                        .returns(TypeInformation.of(SampleEvent.class))
                        .name("order")
                        .uid("order");
    }

    /** One stage on the way from the models of the parts to that of the whole. */
    private SingleOutputStreamOperator<ModelRecord> merge(
            DataStream<ModelRecord> models, Partitioning.Stage stage, String name) {
        return models.keyBy(stage.byGroup())
                .process(new MergeFunction(stage, job.learn().merge(), learn))
                .returns(TypeInformation.of(ModelRecord.class))
                .name(name)
                .uid(name);
    }

    private SingleOutputStreamOperator<Learned> learn(
            DataStream<SampleEvent> samples, LearnFunction function, String name) {
        SingleOutputStreamOperator<Learned> learned = LearnOperator.of(samples.keyBy(SampleEvent.byKey()), function)
                .name("learn")
                .uid(name);
        job.predictions().ifPresent(target -> sinks.send(learned, ResultLines.predictions(), target, "predictions"));
        send(learned, LearnFunction.DRIFT, ResultLines.drift(), job.drift(), "drift");
        send(learned, LearnFunction.SCORES, ResultLines.scores(), job.scores(), "scores");
        send(learned, LearnFunction.GAPS, ResultLines.rejected(), job.gaps(), "gaps");
        return learned;
    }

    private <T> void send(
            SingleOutputStreamOperator<Learned> learned,
            OutputTag<T> from,
            ResultLines<T> lines,
            Optional<TargetSettings> target,
            String what) {
        target.ifPresent(to -> sinks.send(learned.getSideOutput(from), lines, to, what));
    }

    private void publish(DataStream<ModelRecord> models) {
        if (job.models().isEmpty()) {
            return;
        }
        ModelTargetSettings target = job.models().get();
        SingleOutputStreamOperator<Outgoing> published = models.transform(
                        "publish models", OUTGOING, new PublishModels(target))
                .uid("publish-models");
        Optional<String> topic = target.topic();
        if (topic.isPresent()) {
            sinks.modelsToTopic(published, topic.get());
        } else {
            published.sinkTo(new DiscardingSink<>()).name("models are files").uid("models-sink");
        }
    }

    /** The times of Kafka's records. One whose producer's clock is ahead counts as of now: it alone must not make every other key look silent. */
    private WatermarkStrategy<RawRecord> watermarks() {
        SourceSettings from = job.source();
        if (from.timeUnit().isPresent()
                || (from.behind().isEmpty() && learn.forgetAfter().isZero())) {
            return WatermarkStrategy.noWatermarks();
        }
        return WatermarkStrategy.<RawRecord>forBoundedOutOfOrderness(
                        from.behind().orElse(Duration.ZERO))
                .withTimestampAssigner((record, time) -> Math.min(time, System.currentTimeMillis()))
                .withIdleness(from.idleAfter());
    }

    private KafkaSource<RawRecord> source() {
        SourceSettings from = job.source();
        KafkaSourceBuilder<RawRecord> builder = KafkaSource.<RawRecord>builder()
                .setProperties(from.clientProperties())
                .setBootstrapServers(from.brokers())
                .setTopics(from.topics())
                .setGroupId(from.group())
                .setClientIdPrefix("koop-" + job.name())
                .setStartingOffsets(
                        switch (from.from()) {
                            case EARLIEST -> OffsetsInitializer.earliest();
                            case LATEST -> OffsetsInitializer.latest();
                            case COMMITTED -> committed();
                        })
                .setDeserializer(new RawRecordSchema());
        if (from.until() == SourceSettings.Until.END) {
            builder.setBounded(OffsetsInitializer.latest());
        }
        return builder.build();
    }

    /** From the group's committed offsets, from the beginning where it has none. */
    @SuppressWarnings("deprecation") // Kafka deprecates the enum, the connector's only way to say this still takes it.
    private static OffsetsInitializer committed() {
        return OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST);
    }
}
