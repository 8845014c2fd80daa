package io.koopstream.cli;

import java.io.StringWriter;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes maps, lists, arrays, strings and numbers as one JSON document. */
final class Json {

    private Json() {}

    /** The document as text, ending with a line break. Numbers that JSON cannot hold become null. */
    static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(generator, value);
        }
        return text.append('\n').toString();
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
        } else if (value instanceof double[] numbers) {
            to.writeStartArray();
            for (double number : numbers) {
                write(to, number);
            }
            to.writeEndArray();
        } else if (value instanceof Double number) {
            if (Double.isFinite(number)) {
                to.writeNumber(number);
            } else {
                to.writeNull();
            }
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
}
