package io.koopstream.flink.job;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
 * @param lateAfter how far the time of a Kafka record may lie behind the newest one; empty: no record is late
 * @param idleAfter without records for so long a partition holds back the watermark no longer
 * @param format what the value of a record is
 * @param columns for CSV and packed doubles, what stands where
 * @param separator of CSV
 * @param littleEndian byte order of packed doubles
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
        Duration idleAfter,
        Format format,
        List<String> columns,
        char separator,
        boolean littleEndian,
        RecordLayout layout,
        Optional<String> defaultKey,
        Map<String, String> properties) {

    /** Where to begin. */
    enum From {
        EARLIEST,
        LATEST,
        COMMITTED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where to end. */
    enum Until {
        FOREVER,
        END;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What the value of a record is. */
    enum Format implements Serializable {
        CSV,
        JSON,
        DOUBLES;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Byte orders of packed doubles. */
    private enum Order {
        LITTLE,
        BIG;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static SourceSettings of(Section section, String job) {
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
                    state,
                    section.texts("next"),
                    dimension);
            String separator = section.optionalText("separator").orElse(",");
            if (separator.length() != 1) {
                throw section.wrong("separator", separator, "must be one character");
            }
            SourceSettings settings = new SourceSettings(
                    section.text("brokers", "127.0.0.1:9092"),
                    topics,
                    section.optionalText("group").orElse("koop-" + job),
                    section.choice("from", From.class, From.EARLIEST),
                    section.choice("until", Until.class, Until.FOREVER),
                    Optional.ofNullable(section.duration("lateAfter", null)),
                    section.duration("idleAfter", Duration.ofMinutes(1)),
                    section.choice("format", Format.class, Format.CSV),
                    section.texts("columns"),
                    separator.charAt(0),
                    section.choice("byteOrder", Order.class, Order.LITTLE) == Order.LITTLE,
                    layout,
                    section.optionalText("defaultKey"),
                    section.passedOn("properties"));
            if (settings.format() == Format.JSON && !settings.columns().isEmpty()) {
                throw section.wrong("columns", settings.columns(), "JSON names its fields itself; leave columns out");
            }
            // Says now what is wrong with the columns, not when the first record comes.
            settings.newFormat();
            return settings;
        }
    }

    /** A reader of records. */
    RecordFormat newFormat() {
        return switch (format) {
            case CSV -> new CsvFormat(layout, columns.isEmpty() ? layout.required() : columns, separator);
            case JSON -> new JsonFormat(layout);
            case DOUBLES -> new DoublesFormat(layout, columns, littleEndian);
        };
    }

    /** The settings of the Kafka client. */
    Properties clientProperties() {
        Properties all = new Properties();
        all.putAll(properties);
        return all;
    }
}
