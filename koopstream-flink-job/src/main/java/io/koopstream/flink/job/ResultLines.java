package io.koopstream.flink.job;

import io.koopstream.flink.DriftNotice;
import io.koopstream.flink.Learned;
import io.koopstream.flink.RejectedSample;
import io.koopstream.flink.ScoreRecord;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.MapFunction;

/**
 * A kind of results as JSON lines.
 *
 * @param <T> the results
 */
final class ResultLines<T> implements MapFunction<T, Outgoing> {

    private static final long serialVersionUID = 1L;

    /** The fields of a result. */
    private interface Fields<T> extends Serializable {
        Map<String, Object> of(T result);
    }

    private final Fields<T> fields;

    private ResultLines(Fields<T> fields) {
        this.fields = fields;
    }

    @Override
    public Outgoing map(T result) {
        return Outgoing.line(fields.of(result));
    }

    /** What the model said about a pair before it learned it. */
    static ResultLines<Learned> predictions() {
        return new ResultLines<>(learned -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            place(fields, learned.key, learned.trajectory, learned.step, learned.time);
            fields.put("version", learned.version);
            fields.put("predictedBy", learned.predictedBy);
            fields.put("prediction", learned.prediction);
            fields.put("error", learned.error);
            fields.put("dictionary", learned.dictionary);
            return fields;
        });
    }

    /** The dynamics have changed. */
    static ResultLines<DriftNotice> drift() {
        return new ResultLines<>(notice -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("key", notice.key);
            fields.put("version", notice.version);
            fields.put("samplesAgo", notice.samplesAgo);
            fields.put("errorBefore", notice.errorBefore);
            fields.put("errorAfter", notice.errorAfter);
            fields.put("score", notice.score);
            if (notice.kind != null) {
                fields.put("kind", notice.kind);
                fields.put("coordinate", notice.coordinate);
                fields.put("from", notice.from);
                fields.put("to", notice.to);
                fields.put("onsetRow", notice.onsetRow);
                fields.put("onset", notice.onsetTime);
                fields.put("row", notice.row);
                fields.put("time", notice.time);
            }
            fields.put("sentence", notice.sentence);
            return fields;
        });
    }

    /** How unusual records were. */
    static ResultLines<ScoreRecord> scores() {
        return new ResultLines<>(record -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            place(fields, record.key, record.trajectory, record.step, record.time);
            fields.put("row", record.row);
            fields.put("score", record.score);
            fields.put("p", record.p);
            fields.put("known", record.known);
            fields.put("alarm", record.alarm);
            fields.put("value", record.value);
            fields.put("predicted", record.predicted);
            fields.put("low", record.low);
            fields.put("high", record.high);
            return fields;
        });
    }

    /** Samples that were not learned from, or not as one might think. */
    static ResultLines<RejectedSample> rejected() {
        return new ResultLines<>(sample -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("reason", sample.reason.name());
            fields.put("message", sample.message);
            fields.put("place", sample.place);
            place(fields, sample.key, sample.trajectory, sample.step, sample.time);
            fields.put("state", sample.state);
            return fields;
        });
    }

    private static void place(Map<String, Object> fields, String key, String trajectory, double step, double time) {
        fields.put("key", key);
        fields.put("trajectory", trajectory == null ? "" : trajectory);
        if (!Double.isNaN(step)) {
            fields.put("step", step);
        }
        if (!Double.isNaN(time)) {
            fields.put("time", time);
        }
    }
}
