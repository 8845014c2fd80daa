package io.koopstream.flink.job;

import io.koopstream.flink.SampleEvent;
import io.koopstream.io.samples.Sample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads records as samples. What cannot be read goes to {@link #UNREADABLE} with the reason, the place and the beginning of the record, and
 * whoever pairs samples is told, so that no pair is made across it: its key where that is known; otherwise every key, by the number of such records that
 * later samples of the partition carry. That number is part of the job's state.
 */
final class ReadFunction extends ProcessFunction<RawRecord, SampleEvent> implements CheckpointedFunction {

    private static final long serialVersionUID = 2L;

    /** Records that are no samples. */
    static final OutputTag<Outgoing> UNREADABLE = new OutputTag<>("unreadable") {};

    private static final int MAX_EXCERPT = 200;

    private final RecordFormat format;
    private final boolean keyInRecord;
    private final boolean trajectoryInRecord;
    private transient Sample sample;
    /** By partition: records so far of which not even the key is known. */
    private transient Map<String, Long> lost;

    private transient ListState<Tuple2<String, Long>> stored;

    ReadFunction(RecordFormat format, RecordLayout layout) {
        this.format = format;
        this.keyInRecord = !layout.key().isEmpty();
        this.trajectoryInRecord = !layout.trajectory().isEmpty();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        sample = new Sample();
        lost = new HashMap<>();
        // Partitions go to whichever task takes them, so every task gets all numbers. They only rise: the largest is
        // the newest.
        stored = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("lost", Types.TUPLE(Types.STRING, Types.LONG)));
        for (Tuple2<String, Long> entry : stored.get()) {
            lost.merge(entry.f0, entry.f1, Math::max);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        List<Tuple2<String, Long>> entries = new ArrayList<>();
        lost.forEach((partition, count) -> entries.add(Tuple2.of(partition, count)));
        stored.update(entries);
    }

    @Override
    public void processElement(RawRecord record, Context context, Collector<SampleEvent> out) {
        String problem = read(record);
        String key = key(record);
        if (problem == null && key == null) {
            problem = "its key is empty";
        }
        SampleEvent event;
        if (problem == null) {
            event = SampleEvent.of(key, sample.trajectory(), sample.state().clone());
            event.step = sample.step();
            event.time = sample.time();
            event.next = sample.next() == null ? null : sample.next().clone();
        } else {
            context.output(UNREADABLE, unreadable(record, problem));
            if (key == null) {
                lost.merge(record.source(), 1L, Long::sum);
                return;
            }
            event = SampleEvent.unreadable(key, trajectoryInRecord ? sample.trajectory() : null);
        }
        if (!lost.isEmpty()) {
            event.source = record.source();
            event.lost = lost.getOrDefault(event.source, 0L);
        }
        out.collect(event);
    }

    /** The key of the record that was read; null when it is unknown. */
    private String key(RawRecord record) {
        if (keyInRecord) {
            return sample.key() == null || sample.key().isEmpty() ? null : sample.key();
        }
        return record.key == null ? "" : record.key;
    }

    /** Reads the record into the sample; returns what is wrong with it, or null. */
    private String read(RawRecord record) {
        try {
            format.read(record.value, sample);
            return null;
        } catch (BadRecordException e) {
            return e.getMessage();
        }
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
