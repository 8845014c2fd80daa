package io.koopstream.io.samples;

import io.koopstream.KoopstreamException;

/** A source that is not what it should be: another format, a wrong header, a truncated array. */
public final class SampleFormatException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /**
     * @param source the file, or standard input
     * @param problem what was found, what was expected, what to do
     */
    public SampleFormatException(String source, String problem) {
        super(source + ": " + problem);
    }
}
