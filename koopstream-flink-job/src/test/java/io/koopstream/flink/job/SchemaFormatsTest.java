package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.Learned;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.TimeReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records whose schema is in a registry: what is read of them, and what becomes of everything else. */
class SchemaFormatsTest {

    private static final RecordLayout WELLS =
            new RecordLayout("well", "", "step", "", new TimeReader(null), List.of("x1", "x2"), List.of(), 2);
    private static final int[] NONE = {};
    private static final int[] SECOND = {1};

    private final Sample fields = new Sample();
    private TestRegistry registry;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        registry = new TestRegistry();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static byte[] avro(Object x1) {
        Map<String, Object> values = new HashMap<>(Map.of(
                "notes", Map.of("a", List.of("b", "c"), "d", List.of()), "well", "w", "step", 7L, "x2", 0.1 + 0.2));
        values.put("x1", x1);
        return WellSchemas.avro(WellSchemas.AVRO, values);
    }

    private static byte[] protobuf() {
        return WellSchemas.protobuf(WellSchemas.well(), Map.of("well", "w", "step", 7L, "x1", -1.5, "x2", 0.1 + 0.2));
    }

    private ProtobufFormat protobufFormat(SchemaRegistry from) {
        return new ProtobufFormat(WELLS, WellSchemas.descriptors().toByteArray(), "plant.Well", from);
    }

    private void requireWell(double x1, double x2) {
        assertThat(fields.key()).isEqualTo("w");
        assertThat(fields.step()).isEqualTo(7);
        assertThat(fields.state()).containsExactly(x1, x2);
    }

    @Test
    void avroFieldsAreFoundByTheSchemaThatTheHeaderNames() {
        int id = registry.add("AVRO", WellSchemas.AVRO);
        AvroFormat format = new AvroFormat(WELLS, registry.client());
        format.read(WellSchemas.framed(id, NONE, avro(-1.5)), fields);
        requireWell(-1.5, 0.1 + 0.2);
        format.read(WellSchemas.framed(id, NONE, avro(null)), fields);
        requireWell(Double.NaN, 0.1 + 0.2);

        // The producer has a new schema: other types, another order, and the job goes on.
        String newer = """
                {"type": "record", "name": "Well", "fields": [
                  {"name": "x2", "type": "float"}, {"name": "x1", "type": "int"}, {"name": "step", "type": "int"},
                  {"name": "well", "type": {"type": "enum", "name": "Name", "symbols": ["v", "w"]}}]}""";
        byte[] record = WellSchemas.avro(
                newer,
                Map.of(
                        "x1",
                        3,
                        "x2",
                        0.5f,
                        "step",
                        7,
                        "well",
                        new GenericData.EnumSymbol(
                                new Schema.Parser()
                                        .parse(newer)
                                        .getField("well")
                                        .schema(),
                                "w")));
        format.read(WellSchemas.framed(registry.add("AVRO", newer), NONE, record), fields);
        requireWell(3, 0.5);
        assertThat(registry.requests).containsExactly("GET /schemas/ids/1", "GET /schemas/ids/2");
    }

    @Test
    void avroStatesMayBeArraysAndRecordsMayHaveNoHeader() {
        String schema = """
                {"type": "record", "name": "S", "fields": [
                  {"name": "s", "type": {"type": "array", "items": ["null", "double"]}}, {"name": "k", "type": "long"}]}""";
        AvroFormat format = new AvroFormat(
                new RecordLayout("k", "", "", "", new TimeReader(null), List.of("s"), List.of(), 3), schema);
        format.read(WellSchemas.avro(schema, Map.of("s", Arrays.asList(1.0, null, 3.0), "k", 12L)), fields);
        assertThat(fields.state()).containsExactly(1, Double.NaN, 3);
        assertThat(fields.key()).isEqualTo("12");
        for (int length : new int[] {0, 2, 4}) {
            byte[] other = WellSchemas.avro(
                    schema, Map.of("s", Arrays.asList(1.0, 2.0, 3.0, 4.0).subList(0, length), "k", 12L));
            assertThatThrownBy(() -> format.read(other, fields))
                    .hasMessageContaining("field 's': has " + length + " numbers, expected 3");
            assertThat(fields.key()).isEqualTo("12");
        }
    }

