package io.koopstream.flink.job;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.koopstream.InvalidConfigException;
import io.koopstream.io.EncodableText;
import io.koopstream.io.samples.Cells;
import io.koopstream.io.samples.RowRoles;
import io.koopstream.io.samples.Sample;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One row of cells without a header: a record stands alone, so the job file names the columns. Cells may be quoted; a quote inside is
 * doubled. Numbers are parsed where they stand in the record; an empty cell, {@code NA} and the like is a value that is not known.
 */
final class CsvFormat implements RecordFormat {

    private static final long serialVersionUID = 1L;

    private final RecordLayout layout;
    private final RowRoles roles;
    private final byte separator;
    private final String[] last;

    CsvFormat(RecordLayout layout, List<String> columns, char separator) {
        this.layout = layout;
        this.separator = (byte) separator;
        if (separator > 127 || separator == '"' || separator == '\n') {
            throw new InvalidConfigException("source.separator", separator, "must be a plain character such as ,");
        }
        if (layout.arrays()) {
            throw new InvalidConfigException(
                    "source.state", layout.state(), "CSV has no arrays; name one column per coordinate");
        }
        roles = layout.roles(columns);
        last = new String[roles.count()];
    }

    @Override
    public void read(byte[] value, Sample into) {
        roles.begin(into, 0);
        int end = value.length;
        while (end > 0 && (value[end - 1] == '\n' || value[end - 1] == '\r')) {
            end--;
        }
        int column = 0;
        int from = 0;
        BadRecordException problem = null;
        while (true) {
            boolean quoted = from < end && value[from] == '"';
            int to = quoted ? closingQuote(value, from + 1, end, into) + 1 : from;
            while (to < end && value[to] != separator) {
                if (quoted) {
                    throw broken(into, name(column), "continues after its closing quote");
                }
                to++;
            }
            if (column == roles.count()) {
                throw broken(into, null, "more cells than the " + roles.count() + " columns of the job file");
            }
            try {
                cell(value, quoted ? from + 1 : from, quoted ? to - 1 : to, quoted, column, into);
            } catch (BadRecordException e) {
                problem = problem == null ? e : problem;
            }
            column++;
            if (to >= end) {
                break;
            }
            from = to + 1;
        }
        if (column < roles.count()) {
            throw broken(
                    into, null, column + " cells, expected " + roles.count() + " as in the columns of the job file");
        }
        if (problem != null) {
            throw problem;
        }
    }

    /** A record whose cells are not where they should be. */
    private static BadRecordException broken(Sample into, String field, String problem) {
        into.forgetOwner();
        return new BadRecordException(field, problem);
    }

    private String name(int column) {
        return column < roles.count() ? roles.name(column) : null;
    }

    private static int closingQuote(byte[] value, int from, int end, Sample into) {
        for (int i = from; i < end; i++) {
            if (value[i] == '"') {
                if (i + 1 == end || value[i + 1] != '"') {
                    return i;
                }
                i++;
            }
        }
        throw broken(into, null, "a quote is not closed");
    }

    private void cell(byte[] value, int from, int to, boolean quoted, int column, Sample into) {
        if (roles.isText(column)) {
            last[column] = text(value, from, to, quoted, last[column]);
            String objection = EncodableText.objection(last[column]);
            if (objection != null) {
                throw new BadRecordException(roles.name(column), objection);
            }
            roles.put(into, column, last[column]);
        } else if (!roles.isIgnored(column)) {
            roles.put(into, column, number(value, from, to, column));
        }
    }

    /** Most records belong to the stream and the trajectory of the record before: the text is used again. */
    private static String text(byte[] value, int from, int to, boolean quoted, String last) {
        boolean same = last != null && to - from == last.length();
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
        if (!roles.isTime(column) || !layout.dates().hasPattern()) {
            try {
                return JavaDoubleParser.parseDouble(value, from, to - from);
            } catch (NumberFormatException e) {
                // Something else, or nothing.
            }
        }
        String cell = new String(value, from, to - from, StandardCharsets.UTF_8).strip();
        if (Cells.isMissing(cell)) {
            return Double.NaN;
        }
        if (roles.isTime(column)) {
            return layout.time(cell);
        }
        String shown = cell.substring(0, Math.min(40, cell.length()));
        throw new BadRecordException(roles.name(column), "'" + shown + "' is not a number");
    }
}
