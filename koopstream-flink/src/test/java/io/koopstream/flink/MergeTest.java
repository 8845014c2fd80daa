package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.OperatorAverage;
import io.koopstream.stream.StreamConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One stream learned in parts: the merged model is what one JVM makes of the same parts, bit for bit, whatever fails. */
class MergeTest {

    private static final int PARTS = 5;
    private static final int FAN_IN = 2;
    private static final int ROUND = 128;
    private static final double BUDGET = 0.02;
    private static final long RECORDS = 2500;

    @TempDir
    private Path folder;

    /** The agreed dictionary: from a first look at the system, with nothing learned on it. */
    private static LeastSquaresState agreed() {
        LeastSquaresLearner<KoopmanOperator> first = LeastSquaresLearner.koopman(Streams.leastSquares());
        for (int trajectory = 1000; trajectory < 1008; trajectory++) {
            for (int step = 1; step < Streams.STEPS; step++) {
                first.update(Streams.state(0, trajectory, step - 1), Streams.state(0, trajectory, step));
            }
        }
        return first.state().dictionaryOnly();
    }

    /** Record n: partitions take turns, or come one after the other. */
    private static SampleEvent event(long n, boolean inTurn, Partitioning parts) {
        long number = inTurn ? n : n % (RECORDS / PARTS) * PARTS + n / (RECORDS / PARTS);
        SampleEvent event = Streams.event(number, PARTS);
        event.trajectory = event.key + event.trajectory;
        event.key = parts.key(parts.partOf("p", (int) (number % PARTS)));
        event.time = (double) n;
        return event;
    }

    private static LearnSettings settings(LearnSettings.Builder start) {
        return start.publishEvery(ROUND).blockBytes(4096).predictions(false).build();
    }

    /** The models of the parts at the end, from plain loops over their records. */
    private static List<StoredModel> plain(LearnSettings settings, Partitioning parts) {
        List<KoopmanModel> models =
                Stream.generate(() -> KoopmanModel.start(settings)).limit(PARTS).toList();
        for (long n = 0; n < RECORDS; n++) {
            SampleEvent event = event(n, true, parts);
            models.get(parts.part(event.key)).accept(event.key, event, false);
        }
        return models.stream().map(KoopmanModel::stored).toList();
    }

