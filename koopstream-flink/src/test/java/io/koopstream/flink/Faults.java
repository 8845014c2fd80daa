package io.koopstream.flink;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Passes records on and breaks at planned places, each time only after a checkpoint has been completed since the last: otherwise a job that
 * silently starts from zero would give the right models too. Remembers with which record the job went on after every failure.
 */
final class Faults extends RichMapFunction<SampleEvent, SampleEvent>
        implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1L;

    /** Where a task breaks. */
    enum Place {
        RECORD,
        SNAPSHOT,
        RESTORE,
        CLOSE
    }

    /** A failure that is to happen once the record has come. */
    record Planned(Place place, long record) {}

    /** The memory of one run, outside of the tasks that die. */
    static final class Memory {
        private final List<Planned> plan;
        private final AtomicInteger done = new AtomicInteger();
        private volatile boolean checkpointed;
        private volatile long newest = -1;
        private final List<Long> firstAfterRestore = new CopyOnWriteArrayList<>();

        Memory(List<Planned> plan) {
            this.plan = plan;
        }

        /** How many of the planned failures happened. */
        int happened() {
            return done.get();
        }

        /** The number of the newest record that has passed. */
        long newest() {
            return newest;
        }

        /** The record with which the job last went on; 0 when it never had to. */
        long lastStart() {
            return firstAfterRestore.isEmpty() ? 0 : firstAfterRestore.get(firstAfterRestore.size() - 1);
        }

        /** With which record the job went on, after each restore that got as far as a record. */
        List<Long> firstAfterRestore() {
            return firstAfterRestore;
        }

        private void breakAt(Place place, long record) {
            if (done.get() < plan.size()) {
                Planned next = plan.get(done.get());
                // A restore follows a failure at once, so no checkpoint can be asked for in between.
                boolean ready = checkpointed || place == Place.RESTORE;
                if (next.place() == place && record >= next.record() && ready) {
                    done.incrementAndGet();
                    checkpointed = false;
                    throw new IllegalStateException("planned failure: " + next);
                }
            }
        }
    }

    private static final Map<String, Memory> RUNS = new ConcurrentHashMap<>();

    private final String run;
    private transient boolean restored;
    private transient long seen;

    private Faults(String run) {
        this.run = run;
    }

    /** A function of a run with a plan; the plan of a run is made once. */
    static Faults of(String run, List<Planned> plan) {
        RUNS.computeIfAbsent(run, r -> new Memory(plan));
        return new Faults(run);
    }

    static Memory memory(String run) {
        return RUNS.get(run);
    }

    @Override
    public SampleEvent map(SampleEvent event) {
        long record = (long) event.time;
        Memory memory = memory(run);
        if (restored) {
            memory.firstAfterRestore.add(record);
            restored = false;
        }
        seen = record;
        memory.newest = record;
        memory.breakAt(Place.RECORD, record);
        return event;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        restored = context.isRestored();
        if (restored) {
            memory(run).breakAt(Place.RESTORE, memory(run).newest);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        memory(run).breakAt(Place.SNAPSHOT, seen);
    }

    @Override
    public void close() {
        memory(run).breakAt(Place.CLOSE, seen);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        memory(run).checkpointed = true;
    }
}
