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

/**
 * Results of one kind as Avro or Protobuf records, with a schema in a registry under the subject {@code <topic>-value}. A field that a result does not
 * have is null or not set, and so is a number that is not known; in an array that is NaN.
 */
final class ResultEncoder implements Serializable {

    private static final long serialVersionUID = 2L;

    private final boolean avro;
    private final SchemaRegistry registry;
    private final String subject;
    private final String schema;

    private transient byte[] header;

    /**
     * @param record name of the records in the schema
     * @param fields of a record, in order
     */
    ResultEncoder(
            String record,
            List<? extends ResultLines.Field<?>> fields,
            TargetSettings.Format format,
            SchemaRegistry registry,
            String topic) {
        this.avro = format == TargetSettings.Format.AVRO;
        this.registry = registry;
        this.subject = topic + "-value";
        this.schema = avro ? avro(record, fields) : proto(record, fields);
    }

    private static String avro(String record, List<? extends ResultLines.Field<?>> fields) {
        return fields.stream()
                .map(field -> "{\"name\": \"" + field.name() + "\", \"type\": [\"null\", "
                        + field.type().avro() + "], \"default\": null}")
                .collect(Collectors.joining(
                        ", ",
                        "{\"type\": \"record\", \"name\": \"" + record
                                + "\", \"namespace\": \"io.koopstream\", \"fields\": [",
                        "]}"));
    }

    private static String proto(String record, List<? extends ResultLines.Field<?>> fields) {
        return IntStream.range(0, fields.size())
                .mapToObj(i -> "  " + fields.get(i).type().proto() + " "
                        + fields.get(i).name() + " = " + (i + 1) + ";\n")
                .collect(Collectors.joining(
                        "", "syntax = \"proto3\";\npackage io.koopstream;\n\nmessage " + record + " {\n", "}\n"));
    }

    /** The schema of the records. */
    String schema() {
        return schema;
    }

    /** Makes the schema known. */
    void open() {
        header =
                SchemaRegistry.header(registry.register(subject, avro ? AvroFormat.TYPE : ProtobufFormat.TYPE, schema));
        if (!avro) {
            // Behind the number, in one byte: the first message of the schema.
            header = Arrays.copyOf(header, SchemaRegistry.HEADER + 1);
        }
    }

    /** A record of these values, in the order of the fields; null for one that is not there. */
    byte[] encode(Object[] values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
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
}
