package io.koopstream.flink.job;

import io.koopstream.flink.SampleEvent;
import java.nio.charset.StandardCharsets;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Reads records as samples. What cannot be read goes to {@link #UNREADABLE} with the reason, the place and the beginning of the record. */
final class ReadFunction extends ProcessFunction<RawRecord, SampleEvent> {

    private static final long serialVersionUID = 1L;

    /** Records that are no samples. */
    static final OutputTag<Outgoing> UNREADABLE = new OutputTag<>("unreadable") {};

    private static final int LONGEST_EXCERPT = 200;

    private final RecordFormat format;
    private final boolean keyInRecord;
    private transient RecordFields fields;
    private transient JsonLine lines;

    ReadFunction(RecordFormat format, RecordLayout layout) {
        this.format = format;
        this.keyInRecord = !layout.key().isEmpty();
    }

    @Override
    public void processElement(RawRecord record, Context context, Collector<SampleEvent> out) {
        if (fields == null) {
            fields = new RecordFields();
            lines = new JsonLine();
        }
        try {
            format.read(record.value, fields);
        } catch (BadRecordException e) {
            context.output(UNREADABLE, unreadable(record, e.getMessage()));
            return;
        }
        SampleEvent event = new SampleEvent();
        event.key = keyInRecord ? fields.key : record.key == null ? "" : record.key;
        event.trajectory = fields.trajectory;
        event.step = fields.step;
        event.time = fields.time;
        event.state = fields.state;
        event.next = fields.next;
        out.collect(event);
    }

    private Outgoing unreadable(RawRecord record, String problem) {
        Outgoing result = new Outgoing();
        result.key = record.key == null ? "" : record.key;
        result.value = lines.of(to -> {
            to.writeStringProperty("reason", "UNREADABLE");
            to.writeStringProperty("message", problem);
            to.writeStringProperty("place", record.place());
            to.writeStringProperty("key", result.key);
            to.writeStringProperty(
                    "record",
                    new String(
                            record.value, 0, Math.min(LONGEST_EXCERPT, record.value.length), StandardCharsets.UTF_8));
        });
        return result;
    }
}
