package io.koopstream.io;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes maps, lists, arrays, strings and numbers as one JSON document. */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** The document as text, ending with a line break. Numbers that JSON cannot hold become null. */
    public static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(generator, value);
        }
        return text.append('\n').toString();
    }

    /** The document in UTF-8, without a line break. Numbers that JSON cannot hold become null. */
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

    private static void number(JsonGenerator to, double number) {
        if (Double.isFinite(number)) {
            to.writeNumber(number);
        } else {
            to.writeNull();
        }
    }
}
