package io.koopstream.flink.job;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes one JSON object after another, each on one line. One object for each subtask. */
final class JsonLine {

    private final JsonFactory factory = new JsonFactory();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

    /** The object whose fields are written by {@code fields}, in UTF-8 without a line break. */
    byte[] of(Consumer<JsonGenerator> fields) {
        bytes.reset();
        try (JsonGenerator generator = factory.createGenerator(ObjectWriteContext.empty(), bytes)) {
            generator.writeStartObject();
            fields.accept(generator);
            generator.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** A number; null where JSON has no word for it. */
    static void number(JsonGenerator to, String name, double value) {
        to.writeName(name);
        if (Double.isFinite(value)) {
            to.writeNumber(value);
        } else {
            to.writeNull();
        }
    }

    /** Numbers, or null when there are none. */
    static void numbers(JsonGenerator to, String name, double[] values) {
        if (values == null) {
            to.writeNullProperty(name);
            return;
        }
        to.writeArrayPropertyStart(name);
        for (double value : values) {
            if (Double.isFinite(value)) {
                to.writeNumber(value);
            } else {
                to.writeNull();
            }
        }
        to.writeEndArray();
    }
}
