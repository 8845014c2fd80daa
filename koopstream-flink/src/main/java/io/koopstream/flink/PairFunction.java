package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.stream.Outcome;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The head of one big stream: makes pairs of its records, which takes the order of a trajectory and little time, and deals them out to
 * the parts, which then learn in parallel. Pair n goes to part (n / chunk) mod P, a function of the count alone, so that the same stream is
 * always dealt out alike. Bad records go to {@link LearnFunction#REJECTED}.
 *
 * <p>Use after {@code keyBy(partitioning.toOne())}; {@link LearnFunction} follows after {@code keyBy(SampleEvent.byKey())}.
 */
public final class PairFunction extends KeyedProcessFunction<String, SampleEvent, SampleEvent> {

    private static final long serialVersionUID = 1L;

    /** Successive pairs that go to one part unless said otherwise. */
    public static final int DEFAULT_CHUNK = 64;

    private final LearnSettings settings;
    private final Partitioning partitioning;
    private final int chunk;
    private transient ValueState<PairState> pairs;

    /** Deals out in chunks of {@value #DEFAULT_CHUNK}. */
    public PairFunction(LearnSettings settings, Partitioning partitioning) {
        this(settings, partitioning, DEFAULT_CHUNK);
    }

    /**
     * @param settings those of the parts
     * @param partitioning the parts
     * @param chunk successive pairs that go to one part, >= 1
     */
    public PairFunction(LearnSettings settings, Partitioning partitioning, int chunk) {
        if (chunk < 1) {
            throw new InvalidConfigException("chunk", chunk, "must be >= 1 pair; try " + DEFAULT_CHUNK);
        }
        if (settings.start().isEmpty() && settings.stream().method().wantsProposal()) {
            throw new InvalidConfigException(
                    "kernel", null, "is missing; parts of one stream must agree on it before the stream begins");
        }
        this.settings = settings;
        this.partitioning = partitioning;
        this.chunk = chunk;
    }

    @Override
    public void open(OpenContext context) {
        pairs = getRuntimeContext().getState(new ValueStateDescriptor<>("koopman-pairs", PairState.SERIALIZER));
    }

    @Override
    public void processElement(SampleEvent event, Context context, Collector<SampleEvent> out) throws Exception {
        String key = context.getCurrentKey();
        if (event == null) {
            context.output(LearnFunction.REJECTED, RejectedSample.of(key, null, Reason.NULL, "the record is missing"));
            return;
        }
        if (event.request) {
            context.output(
                    LearnFunction.REJECTED,
                    RejectedSample.of(
                            key, event, Reason.NO_MODEL, "a merged stream publishes by rounds, not on request"));
            return;
        }
        PairState state = pairs.value();
        if (state == null) {
            state = PairState.start(settings);
        }
        if (Lateness.isLate(settings, event, context)) {
            context.output(LearnFunction.REJECTED, Lateness.rejected(key, event, context.timestamp()));
            state.leftOut(event);
        } else if (event.isPair()) {
            deal(event, event.state, event.next, event.embedded, state, out);
        } else {
            Outcome outcome = state.next(event);
            RejectedSample.of(key, event, outcome)
                    .ifPresent(rejected -> context.output(LearnFunction.REJECTED, rejected));
            if (outcome.isPair()) {
                deal(event, state.from(), state.to(), true, state, out);
            }
        }
        pairs.update(state);
    }

    private void deal(
            SampleEvent event,
            double[] from,
            double[] to,
            boolean embedded,
            PairState state,
            Collector<SampleEvent> out) {
        int part = (int) (state.countPair() / chunk % partitioning.partitions());
        SampleEvent pair = SampleEvent.pair(partitioning.key(part), from, to);
        pair.trajectory = event.trajectory;
        pair.step = event.step;
        pair.time = event.time;
        pair.embedded = embedded;
        out.collect(pair);
    }
}
