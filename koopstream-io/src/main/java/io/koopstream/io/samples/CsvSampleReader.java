package io.koopstream.io.samples;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * CSV: cells separated by comma, semicolon or tab, quoted where needed, comment lines after {@code #}. Cells are parsed where they stand in
 * the parser's buffer, so a row of numbers allocates nothing.
 */
final class CsvSampleReader extends TextRowReader {

    private static final int HEADER_LIMIT = 1 << 16;

    /** A row that was looked at before it is read. */
    private record Looked(long line, List<String> cells, boolean blank) {}

    private final CsvReader<CsvSampleReader> reader;
    private final Iterator<CsvSampleReader> rows;
    private final Handler handler = new Handler();
    private final Sample row = new Sample();
    private final char separator;
    private final Deque<Looked> looked = new ArrayDeque<>();
    private TableColumns columns;
    private long line;
    private int fields;
    private boolean blank;

    CsvSampleReader(String source, Reader text, DoubleSupplier share, ColumnOptions options) throws IOException {
        super(source, share);
        BufferedReader buffered = new BufferedReader(text, 1 << 16);
        this.separator = separator(buffered);
        this.reader = CsvReader.builder()
                .fieldSeparator(separator)
                .commentStrategy(CommentStrategy.SKIP)
                .commentCharacter('#')
                .skipEmptyLines(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(MAX_LINE)
                .build(handler, buffered);
        this.rows = reader.iterator();
        if (!findFirst(false)) {
            throw new SampleFormatException(source, "is empty; expected a header line such as x1,x2");
        }
        TableColumns found = look(options);
        columns = found;
        describe(found);
    }

    /** Reads as many rows as it takes to tell what the columns mean; they are read as usual afterwards. */
    private TableColumns look(ColumnOptions options) throws IOException {
        boolean header = isHeader(options);
        List<String> first = List.copyOf(handler.cells);
        ColumnFinder finder = new ColumnFinder(source, options).named(header ? first : RowRoles.numbered(first.size()));
        if (!header) {
            see(finder);
        }
        int characters = 0;
        while (finder.wantsMore()
                && looked.size() < ColumnFinder.MAX_LOOKED_FOR_DAYS
                && characters < MAX_LINE
                && nextLine()) {
            see(finder);
            characters += handler.cells.stream().mapToInt(String::length).sum();
        }
        Looked other = looked.stream()
                .filter(row -> !row.blank && row.cells.size() != finder.count())
                .findFirst()
                .orElse(null);
        if (other != null && finder.wantsRows()) {
            throw new SampleFormatException(
                    source,
                    "line " + other.line + ": " + wrongCount(other.cells.size(), finder.count())
                            + "; so it is in all of the first " + looked.size() + " rows");
        }
        return finder.find();
    }

    private String wrongCount(int found, int expected) {
        return found + " cells, expected " + expected + " as in the header"
                + (found > expected && separator == ','
                        ? " (decimal commas cannot be told from those between cells: write 1.5, or separate cells with semicolons)"
                        : "");
    }

    private void see(ColumnFinder finder) {
        Looked row = new Looked(line, List.copyOf(handler.cells), blank);
        looked.add(row);
        if (!blank && row.cells.size() == finder.count()) {
            for (int i = 0; i < row.cells.size(); i++) {
                finder.see(i, row.cells.get(i));
            }
            finder.endRow();
        }
    }

    /** Whether the first line names the columns. */
    private boolean isHeader(ColumnOptions options) {
        if (options.header() != null) {
            return options.header();
        }
        if (!options.known().header().isEmpty()) {
            boolean named = !options.preferred().isEmpty() && handler.cells.containsAll(options.preferred());
            return named || Boolean.parseBoolean(options.known().header());
        }
        List<String> values =
                handler.cells.stream().filter(cell -> !Cells.isMissing(cell)).toList();
        long numbers = values.stream().filter(Cells::isNumber).count();
        boolean time = values.size() == numbers + 1
                && values.stream().anyMatch(cell -> !Cells.isNumber(cell) && TimeFinder.dates(List.of(cell)) != null);
        if (numbers == 0 || (numbers < values.size() && !time)) {
            return true;
        }
        if (options.names().isEmpty()) {
            throw new SampleFormatException(
                    source,
                    "line " + line + " holds numbers, expected a header with column names; add --no-header if it is a"
                            + " row (columns are x1, x2, …), --names a,b to name the coordinates, or --header if these are names");
        }
        return false;
    }

    /** The one of comma, semicolon and tab that the header has most of. */
    private static char separator(BufferedReader text) throws IOException {
        text.mark(HEADER_LIMIT);
        int[] counts = new int[3];
        boolean comment = false;
        boolean start = true;
        boolean quoted = false;
        for (int i = 0; i < HEADER_LIMIT - 1; i++) {
            int c = text.read();
            boolean lineEnd = c == '\n' || c == '\r';
            if (c < 0 || (lineEnd && !comment && !start)) {
                break;
            }
            comment = start ? c == '#' : comment && !lineEnd;
            start = lineEnd;
            quoted ^= c == '"' && !comment;
            int kind = comment || quoted ? -1 : ",;\t".indexOf(c);
            if (kind >= 0) {
                counts[kind]++;
            }
        }
        text.reset();
        return counts[0] >= counts[1] && counts[0] >= counts[2] ? ',' : counts[1] >= counts[2] ? ';' : '\t';
    }

    @Override
    long line() {
        return line;
    }

    @Override
    boolean isBlank() {
        return blank;
    }

    @Override
    void take(Sample into) {
        int expected = columns.roles().count();
        if (fields != expected) {
            // Which cell is the trajectory is unknown, too.
            throw new BadRowException(source, line, null, wrongCount(fields, expected), null);
        }
        columns.requireSound(source, line, row);
        into.copyOf(row);
    }

    @Override
    boolean nextLine() throws IOException {
        if (columns != null && !looked.isEmpty()) {
            handler.replay(looked.poll());
            return true;
        }
        try {
            if (!rows.hasNext()) {
                return false;
            }
            rows.next();
            return true;
        } catch (CsvParseException e) {
            throw new SampleFormatException(
                    source,
                    "near line " + (line + 1) + ": cannot be read as CSV, a line is longer than " + MAX_LINE
                            + " characters or a quote is not closed");
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Called by the parser for every cell. */
    private final class Handler extends AbstractBaseCsvCallbackHandler<CsvSampleReader> {

        /** Those of the present row, until it is known what columns mean. */
        private final List<String> cells = new ArrayList<>();

        @Override
        protected void handleBegin(long startingLineNumber) {
            line = startingLineNumber;
            fields = 0;
            blank = true;
            cells.clear();
            if (columns != null) {
                columns.begin(row, line);
            }
        }

        @Override
        protected void handleField(int index, char[] buffer, int offset, int length, boolean quoted) {
            fields++;
            blank = index == 0 && !quoted && isBlank(buffer, offset, length);
            if (columns == null) {
                cells.add(new String(buffer, offset, length));
            } else if (index < columns.roles().count()) {
                columns.put(row, index, buffer, offset, length);
            }
        }

        private void replay(Looked before) {
            handleBegin(before.line);
            for (int i = 0; i < before.cells.size(); i++) {
                char[] cell = before.cells.get(i).toCharArray();
                handleField(i, cell, 0, cell.length, false);
            }
            blank = before.blank;
        }

        @Override
        protected CsvSampleReader buildRecord() {
            return CsvSampleReader.this;
        }
    }

    private static boolean isBlank(char[] buffer, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (!Character.isWhitespace(buffer[i])) {
                return false;
            }
        }
        return true;
    }
}
