package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.SogdLearner;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A savepoint of the previous format goes on, and one that does not fit the job says so. The savepoint was written on Flink 1.20 by the test
 * at the end, which runs with {@code -Dkoopstream.golden=target/savepoint}. The one of least squares was written by the same test with the settings
 * {@code Streams.leastSquaresSettings()}, in the last release whose model files were of version 1.
 */
class OlderSavepointTest {

    private static final int KEYS = 3;
    private static final long RECORDS = 1500;
    private static final long STOPPED_AFTER = 500;

    @TempDir
    private Path folder;

    private static LearnSettings settings() {
        return Streams.sogdSettings().build();
    }

    private static String golden() throws URISyntaxException {
        return stored("savepoint-format-1");
    }

    private static String stored(String name) throws URISyntaxException {
        return Path.of(OlderSavepointTest.class
                        .getResource("/" + name + "/_metadata")
                        .toURI())
                .getParent()
                .toUri()
                .toString();
    }

    private static SingleOutputStreamOperator<Learned> learned(
            StreamExecutionEnvironment environment,
            String run,
            KeyedProcessFunction<String, SampleEvent, Learned> function) {
        DataStream<SampleEvent> events = Jobs.events(environment, n -> Streams.event(n, KEYS), RECORDS, 50)
                .map(Faults.of(run, List.of()))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults");
        SingleOutputStreamOperator<Learned> learned = events.keyBy(SampleEvent.byKey())
                .process(function)
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .setParallelism(1)
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
        return learned;
    }

    @Test
    void aSavepointOfFormatOneGoesOn() throws Exception {
        String run = Jobs.newRun();
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, Map.of("execution.state-recovery.path", golden()));
        learned(environment, run, new LearnFunction(settings()));
        environment.execute();

        Map<String, KoopmanModel> reference = new HashMap<>();
        for (long n = 0; n < RECORDS; n++) {
            SampleEvent event = Streams.event(n, KEYS);
            reference
                    .computeIfAbsent(event.key, k -> KoopmanModel.start(settings()))
                    .accept(event.key, event, false);
        }
        assertThat(Faults.memory(run).firstAfterRestore())
                .hasSize(1)
                .allMatch(record -> record >= STOPPED_AFTER - KEYS);
        reference.forEach(
                (key, model) -> assertThat(Jobs.last(run, key).model().state().digest())
                        .as(key)
                        .isEqualTo(model.state().digest()));
    }

    /** Its statistics cannot be carried over; Algorithm 1 can, see above. */
    @Test
    void leastSquaresOfModelVersionOneIsRefusedInWords() throws Exception {
        StreamExecutionEnvironment environment = Jobs.environment(
                folder,
                1,
                Map.of(
                        "execution.state-recovery.path",
                        stored("savepoint-least-squares-1"),
                        "restart-strategy.type",
                        "none"));
        learned(
                environment,
                Jobs.newRun(),
                new LearnFunction(Streams.leastSquaresSettings().build()));

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("statistics cannot be carried over")
                .hasStackTraceContaining("start the job without this checkpoint or savepoint");
    }

    @Test
    void aSavepointOfAnotherKernelIsRefusedInWords() throws Exception {
        LearnSettings other = LearnSettings.startingFrom(
                        SogdLearner.koopman(io.koopstream.learner.SogdConfig.forState(2, Kernels.gaussian(0.9))
                                        .build())
                                .state())
                .build();
        StreamExecutionEnvironment environment = Jobs.environment(
                folder, 1, Map.of("execution.state-recovery.path", golden(), "restart-strategy.type", "none"));
        learned(environment, Jobs.newRun(), new LearnFunction(other));

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("sigma=0.5")
                .hasStackTraceContaining("sigma=0.9")
                .hasStackTraceContaining("give the job the settings of the savepoint");
    }

    @Test
    @EnabledIfSystemProperty(named = "koopstream.golden", matches = ".+")
    @DisabledIfSystemProperty(named = "koopstream.flink.line", matches = "2")
    void writeTheSavepoint() throws Exception {
        String run = Jobs.newRun();
        // All state in one file.
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, Map.of("state.storage.fs.memory-threshold", "1 mb"));
        learned(environment, run, new FirstFormat.Learn(settings()));
        JobClient job = environment.executeAsync();
        while (Faults.memory(run).newest() < STOPPED_AFTER) {
            Thread.sleep(2);
        }
        String written = job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        Path metadata = Path.of(java.net.URI.create(written)).resolve("_metadata");
        // State within the file is called after the file it would have been: the name means nothing, and no machine's
        // folder belongs there.
        String path = folder.toString();
        String content = new String(Files.readAllBytes(metadata), StandardCharsets.ISO_8859_1);
        Path target = Files.createDirectories(Path.of(System.getProperty("koopstream.golden")));
        Files.writeString(
                target.resolve("_metadata"),
                content.replace(path, "/" + "s".repeat(path.length() - 1)),
                StandardCharsets.ISO_8859_1);
    }
}
