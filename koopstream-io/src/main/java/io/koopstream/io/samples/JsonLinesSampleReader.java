package io.koopstream.io.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * One JSON value a line: an object with the columns of a table as keys, or an array with the state. The first line decides which keys
 * there are.
 */
final class JsonLinesSampleReader extends TextRowReader {

    private final BufferedReader text;
    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private final StringBuilder line = new StringBuilder();
    private long number;
    private RowRoles columns;
    private boolean arrays;
    /** What is wrong with the present row, and where. */
    private String problem;

    private String problemColumn;

    JsonLinesSampleReader(String source, Reader reader, DoubleSupplier share, ColumnOptions options)
            throws IOException {
        super(source, share);
        this.text = new BufferedReader(reader, 1 << 16);
        if (!findFirst(true)) {
            throw new SampleFormatException(source, "is empty; expected one JSON object a line, such as {\"x1\": 0.5}");
        }
        columns = RowRoles.ofHeader(source, keys(), options.actions());
        describe(columns.stateNames(), columns.isPairs());
        if (columns.hasTime()) {
            describeTime(TimeStyle.NUMBER);
        }
    }

    /** A bounded line, whatever the source sends. */
    @Override
    boolean nextLine() throws IOException {
        line.setLength(0);
        int c = text.read();
        if (c < 0) {
            return false;
        }
        number++;
        for (; c >= 0 && c != '\n'; c = text.read()) {
            if (line.length() == MAX_LINE) {
                throw new SampleFormatException(
                        source, "line " + number + " is longer than " + MAX_LINE + " characters");
            }
            line.append((char) c);
        }
        return true;
    }

    @Override
    boolean isBlank() {
        return line.chars().allMatch(Character::isWhitespace);
    }

    @Override
    long line() {
        return number;
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line.toString())) {
            JsonToken first = parser.nextToken();
            arrays = first == JsonToken.START_ARRAY;
            if (!arrays && first != JsonToken.START_OBJECT) {
                throw new SampleFormatException(
                        source, "line " + number + ": expected a JSON object or array, found " + first);
            }
            for (JsonToken token = parser.nextToken();
                    token != null && token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY;
                    token = parser.nextToken()) {
                if (arrays) {
                    keys.add("x" + (keys.size() + 1));
                } else {
                    keys.add(parser.currentName());
                    parser.nextToken();
                }
            }
        } catch (JacksonException e) {
            throw new SampleFormatException(source, "line " + number + " is not JSON: " + e.getOriginalMessage());
        }
        return keys;
    }

    @Override
    void take(Sample into) {
        columns.begin(into, number);
        problem = null;
        boolean[] given = new boolean[columns.count()];
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line.toString())) {
            parse(parser, into, given);
        } catch (JacksonException e) {
            // Two lines run together, perhaps: whose they were is unknown.
            throw new BadRowException(source, number, null, "is not JSON: " + e.getOriginalMessage(), null);
        }
        for (int i = 0; i < given.length; i++) {
            if (!given[i]) {
                note(columns.name(i), "is missing");
            }
        }
        if (problem != null) {
            throw new BadRowException(source, number, problemColumn, problem, into.trajectory());
        }
    }

    private void parse(JsonParser parser, Sample into, boolean[] given) {
        JsonToken open = parser.nextToken();
        if (open != (arrays ? JsonToken.START_ARRAY : JsonToken.START_OBJECT)) {
            note(null, "expected " + (arrays ? "an array" : "an object") + " as in the first line");
            return;
        }
        int position = 0;
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY && token != JsonToken.END_OBJECT;
                token = parser.nextToken()) {
            String key = arrays ? null : parser.currentName();
            int column = arrays ? position++ : columns.indexOf(key.strip());
            if (!arrays) {
                token = parser.nextToken();
            }
            if (column < 0 || column >= given.length) {
                note(key, "was not in the first line");
            } else {
                value(parser, token, into, column);
                given[column] = true;
            }
            parser.skipChildren();
        }
        if (parser.nextToken() != null) {
            note(null, "something follows the first JSON value");
            into.forgetOwner();
        }
    }

    private void value(JsonParser parser, JsonToken token, Sample into, int column) {
        boolean number = token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT;
        if (columns.isText(column) && (number || token == JsonToken.VALUE_STRING)) {
            columns.put(into, column, parser.getString());
        } else if (!columns.isText(column) && number) {
            columns.put(into, column, parser.getDoubleValue());
        } else {
            note(
                    columns.name(column),
                    "expected a " + (columns.isText(column) ? "name" : "number") + ", found " + token);
        }
    }

    /** Keeps the first problem: the rest of the line may still tell the trajectory. */
    private void note(String column, String what) {
        if (problem == null) {
            problem = what;
            problemColumn = column;
        }
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
