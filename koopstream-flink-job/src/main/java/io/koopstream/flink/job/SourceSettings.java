package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.samples.TimeReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Where samples come from, and how a record is read.
 *
 * @param brokers the bootstrap servers of Kafka
 * @param topics at least one
 * @param group the consumer group, in which progress is visible to others; recovery does not depend on it
 * @param from where to begin when there is no checkpoint
 * @param until where to end
 * @param lateAfter how far the time of a record may lie behind the newest one; empty: no record is late
 * @param orderWait how long a record waits for earlier ones of its stream; empty: records are learned in the order in which they come
 * @param timeUnit what one in the field of the time is, where that field is the time that counts for this; empty: the time of the Kafka record does
 * @param idleAfter without records for so long a partition holds back the watermark no longer
 * @param format what the value of a record is
 * @param columns for CSV and packed doubles, what stands where
 * @param reader reads a record
 * @param layout which field means what
 * @param defaultKey the stream of records that have no key; empty: they are refused
 * @param properties of the Kafka client, passed on as they are
 */
record SourceSettings(
        String brokers,
        List<String> topics,
        String group,
        From from,
        Until until,
        Optional<Duration> lateAfter,
        Optional<Duration> orderWait,
        Optional<Duration> timeUnit,
        Duration idleAfter,
        Format format,
        List<String> columns,
        RecordFormat reader,
        RecordLayout layout,
        Optional<String> defaultKey,
        Map<String, String> properties) {

    /** Where to begin. */
    enum From {
        EARLIEST,
        LATEST,
        COMMITTED
    }

    /** Where to end. */
    enum Until {
        FOREVER,
        END
    }

    /** What the value of a record is. */
    enum Format implements Serializable {
        CSV,
        JSON,
        DOUBLES,
        AVRO,
        PROTOBUF
    }

    /** Byte orders of packed doubles. */
    private enum Order {
        LITTLE,
        BIG
    }

    static SourceSettings of(Section section, String job, Optional<SchemaRegistry> registry) {
        try (section) {
            List<String> topics = section.texts("topic");
            if (topics.isEmpty()) {
                throw section.wrong("topic", null, "is missing; e.g. samples");
            }
            List<String> state = section.texts("state");
            int dimension = section.integer("dimension", state.size(), 1);
            RecordLayout layout = new RecordLayout(
                    section.optionalText("key").orElse(""),
                    section.optionalText("trajectory").orElse(""),
                    section.optionalText("step").orElse(""),
                    section.optionalText("time").orElse(""),
                    dates(section),
                    state,
                    section.texts("next"),
                    dimension);
            Format format = section.choice("format", Format.class, Format.CSV);
            return new SourceSettings(
                    section.text("brokers", "127.0.0.1:9092"),
                    topics,
                    section.optionalText("group").orElse("koop-" + job),
                    section.choice("from", From.class, From.EARLIEST),
                    section.choice("until", Until.class, Until.FOREVER),
                    Optional.ofNullable(section.duration("lateAfter", null)),
                    orderWait(section),
                    timeUnit(section),
                    section.duration("idleAfter", Duration.ofMinutes(1)),
                    format,
                    section.texts("columns"),
                    reader(section, format, layout, registry),
                    layout,
                    section.optionalText("defaultKey"),
                    section.passedOn("properties"));
        }
    }

    private static TimeReader dates(Section section) {
        Optional<String> pattern = section.optionalText("timeFormat");
        if (pattern.isPresent() && !section.has("time")) {
            throw section.wrong("timeFormat", pattern.get(), "says how the field 'time' is written; name that field");
        }
        try {
            return new TimeReader(pattern.orElse(null));
        } catch (InvalidConfigException e) {
            throw section.wrong("timeFormat", pattern.orElse(null), e.rule());
        }
    }

    private static Optional<Duration> timeUnit(Section section) {
        Optional<Duration> unit = Optional.ofNullable(section.duration("timeUnit", null));
        if (unit.isPresent() && !(section.has("time") && (section.has("lateAfter") || section.has("order")))) {
            throw section.wrong(
                    "timeUnit",
                    unit.get(),
                    "says what one in the field 'time' is, for 'lateAfter' or 'order'; give that field and one of these");
        }
        return unit;
    }

    private static Optional<Duration> orderWait(Section section) {
        Optional<Section> order = section.optional("order");
        if (order.isEmpty()) {
            return Optional.empty();
        }
        try (Section given = order.get()) {
            return Optional.of(given.duration("wait", Duration.ofSeconds(30)));
        }
    }

    /** Distance of the watermark from the newest record. */
    Optional<Duration> behind() {
        return lateAfter.isPresent() && (orderWait.isEmpty() || lateAfter.get().compareTo(orderWait.get()) > 0)
                ? lateAfter
                : orderWait;
    }

    /** Says now what is wrong with columns and schemas, not when the first record comes. */
    private static RecordFormat reader(
            Section section, Format format, RecordLayout layout, Optional<SchemaRegistry> registry) {
        List<String> columns = section.texts("columns");
        String separator = section.optionalText("separator").orElse(",");
        boolean little = section.choice("byteOrder", Order.class, Order.LITTLE) == Order.LITTLE;
        if (separator.length() != 1) {
            throw section.wrong("separator", separator, "must be one character");
        }
        if (format != Format.CSV && format != Format.DOUBLES && !columns.isEmpty()) {
            throw section.wrong(
                    "columns", columns, "records in " + Section.word(format) + " name their fields; leave columns out");
        }
        return switch (format) {
            case CSV -> new CsvFormat(layout, columns.isEmpty() ? layout.required() : columns, separator.charAt(0));
            case JSON -> new JsonFormat(layout);
            case DOUBLES -> new DoublesFormat(layout, columns, little);
            case AVRO -> avro(section, layout, registry);
            case PROTOBUF ->
                new ProtobufFormat(
                        layout,
                        section.file("descriptor", "wells.desc, made by protoc --include_imports --descriptor_set_out"),
                        section.text("message", "plant.Well"),
                        registry.orElse(null));
        };
    }

    private static RecordFormat avro(Section section, RecordLayout layout, Optional<SchemaRegistry> registry) {
        if (registry.isPresent() == section.has("schema")) {
            throw section.wrong(
                    "schema",
                    section.optionalText("schema").orElse(null),
                    registry.isPresent()
                            ? "records name their schema in the registry; leave it out"
                            : "is missing; say with registry.url where schemas are, or give the file with the one schema of all records");
        }
        return registry.isPresent()
                ? new AvroFormat(layout, registry.get())
                : new AvroFormat(layout, new String(section.file("schema", "wells.avsc"), StandardCharsets.UTF_8));
    }

    /** The settings of the Kafka client. */
    Properties clientProperties() {
        Properties all = new Properties();
        all.putAll(properties);
        return all;
    }
}
