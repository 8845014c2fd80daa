package io.koopstream.server.http.ingest;

import io.koopstream.server.engine.Batch;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Samples in one JSON object: {@code pairs}, or {@code x} and {@code y}, or {@code states}, with {@code stream}, {@code first} and
 * {@code newTrajectory} where they are wanted. Parsed as it arrives, straight into one array.
 */
final class SampleBody {

    private final int most;
    private String id;
    private String stream = Batch.NO_STREAM;
    private long first = -1;
    private boolean newTrajectory;
    private NumberRows pairs;
    private NumberRows x;
    private NumberRows y;
    private NumberRows states;

    private SampleBody(int most) {
        this.most = most;
    }

    /** Reads a whole document that holds one object. */
    static SampleBody read(JsonParser source, int most) {
        SampleBody body = new SampleBody(most);
        try (JsonParser parser = source) {
            body.parse(parser);
            JsonInput.requireEnd(parser);
        } catch (JacksonException e) {
            throw JsonInput.bad(e);
        }
        return body;
    }

    private void parse(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new ApiError(
                    Code.BAD_JSON,
                    "expected a JSON object such as {\"stream\":\"s1\",\"first\":0,\"states\":[[0.1,0.2],[0.3,0.4]]}");
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (name) {
                case "id" -> id = scalar(parser, token, name);
                case "stream" -> stream = text(parser, token, name);
                case "first" -> first = whole(parser, token, name);
                case "newTrajectory" -> newTrajectory = truth(token, name);
                case "pairs" -> {
                    pairs = new NumberRows(name, 2 * most);
                    pairs.readPairs(parser);
                }
                case "x" -> {
                    x = new NumberRows(name, most);
                    x.readAll(parser);
                }
                case "y" -> {
                    y = new NumberRows(name, most);
                    y.readAll(parser);
                }
                case "states", "state" -> {
                    states = new NumberRows(name, most);
                    states.readAll(parser);
                }
                default ->
                    throw new ApiError(
                                    Code.BAD_REQUEST,
                                    "unknown key '" + name.replaceAll("[^\\x20-\\x7e]", "?")
                                            + "'; there are id, stream, first, newTrajectory, pairs, x and y, states")
                            .with("field", name);
            }
        }
    }

    static String text(JsonParser parser, JsonToken token, String name) {
        if (token != JsonToken.VALUE_STRING) {
            throw new ApiError(Code.BAD_REQUEST, name + ": expected text").with("field", name);
        }
        return JsonInput.string(parser);
    }

    static String scalar(JsonParser parser, JsonToken token, String name) {
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            throw new ApiError(Code.BAD_REQUEST, name + ": expected text or a number").with("field", name);
        }
        return JsonInput.string(parser);
    }

    private static long whole(JsonParser parser, JsonToken token, String name) {
        if (token == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            long value = parser.getLongValue();
            if (value >= 0) {
                return value;
            }
        }
        throw new ApiError(Code.BAD_REQUEST, name + ": expected a whole number >= 0").with("field", name);
    }

    private static boolean truth(JsonToken token, String name) {
        if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return token == JsonToken.VALUE_TRUE;
        }
        throw new ApiError(Code.BAD_REQUEST, name + ": expected true or false").with("field", name);
    }

    /** What the sender calls this batch, or null. */
    String id() {
        return id;
    }

    /** The batch. */
    Batch batch() {
        int kinds = (pairs == null ? 0 : 1) + (x == null && y == null ? 0 : 1) + (states == null ? 0 : 1);
        if (kinds != 1 || (x == null) != (y == null)) {
            throw new ApiError(
                    Code.BAD_REQUEST,
                    "expected one of: pairs; x and y; states. E.g. {\"x\":[[0.1,0.2]],\"y\":[[0.3,0.4]]}");
        }
        Batch batch = states != null
                ? Batch.states(states.columns(), states.toArray(), newTrajectory)
                : pairs != null ? Batch.pairs(pairs.columns(), pairs.toArray()) : joined();
        return batch.placed(stream, first);
    }

    private Batch joined() {
        if (x.size() != y.size() || x.columns() != y.columns()) {
            throw new ApiError(
                            Code.BAD_SAMPLE,
                            "x has " + x.size() + " states of " + x.columns() + " coordinates, y " + y.size() + " of "
                                    + y.columns() + "; expected as many")
                    .with("field", "y");
        }
        int d = x.columns();
        double[] values = new double[2 * d * x.size()];
        for (int i = 0; i < x.size(); i++) {
            x.copyRow(i, values, 2 * d * i);
            y.copyRow(i, values, 2 * d * i + d);
        }
        return Batch.pairs(d, values);
    }
}
