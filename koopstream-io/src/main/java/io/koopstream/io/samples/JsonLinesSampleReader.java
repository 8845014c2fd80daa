package io.koopstream.io.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One JSON value a line: an object with the columns of a table as keys, or an array with the state. The first line decides which keys
 * there are.
 */
final class JsonLinesSampleReader extends RowReader {

    private static final int LONGEST_LINE = 1 << 22;

    private final BufferedReader text;
    private final DoubleSupplier share;
    private final JsonFactory json = new JsonFactory();
    private final StringBuilder line = new StringBuilder();
    private long number;
    private Columns columns;
    private boolean arrays;
    private boolean firstPending;

    JsonLinesSampleReader(String source, Reader reader, DoubleSupplier share, Set<String> actions) throws IOException {
        super(source);
        this.text = new BufferedReader(reader, 1 << 16);
        this.share = share;
        if (!nextLine()) {
            throw new SampleFormatException(source, "is empty; expected one JSON object a line, such as {\"x1\": 0.5}");
        }
        columns = Columns.of(source, keys(), actions);
        describe(columns.stateNames(), columns.isPairs());
        firstPending = true;
    }

    /** The next line that is not blank. A bounded line, whatever the source sends. */
    private boolean nextLine() throws IOException {
        do {
            line.setLength(0);
            int c = text.read();
            if (c < 0) {
                return false;
            }
            number++;
            for (; c >= 0 && c != '\n'; c = text.read()) {
                if (line.length() == LONGEST_LINE) {
                    throw new SampleFormatException(
                            source, "line " + number + " is longer than " + LONGEST_LINE + " characters");
                }
                line.append((char) c);
            }
        } while (line.toString().isBlank());
        return true;
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
    public double share() {
        return share.getAsDouble();
    }

    @Override
    public boolean read(Sample into) throws IOException {
        if (!firstPending && !nextLine()) {
            return false;
        }
        firstPending = false;
        into.begin(number, columns.dimension(), columns.isPairs());
        boolean[] given = new boolean[columns.count()];
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line.toString())) {
            parse(parser, into, given);
        } catch (JacksonException e) {
            throw bad(into, null, "is not JSON: " + e.getOriginalMessage());
        }
        for (int i = 0; i < given.length; i++) {
            if (!given[i]) {
                throw bad(into, columns.name(i), "is missing");
            }
        }
        return true;
    }

    private void parse(JsonParser parser, Sample into, boolean[] given) {
        JsonToken open = parser.nextToken();
        if (open != (arrays ? JsonToken.START_ARRAY : JsonToken.START_OBJECT)) {
            throw bad(into, null, "expected " + (arrays ? "an array" : "an object") + " as in the first line");
        }
        int position = 0;
        while (true) {
            JsonToken token = parser.nextToken();
            if (token == null || token == JsonToken.END_ARRAY || token == JsonToken.END_OBJECT) {
                return;
            }
            int column = arrays ? position++ : indexOf(parser.currentName());
            if (!arrays) {
                token = parser.nextToken();
            }
            if (column < 0 || column >= given.length) {
                throw bad(into, arrays ? null : parser.currentName(), "was not in the first line");
            }
            value(parser, token, into, column);
            given[column] = true;
        }
    }

    private void value(JsonParser parser, JsonToken token, Sample into, int column) {
        if (columns.role(column) == Columns.Role.TRAJECTORY && token.isScalarValue()) {
            into.setTrajectory(parser.getString());
        } else if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
            columns.put(into, column, parser.getDoubleValue());
        } else {
            throw bad(into, columns.name(column), "expected a number, found " + token);
        }
    }

    private int indexOf(String key) {
        for (int i = 0; i < columns.count(); i++) {
            if (columns.name(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private BadRowException bad(Sample sample, String column, String problem) {
        return new BadRowException(source, number, column, problem, sample.trajectory());
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
