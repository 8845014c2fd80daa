package io.koopstream.flink.job;

import io.koopstream.flink.SampleEvent;
import io.koopstream.io.samples.Sample;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads records as samples. What cannot be read goes to {@link #UNREADABLE} with the reason, the place and the beginning of the record, and
 * interrupts its trajectory unless steps or times do.
 */
final class ReadFunction extends ProcessFunction<RawRecord, SampleEvent> {

    private static final long serialVersionUID = 1L;

    /** Records that are no samples. */
    static final OutputTag<Outgoing> UNREADABLE = new OutputTag<>("unreadable") {};

    private static final int MAX_EXCERPT = 200;

    private final RecordFormat format;
    private final RecordLayout layout;
    private transient Sample sample;

    ReadFunction(RecordFormat format, RecordLayout layout) {
        this.format = format;
        this.layout = layout;
    }

    @Override
    public void processElement(RawRecord record, Context context, Collector<SampleEvent> out) {
        if (sample == null) {
            sample = new Sample();
        }
        try {
            format.read(record.value, sample);
        } catch (BadRecordException e) {
            context.output(UNREADABLE, unreadable(record, e.getMessage()));
            if (layout.step().isEmpty() && layout.time().isEmpty()) {
                // Nothing else tells that one is missing here.
                out.collect(owned(record, null));
            }
            return;
        }
        SampleEvent event = owned(record, sample.state().clone());
        event.step = sample.step();
        event.time = sample.time();
        event.next = sample.next() == null ? null : sample.next().clone();
        out.collect(event);
    }

    /** A sample of the stream and the trajectory that the record tells; of an unreadable one they may be unknown, which is null. */
    private SampleEvent owned(RawRecord record, double[] state) {
        String inRecord = layout.key().isEmpty() ? null : sample.key();
        String beside = record.key == null && layout.key().isEmpty() ? "" : record.key;
        return SampleEvent.of(
                inRecord == null ? beside : inRecord, layout.trajectory().isEmpty() ? "" : sample.trajectory(), state);
    }

    private static Outgoing unreadable(RawRecord record, String problem) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("reason", "UNREADABLE");
        fields.put("message", problem);
        fields.put("place", record.place());
        fields.put("key", record.key == null ? "" : record.key);
        int length = Math.min(MAX_EXCERPT, record.value.length);
        fields.put("record", new String(record.value, 0, length, StandardCharsets.UTF_8));
        return Outgoing.line(fields);
    }
}
