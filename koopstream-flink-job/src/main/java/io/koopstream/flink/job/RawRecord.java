package io.koopstream.flink.job;

/** A record as it came, with the place it came from. Public fields, so that Flink needs no generic serializer for it. */
public final class RawRecord {

    /** The topic; a file's name or any other name of a source without topics. */
    public String topic;

    /** The partition. */
    public int partition;

    /** The offset in the partition. */
    public long offset;

    /** The record's key as text; null when it has none, or one that is no text. */
    public String key;

    /** What is wrong with the record's key; null when nothing is. */
    public String keyProblem;

    /** The record's value; empty for a record without one. */
    public byte[] value;

    /** For Flink. */
    public RawRecord() {}

    /** A record with all its fields. */
    public RawRecord(String topic, int partition, long offset, String key, byte[] value) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.key = key;
        this.value = value;
    }

    /** What it came from in order: its partition. */
    public String source() {
        return topic + "-" + partition;
    }

    /** Where it came from, in words. */
    public String place() {
        return source() + "@" + offset;
    }
}
