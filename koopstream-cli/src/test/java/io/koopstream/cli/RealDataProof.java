package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every data file of a folder that the user names and of those in it, as it is, through look, learn with scores, spectrum, forecast and score; {@code lab/run real-data} starts it. */
class RealDataProof {

    private static final String FOLDER = System.getProperty("koopstream.dataFolder", "");

    @TempDir
    private static Path models;

    @TestFactory
    List<DynamicTest> everyFileWorksWithNoPreparation() throws IOException {
        assertThat(FOLDER)
                .as("-Dkoopstream.dataFolder=FOLDER says where the files are")
                .isNotEmpty();
        List<DynamicTest> tests = new ArrayList<>();
        Path folder = Path.of(FOLDER);
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().matches(".*\\.(csv|json|jsonl|ndjson|parquet|npy|npz)(\\.gz|\\.zst)?")
                            && !file.toString().endsWith("_windows.json"))
                    .sorted()
                    .forEach(file -> tests.add(
                            DynamicTest.dynamicTest(folder.relativize(file).toString(), () -> prove(file))));
        }
        assertThat(tests).as("data files in " + FOLDER).isNotEmpty();
        return tests;
    }

    private static void prove(Path file) {
        Path model = models.resolve(file.getFileName() + ".safetensors");
        succeed("look", file);
        CommandRun learned = succeed("learn", file, "-o", model, "--force", "--scores", models.resolve("scores.csv"));
        succeed("spectrum", model);
        CommandRun forecast = succeed("forecast", model, "--steps", 3);
        CommandRun scored = succeed("score", model, file);
        System.out.printf("== %s%n%s%s%s%n", file.getFileName(), learned.out(), forecast.out(), scored.out());
        assertThat(forecast.out()).startsWith("After ").doesNotContain("NaN");
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }
}
