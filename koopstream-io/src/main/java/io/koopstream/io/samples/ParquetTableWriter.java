package io.koopstream.io.samples;

import blue.strategic.parquet.ParquetWriter;
import io.koopstream.io.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** A Parquet table of texts, whole numbers (int64) and numbers (double). */
final class ParquetTableWriter implements TableWriter {

    static {
        ClassPathLibraries.open();
    }

    private final AtomicFile file;
    private final ParquetWriter<Row> writer;

    /** A row on its way. */
    private static final class Row {
        private final List<String> texts;
        private final double[] numbers;

        Row(List<String> texts, double[] numbers) {
            this.texts = texts;
            this.numbers = numbers;
        }
    }

    ParquetTableWriter(Path place, List<String> texts, List<String> names, int whole) throws IOException {
        this.file = AtomicFile.begin(place);
        List<Type> fields = new ArrayList<>();
        for (String name : texts) {
            fields.add(Types.required(PrimitiveTypeName.BINARY)
                    .as(LogicalTypeAnnotation.stringType())
                    .named(name));
        }
        for (int i = 0; i < names.size(); i++) {
            fields.add(Types.required(i < whole ? PrimitiveTypeName.INT64 : PrimitiveTypeName.DOUBLE)
                    .named(names.get(i)));
        }
        // The library insists on making the file itself.
        Files.delete(file.path());
        this.writer = ParquetWriter.writeFile(
                new MessageType("samples", fields), file.path().toFile(), (row, values) -> {
                    for (int i = 0; i < texts.size(); i++) {
                        values.write(texts.get(i), row.texts.get(i));
                    }
                    for (int i = 0; i < names.size(); i++) {
                        if (i < whole) {
                            values.write(names.get(i), (long) row.numbers[i]);
                        } else {
                            values.write(names.get(i), row.numbers[i]);
                        }
                    }
                });
    }

    @Override
    public void row(List<String> texts, double... values) throws IOException {
        writer.write(new Row(texts, values));
    }

    @Override
    public void commit() throws IOException {
        writer.close();
        file.commit();
    }

    @Override
    public void close() throws IOException {
        try {
            writer.close();
        } finally {
            file.close();
        }
    }
}
