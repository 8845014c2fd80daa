package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.SogdLearner;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint of the previous format goes on, and one that does not fit the job says so. {@link OlderSavepoint} has written it. */
class OlderSavepointTest {

    @TempDir
    private Path folder;

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

    @Test
    void aSavepointOfFormatOneGoesOn() throws Exception {
        String run = Jobs.newRun();
        StreamExecutionEnvironment environment =
                Jobs.environment(folder, 2, Map.of("execution.state-recovery.path", golden()));
        OlderSavepoint.build(environment, run, new LearnFunction(OlderSavepoint.settings()));
        environment.execute();

        Map<String, KoopmanModel> reference = new HashMap<>();
        for (long n = 0; n < OlderSavepoint.RECORDS; n++) {
            SampleEvent event = Streams.event(n, OlderSavepoint.KEYS);
            reference
                    .computeIfAbsent(event.key, k -> KoopmanModel.start(OlderSavepoint.settings()))
                    .accept(event.key, event, false);
        }
        assertThat(Faults.memory(run).firstAfterRestore())
                .hasSize(1)
                .allMatch(record -> record >= OlderSavepoint.STOPPED_AFTER - OlderSavepoint.KEYS);
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
        OlderSavepoint.build(
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
        OlderSavepoint.build(environment, Jobs.newRun(), new LearnFunction(other));

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("IncompatibleStateException")
                .hasStackTraceContaining("sigma=0.5")
                .hasStackTraceContaining("sigma=0.9")
                .hasStackTraceContaining("give the job the settings of the savepoint");
    }
}
