package io.koopstream.flink.job;

import io.koopstream.flink.DriftNotice;
import io.koopstream.flink.Learned;
import io.koopstream.flink.RejectedSample;
import java.io.Serializable;
import org.apache.flink.api.common.functions.MapFunction;
import tools.jackson.core.JsonGenerator;

/**
 * A kind of results as JSON lines.
 *
 * @param <T> the results
 */
final class ResultLines<T> implements MapFunction<T, Outgoing> {

    private static final long serialVersionUID = 1L;

    /** Writes the fields of a result. */
    private interface Fields<T> extends Serializable {
        String write(JsonGenerator to, T result);
    }

    private final Fields<T> fields;
    private transient JsonLine lines;

    private ResultLines(Fields<T> fields) {
        this.fields = fields;
    }

    @Override
    public Outgoing map(T result) {
        if (lines == null) {
            lines = new JsonLine();
        }
        Outgoing outgoing = new Outgoing();
        outgoing.value = lines.of(to -> outgoing.key = fields.write(to, result));
        return outgoing;
    }

    /** What the model said about a pair before it learned it. */
    static ResultLines<Learned> predictions() {
        return new ResultLines<>((to, learned) -> {
            place(to, learned.key, learned.trajectory, learned.step, learned.time);
            to.writeNumberProperty("version", learned.version);
            to.writeNumberProperty("predictedBy", learned.predictedBy);
            JsonLine.numbers(to, "prediction", learned.prediction);
            JsonLine.number(to, "error", learned.error);
            to.writeNumberProperty("dictionary", learned.dictionary);
            return learned.key;
        });
    }

    /** The dynamics have changed. */
    static ResultLines<DriftNotice> drift() {
        return new ResultLines<>((to, notice) -> {
            to.writeStringProperty("key", notice.key);
            to.writeNumberProperty("version", notice.version);
            to.writeNumberProperty("samplesAgo", notice.samplesAgo);
            JsonLine.number(to, "errorBefore", notice.errorBefore);
            JsonLine.number(to, "errorAfter", notice.errorAfter);
            JsonLine.number(to, "score", notice.score);
            return notice.key;
        });
    }

    /** Samples that were not learned from, or not as one might think. */
    static ResultLines<RejectedSample> rejected() {
        return new ResultLines<>((to, sample) -> {
            to.writeStringProperty("reason", sample.reason.name());
            to.writeStringProperty("message", sample.message);
            place(to, sample.key, sample.trajectory, sample.step, sample.time);
            JsonLine.numbers(to, "state", sample.state);
            return sample.key == null ? "" : sample.key;
        });
    }

    private static void place(JsonGenerator to, String key, String trajectory, double step, double time) {
        to.writeStringProperty("key", key);
        to.writeStringProperty("trajectory", trajectory == null ? "" : trajectory);
        if (!Double.isNaN(step)) {
            JsonLine.number(to, "step", step);
        }
        if (!Double.isNaN(time)) {
            JsonLine.number(to, "time", time);
        }
    }
}