    @Test
    void protobufFieldsThatAreNotSetAreUnknownOrZero() {
        int id = registry.add("PROTOBUF", WellSchemas.PROTO);
        ProtobufFormat format = protobufFormat(registry.client());
        format.read(WellSchemas.framed(id, SECOND, protobuf()), fields);
        requireWell(-1.5, 0.1 + 0.2);
        format.read(
                WellSchemas.framed(
                        id, SECOND, WellSchemas.protobuf(WellSchemas.well(), Map.of("well", "w", "step", 7L))),
                fields);
        requireWell(0, Double.NaN);
        // Of 64 bits without a sign.
        format.read(
                WellSchemas.framed(
                        id, SECOND, WellSchemas.protobuf(WellSchemas.well(), Map.of("well", "w", "step", -1L))),
                fields);
        assertThat(fields.step()).isEqualTo(0x1p64);
        assertThat(registry.requests).hasSize(1);

        ProtobufFormat bare = protobufFormat(null);
        bare.read(protobuf(), fields);
        requireWell(-1.5, 0.1 + 0.2);
    }

    @Test
    void whatIsNoSuchRecordIsRefusedWithTheReason() {
        int avro = registry.add("AVRO", WellSchemas.AVRO);
        int proto = registry.add("PROTOBUF", WellSchemas.PROTO);
        int number = registry.add("AVRO", "\"double\"");
        int fewer = registry.add("AVRO", """
                {"type": "record", "name": "F", "fields": [{"name": "well", "type": "string"}, {"name": "x1", "type": "string"}]}""");
        AvroFormat format = new AvroFormat(WELLS, registry.client());
        byte[] good = avro(1.0);
        byte[] short1 = WellSchemas.avro(registry.schema(fewer), Map.of("well", "w", "x1", "one"));
        for (Map.Entry<byte[], String> bad : Map.of(
                        new byte[] {0, 0},
                        "2 bytes, fewer than the header",
                        "{\"x1\": 1, \"x2\": 2}".getBytes(StandardCharsets.UTF_8),
                        "begins with the byte 123, not with 0",
                        WellSchemas.framed(99, NONE, good),
                        "names schema 99, which the registry does not know",
                        WellSchemas.framed(proto, NONE, good),
                        "of the type PROTOBUF, not AVRO",
                        WellSchemas.framed(number, NONE, good),
                        "its schema is of double, not of a record",
                        WellSchemas.framed(avro, NONE, Arrays.copyOf(good, good.length - 1)),
                        "does not match its Avro schema",
                        WellSchemas.framed(avro, NONE, Arrays.copyOf(good, good.length + 1)),
                        "bytes follow the record",
                        WellSchemas.framed(fewer, NONE, short1),
                        "field 'x1': expected a number, found string")
                .entrySet()) {
            assertThatThrownBy(() -> format.read(bad.getKey(), fields))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessageContaining(bad.getValue());
            // Only where the rest of the record is sound is it known whose it is.
            assertThat(fields.key()).isEqualTo(bad.getValue().startsWith("field") ? "w" : null);
        }
        ProtobufFormat messages = protobufFormat(registry.client());
        for (Map.Entry<byte[], String> bad : Map.of(
                        WellSchemas.framed(avro, SECOND, protobuf()),
                        "of the type AVRO, not PROTOBUF",
                        WellSchemas.framed(proto, new int[] {0}, protobuf()),
                        "is the message [0] of its schema; plant.Well is the message [1]",
                        WellSchemas.framed(proto, SECOND, "nonsense".getBytes(StandardCharsets.UTF_8)),
                        "is not a Protobuf message of type plant.Well",
                        WellSchemas.framed(proto, SECOND, new byte[0]),
                        "sets none of the fields")
                .entrySet()) {
            assertThatThrownBy(() -> messages.read(bad.getKey(), fields))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessageContaining(bad.getValue());
        }
    }

