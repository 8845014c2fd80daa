package io.koopstream.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.api.common.serialization.Encoder;
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
    void send(DataStream<Outgoing> results, TargetSettings target, ResultEncoder.Kind kind) {
        String what = kind.name().toLowerCase(Locale.ROOT);
        if (target.topic().isPresent()) {
            String topic = target.topic().get();
            Optional<ResultEncoder> encoder = target.format() == TargetSettings.Format.JSON
                    ? Optional.empty()
                    : settings.registry().map(registry -> new ResultEncoder(kind, target.format(), registry, topic));
            toTopic(results, new OutgoingSchema(topic, encoder), topic, what);
        } else {
            toFiles(results, target.folder().orElseThrow(), what);
        }
    }

    /** Models to a topic; records become visible to readers of committed records when the checkpoint they belong to is complete. */
    void modelsToTopic(DataStream<Outgoing> models, String topic) {
        toTopic(models, new OutgoingSchema(topic, Optional.empty()), topic, "models");
    }

    private void toTopic(DataStream<Outgoing> results, OutgoingSchema schema, String topic, String what) {
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
                        .setRecordSerializer(schema)
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
