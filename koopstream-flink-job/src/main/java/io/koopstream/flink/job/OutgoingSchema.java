package io.koopstream.flink.job;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A result as a Kafka record: keyed by its stream, so that the results of a stream stay in order. */
final class OutgoingSchema implements KafkaRecordSerializationSchema<Outgoing> {

    private static final long serialVersionUID = 2L;

    private final String topic;
    /** Null: the bytes are sent as they are. */
    private final ResultEncoder encoder;

    OutgoingSchema(String topic, Optional<ResultEncoder> encoder) {
        this.topic = topic;
        this.encoder = encoder.orElse(null);
    }

    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sink) {
        if (encoder != null) {
            encoder.open();
        }
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(Outgoing result, KafkaSinkContext context, Long timestamp) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic,
                result.key.getBytes(StandardCharsets.UTF_8),
                encoder == null ? result.value : encoder.encode(result.value));
        if (result.checksum != null) {
            ModelHeaders.put(record.headers(), result);
        }
        return record;
    }
}
