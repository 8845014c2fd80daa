package io.koopstream.io.samples;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.Type;

/** A flat Parquet table with the columns of a CSV file. Row groups are read one after another. */
final class ParquetSampleReader extends RowReader {

    private final RowRoles columns;
    private final long total;
    private final ParquetReader<Object[], Object[], Integer> reader;
    private Object[] values;
    private long done;

    private ParquetSampleReader(Path file, ColumnOptions options) throws IOException {
        super(file.toString());
        ParquetMetadata metadata = ParquetReader.readMetadata(file.toFile());
        List<Type> fields = metadata.getFileMetaData().getSchema().getFields();
        for (Type field : fields) {
            if (!field.isPrimitive()) {
                throw new SampleFormatException(source, "column '" + field.getName() + "' is nested, expected numbers");
            }
        }
        List<String> names = fields.stream().map(Type::getName).toList();
        this.columns = RowRoles.ofHeader(source, names, options.actions());
        describe(columns.stateNames(), columns.isPairs());
        if (columns.hasTime()) {
            describeTime(TimeStyle.NUMBER);
        }
        this.total = metadata.getBlocks().stream()
                .mapToLong(BlockMetaData::getRowCount)
                .sum();
        this.reader = ParquetReader.spliterator(file.toFile(), new Cells(names.size()), path -> names.indexOf(path[0]));
    }

    static SampleReader open(Path file, ColumnOptions options) throws IOException {
        try {
            return new ParquetSampleReader(file, options);
        } catch (NoClassDefFoundError e) {
            throw new SampleFormatException(
                    file.toString(),
                    "is a Parquet file; add blue.strategic.parquet:parquet-floor to the class path to read it");
        } catch (IOException | SampleFormatException e) {
            throw e;
        } catch (RuntimeException e) {
            // The library reports damaged files with whatever exception its parser happens to meet.
            throw new SampleFormatException(file.toString(), "is a damaged Parquet file: " + e.getMessage());
        }
    }

    @Override
    public double share() {
        return total == 0 ? 1 : (double) done / total;
    }

    @Override
    public boolean read(Sample into) {
        try {
            if (!reader.tryAdvance(row -> values = row)) {
                return false;
            }
        } catch (RuntimeException e) {
            throw new SampleFormatException(source, "is damaged after row " + done + ": " + e.getMessage());
        }
        done++;
        columns.begin(into, done);
        for (int i = 0; i < columns.count(); i++) {
            Object value = values[i];
            if (columns.isText(i) && value != null) {
                columns.put(into, i, String.valueOf(value));
            } else if (value instanceof Number number) {
                columns.put(into, i, number.doubleValue());
            } else {
                throw new BadRowException(
                        source,
                        done,
                        columns.name(i),
                        value == null ? "is missing" : "'" + value + "' is not a number",
                        into.trajectory());
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Collects the cells of a row. */
    private record Cells(int count) implements Hydrator<Object[], Object[], Integer> {

        @Override
        public Object[] start() {
            return new Object[count];
        }

        @Override
        public Object[] add(Object[] row, Integer column, Object value) {
            row[column] = value;
            return row;
        }

        @Override
        public Object[] finish(Object[] row) {
            return row;
        }
    }
}
