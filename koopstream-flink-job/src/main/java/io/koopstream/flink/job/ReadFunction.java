package io.koopstream.flink.job;

import io.koopstream.flink.Partitioning;
import io.koopstream.flink.RejectedSample;
import io.koopstream.flink.SampleEvent;
import io.koopstream.io.samples.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads records as samples. What cannot be read goes to {@link #UNREADABLE} with the reason, the place and the record, and
 * whoever pairs samples is told, so that no pair is made across it: its key where that is known; otherwise every key, by the number of such records that
 * later samples of the partition carry. That number is part of the job's state.
 */
final class ReadFunction extends ProcessFunction<RawRecord, SampleEvent> implements CheckpointedFunction {

    private static final long serialVersionUID = 3L;

    /** Records that are no samples. */
    static final OutputTag<RejectedSample> UNREADABLE =
            new OutputTag<>("unreadable", TypeInformation.of(RejectedSample.class));

    /** Characters of a key or of the name of a trajectory; both go into every line that is published. */
    static final int MAX_NAME = 1024;

    private final RecordFormat format;
    private final boolean keyInRecord;
    private final boolean trajectoryInRecord;
    /** The stream of records without a key; null where they are refused. */
    private final String defaultKey;
    /** The parts of one big stream; null where every key has a model. */
    private final Partitioning parts;

    private transient Sample sample;
    /** By partition: records so far of which not even the key is known. */
    private transient Map<String, Long> lost;

    private transient ListState<Tuple2<String, Long>> stored;
    private transient Counter records;
    private transient Counter unreadable;

    /** @param parts of one big stream; empty where every key has a model */
    ReadFunction(SourceSettings source, Optional<Partitioning> parts) {
        this.format = source.reader();
        this.keyInRecord = !source.layout().key().isEmpty();
        this.trajectoryInRecord = !source.layout().trajectory().isEmpty();
        this.defaultKey = source.defaultKey().orElse(null);
        this.parts = parts.orElse(null);
    }

    @Override
    public void open(OpenContext context) {
        MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("koopstream");
        records = group.counter("records");
        unreadable = group.counter("unreadable");
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
        records.inc();
        String problem = read(record);
        String key = key(record);
        String trajectory = trajectoryInRecord ? sample.trajectory() : null;
        if (problem == null) {
            problem = problemOfNames(record, key, trajectory);
        }
        if (parts != null) {
            // A part takes all of a partition, so it is told whatever happens there; its trajectories bear the names of
            // both.
            trajectory = problem != null ? null : partTrajectory(key == null ? "" : key, trajectory);
            key = parts.key(parts.partOf(record.topic, record.partition));
        }
        SampleEvent event;
        if (problem == null) {
            event = SampleEvent.of(key, trajectory, sample.state().clone());
            event.step = sample.step();
            event.time = sample.time();
            event.next = sample.next() == null ? null : sample.next().clone();
        } else {
            unreadable.inc();
            context.output(UNREADABLE, rejected(record, problem));
            if (key == null || key.length() > MAX_NAME) {
                lost.merge(record.source(), 1L, Long::sum);
                return;
            }
            event = SampleEvent.unreadable(key, trajectory);
        }
        event.source = record.source();
        event.offset = record.offset;
        event.lost = lost.getOrDefault(event.source, 0L);
        out.collect(event);
    }

    /** The key of the record that was read; null when it is unknown. */
    private String key(RawRecord record) {
        String key = keyInRecord ? sample.key() : record.key;
        // Of a record that could not be read the key may be unknown, which is not the same as none.
        boolean unknown = keyInRecord ? key == null : record.keyProblem != null;
        return key != null && !key.isEmpty() ? key : unknown ? null : defaultKey;
    }

    /** What is wrong with the names of a record that could be read; null when nothing is. */
    private String problemOfNames(RawRecord record, String key, String trajectory) {
        if (key == null && parts == null) {
            return keyInRecord
                    ? "its key is empty"
                    : record.keyProblem != null
                            ? record.keyProblem + "; name the field that identifies streams as source.key"
                            : "it has no key; name the field that identifies streams as source.key, or say as source.defaultKey which stream"
                                    + " such records belong to";
        }
        if (key != null && key.length() > MAX_NAME) {
            return "its key has " + key.length() + " characters, at most " + MAX_NAME + " are taken";
        }
        return trajectory != null && trajectory.length() > MAX_NAME
                ? "the name of its trajectory has " + trajectory.length() + " characters, at most " + MAX_NAME
                        + " are taken"
                : null;
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

    private static RejectedSample rejected(RawRecord record, String problem) {
        RejectedSample rejected = new RejectedSample();
        rejected.reason = RejectedSample.Reason.UNREADABLE;
        rejected.place = record.place();
        rejected.key = record.key == null ? "" : record.key;
        int length = Math.min(ResultLines.MAX_RECORD, record.value.length);
        // Not within a character.
        while (length > 0 && length < record.value.length && (record.value[length] & 0xC0) == 0x80) {
            length--;
        }
        rejected.record = Arrays.copyOf(record.value, length);
        rejected.message = problem
                + (length < record.value.length
                        ? " (the first " + length + " of its " + record.value.length + " bytes are told)"
                        : "");
        return rejected;
    }

    /** One name of two, the same only where both are. */
    private static String partTrajectory(String key, String trajectory) {
        return trajectory == null ? key : key.replace("%", "%25").replace("/", "%2F") + "/" + trajectory;
    }
}
