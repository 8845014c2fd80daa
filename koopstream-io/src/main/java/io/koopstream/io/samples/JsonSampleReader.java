package io.koopstream.io.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.DoubleSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * One JSON value a row: an object with the columns of a table as keys, or an array with the state. Rows stand on lines of their own, or are the
 * elements of one array. The first rows decide which keys there are; of others null and absent ones are missing values.
 */
final class JsonSampleReader extends TextRowReader {

    private final BufferedReader text;
    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private final StringBuilder row = new StringBuilder();
    /** Rows that were looked at before they are read. */
    private final Deque<Looked> looked = new ArrayDeque<>();
    /** Whether rows are the elements of one array, rather than lines. */
    private final boolean elements;
    /** The number of the line that is read, and of that on which the present row began. */
    private long reading = 1;

    private long number;
    private boolean ended;
    private TableColumns columns;
    private boolean arrays;
    private boolean newKeys;

    private record Looked(long number, String row) {}

    /** Takes the cells of a row. */
    private interface Cell {
        /**
         * @param key null in an array
         * @param position from 0
         */
        void take(JsonParser parser, JsonToken token, String key, int position);
    }

    JsonSampleReader(String source, Reader reader, DoubleSupplier share, ColumnOptions options) throws IOException {
        super(source, share);
        this.text = new BufferedReader(reader, 1 << 16);
        this.elements = beginsWithArrayOfRows();
        if (!findFirst(false)) {
            throw new SampleFormatException(source, "is empty; expected one JSON object a line, such as {\"x1\": 0.5}");
        }
        columns = look(options);
        describe(columns);
    }

    private boolean beginsWithArrayOfRows() throws IOException {
        text.mark(MAX_LINE);
        int brackets = 0;
        for (int i = 0; i < MAX_LINE - 1; i++) {
            int c = text.read();
            if (!Character.isWhitespace(c)) {
                boolean rows = brackets == 1 && (c == '{' || c == '[');
                if (rows || brackets == 1 || c != '[') {
                    text.reset();
                    return rows && enterArray();
                }
                brackets++;
            }
        }
        text.reset();
        return false;
    }

    private boolean enterArray() throws IOException {
        while (read() != '[') {
            // White space before it.
        }
        return true;
    }

    private int read() throws IOException {
        int c = text.read();
        reading += c == '\n' ? 1 : 0;
        return c;
    }

    private TableColumns look(ColumnOptions options) throws IOException {
        ColumnFinder finder = new ColumnFinder(source, options);
        int characters = 0;
        do {
            looked.add(new Looked(number, row.toString()));
            characters += row.length();
            if (!isBlank()) {
                see(finder);
            }
        } while (finder.wantsMore() && characters < MAX_LINE && nextLine());
        return finder.find();
    }

