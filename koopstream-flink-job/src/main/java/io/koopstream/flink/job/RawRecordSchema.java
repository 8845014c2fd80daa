package io.koopstream.flink.job;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes records as they are: reading them comes after, where a bad one can be put aside with its reason. */
final class RawRecordSchema implements KafkaRecordDeserializationSchema<RawRecord> {

    private static final long serialVersionUID = 1L;
    private static final byte[] NOTHING = new byte[0];

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawRecord> out) {
        out.collect(new RawRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8),
                record.value() == null ? NOTHING : record.value()));
    }

    @Override
    public TypeInformation<RawRecord> getProducedType() {
        return TypeInformation.of(RawRecord.class);
    }
}