    private static void merged(
            DataStream<SampleEvent> events,
            Partitioning parts,
            LearnSettings settings,
            ModelMerge merge,
            int fanIn,
            String run) {
        String name = parts.stream();
        SingleOutputStreamOperator<Learned> learned = events.keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings, parts, merge))
                .returns(TypeInformation.of(Learned.class))
                .uid(name + "-learn");
        DataStream<ModelRecord> models = learned.getSideOutput(LearnFunction.MODELS);
        for (Partitioning.Stage stage : parts.stages(fanIn)) {
            models = models.keyBy(stage.byGroup())
                    .process(new MergeFunction(stage, merge, settings))
                    .returns(TypeInformation.of(ModelRecord.class))
                    .uid(name + "-merge-" + stage.from().parts());
        }
        models.map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid(name + "-remember")
                .sinkTo(new DiscardingSink<>())
                .uid(name + "-remembered");
    }

    /** Partitions in turn with two failures, or one after the other: the model is the same, that of plain loops. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void partsBecomeOneModelHoweverTheyInterleave(boolean inTurn) throws Exception {
        String run = Jobs.newRun();
        Partitioning parts = Partitioning.of("s", PARTS, Jobs.MAX_PARALLELISM);
        List<Planned> plan = inTurn
                ? List.of(new Planned(Place.RECORD, RECORDS / 3), new Planned(Place.RECORD, 2 * RECORDS / 3))
                : List.of();
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> events = Jobs.events(environment, n -> event(n, inTurn, parts), RECORDS, 150)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        LearnSettings statistics = settings(LearnSettings.startingFrom(agreed()));
        merged(events, parts, statistics, ModelMerge.statistics(), FAN_IN, run);
        LearnSettings operators = settings(
                LearnSettings.startingFrom(SogdLearner.koopman(Streams.sogd()).state()));
        Partitioning others = Partitioning.of("o", PARTS, Jobs.MAX_PARALLELISM);
        merged(
                events.map(event -> {
                            SampleEvent other = SampleEventSerializer.INSTANCE.copy(event);
                            other.key = others.key(parts.part(event.key));
                            return other;
                        })
                        .returns(TypeInformation.of(SampleEvent.class))
                        .setParallelism(1)
                        .uid("others"),
                others,
                operators,
                ModelMerge.operators(BUDGET),
                PARTS,
                run);
        environment.execute();

        assertThat(Faults.memory(run).happened()).isEqualTo(plan.size());
        assertThat(Faults.memory(run).firstAfterRestore()).allMatch(record -> record > 0);
        assertStatistics(run, plain(statistics, parts));
        assertOperators(run, plain(operators, parts));
    }

    private static LeastSquaresState sum(List<? extends LearnerState> states) {
        return LeastSquaresState.merged(
                states.stream().map(LeastSquaresState.class::cast).toList());
    }

    private static void assertStatistics(String run, List<StoredModel> last) {
        List<LearnerState> of = last.stream().map(StoredModel::state).toList();
        LeastSquaresState expected = sum(List.of(
                sum(List.of(sum(of.subList(0, 2)), sum(of.subList(2, 4)))), sum(List.of(sum(of.subList(4, 5))))));
        ModelParts published = Jobs.last(run, "s");
        assertThat(published.model().state().digest()).isEqualTo(expected.digest());
        assertThat(published.version).isEqualTo(RECORDS - RECORDS / Streams.STEPS);
        assertThat(published.parts.length).as("in blocks").isGreaterThan(1);
        assertThat(expected.holdOut().size()).as("held out by all parts").isGreaterThanOrEqualTo(4 * PARTS);
        assertThat(Jobs.versions(run, "s"))
                .as("published on the way, whoever was faster")
                .hasSizeGreaterThan(1);
    }

    private static void assertOperators(String run, List<StoredModel> last) {
        List<KoopmanOperator> operators = last.stream()
                .map(model -> model.state().resumeKoopman().snapshot())
                .toList();
        OperatorAverage average = OperatorAverage.of(
                operators,
                operators.stream().mapToDouble(u -> (double) u.samples()).toArray(),
                BUDGET);
        KoopmanOperator published =
                Jobs.last(run, "o").model().state().resumeKoopman().snapshot();
        assertThat(average.unionSize()).isGreaterThan(average.operator().dictionarySize());
        assertThat(published.matrix().toRows())
                .isDeepEqualTo(average.operator().matrix().toRows());
        assertThat(published.inputPoints()).isDeepEqualTo(average.operator().inputPoints());
        assertThat(published.outputPoints()).isDeepEqualTo(average.operator().outputPoints());
    }

    /** The names of parts are the state's: they must not follow the parallelism, and every task gets its share at each. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 13})
    void partsAreSharedOutEvenlyAtEveryParallelism(int parallelism) {
        Partitioning parts = Partitioning.of("big", 64, 128);
        int[] shares = new int[parallelism];
        for (int p = 0; p < parts.parts(); p++) {
            shares[KeyGroupRangeAssignment.assignKeyToParallelOperator(parts.key(p), 128, parallelism)]++;
        }

        assertThat(Arrays.stream(shares).max().orElseThrow()
                        - Arrays.stream(shares).min().orElseThrow())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void partsNeedAKernelBeforeTheStreamBegins() {
        LearnSettings without = LearnSettings.of(StreamConfig.defaults(), 2).build();

        assertThatThrownBy(() -> new LearnFunction(without, Partitioning.of("s", 2, 128), ModelMerge.statistics()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("kernel");
    }

    @Test
    void statisticsOnOtherDictionariesAreRefused() {
        LeastSquaresLearner<KoopmanOperator> other = LeastSquaresLearner.koopman(Streams.leastSquares());
        other.update(new double[] {0, 0}, new double[] {1, 0});
        List<StoredModel> parts = List.of(
                new StoredModel(agreed(), StateLabels.NONE),
                new StoredModel(other.state().dictionaryOnly(), StateLabels.NONE));

        assertThatThrownBy(() -> ModelMerge.statistics().merge(parts.iterator()))
                .isInstanceOf(IncompatibleStatesException.class)
                .hasMessageContaining("dictionaryOnly()");
    }

    @Test
    void anAverageIsAStartToLearnOnFrom() {
        LearnSettings settings = settings(
                LearnSettings.startingFrom(SogdLearner.koopman(Streams.sogd()).state()));
        List<StoredModel> parts = plain(settings, Partitioning.of("s", PARTS, Jobs.MAX_PARALLELISM));
        StoredModel merged = ModelMerge.operators(BUDGET).merge(parts.iterator());
        SogdLearner<KoopmanOperator> learner = ((SogdState) merged.state()).resumeKoopman();
        learner.update(new double[] {0.1, 0}, new double[] {0.98, 0.03});

        assertThat(learner.samples()).isEqualTo(RECORDS - RECORDS / Streams.STEPS + 1);
    }
}
