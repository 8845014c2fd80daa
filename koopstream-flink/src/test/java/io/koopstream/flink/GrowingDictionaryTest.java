package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of one stream that start with nothing agree on a dictionary on the way, and every pair is counted once whatever fails. */
class GrowingDictionaryTest {

    private static final int PARTS = 5;
    private static final int FAN_IN = 2;
    private static final long RECORDS = 2500;
    private static final int MOST = 60;
    private static final LeastSquaresConfig CONFIG =
            Streams.leastSquares().toBuilder().epsilon(0.1).lambda(1e-6).build();
    private static final Map<String, Queue<Learned>> LEARNED = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    private static SampleEvent event(long n, Partitioning parts) {
        SampleEvent event = Streams.event(n, PARTS);
        event.trajectory = event.key + event.trajectory;
        event.key = parts.key(parts.partOf("p", (int) (n % PARTS)));
        return event;
    }

    private static LearnSettings settings(LeastSquaresConfig config) {
        return LearnSettings.startingFrom(LeastSquaresLearner.koopman(config).state())
                .publishEvery(40)
                .blockBytes(4096)
                .build();
    }

    @Test
    void partsThatStartWithNothingAgreeOnADictionaryAndCountEveryPairOnce() throws Exception {
        String run = Jobs.newRun();
        Partitioning parts = Partitioning.of("grow", PARTS, Jobs.MAX_PARALLELISM);
        ModelExchange exchange =
                new FolderExchange(folder.resolve("exchange").toUri().toString());
        ModelMerge merge = ModelMerge.growing(exchange, MOST);
        LearnSettings settings = settings(CONFIG);
        List<Planned> plan =
                List.of(new Planned(Place.RECORD, RECORDS / 3), new Planned(Place.RECORD, 2 * RECORDS / 3));
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> events = Jobs.events(environment, n -> event(n, parts), RECORDS, 150)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        SingleOutputStreamOperator<Learned> learned = events.keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings, parts, merge))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.map(one -> {
                    LEARNED.computeIfAbsent(run, r -> new ConcurrentLinkedQueue<>())
                            .add(one);
                    return one.version;
                })
                .returns(Types.LONG)
                .uid("learned")
                .sinkTo(new DiscardingSink<>())
                .uid("learned-sink");
        DataStream<ModelRecord> models = learned.getSideOutput(LearnFunction.MODELS);
        for (Partitioning.Stage stage : parts.stages(FAN_IN)) {
            SingleOutputStreamOperator<ModelRecord> merged = models.keyBy(stage.byGroup())
                    .process(new MergeFunction(stage, merge, settings))
                    .returns(TypeInformation.of(ModelRecord.class))
                    .uid("merge-" + stage.from().parts());
            models = merged;
        }
        models.map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
        environment.execute();

        assertThat(Faults.memory(run).happened()).isEqualTo(2);
        assertThat(Faults.memory(run).firstAfterRestore()).allMatch(record -> record > 0);
        long pairs = RECORDS - RECORDS / Streams.STEPS;
        ModelParts published = Jobs.last(run, "grow");
        LeastSquaresState end = (LeastSquaresState) published.model().state();
        assertThat(published.version).isEqualTo(pairs);
        assertThat(end.pairs()).as("every pair once").isEqualTo(pairs);
        assertThat(end.weight()).isEqualTo((double) end.samples());
        LeastSquaresState agreed = (LeastSquaresState)
                ModelFile.decode(exchange.read("grow", exchange.newest("grow").orElseThrow()));
        assertThat(agreed.dictionarySize()).as("agreed on").isBetween(10, MOST);
        assertThat(end.dictionarySize()).isBetween(10, MOST);
        assertThat(agreed.weight()).as("no sample twice").isEqualTo((double) agreed.samples());
        assertThat(Jobs.versions(run, "grow")).as("on the way").hasSizeGreaterThan(2);
        assertThat(LEARNED.get(run)).as("predictions from the whole").anyMatch(one -> one.predictedBy > one.version);
        assertPredicts(end.operator().asKoopman());
    }

    /** Trajectories that nobody has learned, of the map before it changes. */
    private static void assertPredicts(KoopmanOperator operator) {
        double sum = 0;
        for (int trajectory = 0; trajectory < 20; trajectory++) {
            double[] x = Streams.state(77, trajectory, 5);
            double[] next = Streams.state(77, trajectory, 6);
            double[] expected = operator.predict(x);
            sum += Math.hypot(expected[0] - next[0], expected[1] - next[1]);
        }
        // The noise is uniform within 0.01; the attractor is two wide.
        assertThat(sum / 20).isLessThan(0.05);
    }

    @Test
    void anExchangeWithAnotherDictionaryIsRefused() {
        LeastSquaresState some = learned(1);
        LeastSquaresState other = learned(2);

        assertThatThrownBy(() -> WholeModel.requireBegins(some, other, 3))
                .isInstanceOf(IncompatibleStateException.class)
                .hasMessageContaining("exchange of its own");
        WholeModel.requireBegins(some, some, some.dictionarySize());
    }

    private static LeastSquaresState learned(int key) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(CONFIG);
        for (int step = 1; step < 20; step++) {
            learner.update(Streams.state(key, 0, step - 1), Streams.state(key, 0, step));
        }
        return learner.state().settled();
    }

    @Test
    void whatWouldNotAddUpIsRefusedBeforeTheJobStarts() {
        Partitioning parts = Partitioning.of("s", 2, 128);
        ModelMerge growing = ModelMerge.growing(new FolderExchange("file:///tmp/none"), 10);

        assertThatThrownBy(() -> new LearnFunction(settings(CONFIG), parts, ModelMerge.statistics()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("dictionaryOnly()");
        assertThatThrownBy(() -> new LearnFunction(
                        settings(CONFIG.toBuilder().maxDictionary(10).build()), parts, growing))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("at most 10 points");
        assertThatThrownBy(() -> new LearnFunction(settings(CONFIG.fixedDictionary()), parts, growing))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("fixed");
    }

    @Test
    void whatIsInAnExchangeStays() throws Exception {
        FolderExchange exchange = new FolderExchange(folder.toUri().toString());

        assertThat(exchange.newest("a/b")).isEmpty();
        assertThat(exchange.publish("a/b", 0, new byte[] {1})).isTrue();
        assertThat(exchange.publish("a/b", 0, new byte[] {2})).isFalse();
        assertThat(exchange.read("a/b", 0)).containsExactly(1);
        for (int number = 1; number < 20; number++) {
            assertThat(exchange.publish("a/b", number, new byte[] {3})).isTrue();
        }
        assertThat(exchange.newest("a/b")).hasValue(19);
        assertThat(exchange.newest("a_b")).isEmpty();
        assertThat(folder.resolve("a_2fb")).isDirectoryContaining("glob:**/*19.safetensors");
        assertThat(folder.resolve("a_2fb").toFile().list())
                .as("the newest are kept")
                .hasSizeLessThanOrEqualTo(16);
    }
}
