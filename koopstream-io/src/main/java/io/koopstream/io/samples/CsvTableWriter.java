package io.koopstream.io.samples;

import io.koopstream.io.AtomicFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Comma-separated values; numbers read back to the same bits. */
final class CsvTableWriter implements TableWriter {

    private final AtomicFile file;
    private final Writer text;
    private final int whole;

    CsvTableWriter(Path place, List<String> texts, List<String> names, int whole) throws IOException {
        this.file = AtomicFile.begin(place);
        this.text = Files.newBufferedWriter(file.path());
        this.whole = whole;
        header(texts, names);
    }

    CsvTableWriter(OutputStream stream, List<String> texts, List<String> names, int whole) throws IOException {
        this.file = null;
        this.text = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 14);
        this.whole = whole;
        header(texts, names);
    }

    private void header(List<String> texts, List<String> names) throws IOException {
        text.write(Stream.concat(texts.stream(), names.stream())
                .map(TableWriter::cell)
                .collect(Collectors.joining(",", "", "\n")));
    }

    @Override
    public void row(List<String> texts, double... values) throws IOException {
        for (String content : texts) {
            text.write(TableWriter.cell(content));
            text.write(',');
        }
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                text.write(',');
            }
            text.write(i < whole ? Long.toString((long) values[i]) : Double.toString(values[i]));
        }
        text.write('\n');
    }

    @Override
    public void commit() throws IOException {
        text.flush();
        if (file != null) {
            text.close();
            file.commit();
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            text.close();
            file.close();
        }
    }
}
