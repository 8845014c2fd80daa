package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.OutdatedDataException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models of the release that kept pairs aside outside the learner: what can be gone on with goes on, the rest says why not. The files were written by
 * the program beside them, Write.java.txt.
 */
class OlderReleaseTest {

    private static final double[][] STATES = TestStreams.doubleWell(400, 1);

    @TempDir
    private Path directory;

    private LiveModels models;

    @BeforeEach
    void open() throws IOException, URISyntaxException {
        Path stored = Path.of(OlderReleaseTest.class
                        .getResource("/older-release/cut.settings")
                        .toURI())
                .getParent();
        try (var files = Files.list(stored)) {
            for (Path file : files.filter(f -> !f.toString().endsWith(".txt")).toList()) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
        models = LiveModels.open(
                directory,
                new EngineConfig(Durability.OS, 10_000, 1_000_000, 8, 8, 1 << 20, 1),
                Storage.DISK,
                InstantSource.system());
    }

    @AfterEach
    void close() {
        models.close();
    }

    private static ModelView goOn(LiveModel model, int from) {
        model.submit(TestStreams.part(STATES, from, from + 20).numbered("s", from))
                .join();
        return model.viewAfter(from + 20L).join();
    }

    @Test
    void algorithmOneGoesOnAndLearnsEveryPairFromNowOn() {
        LiveModel model = models.require("sogd");
        // Every fifth of 239 pairs had been kept aside.
        assertThat(model.view().version()).isEqualTo(239);
        assertThat(model.view().samples()).isEqualTo(239 - 47);
        assertThat(model.settings().given()).doesNotContainKey("holdOutEvery").doesNotContainKey("holdout");

        ModelView view = goOn(model, 240);
        assertThat(view.version()).isEqualTo(259);
        assertThat(view.samples()).isEqualTo(239 - 47 + 20);
        assertThat(view.heldOut()).isZero();
    }

    /** The statistics of least squares cannot be carried over, but the samples are all in the log. */
    @Test
    void leastSquaresWithAWholeLogIsLearnedAnew() {
        LiveModel model = models.require("whole");
        assertThat(model.settings().method().holdOut()).isEqualTo(0.2);
        ModelMachine anew = new ModelMachine(
                ModelSettings.of(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.5", "block", "8", "holdout", "0.2")));
        for (int from = 0; from < 80; from += 20) {
            Batch batch = TestStreams.part(STATES, from, from + 20).numbered("s", from);
            anew.apply(batch, batch.hashes());
        }
        assertThat(model.machine().capture().digest()).isEqualTo(anew.capture().digest());
        assertThat(goOn(model, 80).version()).isEqualTo(99);
    }

    @Test
    void leastSquaresWithoutItIsPutAsideAndSaysWhatToDo() throws IOException {
        assertThat(models.damaged()).containsOnlyKeys("cut");
        assertThat(models.damaged().get("cut"))
                .isInstanceOf(OutdatedDataException.class)
                .hasMessageContaining("cut.snapshot.")
                .hasMessageContaining("saved by an older release")
                .hasMessageContaining("create the model again and send its samples");
        assertThatThrownBy(() -> models.require("cut")).isInstanceOf(ModelFailedException.class);
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("left as they were")
                    .contains("cut.snapshot.0000000000000000008", "cut.snapshot.0000000000000000012");
        }
        models.delete("cut");
        assertThat(models.create("cut", ModelSettings.of(Map.of())).view().received())
                .isZero();
    }

    @Test
    void aModelThatHadNotBegunToLearnGoesOn() {
        LiveModel model = models.require("warming");
        assertThat(model.settings().method().holdOut()).isZero();
        assertThat(model.view().phase()).isEqualTo(Phase.WARMING);
        assertThat(model.view().version()).isEqualTo(239);
        for (int from : List.of(240, 260, 280, 300)) {
            goOn(model, from);
        }
        ModelView view = model.view();
        assertThat(view.phase()).isEqualTo(Phase.LEARNING);
        assertThat(view.samples()).isEqualTo(319);
        assertThat(view.heldOut()).isZero();
    }
}
