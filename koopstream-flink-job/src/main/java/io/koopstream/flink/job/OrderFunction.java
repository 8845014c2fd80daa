package io.koopstream.flink.job;

import io.koopstream.flink.SampleEvent;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Holds the samples of a key until the watermark passes them, and hands them on in the order of their event times; those of one time in the order in which
 * they came. One that comes behind the watermark, or has no time, is handed on at once.
 */
final class OrderFunction extends KeyedProcessFunction<String, SampleEvent, SampleEvent> {

    private static final long serialVersionUID = 1L;

    private transient MapState<Long, List<SampleEvent>> waiting;
    private transient Counter held;
    private transient Counter late;

    @Override
    public void open(OpenContext context) {
        waiting = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>(
                        "waiting", Types.LONG, Types.LIST(TypeInformation.of(SampleEvent.class))));
        MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("koopstream");
        held = group.counter("held");
        late = group.counter("late");
    }

    @Override
    public void processElement(SampleEvent event, Context context, Collector<SampleEvent> out) throws Exception {
        Long time = context.timestamp();
        boolean timed = time != null && time != Long.MAX_VALUE;
        if (!timed || time <= context.timerService().currentWatermark()) {
            late.inc(timed ? 1 : 0);
            out.collect(event);
            return;
        }
        List<SampleEvent> same = waiting.get(time);
        List<SampleEvent> all = same == null ? new ArrayList<>() : new ArrayList<>(same);
        all.add(event);
        waiting.put(time, all);
        held.inc();
        context.timerService().registerEventTimeTimer(time);
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<SampleEvent> out) throws Exception {
        List<SampleEvent> due = waiting.get(time);
        waiting.remove(time);
        due.forEach(out::collect);
    }
}
