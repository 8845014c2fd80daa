package io.koopstream.flink;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;

/**
 * A {@link LearnFunction} on any state backend. On the heap backend it is what {@code process} makes of the function; with another one, such as RocksDB, it
 * keeps the models used last on the heap and writes what changed when a checkpoint begins, which a function alone cannot: it may not choose the key it
 * writes for.
 */
public final class LearnOperator extends KeyedProcessOperator<String, SampleEvent, Learned> {

    private static final long serialVersionUID = 1L;

    private LearnOperator(LearnFunction function) {
        super(function);
    }

    /** What {@code events.process(function)} would be, on any state backend. Give it a {@code uid}. */
    public static SingleOutputStreamOperator<Learned> of(
            KeyedStream<SampleEvent, String> events, LearnFunction function) {
        return events.transform("learn", TypeInformation.of(Learned.class), new LearnOperator(function));
    }

    private LearnFunction function() {
        return (LearnFunction) userFunction;
    }

    @Override
    public void open() throws Exception {
        if (!(getKeyedStateBackend() instanceof HeapKeyedStateBackend)) {
            function().behindCache(this::setCurrentKey);
        }
        super.open();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        function().flush();
        super.snapshotState(context);
    }
}
