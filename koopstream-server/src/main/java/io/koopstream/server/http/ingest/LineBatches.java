package io.koopstream.server.http.ingest;

import io.koopstream.server.engine.Batch;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.guard.HttpLimits;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Lines {@code {"x":[…],"y":[…]}} or {@code {"state":[…],"trajectory":…}} as batches. A batch ends where the kind or the trajectory changes,
 * when it is full, and with what has arrived.
 */
final class LineBatches {

    private final JsonInput json;
    private final int most;
    private final int longest;
    private final String stream;
    private final IngestStream out;
    private final NumberRows rows;
    private Batch.Kind kind;
    private boolean newTrajectory;
    private String trajectory;
    private long next;
    private long line;
    /** The first blank line that nothing has come after yet; 0 for none. */
    private long blank;

    LineBatches(JsonInput json, HttpLimits limits, String stream, long first, boolean newTrajectory, IngestStream out) {
        this.json = json;
        this.most = limits.batch();
        this.longest = limits.line();
        this.stream = stream;
        this.next = first;
        this.newTrajectory = newTrajectory;
        this.out = out;
        this.rows = new NumberRows("line", Integer.MAX_VALUE);
    }

    /** The line that was read last, counted from 1. */
    long line() {
        return line;
    }

    /** Takes whole lines and sends them on. */
    void take(byte[] bytes, int length) {
        int start = 0;
        while (start < length) {
            int end = start;
            while (end < length && bytes[end] != '\n') {
                end++;
            }
            line++;
            if (end - start > longest) {
                throw new ApiError(Code.TOO_LARGE, "line " + line + " is longer than " + longest + " bytes");
            }
            if (isBlank(bytes, start, end)) {
                blank = blank == 0 ? line : blank;
            } else if (blank > 0) {
                line = blank;
                throw bad("is blank, expected an object; only the last lines may be");
            } else {
                takeLine(bytes, start, end - start);
            }
            start = end + 1;
        }
        flush();
    }

    private static boolean isBlank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private void takeLine(byte[] bytes, int offset, int length) {
        try (JsonParser parser = json.parser(bytes, offset, length)) {
            object(parser);
            JsonInput.requireEnd(parser);
        } catch (JacksonException e) {
            throw new ApiError(
                    Code.BAD_JSON, "line " + line + ": " + JsonInput.bad(e).getMessage());
        }
    }

    private void object(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw bad("expected an object such as {\"x\":[0.1],\"y\":[0.2]} or {\"state\":[0.1]}");
        }
        NumberRows x = null;
        NumberRows y = null;
        NumberRows state = null;
        String where = trajectory;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (name) {
                case "x" -> x = row(parser, "x");
                case "y" -> y = row(parser, "y");
                case "state" -> state = row(parser, "state");
                case "trajectory" -> where = SampleBody.scalar(parser, token, name);
                default -> throw bad("unknown key; there are x and y, or state and trajectory");
            }
        }
        if (state != null && x == null && y == null) {
            add(Batch.Kind.STATES, state, null, where);
        } else if (state == null && x != null && y != null) {
            add(Batch.Kind.PAIRS, x, y, where);
        } else {
            throw bad("expected x and y, or state");
        }
    }

    private static NumberRows row(JsonParser parser, String name) {
        NumberRows row = new NumberRows(name, 1);
        row.readRow(parser);
        return row;
    }

    private void add(Batch.Kind now, NumberRows first, NumberRows second, String where) {
        boolean starts = where != null && !where.equals(trajectory);
        boolean begins = trajectory == null;
        trajectory = where;
        if (kind != now || (starts && !begins) || pending() == most) {
            flush();
            kind = now;
        }
        if (starts && !begins) {
            newTrajectory = true;
        }
        append(first);
        if (second != null) {
            append(second);
        }
    }

    private void append(NumberRows row) {
        if (rows.size() > 0 && row.columns() != rows.columns()) {
            throw bad("has " + row.columns() + " coordinates, the line before " + rows.columns());
        }
        rows.addRow(row);
    }

    private int pending() {
        return kind == Batch.Kind.PAIRS ? rows.size() / 2 : rows.size();
    }

    private void flush() {
        if (rows.size() == 0) {
            return;
        }
        Batch batch = kind == Batch.Kind.PAIRS
                ? Batch.pairs(rows.columns(), rows.toArray())
                : Batch.states(rows.columns(), rows.toArray(), newTrajectory);
        out.send(batch.placed(stream, next));
        next = next < 0 ? next : next + batch.size();
        newTrajectory = false;
        rows.clear();
    }

    private ApiError bad(String problem) {
        return new ApiError(Code.BAD_SAMPLE, "line " + line + ": " + problem);
    }
}
