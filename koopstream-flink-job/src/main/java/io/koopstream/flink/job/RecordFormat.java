package io.koopstream.flink.job;

import io.koopstream.io.samples.Sample;
import java.io.Serializable;

/** Reads the value of a record. One object for each subtask. */
interface RecordFormat extends Serializable {

    /**
     * Reads one record.
     *
     * @param value the bytes
     * @param into where its fields go; begun here
     * @throws BadRecordException when they are no sample; whose record it is may have been found still
     */
    void read(byte[] value, Sample into);
}
