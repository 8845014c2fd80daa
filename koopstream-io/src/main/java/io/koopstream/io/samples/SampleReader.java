package io.koopstream.io.samples;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads samples one after another. One thread. */
public interface SampleReader extends Closeable {

    /** What is read, for messages. */
    String source();

    /** The names of the state's coordinates; there are as many as a state has. */
    List<String> names();

    /** All columns of the source, in its order, whatever they are taken for. */
    List<TableColumn> columns();

    /** Whether every row is a pair (state, next state), rather than a state of a trajectory. */
    boolean isPairs();

    /** How times of rows are written; empty when rows have none. */
    Optional<TimeStyle> timeStyle();

    /** What was told from the rows and might be meant otherwise: a line for each, which names the option that changes it. More may come while reading. */
    List<String> notes();

    /**
     * Reads the next row.
     *
     * @return false at the end
     * @throws BadRowException if the row cannot be used; the one after it can be read then
     * @throws SampleFormatException if nothing after this can be read
     */
    boolean read(Sample into) throws IOException;

    /** Which share of the source was read, from 0 to 1; NaN for a stream whose end is unknown. */
    double share();
}
