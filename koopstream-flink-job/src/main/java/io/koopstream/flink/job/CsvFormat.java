package io.koopstream.flink.job;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.koopstream.InvalidConfigException;
import io.koopstream.flink.job.RecordLayout.Role;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One row of cells without a header: a record stands alone, so the job file names the columns. Cells may be quoted; a quote inside is
 * doubled. Numbers are parsed where they stand in the record.
 */
final class CsvFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    private final RecordLayout layout;
    private final List<String> columns;
    private final byte separator;
    private final Role[] roles;
    private final int[] coordinates;
    private String lastKey = "";
    private String lastTrajectory = "";

    CsvFormat(RecordLayout layout, List<String> columns, char separator) {
        this.layout = layout;
        this.columns = List.copyOf(columns);
        this.separator = (byte) separator;
        if (separator > 127 || separator == '"' || separator == '\n') {
            throw new InvalidConfigException("source.separator", separator, "must be a plain character such as ,");
        }
        if (layout.arrays()) {
            throw new InvalidConfigException(
                    "source.state", layout.state(), "CSV has no arrays; name one column a coordinate");
        }
        requireColumns(layout, columns);
        roles = columns.stream().map(layout::role).toArray(Role[]::new);
        coordinates = columns.stream().mapToInt(layout::coordinate).toArray();
    }

    /** Refuses columns that lack a field of the layout. */
    static void requireColumns(RecordLayout layout, List<String> columns) {
        for (String field : layout.required()) {
            if (!columns.contains(field)) {
                throw new InvalidConfigException("source.columns", columns, "has no column '" + field + "'");
            }
        }
    }

    @Override
    public void read(byte[] value, RecordFields into) {
        into.begin(layout);
        int end = value.length;
        while (end > 0 && (value[end - 1] == '\n' || value[end - 1] == '\r')) {
            end--;
        }
        int column = 0;
        int from = 0;
        while (true) {
            boolean quoted = from < end && value[from] == '"';
            int to = quoted ? closingQuote(value, from + 1, end) + 1 : from;
            while (to < end && value[to] != separator) {
                if (quoted) {
                    throw new BadRecordException(name(column), "goes on after its closing quote");
                }
                to++;
            }
            if (column == roles.length) {
                throw new BadRecordException(null, "more cells than the " + roles.length + " columns of the job file");
            }
            cell(value, quoted ? from + 1 : from, quoted ? to - 1 : to, quoted, column, into);
            column++;
            if (to >= end) {
                break;
            }
            from = to + 1;
        }
        if (column < roles.length) {
            throw new BadRecordException(
                    null, column + " cells, expected " + roles.length + " as in the columns of the job file");
        }
    }

    private String name(int column) {
        return column < columns.size() ? columns.get(column) : null;
    }

    private static int closingQuote(byte[] value, int from, int end) {
        for (int i = from; i < end; i++) {
            if (value[i] == '"') {
                if (i + 1 == end || value[i + 1] != '"') {
                    return i;
                }
                i++;
            }
        }
        throw new BadRecordException(null, "a quote is not closed");
    }

    private void cell(byte[] value, int from, int to, boolean quoted, int column, RecordFields into) {
        switch (roles[column]) {
            case KEY -> into.key = lastKey = text(value, from, to, quoted, lastKey);
            case TRAJECTORY -> into.trajectory = lastTrajectory = text(value, from, to, quoted, lastTrajectory);
            case STEP -> into.step = number(value, from, to, column);
            case TIME -> into.time = number(value, from, to, column);
            case STATE -> into.state[coordinates[column]] = number(value, from, to, column);
            case NEXT -> into.next[coordinates[column]] = number(value, from, to, column);
            case IGNORED -> {}
        }
    }

    /** Most records belong to the stream and the trajectory of the record before: the text is used again. */
    private static String text(byte[] value, int from, int to, boolean quoted, String last) {
        boolean same = to - from == last.length();
        for (int i = 0; same && i < last.length(); i++) {
            same = value[from + i] == last.charAt(i);
        }
        if (same) {
            return last;
        }
        String text = new String(value, from, to - from, StandardCharsets.UTF_8);
        return quoted ? text.replace("\"\"", "\"") : text;
    }

    private double number(byte[] value, int from, int to, int column) {
        try {
            return JavaDoubleParser.parseDouble(value, from, to - from);
        } catch (NumberFormatException e) {
            String cell = new String(value, from, Math.min(40, to - from), StandardCharsets.UTF_8);
            throw new BadRecordException(
                    columns.get(column),
                    cell.isBlank() ? "is empty, expected a number" : "'" + cell + "' is not a number");
        }
    }
}
