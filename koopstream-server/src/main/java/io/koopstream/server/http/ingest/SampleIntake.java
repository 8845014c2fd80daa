package io.koopstream.server.http.ingest;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFormatException;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.RowBatches;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.error.Errors;
import io.koopstream.server.http.guard.HttpLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Takes samples in their forms: one JSON object, lines of JSON as they arrive, tables as they arrive, packed numbers as they arrive. */
public final class SampleIntake {

    private static final int BUFFER = 1 << 17;

    private final HttpLimits limits;
    private final JsonInput json;

    /** An intake within limits. */
    public SampleIntake(HttpLimits limits, JsonInput json) {
        this.limits = limits;
        this.json = json;
    }

    /** An acknowledgement as a document. */
    public static Map<String, Object> document(Ack ack) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("accepted", ack.accepted());
        document.put("duplicates", ack.duplicates());
        document.put("samples", ack.samples());
        document.put("next", ack.next());
        document.put("durability", ack.durability().name().toLowerCase(Locale.ROOT));
        return document;
    }

    /** One JSON object. */
    public Ack object(LiveModel model, InputStream body) {
        Batch batch = SampleBody.read(json.parser(body), limits.batch()).batch();
        return IngestStream.await(model.submit(batch), limits.answerTime().toNanos());
    }

    /** The object in a WebSocket frame. */
    SampleBody frame(byte[] text) {
        return SampleBody.read(json.parser(text, 0, text.length), limits.batch());
    }

    /** One JSON object a line. What has arrived in whole lines is sent on before more is waited for. */
    public Ack lines(LiveModel model, InputStream body, String stream, long first, boolean newTrajectory)
            throws IOException {
        IngestStream out = new IngestStream(model, limits.answerTime().toNanos());
        LineBatches lines = new LineBatches(json, limits, stream, first, newTrajectory, out);
        byte[] buffer = new byte[Math.max(BUFFER, 2 * limits.line())];
        int held = 0;
        try {
            while (true) {
                int count = body.read(buffer, held, buffer.length - held);
                if (count < 0) {
                    break;
                }
                int end = lastLineEnd(buffer, held, held + count);
                held += count;
                if (end > 0) {
                    lines.take(buffer, end);
                    System.arraycopy(buffer, end, buffer, 0, held - end);
                    held -= end;
                }
                if (held > limits.line()) {
                    throw new ApiError(Code.TOO_LARGE, "a line is longer than " + limits.line() + " bytes");
                }
            }
            if (held > 0) {
                lines.take(buffer, held);
            }
            return out.finish();
        } catch (RuntimeException e) {
            throw Errors.of(e).with("accepted", out.acceptedBeforeFailure()).with("line", lines.line());
        }
    }

    /**
     * A table with a header, as {@code koop learn} reads files: with times, trajectories, missing values. Rows that cannot be read are counted; the
     * answer says how many, and what was wrong with the first.
     */
    public Map<String, Object> table(
            LiveModel model, InputStream body, String stream, long first, boolean newTrajectory) throws IOException {
        IngestStream out = new IngestStream(model, limits.answerTime().toNanos());
        ColumnOptions columns =
                ColumnOptions.NONE.preferring(model.view().settings().names());
        try (SampleReader reader = SampleReaders.open(body, "body", columns)) {
            RowBatches<RuntimeException> rows = new RowBatches<>(out::send, stream, reader, first, limits.batch());
            Sample sample = new Sample();
            long unreadable = 0;
            String firstProblem = null;
            boolean fresh = newTrajectory;
            boolean more = true;
            while (more) {
                try {
                    more = reader.read(sample);
                    if (more) {
                        rows.add(sample, fresh);
                        fresh = false;
                    }
                } catch (BadRowException e) {
                    firstProblem = unreadable++ == 0 ? e.getMessage() : firstProblem;
                    rows.addUnreadable(e.trajectory());
                }
            }
            rows.flush();
            Map<String, Object> document = document(out.finish());
            document.put("unreadable", unreadable);
            document.put("notes", reader.notes());
            if (unreadable > 0) {
                document.put("firstProblem", firstProblem);
            }
            return document;
        } catch (SampleFormatException e) {
            throw new ApiError(Code.BAD_SAMPLE, e.getMessage()).with("accepted", out.acceptedBeforeFailure());
        } catch (RuntimeException e) {
            throw Errors.of(e).with("accepted", out.acceptedBeforeFailure());
        }
    }

    private static int lastLineEnd(byte[] buffer, int from, int to) {
        for (int i = to; i > from; i--) {
            if (buffer[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /**
     * Packed doubles, little endian, item after item.
     *
     * @param columns numbers of an item
     */
    public Ack packed(
            LiveModel model,
            InputStream body,
            Batch.Kind kind,
            int columns,
            String stream,
            long first,
            boolean newTrajectory)
            throws IOException {
        IngestStream out = new IngestStream(model, limits.answerTime().toNanos());
        int item = columns * Double.BYTES;
        int most = Math.max(1, Math.min(limits.batch(), BUFFER / item));
        byte[] buffer = new byte[most * item];
        int held = 0;
        long next = first;
        boolean fresh = newTrajectory;
        try {
            while (true) {
                int count = body.read(buffer, held, buffer.length - held);
                held += Math.max(0, count);
                int whole = held / item * item;
                if (whole > 0 && (count < 0 || held == buffer.length || body.available() == 0)) {
                    double[] values = new double[whole / Double.BYTES];
                    ByteBuffer.wrap(buffer, 0, whole)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .asDoubleBuffer()
                            .get(values);
                    Batch batch = kind == Batch.Kind.PAIRS
                            ? Batch.pairs(columns / 2, values)
                            : Batch.states(columns, values, fresh);
                    out.send(batch.placed(stream, next));
                    fresh = false;
                    next = next < 0 ? next : next + batch.size();
                    System.arraycopy(buffer, whole, buffer, 0, held - whole);
                    held -= whole;
                }
                if (count < 0) {
                    break;
                }
            }
            if (held > 0) {
                throw new ApiError(
                        Code.BAD_REQUEST,
                        "the body ends within an item: " + held + " bytes are left, an item has " + item);
            }
            return out.finish();
        } catch (RuntimeException e) {
            throw Errors.of(e).with("accepted", out.acceptedBeforeFailure());
        }
    }
}
