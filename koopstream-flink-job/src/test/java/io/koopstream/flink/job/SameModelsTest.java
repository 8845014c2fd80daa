package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import io.koopstream.io.ModelFile;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same rows are the same models, bit for bit, whatever records they come in; and what is no record is told. */
class SameModelsTest {

    private static final WellStreams WELLS = new WellStreams(2, 300, 11);

    @TempDir
    Path folder;

    private static byte[] row(SourceSettings.Format format, int stream, int step, int schema) {
        String well = WellStreams.usualKey(stream);
        double[] x = WELLS.state(stream, step);
        Descriptor type = WellSchemas.well();
        return switch (format) {
            case CSV -> (well + "," + step + "," + x[0] + "," + x[1]).getBytes(StandardCharsets.UTF_8);
            case JSON ->
                "{\"well\": \"%s\", \"step\": %d, \"x1\": %s, \"x2\": %s}"
                        .formatted(well, step, x[0], x[1])
                        .getBytes(StandardCharsets.UTF_8);
            case AVRO ->
                WellSchemas.framed(
                        schema,
                        new int[0],
                        WellSchemas.avro(
                                WellSchemas.AVRO,
                                Map.of("notes", Map.of(), "well", well, "step", (long) step, "x1", x[0], "x2", x[1])));
            case PROTOBUF ->
                WellSchemas.framed(
                        schema,
                        new int[] {1},
                        WellSchemas.protobuf(type, Map.of("well", well, "step", (long) step, "x1", x[0], "x2", x[1])));
            case DOUBLES -> throw new IllegalArgumentException("has no key");
        };
    }

    private String file(SourceSettings.Format format, String url) throws Exception {
        Path descriptors = folder.resolve("well.desc");
        Files.write(descriptors, WellSchemas.descriptors().toByteArray());
        return """
                name: test
                registry: {url: "%s"}
                source:
                  brokers: none
                  topic: none
                  format: %s
                  key: well
                  step: step
                  state: [x1, x2]
                %s
                learn: {kernel: "%s"}
                publish:
                  models: {folder: "%s", every: 1000}
                  rejected: {folder: "%s"}
                run: {parallelism: 2, checkpoint: 200 ms}
                """.formatted(
                        url,
                        Section.word(format),
                        format == SourceSettings.Format.PROTOBUF
                                ? "  descriptor: " + descriptors + "\n  message: plant.Well"
                                : "",
                        WellStreams.KERNEL,
                        folder.resolve("models").toUri(),
                        folder.resolve("rejected").toUri());
    }

    @ParameterizedTest
    @EnumSource(names = "DOUBLES", mode = EnumSource.Mode.EXCLUDE)
    void theSameRowsAreTheSameModels(SourceSettings.Format format) throws Exception {
        List<RawRecord> records = new ArrayList<>();
        try (TestRegistry registry = new TestRegistry()) {
            int schema = format == SourceSettings.Format.PROTOBUF
                    ? registry.add("PROTOBUF", WellSchemas.PROTO)
                    : registry.add("AVRO", WellSchemas.AVRO);
            for (int t = 0; t <= WELLS.steps(); t++) {
                for (int i = 0; i < WELLS.streams(); i++) {
                    records.add(new RawRecord("samples", i, t, null, row(format, i, t, schema)));
                }
            }
            byte[] unknown = {0, 0, 0, 0, 99, 1, 2, 3};
            records.add(50, new RawRecord("samples", 0, 1000, null, unknown));
            records.add(60, new RawRecord("samples", 0, 1001, null, new byte[] {(byte) 0xff, 7}));
            LocalRun.of(JobSettings.parse(file(format, registry.url())), records);
        }
        for (int i = 0; i < WELLS.streams(); i++) {
            LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of("kernel", WellStreams.KERNEL)), 2);
            for (int t = 0; t <= WELLS.steps(); t++) {
                stream.accept(Observation.at("", t, Double.NaN, WELLS.state(i, t)));
            }
            Path model = folder.resolve("models")
                    .resolve(WellStreams.usualKey(i))
                    .resolve(String.format("%019d.safetensors", WELLS.steps()));
            assertThat(ModelFile.read(model).digest())
                    .isEqualTo(stream.learner().orElseThrow().state().digest());
        }
        assertThat(LocalRun.lines(folder.resolve("rejected")))
                .hasSize(2)
                .allMatch(line -> line.contains("\"reason\":\"UNREADABLE\""))
                .anyMatch(line -> line.contains("samples-0@1000"))
                .anyMatch(line -> line.contains("samples-0@1001"));
    }
}
