package io.koopstream.flink.job;

import io.koopstream.KoopstreamException;

/** One record that cannot be read as a sample. It goes to the rejected records with these words; the job goes on. */
public final class BadRecordException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /**
     * @param field the field at fault, or null when it is the record as a whole
     * @param problem what was found and what was expected
     */
    public BadRecordException(String field, String problem) {
        super(field == null ? problem : "field '" + field + "': " + problem);
    }
}
