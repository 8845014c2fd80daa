package io.koopstream.flink.job;

import io.koopstream.flink.DriftNotice;
import io.koopstream.flink.Learned;
import io.koopstream.flink.RejectedSample;
import io.koopstream.flink.ScoreRecord;
import io.koopstream.io.Json;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * A kind of results as records: lines of JSON, or what {@link ResultEncoder} makes of the one list of its fields.
 *
 * @param <T> the results
 */
final class ResultLines<T> extends RichMapFunction<T, Outgoing> {

    private static final long serialVersionUID = 3L;

    /**
     * Bytes of a rejected record: if every one of them needs the six characters of a JSON escape, the line still is below the megabyte that a broker takes
     * unless told otherwise.
     */
    static final int MAX_RECORD = 150_000;

    private static final int MAX_TEXT = 4096;
    private static final int EXCERPT = 200;
    /** Of about twenty characters each: half of what a broker takes. */
    private static final int MAX_NUMBERS = 25_000;

    /** What a field holds. */
    enum Type {
        TEXT("\"string\"", "optional string"),
        RECORD("\"string\"", "optional string"),
        WHOLE("\"long\"", "optional int64"),
        NUMBER("\"double\"", "optional double"),
        NUMBERS("{\"type\": \"array\", \"items\": \"double\"}", "repeated double");

        private final String avro;
        private final String proto;

        Type(String avro, String proto) {
            this.avro = avro;
            this.proto = proto;
        }

        /** In an Avro schema. */
        String avro() {
            return avro;
        }

        /** In a Protobuf schema. */
        String proto() {
            return proto;
        }
    }

    /** The value of a field, or whether it is in a line. */
    private interface Value<T, V> extends Serializable {
        V of(T result);
    }

    /**
     * A field.
     *
     * @param has whether a line has it
     */
    record Field<T>(String name, Type type, Value<T, Object> value, Value<T, Boolean> has) implements Serializable {}

    private final ArrayList<Field<T>> fields = new ArrayList<>();

    /** Name of the records in a schema. */
    private final String record;
    /** Null for JSON. */
    private ResultEncoder encoder;

    private ResultLines(String record) {
        this.record = record;
    }

    /** Sends records with a schema instead of lines. */
    void encodeAs(TargetSettings.Format format, SchemaRegistry registry, String topic) {
        encoder = new ResultEncoder(record, fields, format, registry, topic);
    }

    /** What the model said about a pair before it learned it. */
    static ResultLines<Learned> predictions() {
        return new ResultLines<Learned>("Prediction")
                .place(
                        learned -> learned.key,
                        learned -> learned.trajectory,
                        learned -> learned.step,
                        learned -> learned.time)
                .add("version", Type.WHOLE, learned -> learned.version)
                .add("predictedBy", Type.WHOLE, learned -> learned.predictedBy)
                .add("prediction", Type.NUMBERS, learned -> learned.prediction)
                .add("error", Type.NUMBER, learned -> learned.error)
                .add("dictionary", Type.WHOLE, learned -> learned.dictionary);
    }

    /** The dynamics have changed. */
    static ResultLines<DriftNotice> drift() {
        Value<DriftNotice, Boolean> told = notice -> notice.kind != null;
        return new ResultLines<DriftNotice>("Drift")
                .add("key", Type.TEXT, notice -> notice.key)
                .add("version", Type.WHOLE, notice -> notice.version)
                .add("samplesAgo", Type.WHOLE, notice -> notice.samplesAgo)
                .add("errorBefore", Type.NUMBER, notice -> notice.errorBefore)
                .add("errorAfter", Type.NUMBER, notice -> notice.errorAfter)
                .add("score", Type.NUMBER, notice -> notice.score)
                .add("kind", Type.TEXT, notice -> notice.kind, told)
                .add("coordinate", Type.WHOLE, notice -> notice.coordinate, told)
                .add("from", Type.NUMBER, notice -> notice.from, told)
                .add("to", Type.NUMBER, notice -> notice.to, told)
                .add("onsetRow", Type.WHOLE, notice -> notice.onsetRow, told)
                .add("onset", Type.NUMBER, notice -> notice.onsetTime, told)
                .add("row", Type.WHOLE, notice -> notice.row, told)
                .add("time", Type.NUMBER, notice -> notice.time, told)
                .add("sentence", Type.TEXT, notice -> notice.sentence);
    }

