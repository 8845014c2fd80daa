package io.koopstream.flink.job;

import java.io.Serializable;

/** Reads the value of a record. One object for each subtask. */
interface RecordFormat extends Serializable {

    /**
     * Reads one record.
     *
     * @param value the bytes
     * @param into where its fields go; begun here
     * @throws BadRecordException when they are no sample
     */
    void read(byte[] value, RecordFields into);
}
