package io.koopstream.server.http.ingest;

import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Rows of numbers of equal length, in one growing array, as they are parsed. */
final class NumberRows {

    private final String field;
    private final int most;
    private double[] values = new double[64];
    private int count;
    private int columns;
    private int rows;

    /**
     * @param field what to call it in errors
     * @param most rows it may have
     */
    NumberRows(String field, int most) {
        this.field = field;
        this.most = most;
    }

    /** Reads a list of rows, or one row alone; the parser stands on the opening bracket. */
    void readAll(JsonParser parser) {
        requireArray(parser.currentToken(), "a list of lists of numbers");
        JsonToken token = parser.nextToken();
        if (token.isNumeric()) {
            row(parser, token);
            return;
        }
        for (; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            readRow(parser);
        }
    }

    /** Reads pairs {@code [[x…],[y…]]}, each as two rows. */
    void readPairs(JsonParser parser) {
        requireArray(parser.currentToken(), "a list of pairs [[x…],[y…]]");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            requireArray(parser.currentToken(), "a pair [[x…],[y…]]");
            for (int side = 0; side < 2; side++) {
                if (parser.nextToken() == JsonToken.END_ARRAY) {
                    throw bad("a pair has two states");
                }
                readRow(parser);
            }
            if (parser.nextToken() != JsonToken.END_ARRAY) {
                throw bad("a pair has two states, this one has more");
            }
        }
    }

    /** Reads one row; the parser stands on its opening bracket. */
    void readRow(JsonParser parser) {
        requireArray(parser.currentToken(), "a list of numbers");
        row(parser, parser.nextToken());
    }

    private void row(JsonParser parser, JsonToken first) {
        int start = count;
        for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (!token.isNumeric()) {
                throw bad("expected a number, found " + described(token));
            }
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            // What is too large for a double becomes infinite here and is refused with the other samples that are not
            // finite.
            values[count++] = parser.getDoubleValue();
        }
        endRow(count - start);
    }

    private void endRow(int length) {
        if (length == 0) {
            throw bad("is empty; a state has at least one coordinate");
        }
        if (rows == 0) {
            columns = length;
        } else if (length != columns) {
            throw bad("has " + length + " coordinates, the first one " + columns);
        }
        if (++rows > most) {
            throw new ApiError(
                            Code.TOO_LARGE,
                            field + ": more than " + most + " rows at once; send several batches, or stream them")
                    .with("field", field);
        }
    }

    private void requireArray(JsonToken token, String what) {
        if (token != JsonToken.START_ARRAY) {
            throw bad("expected " + what + ", found " + described(token));
        }
    }

    private static String described(JsonToken token) {
        return switch (token) {
            case VALUE_NULL -> "null";
            case VALUE_STRING -> "text";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case START_ARRAY -> "a list";
            case START_OBJECT -> "an object";
            case END_ARRAY, END_OBJECT -> "the end";
            default -> "something else";
        };
    }

    private ApiError bad(String problem) {
        return new ApiError(Code.BAD_SAMPLE, field + "[" + rows + "]: " + problem)
                .with("field", field)
                .with("index", rows);
    }

    /** Adds the only row of another. */
    void addRow(NumberRows row) {
        if (count + row.count > values.length) {
            values = Arrays.copyOf(values, Math.max(2 * values.length, count + row.count));
        }
        System.arraycopy(row.values, 0, values, count, row.count);
        count += row.count;
        endRow(row.count);
    }

    /** How many rows there are. */
    int size() {
        return rows;
    }

    /** Numbers of a row. */
    int columns() {
        return columns;
    }

    /** Puts the numbers of row i where they belong. */
    void copyRow(int i, double[] to, int at) {
        System.arraycopy(values, i * columns, to, at, columns);
    }

    /** All rows, one after another, in an array of their own. */
    double[] toArray() {
        return Arrays.copyOf(values, count);
    }

    /** Forgets the rows but not their length, so that the next ones must have the same. */
    void clear() {
        count = 0;
        rows = 0;
    }
}
