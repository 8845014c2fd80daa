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
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models of releases whose machine was no learning stream: those whose log is whole are learned anew from it, the others say why not. The files were
 * written by the programs beside them, Write.java.txt.
 */
class OlderReleaseTest {

    private static final double[][] STATES = TestStreams.doubleWell(400, 1);

    @TempDir
    private Path directory;

    private LiveModels models;

    @BeforeEach
    void open() throws IOException, URISyntaxException {
        copy("/older-release/cut.settings");
        copy("/release-before-streams/batches.settings");
        models = LiveModels.open(
                        directory,
                        new EngineConfig(Durability.OS, 10_000, 1_000_000, 8, 8, 1 << 20, 1),
                        Storage.DISK,
                        InstantSource.system())
                .awaitOpened();
    }

    private void copy(String oneOfThem) throws IOException, URISyntaxException {
        Path stored =
                Path.of(OlderReleaseTest.class.getResource(oneOfThem).toURI()).getParent();
        try (var files = Files.list(stored)) {
            for (Path file : files.filter(f -> !f.toString().endsWith(".txt")).toList()) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
    }

    @AfterEach
    void close() {
        models.close();
    }

    private static void apply(ModelMachine machine, Batch batch) {
        machine.apply(batch, batch.isNumbered() ? batch.hashes() : new long[0]);
    }

    /** The state cannot be carried over, but the samples are all in the log. */
    @Test
    void aModelWithAWholeLogIsLearnedAnew() {
        LiveModel model = models.require("whole");
        assertThat(model.settings().stream().holdOut()).isEqualTo(0.2);
        ModelMachine anew = new ModelMachine(
                ModelSettings.of(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.5", "block", "8", "holdout", "0.2")));
        for (int from = 0; from < 80; from += 20) {
            apply(anew, TestStreams.part(STATES, from, from + 20).numbered("s", from));
        }
        assertThat(model.machine().capture().digest()).isEqualTo(anew.capture().digest());
        model.submit(TestStreams.part(STATES, 80, 100).numbered("s", 80)).join();
        assertThat(model.viewAfter(100).join().version()).isEqualTo(99);
    }

    /** Every kind of batch that there was, in a log of that time. */
    @Test
    void olderLogsAreRead() {
        LiveModel model = models.require("batches");
        ModelMachine anew = new ModelMachine(
                ModelSettings.of(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.2", "drift", "false")));
        apply(anew, TestStreams.part(STATES, 0, 100).numbered("s", 7));
        apply(anew, Batch.pairs(Arrays.copyOfRange(STATES, 200, 250), Arrays.copyOfRange(STATES, 201, 251)));
        apply(anew, Batch.states(Arrays.copyOfRange(STATES, 100, 150), true).numbered("s", 107));
        apply(anew, Batch.states(Arrays.copyOfRange(STATES, 300, 320), true).onStream("ü/2"));
        apply(anew, TestStreams.part(STATES, 150, 180).numbered("s", 157));
        apply(anew, TestStreams.part(STATES, 320, 330).onStream("ü/2"));
        assertThat(model.machine().capture().digest()).isEqualTo(anew.capture().digest());
        assertThat(model.view().version()).isEqualTo(99 + 50 + 79 + 29);
    }

    @Test
    void aModelWithoutItIsPutAsideAndSaysWhatToDo() throws IOException {
        assertThat(models.damaged()).containsOnlyKeys("cut", "sogd", "warming");
        models.damaged()
                .forEach((name, reason) -> assertThat(reason)
                        .isInstanceOf(OutdatedDataException.class)
                        .hasMessageContaining(name + ".snapshot.")
                        .hasMessageContaining("saved by an older release")
                        .hasMessageContaining("create the model again and send its samples"));
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
}
