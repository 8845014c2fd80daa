package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.io.StreamFile;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A key of a job is, bit for bit, a plain {@link LearningStream} without record of forecasts that was given the same records: with gaps, repeated, late, bad and unreadable records,
 * two trajectories in turn, a failure and a savepoint on the way, and settings that are chosen on the way.
 */
class SameBitsTest {

    private static final int KEYS = 3;
    private static final long RECORDS = 6000;
    private static final long STOPPED_AFTER = 4000;

    @TempDir
    private Path folder;

    /**
     * What happens to record n: about one in twelve is awkward.
     *
     * @param key 0 has steps, 1 has times, 2 has neither
     * @param position its number in its trajectory
     */
    private record Row(long n, int key, String trajectory, long position, Fault fault) {

        enum Fault {
            NONE,
            MISSING,
            REPEATED,
            LATE,
            NOT_A_NUMBER,
            WRONG_DIMENSION,
            NO_STATE,
            UNREADABLE,
            UNREADABLE_SOMEWHERE,
            LOST_BEFORE,
            PAIR
        }

        static Row of(long n) {
            int key = (int) (n % KEYS);
            long turn = n / KEYS;
            long mixed = ((n + 1) * 0x9E3779B97F4A7C15L) >>> 33;
            Fault[] faults = Fault.values();
            Fault fault = mixed % 12 > 0 ? Fault.NONE : faults[(int) (mixed / 12 % faults.length)];
            return new Row(n, key, turn % 2 == 0 ? "even" : "odd", turn / 2, fault);
        }

        double[] state() {
            return Streams.state(key, trajectory.equals("even") ? 1 : 2, position);
        }

        double step() {
            return key == 0 ? place() : Double.NaN;
        }

        double time() {
            return key == 1 ? 0.25 * place() : Double.NaN;
        }

        private double place() {
            return fault == Fault.REPEATED ? position - 1.0 : fault == Fault.LATE ? position - 5.0 : position;
        }

        double[] values() {
            double[] state = state();
            return switch (fault) {
                case NOT_A_NUMBER -> new double[] {state[0], Double.NaN};
                case WRONG_DIMENSION -> new double[] {state[0]};
                default -> state;
            };
        }

        /** As the source of a job would send it. */
        SampleEvent event() {
            String name = "k" + key;
            SampleEvent event = SampleEvent.of(name, trajectory, values());
            event.step = step();
            event.time = time();
            switch (fault) {
                case MISSING -> event = SampleEvent.request(name);
                case NO_STATE -> event.state = null;
                case UNREADABLE -> event = SampleEvent.unreadable(name, trajectory);
                case UNREADABLE_SOMEWHERE -> event = SampleEvent.unreadable(name, null);
                case PAIR -> event = SampleEvent.pair(name, values(), values());
                default -> {}
            }
            event.source = "partition 3";
            event.lost = lost();
            return event;
        }

        /** Records so far that were lost without a key. */
        private long lost() {
            return n < 1200 ? 0 : n < 1207 ? 1 : n < 3500 ? 4 : 6;
        }

        /** As a plain loop would give it to a stream. */
        void into(LearningStream stream, Map<Outcome.Kind, Integer> kinds, long[] told) {
            if (fault == Fault.MISSING) {
                return;
            }
            for (; told[key] < lost(); told[key]++) {
                stream.accept(Observation.unreadable(null));
            }
            Observation observation = switch (fault) {
                case NO_STATE, UNREADABLE -> Observation.unreadable(trajectory);
                case UNREADABLE_SOMEWHERE -> Observation.unreadable(null);
                case PAIR -> Observation.pair(values(), values());
                default -> Observation.at(trajectory, step(), time(), values());
            };
            kinds.merge(stream.accept(observation).kind(), 1, Integer::sum);
        }
    }

    /** The number of a record alone: what it stands for is made where the job cannot fail any more. */
    private static SampleEvent number(long n) {
        SampleEvent event = SampleEvent.of("k" + n % KEYS, null, null);
        event.time = (double) n;
        return event;
    }

    private static DataStream<SampleEvent> numbers(
            StreamExecutionEnvironment environment, String run, List<Planned> plan) {
        return Jobs.events(environment, SameBitsTest::number, RECORDS, 400)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
    }

    /** Says with every key's next record what its state was before it: {@code name key record digest}. */
    private static final class Reveal extends KeyedProcessFunction<String, SampleEvent, String> {

        private static final long serialVersionUID = 1L;

        private final String name;
        private transient ValueState<KoopmanModel> models;

        Reveal(String name) {
            this.name = name;
        }

        @Override
        public void open(OpenContext context) {
            models = getRuntimeContext().getState(new ValueStateDescriptor<>(TaskModels.WHOLE, ModelTypeInfo.INSTANCE));
        }

