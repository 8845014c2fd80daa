package io.koopstream.flink.job;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes records as they are: reading them comes after, where a bad one can be set aside with its reason. */
final class RawRecordSchema implements KafkaRecordDeserializationSchema<RawRecord> {

    private static final long serialVersionUID = 1L;
    private static final byte[] NOTHING = new byte[0];
    private static final int MAX_HEX = 32;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawRecord> out) {
        RawRecord raw = new RawRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                null,
                record.value() == null ? NOTHING : record.value());
        if (record.key() != null) {
            raw.key = text(record.key());
            raw.keyProblem = raw.key != null ? null : "its key is not UTF-8 but the bytes " + hex(record.key());
        }
        out.collect(raw);
    }

    /** Strictly: two keys that are no text must not become one that is. */
    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes, 0, Math.min(MAX_HEX, bytes.length))
                + (bytes.length > MAX_HEX ? "…" : "");
    }

    @Override
    public TypeInformation<RawRecord> getProducedType() {
        return TypeInformation.of(RawRecord.class);
    }
}
