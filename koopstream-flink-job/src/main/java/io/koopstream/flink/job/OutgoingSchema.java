package io.koopstream.flink.job;

import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A result as a Kafka record: keyed by its stream, so that the results of a stream stay in order. */
final class OutgoingSchema implements KafkaRecordSerializationSchema<Outgoing> {

    private static final long serialVersionUID = 3L;

    private final String topic;

    OutgoingSchema(String topic) {
        this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(Outgoing result, KafkaSinkContext context, Long timestamp) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, result.key.getBytes(StandardCharsets.UTF_8), result.value);
        if (result.checksum != null) {
            ModelHeaders.put(record.headers(), result);
        }
        return record;
    }
}
