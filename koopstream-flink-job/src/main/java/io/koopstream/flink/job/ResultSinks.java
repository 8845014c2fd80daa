package io.koopstream.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Properties;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/** Sends results to topics or files. */
final class ResultSinks {

    private final JobSettings settings;

    ResultSinks(JobSettings settings) {
        this.settings = settings;
    }

    /** To a topic or to files, as asked. */
    <T> void send(DataStream<T> results, ResultLines<T> lines, TargetSettings target, String what) {
        if (target.format() != TargetSettings.Format.JSON) {
            settings.registry()
                    .ifPresent(registry -> lines.encodeAs(
                            target.format(), registry, target.topic().orElseThrow()));
        }
        DataStream<Outgoing> records = results.map(lines)
                .returns(TypeInformation.of(Outgoing.class))
                .name(what + " lines")
                .uid(what + "-lines");
        if (target.topic().isPresent()) {
            toTopic(records, target.topic().get(), what);
        } else {
            toFiles(records, target.folder().orElseThrow(), what);
        }
    }

    /** Models to a topic; records become visible to readers of committed records when the checkpoint they belong to is complete. */
    void modelsToTopic(DataStream<Outgoing> models, String topic) {
        toTopic(models, topic, "models");
    }

    private void toTopic(DataStream<Outgoing> results, String topic, String what) {
        Properties producer = new Properties();
        producer.putAll(settings.run().properties());
        // Flink's default is one hour, which is more than a broker allows unless told otherwise.
        producer.putIfAbsent(
                "transaction.timeout.ms",
                Long.toString(settings.run().transactionTimeout().toMillis()));
        boolean exactlyOnce = settings.run().delivery() == RunSettings.Delivery.EXACTLY_ONCE;
        results.sinkTo(KafkaSink.<Outgoing>builder()
                        .setBootstrapServers(settings.source().brokers())
                        .setKafkaProducerConfig(producer)
                        .setDeliveryGuarantee(
                                exactlyOnce ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
                        .setTransactionalIdPrefix("koop-" + settings.name() + "-" + what)
                        .setRecordSerializer(new OutgoingSchema(topic))
                        .build())
                .name(what + " to topic " + topic)
                .uid(what + "-sink");
    }

    private void toFiles(DataStream<Outgoing> results, String folder, String what) {
        results.sinkTo(FileSink.forRowFormat(new Path(folder), new Lines())
                        .withRollingPolicy(OnCheckpointRollingPolicy.build())
                        .build())
                .name(what + " to files in " + folder)
                .uid(what + "-sink");
    }

    /** One result a line. */
    private static final class Lines implements Encoder<Outgoing> {

        private static final long serialVersionUID = 1L;

        @Override
        public void encode(Outgoing result, OutputStream stream) throws IOException {
            stream.write(result.value);
            stream.write('\n');
        }
    }
}
