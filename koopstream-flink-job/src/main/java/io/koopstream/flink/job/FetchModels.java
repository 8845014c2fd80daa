package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.ModelFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Takes the newest model of every stream out of a topic of models and leaves one file a stream that {@code koop} opens. Pointers are followed;
 * checksums are compared; only what is committed counts.
 */
public final class FetchModels {

    private FetchModels() {}

    /** {@code --brokers HOST:PORT --topic NAME --output FOLDER}. */
    public static void main(String[] arguments) throws IOException {
        Arguments given = Arguments.of(arguments, List.of("--brokers", "--topic", "--output"), List.of());
        Map<String, byte[]> models = newest(given.text("--brokers"), given.text("--topic"), Map.of());
        java.nio.file.Path folder = java.nio.file.Path.of(given.text("--output"));
        write(models, folder, System.out);
    }

    /** Writes one file a stream and says so. */
    static void write(Map<String, byte[]> models, java.nio.file.Path folder, PrintStream words) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> model : models.entrySet()) {
            java.nio.file.Path file = folder.resolve(ModelStore.folderName(model.getKey()) + ".safetensors");
            Files.write(file, model.getValue());
            words.println(file + ": " + ModelFile.decode(model.getValue()).samples() + " samples");
        }
    }

    /** The bytes of the newest model of every stream, streams in order. */
    static Map<String, byte[]> newest(String brokers, String topic, Map<String, String> properties) throws IOException {
        Map<String, ConsumerRecord<byte[], byte[]>> records = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : committed(brokers, topic, properties)) {
            records.put(record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8), record);
        }
        Map<String, byte[]> models = new TreeMap<>();
        for (Map.Entry<String, ConsumerRecord<byte[], byte[]>> newest : records.entrySet()) {
            ConsumerRecord<byte[], byte[]> record = newest.getValue();
            if (record.value() != null) {
                models.put(newest.getKey(), model(record));
            }
        }
        return models;
    }

    private static byte[] model(ConsumerRecord<byte[], byte[]> record) throws IOException {
        String kind = ModelHeaders.get(record.headers(), ModelHeaders.KIND);
        String checksum = ModelHeaders.get(record.headers(), ModelHeaders.CHECKSUM);
        String place = record.topic() + "-" + record.partition() + "@" + record.offset();
        byte[] bytes;
        if (ModelHeaders.POINTER.equals(kind)) {
            Path path = new Path(ModelPointer.parse(record.value(), place).path());
            try (FSDataInputStream in = path.getFileSystem().open(path)) {
                bytes = in.readAllBytes();
            }
            place = path.toString();
        } else if (ModelHeaders.MODEL.equals(kind)) {
            bytes = record.value();
        } else {
            throw new BadRecordException(
                    null, place + " is no model of this job: header " + ModelHeaders.KIND + " is " + kind);
        }
        String found = ModelPointer.checksum(bytes);
        if (!found.equals(checksum)) {
            throw new BadRecordException(
                    null, place + " is damaged: its SHA-256 is " + found + ", the record says " + checksum);
        }
        return bytes;
    }

    /** All committed records of a topic from its beginning to its present end. */
    static List<ConsumerRecord<byte[], byte[]>> committed(
            String brokers, String topic, Map<String, String> properties) {
        return records(brokers, topic, "read_committed", properties);
    }

    /** All records of a topic from its beginning to its present end, at an isolation level of Kafka. */
    static List<ConsumerRecord<byte[], byte[]>> records(
            String brokers, String topic, String isolation, Map<String, String> properties) {
        Properties settings = new Properties();
        settings.putAll(properties);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic).forEach(part -> partitions.add(new TopicPartition(topic, part.partition())));
            if (partitions.isEmpty()) {
                throw new InvalidConfigException("topic", topic, "there is no such topic at " + brokers);
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(part -> consumer.position(part) < ends.get(part))) {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
            }
        }
        return all;
    }
}
