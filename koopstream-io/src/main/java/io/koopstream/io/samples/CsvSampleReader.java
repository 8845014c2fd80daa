package io.koopstream.io.samples;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * CSV with a header: cells separated by comma, semicolon or tab, quoted where needed, comment lines after {@code #}. Cells are parsed
 * where they stand in the parser's buffer, so a row of numbers allocates nothing.
 */
final class CsvSampleReader extends TextRowReader {

    private static final int HEADER_LIMIT = 1 << 16;

    private final CsvReader<CsvSampleReader> reader;
    private final Iterator<CsvSampleReader> rows;
    private final Handler handler = new Handler();
    private final Sample row = new Sample();
    private RowRoles columns;
    private long line;
    private int fields;
    private boolean blank;
    /** What is wrong with the present row, found while its cells were parsed. */
    private String problem;

    private String problemColumn;
    private String lastTrajectory = "";

    CsvSampleReader(String source, Reader text, DoubleSupplier share, ColumnOptions options) throws IOException {
        super(source, share);
        BufferedReader buffered = new BufferedReader(text, 1 << 16);
        this.reader = CsvReader.builder()
                .fieldSeparator(separator(buffered))
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
        this.columns = RowRoles.ofHeader(source, handler.header, options.actions());
        requireNames();
        describe(columns.stateNames(), columns.isPairs());
        if (columns.hasTime()) {
            describeTime(TimeStyle.NUMBER);
        }
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

    private void requireNames() {
        boolean numbers = true;
        for (String name : handler.header) {
            try {
                JavaDoubleParser.parseDouble(name);
            } catch (NumberFormatException e) {
                numbers = false;
            }
        }
        if (numbers) {
            throw new SampleFormatException(
                    source,
                    "line " + line + " holds numbers, expected a header with column names; add a line such as x1,x2");
        }
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
        if (fields != columns.count()) {
            // Which cell is the trajectory is unknown, too.
            throw new BadRowException(
                    source,
                    line,
                    null,
                    fields + " cells, expected " + columns.count() + " as in the header"
                            + (fields == 2 * columns.count() ? " (decimal commas? write 1.5, not 1,5)" : ""),
                    null);
        }
        if (problem != null) {
            throw new BadRowException(source, line, problemColumn, problem, row.trajectory());
        }
        into.copyOf(row);
    }

    @Override
    boolean nextLine() throws IOException {
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

        private final List<String> header = new ArrayList<>();

        @Override
        protected void handleBegin(long startingLineNumber) {
            line = startingLineNumber;
            fields = 0;
            blank = true;
            problem = null;
            header.clear();
            if (columns != null) {
                columns.begin(row, line);
            }
        }

        @Override
        protected void handleField(int index, char[] buffer, int offset, int length, boolean quoted) {
            fields++;
            blank = index == 0 && !quoted && isBlank(buffer, offset, length);
            if (columns == null) {
                header.add(new String(buffer, offset, length));
            } else if (index < columns.count() && problem == null) {
                cell(index, buffer, offset, length);
            }
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

    private void cell(int index, char[] buffer, int offset, int length) {
        if (columns.isText(index)) {
            columns.put(row, index, trajectory(buffer, offset, length));
            return;
        }
        try {
            columns.put(row, index, JavaDoubleParser.parseDouble(buffer, offset, length));
        } catch (NumberFormatException e) {
            problemColumn = columns.name(index);
            problem = describe(new String(buffer, offset, Math.min(length, 40)));
        }
    }

    /** Most rows belong to the trajectory of the row before: its name is used again. */
    private String trajectory(char[] buffer, int offset, int length) {
        boolean same = length == lastTrajectory.length();
        for (int i = 0; same && i < length; i++) {
            same = buffer[offset + i] == lastTrajectory.charAt(i);
        }
        if (!same) {
            lastTrajectory = new String(buffer, offset, length);
        }
        return lastTrajectory;
    }

    private static String describe(String cell) {
        if (cell.isBlank()) {
            return "is empty, expected a number";
        }
        if (cell.strip().matches("[-+]?\\d+,\\d+([eE][-+]?\\d+)?")) {
            return "'" + cell + "' has a decimal comma, expected a decimal point";
        }
        return "'" + cell + "' is not a number";
    }
}
