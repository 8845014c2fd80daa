package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.koopstream.io.Storage;
import io.koopstream.server.durable.DirectoryInUseException;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories on the real disk: whose they are, and which are refused. */
class DirectoryTest {

    @TempDir
    private Path place;

    private static LiveModels open(Path directory) {
        return LiveModels.open(directory, EngineConfig.defaults(), Storage.DISK, InstantSource.system())
                .awaitOpened();
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    @Test
    void aDirectoryBelongsToOneAtATime() {
        Path directory = place.resolve("data");
        try (LiveModels models = open(directory)) {
            assertThat(models.list()).isEmpty();
            assertThatThrownBy(() -> open(directory))
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining("stop that one");
        }
        open(directory).close();
    }

    @Test
    void alsoWhenTheOtherIsAnotherProcess() throws Exception {
        Path directory = Files.createDirectory(place.resolve("data"));
        Path said = place.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KilledServer.class.getName(),
                        directory.toString(),
                        "OS")
                .redirectOutput(said.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Await.until("a word of the process", () -> Files.size(said) > 0 || !process.isAlive());
            assertThatThrownBy(() -> open(directory)).isInstanceOf(DirectoryInUseException.class);
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
        // The lock died with the process.
        try (LiveModels models = open(directory)) {
            assertThat(models.find(EndlessWork.MODEL)).isPresent();
        }
    }

    @Test
    void linksFilesAndMissingParentsAreRefusedWithoutATrace() throws IOException {
        Path directory = Files.createDirectory(place.resolve("real"));
        Path link = Files.createSymbolicLink(place.resolve("link"), directory);
        assertThatThrownBy(() -> open(link))
                .isInstanceOf(StorageFailedException.class)
                .hasMessageContaining("symbolic link");
        Path file = Files.writeString(place.resolve("file"), "not a directory");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StorageFailedException.class)
                .hasMessageContaining("not a directory");
        assertThatThrownBy(() -> open(place.resolve("none").resolve("data")))
                .isInstanceOf(StorageFailedException.class)
                .hasMessageContaining("does not exist");
        assertThat(files(directory)).isZero();
        assertThat(files(place)).isEqualTo(3);
    }

    @Test
    void aDirectoryThatMayNotBeWrittenIsRefused() throws IOException {
        assumeTrue(place.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path directory = Files.createDirectory(place.resolve("closed"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assumeTrue(!Files.isWritable(directory), "the user of this test may do everything");
            assertThatThrownBy(() -> open(directory))
                    .isInstanceOf(StorageFailedException.class)
                    .hasMessageContaining("permission denied");
            assertThat(files(directory)).isZero();
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void modelsAreThereAgainAndDeletedOnesAreNot() {
        Path directory = place.resolve("data");
        ModelSettings settings = EndlessWork.settings();
        String learned;
        try (LiveModels models = open(directory)) {
            LiveModel kept = models.create("kept", settings);
            models.create("gone", settings).submit(EndlessWork.batch(0)).join();
            for (long i = 0; i < 20; i++) {
                kept.submit(EndlessWork.batch(i)).join();
            }
            learned = kept.viewAfter(80).join().state().orElseThrow().digest();
            models.delete("gone");
        }
        try (LiveModels models = open(directory)) {
            assertThat(models.list()).extracting(LiveModel::name).containsExactly("kept");
            LiveModel kept = models.find("kept").orElseThrow();
            assertThat(kept.settings()).isEqualTo(settings);
            assertThat(kept.view().received()).isEqualTo(80);
            assertThat(kept.view().state().orElseThrow().digest()).isEqualTo(learned);
            // It knows what it had; sending it again changes nothing.
            assertThat(kept.submit(EndlessWork.batch(19)).join().duplicates()).isEqualTo(4);
        }
    }
}
