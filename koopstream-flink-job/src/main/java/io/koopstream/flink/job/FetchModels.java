package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.ModelFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Takes the newest model of every stream out of a topic of models and leaves one file per stream that {@code koop} opens. Pointers are followed;
 * checksums are compared; only what is committed counts. The topic is read twice, once to learn which records are the newest, so that one model at a
 * time is in memory.
 */
public final class FetchModels {

    private static final String USAGE = """
            usage: FetchModels --brokers HOST:PORT --topic NAME --output FOLDER [--properties FILE]
              --properties FILE   settings of the Kafka client, e.g. security.protocol; a value may be ${env:NAME} or ${file:PATH}""";

    private FetchModels() {}

    /** What is done with a record of a topic. */
    interface Sink {
        void take(ConsumerRecord<byte[], byte[]> record) throws IOException;
    }

    /** {@code --brokers HOST:PORT --topic NAME --output FOLDER [--properties FILE]}. */
    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains("--help")) {
            System.out.println(USAGE);
            return;
        }
        Arguments given =
                Arguments.of(arguments, List.of("--brokers", "--topic", "--output", "--properties"), List.of());
        Map<String, String> properties = new HashMap<>();
        if (given.has("--properties")) {
            Properties file = new Properties();
            try (Reader reader = Files.newBufferedReader(java.nio.file.Path.of(given.text("--properties")))) {
                file.load(reader);
            }
            file.stringPropertyNames()
                    .forEach(name -> properties.put(name, Secrets.resolved(name, file.getProperty(name))));
        }
        // Pointers may name any file system whose plugin is installed.
        Configuration cluster = GlobalConfiguration.loadConfiguration();
        FileSystem.initialize(cluster, PluginUtils.createPluginManagerFromRootFolder(cluster));
        fetch(
                given.text("--brokers"),
                given.text("--topic"),
                properties,
                java.nio.file.Path.of(given.text("--output")),
                System.out);
    }

    /** Writes one file per stream and says so. */
    static void fetch(
            String brokers, String topic, Map<String, String> properties, java.nio.file.Path folder, PrintStream words)
            throws IOException {
        Files.createDirectories(folder);
        newest(brokers, topic, properties, (key, model) -> {
            java.nio.file.Path file = folder.resolve(ModelStore.folderName(key) + ".safetensors");
            try (AtomicFile replaced = AtomicFile.begin(file)) {
                Files.write(replaced.path(), model);
                replaced.commit();
            }
            words.println(file + ": " + ModelFile.decode(model).pairs() + " samples");
        });
    }

    /** What is done with a model. */
    interface ModelSink {
        void take(String key, byte[] model) throws IOException;
    }

    /** The bytes of the newest model of every stream, one after the other. */
    static void newest(String brokers, String topic, Map<String, String> properties, ModelSink sink)
            throws IOException {
        Map<String, String> places = new HashMap<>();
        read(brokers, topic, "read_committed", properties, record -> places.put(key(record), place(record)));
        read(brokers, topic, "read_committed", properties, record -> {
            if (record.value() != null && place(record).equals(places.get(key(record)))) {
                sink.take(key(record), model(record));
            }
        });
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    private static String place(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    private static byte[] model(ConsumerRecord<byte[], byte[]> record) throws IOException {
        String kind = ModelHeaders.get(record.headers(), ModelHeaders.KIND);
        String checksum = ModelHeaders.get(record.headers(), ModelHeaders.CHECKSUM);
        String place = place(record);
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
                    null, place + " is not a model of this job: header " + ModelHeaders.KIND + " is " + kind);
        }
        String found = ModelPointer.checksum(bytes);
        if (!found.equals(checksum)) {
            throw new BadRecordException(
                    null, place + " is damaged: its SHA-256 is " + found + ", the record says " + checksum);
        }
        return bytes;
    }

    /** The records of a topic from its beginning to its present end, at an isolation level of Kafka, those of a partition in order. */
    static void read(String brokers, String topic, String isolation, Map<String, String> properties, Sink sink)
            throws IOException {
        Properties settings = new Properties();
        settings.putAll(properties);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
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
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    sink.take(record);
                }
            }
        }
    }
}
