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
    default void row(double... values) throws IOException {
        row(List.of(), values);
    }

    /** One row of a table that has texts before its numbers. */
    void row(List<String> texts, double... values) throws IOException;

    /** Ends the table and puts it in its place; without it nothing is left behind. */
    void commit() throws IOException;

    /**
     * A table in a file: Parquet when the name ends so, CSV otherwise.
     *
     * @param names of the columns
     * @param whole how many of the first columns hold whole numbers
     */
    static TableWriter open(Path file, List<String> names, int whole) throws IOException {
        return open(file, List.of(), names, whole);
    }

    /**
     * The same with texts before the numbers.
     *
     * @param texts names of the columns that hold texts
     */
    static TableWriter open(Path file, List<String> texts, List<String> names, int whole) throws IOException {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".parquet")
                ? new ParquetTableWriter(file, texts, names, whole)
                : new CsvTableWriter(file, texts, names, whole);
    }

    /** A cell of a CSV table: quoted where it must be. */
    static String cell(String content) {
        boolean quoted = content.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '#');
        return quoted ? '"' + content.replace("\"", "\"\"") + '"' : content;
    }

    /** A CSV table on a stream that the caller keeps. */
    static TableWriter to(OutputStream stream, List<String> texts, List<String> names, int whole) throws IOException {
        return new CsvTableWriter(stream, texts, names, whole);
    }
}
