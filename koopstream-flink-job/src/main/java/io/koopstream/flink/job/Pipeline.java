package io.koopstream.flink.job;

import io.koopstream.flink.LearnFunction;
import io.koopstream.flink.LearnSettings;
import io.koopstream.flink.Learned;
import io.koopstream.flink.MergeFunction;
import io.koopstream.flink.ModelRecord;
import io.koopstream.flink.PairFunction;
import io.koopstream.flink.Partitioning;
import io.koopstream.flink.RejectedSample;
import io.koopstream.flink.SampleEvent;
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
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** The job as a graph of operators. Every operator that holds state has a {@code uid}: savepoints are found by it. */
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
        this.learn = builder.publishAtEnd(job.models().isPresent()).build();
    }

    /** Everything, from Kafka on. */
    void build(StreamExecutionEnvironment environment) {
        build(environment.fromSource(source(), watermarks(), "samples").uid("source"));
    }

    /** Everything after the source. */
    void build(DataStream<RawRecord> records) {
        SingleOutputStreamOperator<SampleEvent> samples = records.process(
                        new ReadFunction(job.source().newFormat(), job.source().layout()))
                .returns(TypeInformation.of(SampleEvent.class))
                .name("read")
                .uid("read");
        DataStream<Outgoing> rejected = samples.getSideOutput(ReadFunction.UNREADABLE);
        if (job.learn().mode() == MethodChoice.Mode.KEYED) {
            SingleOutputStreamOperator<Learned> learned = learn(samples);
            rejected = rejected.union(lines(learned.getSideOutput(LearnFunction.REJECTED)));
            publish(learned.getSideOutput(LearnFunction.MODELS));
        } else {
            rejected = rejected.union(merged(samples));
        }
        sinks.send(rejected, job.rejected(), "rejected");
    }

    /** One big stream: pairs are made in one place, learned in parts, and the models of the parts are merged. */
    private DataStream<Outgoing> merged(SingleOutputStreamOperator<SampleEvent> samples) {
        int parallelism =
                job.run().parallelism().orElse(samples.getExecutionEnvironment().getParallelism());
        Partitioning parts = Partitioning.even(
                job.name(), job.learn().partitions(), parallelism, job.run().maxParallelism());
        SingleOutputStreamOperator<SampleEvent> pairs = samples.keyBy(parts.toOne())
                .process(new PairFunction(learn, parts))
                .returns(TypeInformation.of(SampleEvent.class))
                .name("pair")
                .uid("pair");
        SingleOutputStreamOperator<Learned> learned = learn(pairs);
        SingleOutputStreamOperator<ModelRecord> whole = learned.getSideOutput(LearnFunction.MODELS)
                .keyBy(parts.toOne())
                .process(new MergeFunction(parts, job.learn().merge(), learn.blockBytes()))
                .returns(TypeInformation.of(ModelRecord.class))
                .name("merge")
                .uid("merge");
        publish(whole);
        return lines(pairs.getSideOutput(LearnFunction.REJECTED))
                .union(
                        lines(learned.getSideOutput(LearnFunction.REJECTED)),
                        lines(whole.getSideOutput(LearnFunction.REJECTED)));
    }

    private SingleOutputStreamOperator<Learned> learn(SingleOutputStreamOperator<SampleEvent> samples) {
        SingleOutputStreamOperator<Learned> learned = samples.keyBy(SampleEvent.byKey())
                .process(new LearnFunction(learn))
                .returns(TypeInformation.of(Learned.class))
                .name("learn")
                .uid("learn");
        job.predictions()
                .ifPresent(target -> sinks.send(
                        learned.map(ResultLines.predictions()).returns(OUTGOING).name("prediction lines"),
                        target,
                        "predictions"));
        job.drift()
                .ifPresent(target -> sinks.send(
                        learned.getSideOutput(LearnFunction.DRIFT)
                                .map(ResultLines.drift())
                                .returns(OUTGOING)
                                .name("drift lines"),
                        target,
                        "drift"));
        return learned;
    }

    private static DataStream<Outgoing> lines(DataStream<RejectedSample> rejected) {
        // The reader has told what it could not read, with the place and the record.
        return rejected.filter(sample -> sample.reason != RejectedSample.Reason.UNREADABLE)
                .name("rejected samples")
                .map(ResultLines.rejected())
                .returns(OUTGOING)
                .name("rejected lines");
    }

    private void publish(DataStream<ModelRecord> models) {
        if (job.models().isEmpty()) {
            return;
        }
        ModelTargetSettings target = job.models().get();
        SingleOutputStreamOperator<Outgoing> published = models.process(new PublishModels(target))
                .returns(OUTGOING)
                .name("publish models")
                .uid("publish-models");
        Optional<String> topic = target.topic();
        if (topic.isPresent()) {
            sinks.toTopic(published, topic.get(), "models");
        } else {
            published.sinkTo(new DiscardingSink<>()).name("models are files").uid("models-sink");
        }
    }

    private WatermarkStrategy<RawRecord> watermarks() {
        return job.source()
                .lateAfter()
                .map(WatermarkStrategy::<RawRecord>forBoundedOutOfOrderness)
                .orElseGet(WatermarkStrategy::noWatermarks);
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
