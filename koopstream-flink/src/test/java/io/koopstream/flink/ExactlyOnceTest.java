package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job that fails on its way ends with the models, and has said the same, as a plain loop over the same records. */
class ExactlyOnceTest {

    private static final int KEYS = 3;
    private static final long RECORDS = 14_400;
    private static final int PER_CHECKPOINT = 600;

    @TempDir
    private Path folder;

    /** What a plain loop without Flink makes of the stream. */
    private record Reference(Map<String, KoopmanModel> models, Map<String, List<String>> said, int drifts) {

        static Reference of(LearnSettings settings, long records) {
            Map<String, KoopmanModel> models = new HashMap<>();
            Map<String, List<String>> said = new HashMap<>();
            int drifts = 0;
            for (long n = 0; n < records; n++) {
                SampleEvent event = Streams.event(n, KEYS);
                KoopmanModel model = models.computeIfAbsent(event.key, k -> KoopmanModel.start(settings));
                KoopmanModel.Step step = model.accept(event.key, event, true);
                drifts += step.drift().size();
                step.learned()
                        .ifPresent(learned -> said.computeIfAbsent(event.key, k -> new ArrayList<>())
                                .add(learned.toString()));
            }
            return new Reference(models, said, drifts);
        }
    }

    private static SingleOutputStreamOperator<Learned> learned(
            StreamExecutionEnvironment environment, String run, List<Planned> plan, LearnSettings settings) {
        KeyedStream<SampleEvent, String> events = Jobs.events(
                        environment, n -> Streams.event(n, KEYS), RECORDS, PER_CHECKPOINT)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults")
                .keyBy(SampleEvent.byKey());
        SingleOutputStreamOperator<Learned> learned =
                LearnOperator.of(events, new LearnFunction(settings)).uid("learn");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
        return learned;
    }

    private static void assertSameModels(String run, Reference reference) {
        reference.models().forEach((key, model) -> {
            ModelParts last = Jobs.last(run, key);
            assertThat(last.version).as(key).isEqualTo(model.version());
            assertThat(last.model().state().digest())
                    .as(key)
                    .isEqualTo(model.state().digest());
        });
    }

    private static final Map<String, String> ROCKS = Map.of(
            "state.backend.type", "rocksdb",
            "execution.checkpointing.incremental", "true",
            "taskmanager.memory.managed.size", "64 mb");

    /** On the heap; behind a cache that holds all models; and behind one that holds none but the one in use. */
    @ParameterizedTest
    @CsvSource({"heap, 0", "rocks, 100000000", "rocks, 0"})
    void failuresLeaveNoTrace(String backend, long cacheBytes) throws Exception {
        LearnSettings settings =
                Streams.leastSquaresSettings().cacheBytes(cacheBytes).build();
        String run = Jobs.newRun();
        List<Planned> plan = List.of(
                new Planned(Place.RECORD, RECORDS / 4),
                new Planned(Place.RESTORE, 0),
                new Planned(Place.SNAPSHOT, RECORDS / 2),
                new Planned(Place.RECORD, 3 * RECORDS / 4),
                new Planned(Place.CLOSE, RECORDS - 1));
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, backend.equals("rocks") ? ROCKS : Map.of());
        Map<String, List<String>> said = new HashMap<>();
        Jobs.collect(
                learned(environment, run, plan, settings),
                learned -> said.computeIfAbsent(learned.key, k -> new ArrayList<>())
                        .add(learned.toString()));

        Reference reference = Reference.of(settings, RECORDS);
        assertThat(Faults.memory(run).happened()).isEqualTo(plan.size());
        assertThat(Faults.memory(run).firstAfterRestore())
                .as("records with which the job went on: it did not start from zero")
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(record -> record > 0);
        assertThat(said)
                .as("no output lost, doubled, out of order or different")
                .isEqualTo(reference.said());
        assertSameModels(run, reference);
    }

    @Test
    void aSavepointOfTwoTasksGoesOnWithFourAndBackWithOne() throws Exception {
        LearnSettings settings = Streams.sogdSettings().cacheBytes(150_000).build();
        String run = Jobs.newRun();
        // From the heap to RocksDB and back: what one has written the other goes on from.
        String savepoint = stoppedWithSavepoint(run, settings, 2, Map.of(), RECORDS / 4);
        Map<String, String> second = new HashMap<>(ROCKS);
        second.put("execution.state-recovery.path", savepoint);
        savepoint = stoppedWithSavepoint(run, settings, 4, second, RECORDS / 2);
        StreamExecutionEnvironment last =
                Jobs.environment(folder, 1, Map.of("execution.state-recovery.path", savepoint));
        learned(last, run, List.of(), settings).sinkTo(new DiscardingSink<>()).uid("learned");
        last.execute();

        assertThat(Faults.memory(run).firstAfterRestore()).hasSize(2).allMatch(record -> record > 0);
        assertSameModels(run, Reference.of(settings, RECORDS));
    }

    /** Runs until a record has passed, then stops; returns where the savepoint is. */
    private String stoppedWithSavepoint(
            String run, LearnSettings settings, int parallelism, Map<String, String> more, long until)
            throws Exception {
        StreamExecutionEnvironment environment = Jobs.environment(folder, parallelism, more);
        learned(environment, run, List.of(), settings)
                .sinkTo(new DiscardingSink<>())
                .uid("learned");
        JobClient job = environment.executeAsync();
        int restores = more.isEmpty() ? 0 : 1;
        Faults.Memory memory = Faults.memory(run);
        // Some checkpoints beyond the start: then all tasks are running, and can be stopped.
        Await.until(
                "record " + until,
                () -> memory.firstAfterRestore().size() >= restores
                        && memory.newest() >= Math.max(until, memory.lastStart() + 3 * PER_CHECKPOINT));
        String path = job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertThat(Faults.memory(run).newest()).as("stopped on the way").isLessThan(RECORDS - 1);
        return path;
    }

    @Test
    void theStreamHasErrorsAndDriftsToBeExactAbout() {
        // A reference without them would say nothing about whether the watch survives.
        Reference reference = Reference.of(Streams.leastSquaresSettings().build(), RECORDS);

        assertThat(reference.said().values()).allMatch(lines -> lines.size() > 600);
        assertThat(reference.said().values())
                .allMatch(lines -> lines.stream()
                                .filter(line -> !line.contains("error NaN"))
                                .count()
                        > 300);
        assertThat(reference.drifts()).isPositive();
    }
}
