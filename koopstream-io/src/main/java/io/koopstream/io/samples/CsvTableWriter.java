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

/** Comma-separated values; numbers read back to the same bits. */
final class CsvTableWriter implements TableWriter {

    private final AtomicFile file;
    private final Writer text;
    private final int whole;

    CsvTableWriter(Path place, List<String> names, int whole) throws IOException {
        this.file = AtomicFile.begin(place);
        this.text = Files.newBufferedWriter(file.path());
        this.whole = whole;
        header(names);
    }

    CsvTableWriter(OutputStream stream, List<String> names, int whole) throws IOException {
        this.file = null;
        this.text = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 14);
        this.whole = whole;
        header(names);
    }

    private void header(List<String> names) throws IOException {
        StringBuilder line = new StringBuilder();
        for (String name : names) {
            boolean quoted = name.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '#');
            line.append(line.length() == 0 ? "" : ",").append(quoted ? '"' + name.replace("\"", "\"\"") + '"' : name);
        }
        text.write(line.append('\n').toString());
    }

    @Override
    public void row(double... values) throws IOException {
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