        @Override
        public void processElement(SampleEvent event, Context context, Collector<String> out) throws Exception {
            KoopmanModel model = models.value();
            if (model != null) {
                out.collect(name + " " + event.key + " " + (long) event.time + " " + StreamFile.digest(model.stream()));
                models.clear();
            }
        }
    }

    /** With a kernel, with delays, with settings that have been chosen on the way, with scores and kinds of changes, and with settings that are still to be chosen. */
    private static final Map<String, StreamConfig> LEARNERS = Map.of(
            "kernel", Streams.words("kernel", "gaussian(0.5)", "epsilon", "0.05"),
            "delays", Streams.words("kernel", "gaussian(0.8)", "delays", "2", "stride", "2", "epsilon", "0.1"),
            "chosen", Streams.words("warmUp", "500", "maxDictionary", "60"),
            "scored",
                    Streams.words(
                            "warmUp",
                            "500",
                            "maxDictionary",
                            "60",
                            "scores",
                            "true",
                            "robust",
                            "true",
                            "onDrift",
                            "discount"),
            "waiting", Streams.words("maxDictionary", "60", "scores", "true"));

    @Test
    void aKeyIsAPlainStream() throws Exception {
        String savepoint = learned();
        StreamExecutionEnvironment environment = Jobs.environment(
                folder,
                1,
                Map.of(
                        "execution.state-recovery.path",
                        savepoint,
                        "execution.state-recovery.ignore-unclaimed-state",
                        "true"));
        DataStream<SampleEvent> numbers = numbers(environment, Jobs.newRun(), List.of());
        DataStream<String> all = null;
        for (String name : LEARNERS.keySet()) {
            DataStream<String> one = numbers.keyBy(SampleEvent.byKey())
                    .process(new Reveal(name))
                    .returns(TypeInformation.of(String.class))
                    .uid(name);
            all = all == null ? one : all.union(one);
        }
        List<String> revealed = new ArrayList<>();
        Jobs.collect(all, revealed::add);

        assertThat(revealed).hasSize(KEYS * LEARNERS.size());
        for (String line : revealed) {
            String[] parts = line.split(" ", 4);
            long before = Long.parseLong(parts[2]);
            assertThat(before).isGreaterThanOrEqualTo(STOPPED_AFTER - KEYS);
            LearningStream plain = plain(LEARNERS.get(parts[0]), parts[1], before);
            assertThat(parts[3]).as(line).isEqualTo(StreamFile.digest(plain.state()));
            assertThat(plain.isWarmingUp()).as(line).isEqualTo(parts[0].equals("waiting"));
            assertThat(plain.pairs() + plain.waiting()).as(line).isGreaterThan(200);
        }
    }

    /** Learns with a failure on the way, and stops with a savepoint. */
    private String learned() throws Exception {
        String run = Jobs.newRun();
        List<Planned> plan = List.of(new Planned(Place.RECORD, STOPPED_AFTER / 2));
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> rows = numbers(environment, run, plan)
                .map(number -> Row.of((long) number.time).event())
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("rows");
        LEARNERS.forEach((name, words) -> rows.keyBy(SampleEvent.byKey())
                .process(new LearnFunction(LearnSettings.of(words, 2).build()))
                .returns(TypeInformation.of(Learned.class))
                .uid(name)
                .sinkTo(new DiscardingSink<>())
                .uid(name + "-learned"));
        JobClient job = environment.executeAsync();
        Await.until("record " + STOPPED_AFTER, () -> Faults.memory(run).newest() >= STOPPED_AFTER);
        String savepoint = job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertThat(Faults.memory(run).happened()).isEqualTo(1);
        assertThat(Faults.memory(run).firstAfterRestore()).allMatch(record -> record > 0);
        assertThat(Faults.memory(run).newest()).as("stopped on the way").isLessThan(RECORDS - KEYS);
        return savepoint;
    }

    private static LearningStream plain(StreamConfig words, String key, long before) {
        LearningStream stream = LearningStream.of(words).withoutRecord();
        Map<Outcome.Kind, Integer> kinds = new HashMap<>();
        long[] told = new long[KEYS];
        for (long n = 0; n < before; n++) {
            Row row = Row.of(n);
            if (key.equals("k" + row.key())) {
                row.into(stream, kinds, told);
            }
        }
        Set<Outcome.Kind> expected = EnumSet.of(Outcome.Kind.REFUSED, Outcome.Kind.UNREADABLE, Outcome.Kind.STARTED);
        if (!key.equals("k2")) {
            expected.addAll(Set.of(Outcome.Kind.GAP, Outcome.Kind.DUPLICATE, Outcome.Kind.LATE));
        }
        assertThat(kinds.keySet()).as("%s is awkward", key).containsAll(expected);
        return stream;
    }
}
