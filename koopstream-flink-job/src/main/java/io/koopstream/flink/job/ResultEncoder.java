package io.koopstream.flink.job;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The lines of one kind of results as Avro or Protobuf records, with a schema in a registry under the subject {@code <topic>-value}. A field that
 * a line does not have, or has as null, is null or not set; a number in an array that is not known is NaN.
 */
final class ResultEncoder implements Serializable {

    private static final long serialVersionUID = 1L;

    /** All kinds of results. */
    enum Kind {
        PREDICTIONS("Prediction"),
        DRIFT("Drift"),
        SCORES("Score"),
        REJECTED("Rejected");

        private final String record;

        Kind(String record) {
            this.record = record;
        }

        private List<? extends ResultLines.Field<?>> fields() {
            ResultLines<?> lines = switch (this) {
                case PREDICTIONS -> ResultLines.predictions();
                case DRIFT -> ResultLines.drift();
                case SCORES -> ResultLines.scores();
                case REJECTED -> ResultLines.rejected();
            };
            return lines.fields();
        }

        /** The Avro schema of its records. */
        String avro() {
            return fields().stream()
                    .map(field -> "{\"name\": \"" + field.name() + "\", \"type\": [\"null\", "
                            + field.type().avro() + "], \"default\": null}")
                    .collect(Collectors.joining(
                            ", ",
                            "{\"type\": \"record\", \"name\": \"" + record
                                    + "\", \"namespace\": \"io.koopstream\", \"fields\": [",
                            "]}"));
        }

        /** The Protobuf schema of its records. */
        String proto() {
            List<? extends ResultLines.Field<?>> fields = fields();
            return IntStream.range(0, fields.size())
                    .mapToObj(i -> "  " + fields.get(i).type().proto() + " "
                            + fields.get(i).name() + " = " + (i + 1) + ";\n")
                    .collect(Collectors.joining(
                            "", "syntax = \"proto3\";\npackage io.koopstream;\n\nmessage " + record + " {\n", "}\n"));
        }
    }

    private final Kind kind;
    private final boolean avro;
    private final SchemaRegistry registry;
    private final String subject;

    private transient List<? extends ResultLines.Field<?>> fields;
    private transient byte[] header;
    private transient JsonFactory json;

    ResultEncoder(Kind kind, TargetSettings.Format format, SchemaRegistry registry, String topic) {
        this.kind = kind;
        this.avro = format == TargetSettings.Format.AVRO;
        this.registry = registry;
        this.subject = topic + "-value";
    }

    /** Makes the schema known. */
    void open() {
        fields = kind.fields();
        json = new JsonFactory();
        header = avro
                ? SchemaRegistry.header(registry.register(subject, AvroFormat.TYPE, kind.avro()))
                // Behind the number, in one byte: the first message of the schema.
                : Arrays.copyOf(
                        SchemaRegistry.header(registry.register(subject, ProtobufFormat.TYPE, kind.proto())),
                        SchemaRegistry.HEADER + 1);
    }

    /** A line as a record. */
    byte[] encode(byte[] line) {
        Object[] values = values(line);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(line.length);
        try {
            bytes.write(header);
            if (avro) {
                BinaryEncoder to = EncoderFactory.get().binaryEncoder(bytes, null);
                for (Object value : values) {
                    write(to, value);
                }
                to.flush();
            } else {
                CodedOutputStream to = CodedOutputStream.newInstance(bytes);
                for (int i = 0; i < values.length; i++) {
                    write(to, i + 1, values[i]);
                }
                to.flush();
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    private static void write(BinaryEncoder to, Object value) throws IOException {
        to.writeIndex(value == null ? 0 : 1);
        if (value instanceof String text) {
            to.writeString(text);
        } else if (value instanceof Long whole) {
            to.writeLong(whole);
        } else if (value instanceof Double number) {
            to.writeDouble(number);
        } else if (value instanceof double[] numbers) {
            to.writeArrayStart();
            to.setItemCount(numbers.length);
            for (double number : numbers) {
                to.startItem();
                to.writeDouble(number);
            }
            to.writeArrayEnd();
        }
    }

    private static void write(CodedOutputStream to, int field, Object value) throws IOException {
        if (value instanceof String text) {
            to.writeString(field, text);
        } else if (value instanceof Long whole) {
            to.writeInt64(field, whole);
        } else if (value instanceof Double number) {
            to.writeDouble(field, number);
        } else if (value instanceof double[] numbers) {
            to.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            to.writeUInt32NoTag(numbers.length * Double.BYTES);
            for (double number : numbers) {
                to.writeDoubleNoTag(number);
            }
        }
    }

    /** What a line has of the fields, in their order. */
    private Object[] values(byte[] line) {
        Object[] values = new Object[fields.size()];
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                int place = 0;
                while (place < values.length && !fields.get(place).name().equals(name)) {
                    place++;
                }
                if (place == values.length) {
                    throw new IllegalStateException("results of " + kind + " have no field " + name);
                }
                values[place] = value(parser, token, fields.get(place).type());
            }
        }
        return values;
    }

    /** Null where the line says in words that there is no room for it. */
    private static Object value(JsonParser parser, JsonToken token, ResultLines.Type type) {
        return switch (type) {
            case TEXT -> token == JsonToken.VALUE_NULL ? null : parser.getString();
            case WHOLE -> token.isNumeric() ? (Object) parser.getLongValue() : null;
            case NUMBER -> token.isNumeric() ? (Object) parser.getDoubleValue() : null;
            case NUMBERS -> token == JsonToken.START_ARRAY ? numbers(parser) : null;
        };
    }

    private static double[] numbers(JsonParser parser) {
        double[] numbers = new double[8];
        int count = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            numbers = count < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * count);
            numbers[count++] = token.isNumeric() ? parser.getDoubleValue() : Double.NaN;
        }
        return Arrays.copyOf(numbers, count);
    }
}
