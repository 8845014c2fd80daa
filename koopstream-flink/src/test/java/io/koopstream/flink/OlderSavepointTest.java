package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A savepoint of the present format goes on whichever release wrote it; an older one, and one that does not fit the job, say what to do. */
class OlderSavepointTest {

    @TempDir
    private Path folder;

    private static String stored(String name) throws URISyntaxException {
        return Path.of(OlderSavepointTest.class
                        .getResource("/" + name + "/_metadata")
                        .toURI())
                .getParent()
                .toUri()
                .toString();
    }

    private StreamExecutionEnvironment environment(String savepoint) throws URISyntaxException {
        return environment(savepoint, "hashmap");
    }

    private StreamExecutionEnvironment environment(String savepoint, String backend) throws URISyntaxException {
        return Jobs.environment(
                folder,
                2,
                Map.of(
                        "execution.state-recovery.path",
                        stored(savepoint),
                        "restart-strategy.type",
                        "none",
                        "state.backend.type",
                        backend));
    }

    @ParameterizedTest
    @CsvSource({"4, hashmap", "4, rocksdb", "5, hashmap"})
    void aSavepointOfThisFormatAndOfTheOneBeforeGoesOn(int format, String backend) throws Exception {
        String run = Jobs.newRun();
        StreamExecutionEnvironment environment = environment("savepoint-format-" + format, backend);
        GoldenSavepoint.build(environment, run, GoldenSavepoint.settings());
        environment.execute();

        Map<String, KoopmanModel> reference = new HashMap<>();
        for (long n = 0; n < GoldenSavepoint.RECORDS; n++) {
            SampleEvent event = Streams.event(n, GoldenSavepoint.KEYS);
            reference
                    .computeIfAbsent(event.key, k -> KoopmanModel.start(GoldenSavepoint.settings()))
                    .accept(event.key, event, false);
        }
        assertThat(Faults.memory(run).firstAfterRestore())
                .hasSize(1)
                .allMatch(record -> record >= GoldenSavepoint.STOPPED_AFTER - GoldenSavepoint.KEYS);
        reference.forEach(
                (key, model) -> assertThat(Jobs.last(run, key).model().state().digest())
                        .as(key)
                        .isEqualTo(model.state().digest()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSavepointOfAnOlderFormatSaysWhatToDo(int format) throws Exception {
        StreamExecutionEnvironment environment = environment("savepoint-format-" + format);
        GoldenSavepoint.build(environment, Jobs.newRun(), Streams.sogdSettings().build());

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("in format " + format + ", which an older release wrote")
                .hasStackTraceContaining("Start the job without this checkpoint or savepoint")
                .hasStackTraceContaining("a published model as warmStart");
    }

    @Test
    void aSavepointOfAnotherKernelIsRefusedInWords() throws Exception {
        LearnSettings other = LearnSettings.startingFrom(SogdLearner.koopman(
                                SogdConfig.forState(2, Kernels.gaussian(0.9)).build())
                        .state())
                .build();
        StreamExecutionEnvironment environment = environment("savepoint-format-4");
        GoldenSavepoint.build(environment, Jobs.newRun(), other);

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("kernel=gaussian(0.5)")
                .hasStackTraceContaining("sigma=0.9")
                .hasStackTraceContaining("give the job the settings of the savepoint");
    }
}
