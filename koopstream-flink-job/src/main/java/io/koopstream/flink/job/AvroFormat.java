package io.koopstream.flink.job;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.Sample;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * One Avro record, with the schema it was written with: that of a registry by the number in its header, or one schema for all. Read field by field
 * without building objects, and with no more memory than the record has bytes, whatever lengths it claims. Null is a value that is not known.
 */
final class AvroFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    static final String TYPE = "AVRO";

    private static final int MAX_DEPTH = 64;

    private final RecordLayout layout;
    private final RowRoles roles;
    /** Null: all records have one schema, and no header. */
    private final SchemaRegistry registry;

    private final String schema;

    private transient Map<Integer, Schema> schemas;
    private transient BinaryDecoder decoder;
    /** Elements of arrays and maps that the record may still have: an element of no bytes would cost time and no space. */
    private transient long elements;

    /** Records with a header that names a schema of the registry. */
    AvroFormat(RecordLayout layout, SchemaRegistry registry) {
        this(layout, registry, null);
    }

    /** Records without a header, all of one schema. */
    AvroFormat(RecordLayout layout, String schema) {
        this(layout, null, schema);
        try {
            for (String field : layout.required()) {
                if (parsed(schema).getField(field) == null) {
                    throw new InvalidConfigException("source.schema", field, "has no such field");
                }
            }
        } catch (BadRecordException | AvroRuntimeException e) {
            throw new InvalidConfigException("source.schema", "Avro", "cannot be used: " + e.getMessage());
        }
    }

    private AvroFormat(RecordLayout layout, SchemaRegistry registry, String schema) {
        this.layout = layout;
        this.roles = layout.roles(layout.required());
        this.registry = registry;
        this.schema = schema;
    }

    @Override
    public void read(byte[] value, Sample into) {
        roles.begin(into, 0);
        Schema written = written(value);
        int from = registry == null ? 0 : SchemaRegistry.HEADER;
        decoder = DecoderFactory.get().binaryDecoder(value, from, value.length - from, decoder);
        elements = value.length;
        boolean[] given = new boolean[roles.count()];
        BadRecordException problem = null;
        try {
            for (Schema.Field field : written.getFields()) {
                int column = roles.indexOf(field.name());
                if (column < 0) {
                    skip(field.schema(), 0);
                } else {
                    given[column] = true;
                    BadRecordException found = field(branch(field.schema()), column, into);
                    problem = problem == null ? found : problem;
                }
            }
            if (!decoder.isEnd()) {
                throw new IOException("bytes follow the record");
            }
        } catch (IOException | AvroRuntimeException | UnsupportedOperationException e) {
            // Its bytes are not where they should be: whose they are is unknown.
            into.forgetOwner();
            throw new BadRecordException(null, "does not match its Avro schema: " + words(e));
        }
        for (int i = 0; i < given.length && problem == null; i++) {
            problem = given[i] ? null : new BadRecordException(roles.name(i), "is not in the schema of the record");
        }
        if (problem != null) {
            throw problem;
        }
    }

    private static String words(Exception e) {
        return e.getMessage() == null ? "it ends too early" : e.getMessage();
    }

    private Schema written(byte[] value) {
        if (schemas == null) {
            schemas = new HashMap<>();
        }
        int id = registry == null ? 0 : SchemaRegistry.id(value);
        Schema known = schemas.get(id);
        if (known == null) {
            String text = registry == null ? schema : registry.entry(id, TYPE).schema();
            try {
                known = parsed(text);
            } catch (AvroRuntimeException e) {
                throw new BadRecordException(null, "names schema " + id + ", which is not Avro: " + e.getMessage());
            }
            schemas.put(id, known);
        }
        return known;
    }

    private static Schema parsed(String text) {
        Schema schema = new Schema.Parser().parse(text);
        if (schema.getType() != Schema.Type.RECORD) {
            throw new BadRecordException(
                    null, "its schema is of " + schema.getType().getName() + ", not of a record");
        }
        return schema;
    }

    /** Reads a field to its end; what is wrong with it, or null. */
    private BadRecordException field(Schema of, int column, Sample into) throws IOException {
        if (roles.width(column) > 1) {
            return array(of, column, into);
        }
        if (roles.isText(column)) {
            String text = text(of);
            if (text == null) {
                return new BadRecordException(
                        roles.name(column),
                        "expected a text or a whole number, found "
                                + of.getType().getName());
            }
            roles.put(into, column, text);
        } else if (roles.isTime(column) && of.getType() == Schema.Type.STRING) {
            String text = text(of);
            try {
                roles.put(into, column, layout.time(text));
            } catch (BadRecordException e) {
                return e;
            }
        } else if (isNumber(of)) {
            roles.put(into, column, number(of));
        } else {
            skip(of, 0);
            return notNumber(of, column);
        }
        return null;
    }

    private BadRecordException notNumber(Schema of, int column) {
        return new BadRecordException(
                roles.name(column), "expected a number, found " + of.getType().getName());
    }

    private BadRecordException array(Schema of, int column, Sample into) throws IOException {
        int length = roles.width(column);
        if (of.getType() != Schema.Type.ARRAY) {
            skip(of, 0);
            return new BadRecordException(
                    roles.name(column),
                    "expected an array of " + length + " numbers, found "
                            + of.getType().getName());
        }
        long count = 0;
        BadRecordException problem = null;
        for (long left = counted(decoder.readArrayStart()); left > 0; left = counted(decoder.arrayNext())) {
            for (long i = 0; i < left; i++, count++) {
                Schema element = branch(of.getElementType());
                if (!isNumber(element)) {
                    skip(element, 0);
                    problem = notNumber(element, column);
                } else {
                    double number = number(element);
                    if (count < length) {
                        roles.put(into, column, (int) count, number);
                    }
                }
            }
        }
        return problem != null || count == length
                ? problem
                : new BadRecordException(roles.name(column), "has " + count + " numbers, expected " + length);
    }

    /** Which schema of a union it is. */
    private Schema branch(Schema of) throws IOException {
        if (of.getType() != Schema.Type.UNION) {
            return of;
        }
        return of.getTypes().get(within(decoder.readIndex(), of.getTypes().size()));
    }

    private static int within(int index, int size) throws IOException {
        if (index < 0 || index >= size) {
            throw new IOException("the number " + index + " of " + size);
        }
        return index;
    }

    private static boolean isNumber(Schema of) {
        return switch (of.getType()) {
            case INT, LONG, FLOAT, DOUBLE, NULL -> true;
            default -> false;
        };
    }

    private double number(Schema of) throws IOException {
        return switch (of.getType()) {
            case INT -> decoder.readInt();
            case LONG -> decoder.readLong();
            case FLOAT -> decoder.readFloat();
            case DOUBLE -> decoder.readDouble();
            default -> Double.NaN;
        };
    }

    /** A name; null when it is none. */
    private String text(Schema of) throws IOException {
        switch (of.getType()) {
            case STRING -> {
                byte[] bytes = new byte[length()];
                decoder.readFixed(bytes);
                String text = RawRecordSchema.text(bytes);
                if (text == null) {
                    throw new IOException("a string in it is not UTF-8");
                }
                return text;
            }
            case ENUM -> {
                return of.getEnumSymbols()
                        .get(within(decoder.readEnum(), of.getEnumSymbols().size()));
            }
            case INT, LONG -> {
                return Long.toString(of.getType() == Schema.Type.INT ? decoder.readInt() : decoder.readLong());
            }
            default -> {
                skip(of, 0);
                return null;
            }
        }
    }

    /** The length before a text or bytes; all of the record holds at least so many. */
    private int length() throws IOException {
        long length = decoder.readLong();
        if (length < 0 || length > elements) {
            throw new IOException("a length of " + length + " bytes, more than it has");
        }
        return (int) length;
    }

    private long counted(long count) throws IOException {
        elements -= count;
        if (count < 0 || elements < 0) {
            throw new IOException("more elements than bytes");
        }
        return count;
    }

    private void skip(Schema declared, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("nested more than " + MAX_DEPTH + " deep");
        }
        Schema of = branch(declared);
        switch (of.getType()) {
            case NULL -> {}
            case BOOLEAN -> decoder.readBoolean();
            case INT, ENUM -> decoder.readInt();
            case LONG -> decoder.readLong();
            case FLOAT -> decoder.readFloat();
            case DOUBLE -> decoder.readDouble();
            case STRING, BYTES -> decoder.skipFixed(length());
            case FIXED -> decoder.skipFixed(of.getFixedSize());
            case ARRAY -> {
                for (long n = counted(decoder.readArrayStart()); n > 0; n = counted(decoder.arrayNext())) {
                    for (long i = 0; i < n; i++) {
                        skip(of.getElementType(), depth + 1);
                    }
                }
            }
            case MAP -> {
                for (long n = counted(decoder.readMapStart()); n > 0; n = counted(decoder.mapNext())) {
                    for (long i = 0; i < n; i++) {
                        decoder.skipFixed(length());
                        skip(of.getValueType(), depth + 1);
                    }
                }
            }
            case RECORD -> {
                for (Schema.Field field : of.getFields()) {
                    skip(field.schema(), depth + 1);
                }
            }
            case UNION -> throw new IOException("a union in a union");
        }
    }
}