    /** Broken in all ways: refused, or read as something; never another exception, which would stop the job, nor memory without bounds. */
    @Test
    void noBytesStopTheJob() {
        AvroFormat avro = new AvroFormat(WELLS, WellSchemas.AVRO);
        ProtobufFormat proto = protobufFormat(null);
        SplittableRandom random = new SplittableRandom(41);
        int refused = 0;
        for (int trial = 0; trial < 10_000; trial++) {
            RecordFormat format = trial % 2 == 0 ? avro : proto;
            byte[] record = trial % 2 == 0 ? avro(1.0) : protobuf();
            if (trial % 5 == 0) {
                record = Arrays.copyOf(record, random.nextInt(record.length));
            }
            for (int change = random.nextInt(4); change >= 0 && record.length > 0; change--) {
                record[random.nextInt(record.length)] = (byte) random.nextInt(256);
            }
            try {
                format.read(record, fields);
            } catch (BadRecordException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1_000, 9_000);
        // A map of 2^62 entries, and a text of 2^31 - 9 bytes.
        for (byte[] huge : List.of(
                new byte[] {-2, -1, -1, -1, -1, -1, -1, -1, 127, 0},
                new byte[] {2, -18, -1, -1, -1, 15, 65},
                new byte[] {0, 2, -18, -1, -1, -1, 15, 65})) {
            assertThatThrownBy(() -> avro.read(huge, fields)).isInstanceOf(BadRecordException.class);
        }
        String nulls = """
                {"type": "record", "name": "N", "fields": [{"name": "n", "type": {"type": "array", "items": "null"}},
                  {"name": "x", "type": "double"}]}""";
        AvroFormat empty = new AvroFormat(
                new RecordLayout("", "", "", "", new TimeReader(null), List.of("x"), List.of(), 1), nulls);
        // 2^30 of them, in no bytes.
        assertThatThrownBy(() -> empty.read(new byte[] {-128, -128, -128, -128, 8, 0}, fields))
                .hasMessageContaining("more elements than bytes");
    }

    @Test
    void aRegistryThatIsAwayIsNoBadRecord() {
        int id = registry.add("AVRO", WellSchemas.AVRO);
        registry.failures.set(1);
        AvroFormat format = new AvroFormat(WELLS, registry.client());
        byte[] good = WellSchemas.framed(id, NONE, avro(2.0));
        format.read(good, fields);
        requireWell(2, 0.1 + 0.2);
        assertThat(registry.requests).hasSize(2);

        registry.login = "Basic " + Base64.getEncoder().encodeToString("u:p".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> new AvroFormat(WELLS, registry.client()).read(good, fields))
                .isInstanceOf(SchemaRegistry.UnavailableException.class)
                .hasMessageContaining("answers 401");
        SchemaRegistry known = SchemaRegistry.of(
                        Section.parse("registry: {url: \"" + registry.url() + "\", login: \"u:p\"}"))
                .orElseThrow();
        new AvroFormat(WELLS, known).read(good, fields);
        // What the registry does not know it is asked for once, not once per record.
        int before = registry.requests.size();
        AvroFormat again = new AvroFormat(WELLS, known);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> again.read(WellSchemas.framed(77, NONE, avro(2.0)), fields))
                    .isInstanceOf(BadRecordException.class);
        }
        assertThat(registry.requests).hasSize(before + 1);
        registry.close();
        assertThatThrownBy(() -> new AvroFormat(WELLS, known).read(good, fields))
                .isInstanceOf(SchemaRegistry.UnavailableException.class)
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void settingsThatCannotBeAreRefusedByTheirNames() throws Exception {
        Path set = folder.resolve("well.desc");
        Files.write(set, WellSchemas.descriptors().toByteArray());
        Path schema = Files.writeString(folder.resolve("well.avsc"), WellSchemas.AVRO);
        refused("format: avro", "", "source.schema", "say with registry.url where schemas are");
        refused("format: avro\n  schema: " + schema, "registry: {url: \"http://h\"}", "source.schema", "leave it out");
        refused("format: avro\n  schema: nowhere", "", "source.schema", "cannot be read here");
        refused("format: avro\n  step: other\n  schema: " + schema, "", "source.schema", "has no such field");
        refused("format: protobuf", "", "source.descriptor", "is missing");
        refused("format: protobuf\n  message: plant.Well\n  descriptor: " + schema, "", "source.descriptor", "protoc");
        refused("format: protobuf\n  message: Well\n  descriptor: " + set, "", "source.message", "[well.proto]");
        refused(
                "format: protobuf\n  message: plant.Header\n  descriptor: " + set,
                "",
                "plant.Header.well",
                "has no such field");
        refused(
                "format: protobuf\n  step: header\n  message: plant.Well\n  descriptor: " + set,
                "",
                "plant.Well.header",
                "expected a number");
        refused("format: json\n  schema: " + schema, "", "source.schema", "no such field");
        refused("format: json", "registry: {url: somewhere}", "registry.url", "must begin with http");
        refused("format: json", "registry: {url: \"http://h\", login: secret}", "registry.login", "NAME:PASSWORD");
        assertThatThrownBy(() ->
                        JobSettings.parse(file("format: json", "").replace("{topic: r}", "{topic: r, format: avro}")))
                .hasMessageContaining("publish.rejected.format");
        assertThat(Plan.of(JobSettings.parse(file(
                        "format: protobuf\n  message: plant.Well\n  descriptor: " + set,
                        "registry: {url: \"http://h:1\"}"))))
                .contains("  format protobuf", "  schemas: registry at http://h:1");
    }

