package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.RejectedSample.Reason;
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
    public static final int USUAL_CHUNK = 64;

    private final LearnSettings settings;
    private final Partitioning partitioning;
    private final int chunk;
    private transient ValueState<PairState> pairs;

    /** Deals out in chunks of {@value #USUAL_CHUNK}. */
    public PairFunction(LearnSettings settings, Partitioning partitioning) {
        this(settings, partitioning, USUAL_CHUNK);
    }

    /**
     * @param settings those of the parts
     * @param partitioning the parts
     * @param chunk successive pairs that go to one part, >= 1
     */
    public PairFunction(LearnSettings settings, Partitioning partitioning, int chunk) {
        if (chunk < 1) {
            throw new InvalidConfigException("chunk", chunk, "must be >= 1 pair; try " + USUAL_CHUNK);
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
        if (Lateness.isLate(
                settings, context.timestamp(), context.timerService().currentWatermark())) {
            context.output(LearnFunction.REJECTED, Lateness.rejected(key, event, context.timestamp()));
            return;
        }
        PairState state = pairs.value();
        if (state == null) {
            state = new PairState(Trajectories.of(settings));
        }
        Trajectories.Pairing pairing = state.trajectories().next(key, event);
        if (pairing.rejected() != null) {
            context.output(LearnFunction.REJECTED, pairing.rejected());
        }
        if (pairing.isPair()) {
            long number = state.countPair();
            int part = (int) (number / chunk % partitioning.partitions());
            SampleEvent pair = SampleEvent.pair(partitioning.key(part), pairing.x(), pairing.xNext());
            pair.trajectory = event.trajectory;
            pair.step = event.step;
            pair.time = event.time;
            pair.embedded = true;
            out.collect(pair);
        }
        pairs.update(state);
    }
}
