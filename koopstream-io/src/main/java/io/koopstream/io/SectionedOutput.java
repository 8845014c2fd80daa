package io.koopstream.io;

import java.io.DataOutput;
import java.io.IOException;

/**
 * A target that keeps what it is given in sections, so that one that did not change need not be stored again. {@link StreamFile} begins one where what
 * changes rarely (a dictionary) and what changes with every record (statistics) meet; one behind the other they are the bytes that any target gets.
 */
public interface SectionedOutput extends DataOutput {

    /** What follows belongs to another section than what came before. */
    void section() throws IOException;
}
