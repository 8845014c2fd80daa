package io.koopstream.flink.job;

import io.koopstream.io.Json;
import java.util.Map;

/** A result ready to be sent: the bytes of a Kafka record, or a line of a file. Public fields, so that Flink needs no generic serializer for it. */
public final class Outgoing {

    private static final int MAX_TEXT = 4096;
    private static final int EXCERPT = 200;
    /** Of about twenty characters each: half of what a broker takes unless told otherwise. */
    private static final int MAX_NUMBERS = 25_000;

    /** The stream it belongs to. */
    public String key;

    /** What is sent. */
    public byte[] value;

    /** For models and pointers to models the model's version; -1 otherwise. */
    public long version = -1;

    /** For models and pointers SHA-256 of the model's bytes; null otherwise. */
    public String checksum;

    /** Whether the value is a pointer to a model's file. */
    public boolean pointer;

    /** For Flink. */
    public Outgoing() {}

    /** A JSON object on one line; its field {@code key} is the key. */
    static Outgoing line(Map<String, Object> fields) {
        fields.replaceAll((name, value) -> fitting(value));
        Outgoing result = new Outgoing();
        result.key = fields.get("key") instanceof String key ? key : "";
        result.value = Json.bytes(fields);
        return result;
    }

    /** What a broker takes, whatever came: a line that it refused would stop the job, again and again. */
    private static Object fitting(Object value) {
        if (value instanceof String text && text.length() > MAX_TEXT) {
            return text.substring(0, EXCERPT) + "… (" + text.length() + " characters)";
        }
        return value instanceof double[] numbers && numbers.length > MAX_NUMBERS
                ? "left out: " + numbers.length + " numbers"
                : value;
    }

    /** A model, or a pointer to one. */
    public static Outgoing model(String key, long version, String checksum, boolean pointer, byte[] value) {
        Outgoing result = new Outgoing();
        result.key = key;
        result.value = value;
        result.version = version;
        result.checksum = checksum;
        result.pointer = pointer;
        return result;
    }
}
