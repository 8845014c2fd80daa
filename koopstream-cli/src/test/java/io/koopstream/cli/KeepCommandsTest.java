package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code koop check}, {@code repair}, {@code backup} and {@code restore} on a real folder. */
class KeepCommandsTest {

    @TempDir
    private Path place;

    private Path folder() {
        Path folder = place.resolve("data");
        try (LiveModels models =
                LiveModels.open(folder, EngineConfig.defaults(), Storage.DISK, InstantSource.system())) {
            var model = models.create(
                    "plant", ModelSettings.of(Map.of("dimension", "1", "kernel", "gaussian(0.5)", "delays", "0")));
            for (int i = 0; i < 5; i++) {
                model.submit(Batch.states(new double[][] {{0.1 * i}, {0.2 * i}, {0.3}}, true))
                        .join();
            }
        }
        return folder;
    }

    private static Path only(Path folder, String part) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(part))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void theLifeOfAFolder() throws IOException {
        Path folder = folder();
        CommandRun whole = CommandRun.of("check", folder);
        assertThat(whole.code()).as(whole.err()).isEqualTo(Exit.OK);
        assertThat(whole.out())
                .contains("plant: intact; 5 batches with 15 samples")
                .contains("all intact");
        Path backup = place.resolve("backup");
        assertThat(CommandRun.of("backup", folder, "-o", backup).code()).isEqualTo(Exit.OK);
        assertThat(CommandRun.of("backup", folder, "-o", backup).code()).isEqualTo(Exit.BAD_DATA);
        assertThat(CommandRun.of("repair", folder).err()).contains("nothing is damaged");

        Files.delete(only(folder, "plant.snapshot."));
        Path log = only(folder, "plant.log.");
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length - 1));
        CommandRun damaged = CommandRun.of("check", folder);
        assertThat(damaged.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(damaged.out())
                .contains("plant: DAMAGED; 4 batches with 12 samples; 1 acknowledged batches are lost");
        assertThat(CommandRun.of("check", folder, "--json").out()).contains("\"whole\":false");
        CommandRun asked = CommandRun.of("repair", folder);
        assertThat(asked.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(asked.err()).contains("nothing was changed");
        assertThat(CommandRun.of("check", folder).code()).isEqualTo(Exit.BAD_DATA);

        assertThat(CommandRun.of("repair", folder, "--accept-loss").code()).isEqualTo(Exit.OK);
        CommandRun after = CommandRun.of("check", folder);
        assertThat(after.code()).as(after.out()).isEqualTo(Exit.OK);
        assertThat(after.out()).contains("1 acknowledged batches are lost");

        Path restored = place.resolve("restored");
        CommandRun back = CommandRun.of("restore", backup, "--data", restored);
        assertThat(back.code()).as(back.err()).isEqualTo(Exit.OK);
        assertThat(back.out()).contains("plant: intact; 5 batches with 15 samples\n");
        assertThat(CommandRun.of("restore", place, "--data", place.resolve("x")).code())
                .isEqualTo(Exit.BAD_DATA);
        assertThat(CommandRun.of("check", place.resolve("nothing")).code()).isEqualTo(Exit.IO_ERROR);
    }

    /** One of which nothing is left keeps no other from being repaired, and the command does not advise itself. */
    @Test
    void repairGoesOnAfterAModelThatItCannotRepair() throws IOException {
        Path folder = folder();
        Files.write(folder.resolve("broken.settings"), new byte[] {1, 2, 3});
        Path log = only(folder, "plant.log.");
        Files.delete(only(folder, "plant.snapshot."));
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length - 1));
        CommandRun asked = CommandRun.of("repair", folder);
        assertThat(asked.out()).contains("plant: DAMAGED", "broken: DAMAGED").doesNotContain("koop repair");
        CommandRun repaired = CommandRun.of("repair", folder, "--accept-loss");
        assertThat(repaired.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(repaired.out())
                .contains("plant: intact; 4 batches", "broken: DAMAGED", "restore them from a backup")
                .doesNotContain("koop repair");
    }

    @Test
    void aModelFileIsCheckedToo() throws IOException {
        Path data = Files.writeString(
                place.resolve("wave.csv"),
                "x\n"
                        + IntStream.range(0, 200)
                                .mapToObj(i -> Math.sin(0.2 * i) + "\n")
                                .collect(Collectors.joining()));
        Path model = place.resolve("wave.safetensors");
        CommandRun learned = CommandRun.of("learn", data, "-o", model, "--delays", 1);
        assertThat(learned.code()).as(learned.err()).isEqualTo(Exit.OK);
        CommandRun whole = CommandRun.of("check", model);
        assertThat(whole.code()).as(whole.err()).isEqualTo(Exit.OK);
        assertThat(whole.out()).contains("intact; learned from 198 samples");
        byte[] bytes = Files.readAllBytes(model);
        bytes[bytes.length - 100] ^= 1;
        Files.write(model, bytes);
        CommandRun damaged = CommandRun.of("check", model);
        assertThat(damaged.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(damaged.err()).contains("wave.safetensors");
    }
}