    /** How unusual records were. */
    static ResultLines<ScoreRecord> scores() {
        return new ResultLines<ScoreRecord>("Score")
                .place(record -> record.key, record -> record.trajectory, record -> record.step, record -> record.time)
                .add("row", Type.WHOLE, record -> record.row)
                .add("score", Type.NUMBER, record -> record.score)
                .add("p", Type.NUMBER, record -> record.p)
                .add("known", Type.NUMBER, record -> record.known)
                .add("alarm", Type.WHOLE, record -> record.alarm)
                .add("value", Type.NUMBERS, record -> record.value)
                .add("predicted", Type.NUMBERS, record -> record.predicted)
                .add("low", Type.NUMBERS, record -> record.low)
                .add("high", Type.NUMBERS, record -> record.high)
                .add("reason", Type.TEXT, record -> record.reason, record -> record.reason != null)
                .add("coordinate", Type.WHOLE, record -> record.coordinate, record -> record.reason != null);
    }

    /** Samples that were not learned from, or not as one might think. */
    static ResultLines<RejectedSample> rejected() {
        return new ResultLines<RejectedSample>("Rejected")
                .add("reason", Type.TEXT, sample -> sample.reason.name())
                .add("message", Type.TEXT, sample -> sample.message)
                .add("place", Type.TEXT, sample -> sample.place)
                .place(sample -> sample.key, sample -> sample.trajectory, sample -> sample.step, sample -> sample.time)
                .add("state", Type.NUMBERS, sample -> sample.state, sample -> sample.state != null)
                .add("record", Type.RECORD, sample -> text(sample.record), sample -> text(sample.record) != null)
                .add(
                        "recordBase64",
                        Type.RECORD,
                        sample -> Base64.getEncoder().encodeToString(sample.record),
                        sample -> sample.record != null && text(sample.record) == null);
    }

    private static String text(byte[] record) {
        return record == null ? null : RawRecordSchema.text(record);
    }

    /** All fields, in order. New ones go to the end, or the numbers of Protobuf would change. */
    List<Field<T>> fields() {
        return List.copyOf(fields);
    }

    @Override
    public void open(OpenContext context) {
        if (encoder != null) {
            encoder.open();
        }
    }

    @Override
    public Outgoing map(T result) {
        Map<String, Object> line = new LinkedHashMap<>();
        for (Field<T> field : fields) {
            if (field.has.of(result)) {
                line.put(field.name, fitting(field.type, field.value.of(result)));
            }
        }
        String key = line.get("key") instanceof String text ? text : "";
        return Outgoing.result(key, encoder == null ? Json.bytes(line) : encoder.encode(typed(line)));
    }

    /** A value cut to what a broker takes: a record that it refused would stop the job, again and again. */
    private static Object fitting(Type type, Object value) {
        if (type == Type.TEXT && value instanceof String text && text.length() > MAX_TEXT) {
            return text.substring(0, EXCERPT) + "… (" + text.length() + " characters)";
        }
        return value instanceof double[] numbers && numbers.length > MAX_NUMBERS
                ? "left out: " + numbers.length + " numbers"
                : value;
    }

    /** The values of all fields, of the types that the schema has; null where the line says in words that there is no room for one. */
    private Object[] typed(Map<String, Object> line) {
        return fields.stream()
                .map(field -> {
                    Object value = line.get(field.name);
                    return switch (field.type) {
                        case TEXT, RECORD -> value;
                        case WHOLE -> value instanceof Number number ? (Object) number.longValue() : null;
                        case NUMBER -> value instanceof Double number && Double.isFinite(number) ? number : null;
                        case NUMBERS -> value instanceof double[] ? value : null;
                    };
                })
                .toArray();
    }

    private ResultLines<T> add(String name, Type type, Value<T, Object> value) {
        return add(name, type, value, result -> true);
    }

    private ResultLines<T> add(String name, Type type, Value<T, Object> value, Value<T, Boolean> has) {
        fields.add(new Field<>(name, type, value, has));
        return this;
    }

    private ResultLines<T> place(
            Value<T, Object> key, Value<T, String> trajectory, Value<T, Double> step, Value<T, Double> time) {
        return add("key", Type.TEXT, key)
                .add("trajectory", Type.TEXT, result -> trajectory.of(result) == null ? "" : trajectory.of(result))
                .add("step", Type.NUMBER, step::of, result -> !step.of(result).isNaN())
                .add("time", Type.NUMBER, time::of, result -> !time.of(result).isNaN());
    }
}