    private static String file(String format, String registry) {
        return """
                name: test
                %s
                source:
                  brokers: none
                  topic: none
                  key: well
                  state: [x1, x2]
                  %s
                learn: {kernel: gaussian(1)}
                publish:
                  predictions: {topic: p}
                  rejected: {topic: r}
                """.formatted(registry, format);
    }

    private static void refused(String format, String registry, String field, String words) {
        assertThatThrownBy(() -> JobSettings.parse(file(format, registry)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(field)
                .hasMessageContaining(words);
    }

    /** Reads back what is sent, by the schema that was registered for it. */
    @Test
    void resultsAreRecordsOfTheSchemaThatIsRegistered() throws Exception {
        Learned learned = new Learned();
        learned.key = "well-é";
        learned.trajectory = "";
        learned.step = 12;
        learned.time = Double.NaN;
        learned.version = 3_000_000_000L;
        learned.predictedBy = 4096;
        learned.prediction = new double[] {0.1 + 0.2, Double.NaN};
        learned.error = Double.NaN;
        learned.dictionary = 17;

        for (TargetSettings.Format format : List.of(TargetSettings.Format.AVRO, TargetSettings.Format.PROTOBUF)) {
            ResultLines<Learned> lines = ResultLines.predictions();
            lines.encodeAs(format, registry.client(), "pre dictions");
            lines.open(DefaultOpenContext.INSTANCE);
            byte[] record = lines.map(learned).value;
            int id = SchemaRegistry.id(record);
            Map<String, Object> read = format == TargetSettings.Format.AVRO
                    ? ReadBack.avro(registry.schema(id), Arrays.copyOfRange(record, 5, record.length))
                    : ReadBack.protobuf(registry.schema(id), Arrays.copyOfRange(record, 6, record.length));
            assertThat(record[5] == 0).isEqualTo(format == TargetSettings.Format.PROTOBUF);
            assertThat(read)
                    .containsEntry("key", "well-é")
                    .containsEntry("trajectory", "")
                    .containsEntry("step", 12.0)
                    .containsEntry("version", 3_000_000_000L)
                    .containsEntry("prediction", List.of(0.1 + 0.2, Double.NaN))
                    .containsEntry("dictionary", 17L)
                    .containsEntry("error", null)
                    .containsEntry("time", null);
        }
        assertThat(registry.requests).containsOnly("POST /subjects/pre%20dictions-value/versions");
    }

    @Test
    void aTextIsADateWhereItIsTheTime() {
        RecordLayout dated =
                new RecordLayout("", "", "", "well", new TimeReader(null), List.of("x1", "x2"), List.of(), 2);
        Map<String, Object> row =
                Map.of("notes", Map.of(), "well", "2026-11-19T12:00:00Z", "step", 1L, "x1", 1.0, "x2", 2.0);
        new AvroFormat(dated, WellSchemas.AVRO).read(WellSchemas.avro(WellSchemas.AVRO, row), fields);
        assertThat(fields.time()).isEqualTo(1795089600);
        new ProtobufFormat(dated, WellSchemas.descriptors().toByteArray(), "plant.Well", null)
                .read(
                        WellSchemas.protobuf(
                                WellSchemas.well(), Map.of("well", "2026-11-19T12:00:00Z", "x1", 1.0, "x2", 2.0)),
                        fields);
        assertThat(fields.time()).isEqualTo(1795089600);
    }
}
