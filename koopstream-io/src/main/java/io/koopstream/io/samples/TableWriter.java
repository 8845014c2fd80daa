package io.koopstream.io.samples;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes rows of numbers under names. */
public interface TableWriter extends Closeable {

    /** One row: as many numbers as there are names. Those of whole-number columns must be whole. */
    void row(double... values) throws IOException;

    /** Ends the table and puts it in its place; without it nothing is left behind. */
    void commit() throws IOException;

    /**
     * A table in a file: Parquet when the name ends so, CSV otherwise.
     *
     * @param names of the columns
     * @param whole how many of the first columns hold whole numbers
     */
    static TableWriter open(Path file, List<String> names, int whole) throws IOException {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".parquet")
                ? new ParquetTableWriter(file, names, whole)
                : new CsvTableWriter(file, names, whole);
    }

    /** A CSV table on a stream that the caller keeps. */
    static TableWriter to(OutputStream stream, List<String> names, int whole) throws IOException {
        return new CsvTableWriter(stream, names, whole);
    }
}
