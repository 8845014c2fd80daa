package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.Learned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** However odd a record is, the job goes on; the record is learned from, or set aside in a line that every broker takes, with the place it came from. */
class OddRecordsTest {

    /** What a broker takes unless told otherwise. */
    private static final int MAX_RECORD = 1_000_000;

    @TempDir
    Path folder;

    private String file(String source) {
        return """
                name: odd
                source:
                  brokers: none
                  topic: none
                  columns: [x1, x2]
                  state: [x1, x2]
                %s
                learn: {kernel: gaussian(0.5)}
                publish:
                  predictions: {folder: "%s"}
                  models: {folder: "%s", every: 1}
                  rejected: {folder: "%s"}
                run: {parallelism: 1, checkpoint: 100 ms}
                """.formatted(
                        source,
                        folder.resolve("predictions").toUri(),
                        folder.resolve("models").toUri(),
                        folder.resolve("rejected").toUri());
    }

    private static RawRecord kafka(long offset, byte[] key, String value) {
        List<RawRecord> out = new ArrayList<>();
        new RawRecordSchema()
                .deserialize(
                        new ConsumerRecord<>(
                                "samples",
                                3,
                                offset,
                                key,
                                value == null ? null : value.getBytes(StandardCharsets.UTF_8)),
                        new Collector<>() {
                            @Override
                            public void collect(RawRecord record) {
                                out.add(record);
                            }

                            @Override
                            public void close() {}
                        });
        return out.get(0);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void run(String job, List<RawRecord> records) throws Exception {
        JobSettings settings = JobSettings.parse(job);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, KoopJob.configuration(settings));
        KoopJob.configure(environment, settings);
        new Pipeline(settings).build(environment.fromData(records, TypeInformation.of(RawRecord.class)));
        environment.execute();
    }

    private List<String> lines(String name) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.exists(folder.resolve(name))) {
            try (var files = Files.walk(folder.resolve(name))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
        }
        return lines;
    }

    @Test
    void everyRecordIsLearnedFromOrPutAsideWithItsPlace() throws Exception {
        byte[] noText = new byte[8];
        Arrays.fill(noText, (byte) 0x90);
        String long1 = "a".repeat(299) + "1";
        String long2 = "a".repeat(299) + "2";
        List<RawRecord> records = List.of(
                kafka(0, utf8("k".repeat(600_000)), "0.1,0.2"),
                kafka(1, utf8(long1), "0.1,0.2"),
                kafka(2, utf8(long1), "0.2,0.3"),
                kafka(3, utf8(long2), "0.3,0.3"),
                kafka(4, utf8(long2), "0.4,0.4"),
                kafka(5, noText, "0.1,0.2"),
                kafka(6, null, "0.1,0.2"),
                kafka(7, utf8(""), "0.1,0.2"),
                kafka(8, utf8("fine"), "x".repeat(900_000)),
                kafka(9, utf8("fine"), null),
                kafka(10, utf8("fine"), "0.1,1e200"),
                kafka(11, utf8("k".repeat(600_000)), "not,numbers"));
        run(file(""), records);

        assertThat(lines("predictions")).as("the long keys are learned from").hasSize(2);
        List<String> folders = new ArrayList<>();
        try (var models = Files.list(folder.resolve("models"))) {
            models.forEach(model -> folders.add(model.getFileName().toString()));
        }
        assertThat(folders).as("each in a folder of its own").hasSize(2).allMatch(name -> name.length() < 250);
        List<String> rejected = lines("rejected");
        assertThat(rejected).hasSize(8).allMatch(line -> line.length() < MAX_RECORD / 2);
        for (String offset : List.of("0", "5", "6", "7", "8", "9", "10", "11")) {
            assertThat(rejected)
                    .filteredOn(line -> line.contains("samples-3@" + offset + "\""))
                    .hasSize(1);
        }
        assertThat(rejected)
                .anyMatch(line -> line.contains("its key has 600000 characters, at most 1024"))
                .anyMatch(line -> line.contains("not UTF-8 but the bytes 9090909090909090"))
                .anyMatch(line -> line.contains("it has no key; name the field that identifies streams as source.key"))
                .anyMatch(line -> line.contains("TOO_LARGE"));
    }

    @Test
    void recordsWithoutAKeyAreOneStreamWhereThatIsAskedFor() throws Exception {
        run(file("  defaultKey: all"), List.of(kafka(0, null, "0.1,0.2"), kafka(1, utf8(""), "0.2,0.3")));

        assertThat(lines("rejected")).isEmpty();
        assertThat(lines("predictions")).singleElement().asString().contains("\"key\":\"all\"");
    }

    @Test
    void aLineOfTooManyNumbersSaysSo() {
        Learned learned = new Learned();
        learned.key = "k";
        learned.prediction = new double[100_000];

        assertThat(new String(ResultLines.predictions().map(learned).value, StandardCharsets.UTF_8))
                .contains("left out: 100000 numbers");
    }

    /** JSON is YAML. */
    private static Map<?, ?> json(String line) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line);
    }

    /** To be sent again once its producer is mended, or looked at. */
    @Test
    void aRecordThatCannotBeReadIsToldWhole() throws Exception {
        byte[] noText = {(byte) 0xC3, (byte) 0x28, 0, 1};
        RawRecord binary = kafka(3, utf8("k"), "");
        binary.value = noText;
        String fits = "\u0001".repeat(149_999) + "x";
        String tooLong = "1" + "é".repeat(100_000);
        run(
                file(""),
                List.of(
                        kafka(0, utf8("k"), "0.1,\"oops\""),
                        kafka(1, utf8("k"), fits),
                        kafka(2, utf8("k"), tooLong),
                        binary));

        Map<Object, Map<?, ?>> told = new HashMap<>();
        for (String line : lines("rejected")) {
            assertThat(line.length()).isLessThan(MAX_RECORD);
            Map<?, ?> fields = json(line);
            told.put(fields.get("place"), fields);
        }
        assertThat(told.get("samples-3@0").get("record")).isEqualTo("0.1,\"oops\"");
        assertThat(told.get("samples-3@1").get("record")).isEqualTo(fits);
        assertThat(told.get("samples-3@2").get("record")).isEqualTo(tooLong.substring(0, 75_000));
        assertThat(String.valueOf(told.get("samples-3@2").get("message")))
                .contains("(the first 149999 of its 200001 bytes are told)");
        assertThat(told.get("samples-3@3").get("recordBase64"))
                .isEqualTo(Base64.getEncoder().encodeToString(noText));
        assertThat(told.get("samples-3@3").get("record")).isNull();
    }

    @Test
    void aGapIsNoRejection() throws Exception {
        String job = file("  step: step")
                .replace("columns: [x1, x2]", "columns: [step, x1, x2]")
                .replace(
                        "publish:",
                        "publish:\n  gaps: {folder: \"" + folder.resolve("gaps").toUri() + "\"}");
        run(
                job,
                List.of(
                        kafka(0, utf8("k"), "0,0.1,0.2"),
                        kafka(1, utf8("k"), "1,0.2,0.2"),
                        kafka(2, utf8("k"), "7,0.3,0.1"),
                        kafka(3, utf8("k"), "8,0.2,0.3")));

        assertThat(lines("rejected")).isEmpty();
        assertThat(lines("gaps"))
                .singleElement()
                .asString()
                .contains("\"reason\":\"GAP\"", "samples-3@2", "\"step\":7");
    }
}