    private void see(ColumnFinder finder) {
        boolean first = finder.count() == 0;
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), row.toString())) {
            JsonToken open = parser.nextToken();
            if (first) {
                arrays = open == JsonToken.START_ARRAY;
            }
            if (open != (arrays ? JsonToken.START_ARRAY : JsonToken.START_OBJECT)) {
                if (first) {
                    throw new SampleFormatException(
                            source, "line " + number + ": expected a JSON object or array, found " + open);
                }
                return;
            }
            cells(parser, (cells, token, key, position) -> {
                if (arrays || !key.isBlank()) {
                    int column = finder.indexOf(arrays ? "x" + (position + 1) : key);
                    boolean nested = token.isStructStart();
                    finder.see(
                            column,
                            token == JsonToken.VALUE_NULL ? null : nested ? ColumnFinder.NESTED : cells.getString());
                }
            });
            finder.endRow();
        } catch (JacksonException e) {
            if (first) {
                throw new SampleFormatException(
                        source,
                        "line " + number + " is not JSON: " + e.getOriginalMessage()
                                + "; expected one object a line, or one array of objects");
            }
        }
    }

    private int cells(JsonParser parser, Cell cell) {
        int position = 0;
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY && token != JsonToken.END_OBJECT;
                token = parser.nextToken()) {
            String key = arrays ? null : parser.currentName();
            JsonToken value = arrays ? token : parser.nextToken();
            cell.take(parser, value, key, position++);
            parser.skipChildren();
        }
        return position;
    }

    @Override
    boolean nextLine() throws IOException {
        row.setLength(0);
        if (columns != null && !looked.isEmpty()) {
            Looked before = looked.poll();
            number = before.number;
            row.append(before.row);
            return true;
        }
        return elements ? nextElement() : nextOfLines();
    }

    private boolean nextOfLines() throws IOException {
        number = reading;
        int c = read();
        if (c < 0) {
            return false;
        }
        for (; c >= 0 && c != '\n'; c = read()) {
            append(c);
        }
        return true;
    }

    /** A bounded row, whatever the source sends. */
    private void append(int c) {
        if (row.length() == MAX_LINE) {
            throw new SampleFormatException(source, "line " + number + " is longer than " + MAX_LINE + " characters");
        }
        row.append((char) c);
    }

    /** The next element of the array; what it holds is seen later. */
    private boolean nextElement() throws IOException {
        int c = ended ? -1 : skipTo();
        if (ended) {
            return false;
        }
        number = reading;
        int depth = 0;
        boolean quoted = false;
        for (; c >= 0; c = read()) {
            boolean escaped = quoted && c == '\\';
            append(c);
            if (escaped) {
                append(read());
                continue;
            }
            quoted ^= c == '"';
            if (!quoted) {
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
                if (depth <= 0) {
                    return true;
                }
            }
        }
        throw new SampleFormatException(
                source, "ends within the row that begins on line " + number + "; it was cut off");
    }

    /** The first character of the next row, or the end of the array. */
    private int skipTo() throws IOException {
        boolean comma = false;
        while (true) {
            int c = read();
            if (c == ',' && !comma) {
                comma = true;
            } else if (c == ']') {
                ended = true;
                return c;
            } else if (c == '{' || c == '[') {
                return c;
            } else if (!Character.isWhitespace(c)) {
                throw new SampleFormatException(
                        source,
                        "line " + reading + ": expected the next object of the array, found "
                                + (c < 0 ? "the end; it was cut off" : "'" + (char) c + "'"));
            }
        }
    }

    @Override
    boolean isBlank() {
        return row.chars().allMatch(Character::isWhitespace);
    }

    @Override
    long line() {
        return number;
    }

    @Override
    void take(Sample into) {
        columns.begin(into, number);
        boolean[] given = new boolean[columns.roles().count()];
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), row.toString())) {
            parse(parser, into, given);
        } catch (JacksonException e) {
            // Two lines run together, perhaps: whose they were is unknown.
            throw new BadRowException(source, number, null, "is not JSON: " + e.getOriginalMessage(), null);
        }
        for (int i = 0; i < given.length; i++) {
            if (!given[i] && columns.isRead(i)) {
                columns.putMissing(into, i);
            }
        }
        columns.requireSound(source, number, into);
    }

    private void parse(JsonParser parser, Sample into, boolean[] given) {
        if (parser.nextToken() != (arrays ? JsonToken.START_ARRAY : JsonToken.START_OBJECT)) {
            columns.complain(null, "expected " + (arrays ? "an array" : "an object") + " as in the first row");
            return;
        }
        int count = cells(parser, (cells, token, key, position) -> {
            int column = arrays ? position : columns.roles().indexOf(key.strip());
            if (column >= 0 && column < given.length) {
                given[column] = token != JsonToken.VALUE_NULL;
                value(cells, token, into, column);
            } else if (!arrays) {
                tellNewKey(key);
            }
        });
        if (arrays && count != given.length) {
            columns.complain(null, "has " + count + " numbers, expected " + given.length + " as in the first row");
        }
        if (parser.nextToken() != null) {
            columns.complain(null, "something follows the first JSON value");
            into.forgetOwner();
        }
    }

    private void value(JsonParser parser, JsonToken token, Sample into, int column) {
        if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            char[] buffer = parser.getStringCharacters();
            columns.put(into, column, buffer, parser.getStringOffset(), parser.getStringLength());
        } else if (token.isStructStart() && columns.isRead(column)) {
            columns.complain(
                    columns.roles().name(column),
                    "holds nested values, expected a number; --ignore leaves the column out");
        }
    }

    private void tellNewKey(String key) {
        if (!newKeys) {
            newKeys = true;
            columns.note(
                    "key '" + key + "' first comes on line " + number
                            + " and is ignored, as are others that come after the first rows; give them in the first row, with null if need be");
        }
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
