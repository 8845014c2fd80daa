package io.koopstream.io.samples;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReadStore;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** A flat Parquet table with the columns of a CSV file. Row groups are read one after another. */
final class ParquetSampleReader extends RowReader {

    /** What was taken is free again when this is said. */
    private static final String MEMORY =
            "asks for more memory than there is: it is damaged, or its row groups are too large for the heap (-Xmx)";

    private final ParquetFileReader file;
    private final MessageType schema;
    /** How the values of a column are read; null for nested ones. */
    private final ParquetCell[] cells;

    private final Deque<Object[]> looked = new ArrayDeque<>();
    private final ColumnReader[] readers;
    private final TableColumns columns;
    private final long total;
    private long leftInGroup;
    private long done;

    private ParquetSampleReader(Path path, ParquetFileReader file, ColumnOptions options) throws IOException {
        super(path.toString());
        this.file = file;
        this.schema = file.getFooter().getFileMetaData().getSchema();
        List<Type> fields = schema.getFields();
        this.cells = fields.stream()
                .map(field -> isFlat(field) ? new ParquetCell(field.asPrimitiveType()) : null)
                .toArray(ParquetCell[]::new);
        this.readers = new ColumnReader[cells.length];
        this.total = file.getRecordCount();
        ColumnFinder finder = new ColumnFinder(source, options)
                .named(fields.stream().map(Type::getName).toList());
        for (Object[] row = null; finder.wantsMore() && (row = next()) != null; looked.add(row)) {
            for (int i = 0; i < row.length; i++) {
                finder.see(i, cells[i] == null ? ColumnFinder.NESTED : cells[i].text(row[i]));
            }
            finder.endRow();
        }
        this.columns = finder.find();
        describe(columns);
    }

    private static boolean isFlat(Type field) {
        return field.isPrimitive() && !field.isRepetition(Type.Repetition.REPEATED);
    }

    static SampleReader open(Path path, ColumnOptions options) throws IOException {
        try {
            // A new file of the same name is another file: the plain configuration knows no caches.
            ParquetFileReader file = ParquetFileReader.open(
                    new LocalInputFile(path),
                    ParquetReadOptions.builder(new PlainParquetConfiguration())
                            .withCodecFactory(new ParquetCodecs())
                            .build());
            try {
                return new ParquetSampleReader(path, file, options);
            } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
                file.close();
                throw e;
            }
        } catch (FileSystemException | SampleFormatException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The library reports damaged files with whatever exception its parser happens to meet.
            throw new SampleFormatException(path.toString(), "is a damaged Parquet file: " + e.getMessage());
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw new SampleFormatException(path.toString(), MEMORY);
        }
    }

    @Override
    public double share() {
        return total == 0 ? 1 : (double) done / total;
    }

    /** The values of the next row; null at the end. */
    private Object[] next() throws IOException {
        while (leftInGroup == 0) {
            PageReadStore group = file.readNextRowGroup();
            if (group == null) {
                return null;
            }
            leftInGroup = group.getRowCount();
            ColumnReadStore store = new ColumnReadStoreImpl(
                    group,
                    new DummyRecordConverter(schema).getRootConverter(),
                    schema,
                    file.getFooter().getFileMetaData().getCreatedBy());
            for (int i = 0; i < cells.length; i++) {
                readers[i] = cells[i] == null || (columns != null && !columns.isRead(i))
                        ? null
                        : store.getColumnReader(schema.getColumnDescription(new String[] {schema.getFieldName(i)}));
            }
        }
        leftInGroup--;
        Object[] row = new Object[cells.length];
        for (int i = 0; i < row.length; i++) {
            ColumnReader reader = readers[i];
            if (reader != null) {
                boolean there = reader.getCurrentDefinitionLevel()
                        == reader.getDescriptor().getMaxDefinitionLevel();
                row[i] = there ? cells[i].value(reader) : null;
                reader.consume();
            }
        }
        return row;
    }

    @Override
    public boolean read(Sample into) {
        Object[] row;
        try {
            row = looked.isEmpty() ? next() : looked.poll();
        } catch (IOException | RuntimeException e) {
            throw new SampleFormatException(source, "is damaged after row " + done + ": " + e.getMessage());
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw new SampleFormatException(source, "after row " + done + ": " + MEMORY);
        }
        if (row == null) {
            return false;
        }
        done++;
        columns.begin(into, done);
        for (int i = 0; i < row.length; i++) {
            if (columns.isRead(i)) {
                put(into, i, row[i]);
            }
        }
        columns.requireSound(source, done, into);
        return true;
    }

    /** Puts a value where it belongs. */
    private void put(Sample into, int column, Object value) {
        if (value == null) {
            columns.putMissing(into, column);
            return;
        }
        RowRoles roles = columns.roles();
        TimeStyle style = columns.style(column);
        if (cells[column].isTimed() && style != null) {
            columns.putTime(into, (Double) value);
        } else if (value instanceof Number number && style == null && !roles.isText(column)) {
            roles.put(into, column, number.doubleValue());
        } else if (value instanceof Number number && style != null && !style.isPattern()) {
            columns.putTime(
                    into, number instanceof Long whole ? style.ofNumber(whole) : style.ofNumber((Double) number));
        } else {
            char[] text = cells[column].text(value).toCharArray();
            columns.put(into, column, text, 0, text.length);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
