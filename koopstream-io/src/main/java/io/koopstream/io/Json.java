package io.koopstream.io;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes records, maps, lists, arrays, strings and numbers as one JSON document. A record is an object with a member for each of its components, in their order;
 * numbers that JSON cannot hold become null.
 */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** The components of a kind of record, looked up once: Java makes new ones at every call. */
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    private Json() {}

    /** A record whose members stand among those of the record that holds it; null adds none. */
    public interface Part {}

    /** The document as text, ending with a line break. */
    public static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(generator, value);
        }
        return text.append('\n').toString();
    }

    /** The document in UTF-8, without a line break. */
    public static byte[] bytes(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(generator, value);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator to, Object value) {
        if (value instanceof Map<?, ?> map) {
            to.writeStartObject();
            map.forEach((key, entry) -> {
                to.writeName(String.valueOf(key));
                write(to, entry);
            });
            to.writeEndObject();
        } else if (value instanceof Record record) {
            write(to, members(record));
        } else if (value instanceof Iterable<?> list) {
            to.writeStartArray();
            list.forEach(entry -> write(to, entry));
            to.writeEndArray();
        } else if (value instanceof Object[] list) {
            to.writeStartArray();
            for (Object entry : list) {
                write(to, entry);
            }
            to.writeEndArray();
        } else if (value instanceof double[] numbers) {
            to.writeStartArray();
            for (double number : numbers) {
                number(to, number);
            }
            to.writeEndArray();
        } else if (value instanceof int[] numbers) {
            to.writeStartArray();
            for (int number : numbers) {
                to.writeNumber(number);
            }
            to.writeEndArray();
        } else if (value instanceof long[] numbers) {
            to.writeStartArray();
            for (long number : numbers) {
                to.writeNumber(number);
            }
            to.writeEndArray();
        } else if (value instanceof Double number) {
            number(to, number);
        } else if (value instanceof Integer number) {
            to.writeNumber(number);
        } else if (value instanceof Long number) {
            to.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            to.writeBoolean(truth);
        } else if (value == null) {
            to.writeNull();
        } else {
            to.writeString(value.toString());
        }
    }

    /** The members of a record by name, those of its parts among them. */
    public static Map<String, Object> members(Record record) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent component : COMPONENTS.get(record.getClass())) {
            Object value = read(component, record);
            if (!Part.class.isAssignableFrom(component.getType())) {
                members.put(component.getName(), value);
            } else if (value != null) {
                members.putAll(members((Record) value));
            }
        }
        return members;
    }

    private static Object read(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(record.getClass() + " cannot be written: it must be public", e);
        }
    }

    private static void number(JsonGenerator to, double number) {
        if (Double.isFinite(number)) {
            to.writeNumber(number);
        } else {
            to.writeNull();
        }
    }
}
