package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.OperatorAverage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One stream learned in parts: the merged model is what one JVM makes of the same parts, bit for bit, whatever fails. */
class MergeTest {

    private static final int PARTS = 4;
    private static final int CHUNK = 16;
    private static final int ROUND = 128;
    private static final double BUDGET = 0.02;
    private static final long RECORDS = 2000;

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

    /** The states of the parts after every round and at the end, from pairs made and dealt out by hand. */
    private static List<List<LearnerState>> rounds(Supplier<StorableLearner<KoopmanOperator>> start) {
        List<StorableLearner<KoopmanOperator>> parts =
                Stream.generate(start).limit(PARTS).toList();
        List<List<LearnerState>> rounds = new ArrayList<>();
        for (int r = 0; r < 20; r++) {
            rounds.add(new ArrayList<>(Arrays.asList(new LearnerState[PARTS])));
        }
        int pair = 0;
        long[] taken = new long[PARTS];
        for (long n = 1; n < RECORDS; n++) {
            if (n % Streams.STEPS != 0) {
                long trajectory = n / Streams.STEPS;
                int p = pair++ / CHUNK % PARTS;
                parts.get(p)
                        .update(
                                Streams.state(0, trajectory, n % Streams.STEPS - 1),
                                Streams.state(0, trajectory, n % Streams.STEPS));
                taken[p]++;
                if (taken[p] % ROUND == 0) {
                    rounds.get((int) (taken[p] / ROUND)).set(p, parts.get(p).state());
                }
            }
        }
        rounds.removeIf(round -> round.contains(null));
        rounds.add(parts.stream().map(StorableLearner::state).toList());
        return rounds;
    }

    private static void merged(
            DataStream<SampleEvent> events, String name, LearnSettings.Builder start, ModelMerge merge, String run) {
        LearnSettings settings =
                start.publishEvery(ROUND).blockBytes(4096).predictions(false).build();
        Partitioning partitioning = Partitioning.even(name, PARTS, 2, Jobs.MAX_PARALLELISM);
        SingleOutputStreamOperator<Learned> learned = events.keyBy(partitioning.toOne())
                .process(new PairFunction(settings, partitioning, CHUNK))
                .returns(TypeInformation.of(SampleEvent.class))
                .uid(name + "-pairs")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid(name + "-learn");
        learned.getSideOutput(LearnFunction.MODELS)
                .keyBy(partitioning.toOne())
                .process(new MergeFunction(partitioning, merge, settings.blockBytes()))
                .returns(TypeInformation.of(ModelRecord.class))
                .uid(name + "-merge")
                .map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid(name + "-remember")
                .sinkTo(new DiscardingSink<>())
                .uid(name + "-remembered");
    }

    @Test
    void partsBecomeOneModel() throws Exception {
        String run = Jobs.newRun();
        List<Planned> plan =
                List.of(new Planned(Place.RECORD, RECORDS / 3), new Planned(Place.RECORD, 2 * RECORDS / 3));
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, 1), RECORDS, 150)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        merged(events, "statistics", LearnSettings.startingFrom(agreed()), ModelMerge.statistics(), run);
        merged(
                events,
                "operators",
                LearnSettings.startingFrom(SogdLearner.koopman(Streams.sogd()).state()),
                ModelMerge.operators(BUDGET),
                run);
        environment.execute();

        assertThat(Faults.memory(run).happened()).isEqualTo(plan.size());
        assertThat(Faults.memory(run).firstAfterRestore()).isNotEmpty().allMatch(record -> record > 0);
        assertStatistics(run);
        assertOperators(run);
    }

    private static void assertStatistics(String run) {
        List<List<LearnerState>> rounds = rounds(() -> agreed().resumeKoopman());
        assertThat(rounds).as("several rounds and the end").hasSizeGreaterThan(3);
        for (int r = 0; r < rounds.size(); r++) {
            LeastSquaresState sum = LeastSquaresState.merged(
                    rounds.get(r).stream().map(LeastSquaresState.class::cast).toList());
            boolean end = r == rounds.size() - 1;
            ModelParts published = Jobs.published(
                    run,
                    "statistics",
                    end ? "end" : sum.samples() + sum.holdOut().offered());
            assertThat(published.model().state().digest()).as("round %d", r).isEqualTo(sum.digest());
            assertThat(published.parts.length).as("in blocks").isGreaterThan(1);
            assertThat(sum.holdOut().size()).as("held out by all parts").isGreaterThanOrEqualTo(4 * PARTS);
        }
    }

    private static void assertOperators(String run) {
        List<List<LearnerState>> rounds = rounds(() -> SogdLearner.koopman(Streams.sogd()));
        for (int r = 0; r < rounds.size(); r++) {
            List<KoopmanOperator> operators = rounds.get(r).stream()
                    .map(state -> state.resumeKoopman().snapshot())
                    .toList();
            OperatorAverage average = OperatorAverage.of(
                    operators,
                    operators.stream().mapToDouble(u -> (double) u.samples()).toArray(),
                    BUDGET);
            boolean end = r == rounds.size() - 1;
            KoopmanOperator published = Jobs.published(
                            run, "operators", end ? "end" : average.operator().samples())
                    .model()
                    .state()
                    .resumeKoopman()
                    .snapshot();
            assertThat(average.unionSize()).isGreaterThan(average.operator().dictionarySize());
            assertThat(published.matrix().toRows())
                    .isDeepEqualTo(average.operator().matrix().toRows());
            assertThat(published.inputPoints()).isDeepEqualTo(average.operator().inputPoints());
            assertThat(published.outputPoints())
                    .isDeepEqualTo(average.operator().outputPoints());
        }
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
        List<StoredModel> parts = rounds(() -> SogdLearner.koopman(Streams.sogd())).get(0).stream()
                .map(state -> new StoredModel(state, StateLabels.NONE))
                .toList();
        StoredModel merged = ModelMerge.operators(BUDGET).merge(parts.iterator());
        SogdLearner<KoopmanOperator> learner = SogdLearner.resumeKoopman((SogdState) merged.state());
        learner.update(new double[] {0.1, 0}, new double[] {0.98, 0.03});

        assertThat(learner.samples()).isEqualTo(PARTS * ROUND + 1L);
    }
}
