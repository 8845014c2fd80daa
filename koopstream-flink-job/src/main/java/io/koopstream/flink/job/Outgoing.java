package io.koopstream.flink.job;

/** A result ready to be sent: the bytes of a Kafka record, or a line of a file. Public fields, so that Flink needs no generic serializer for it. */
public final class Outgoing {

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

    /** A result of a stream. */
    static Outgoing result(String key, byte[] value) {
        Outgoing result = new Outgoing();
        result.key = key;
        result.value = value;
        return result;
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
