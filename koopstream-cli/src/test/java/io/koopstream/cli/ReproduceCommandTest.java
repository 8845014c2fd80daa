package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.reproduce.Experiment;
import io.koopstream.cli.reproduce.Experiments;
import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReproduceCommandTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"fourwell", "duffing", "convergence"})
    void leavesResultsFiguresAndAReport(String name) throws IOException {
        Path place = folder.resolve(name);
        CommandRun run = CommandRun.of("reproduce", name, "-o", place, "--reduced", "--json");
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        assertThat(run.out()).startsWith("{\"experiment\":\"" + name + "\"");
        // Reduced runs keep the targets that a small run can meet.
        assertThat(run.out()).doesNotContain("\"met\":false");
        assertThat(place.resolve("results.json")).hasContent(run.out());
        String report = Files.readString(place.resolve("report.html"));
        assertThat(report).contains("Ours beside the paper").contains("data:image/svg+xml;base64,");
        assertThat(report).doesNotContain("src=\"http").doesNotContain("<script");
        try (var files = Files.list(place)) {
            assertThat(files.filter(file -> file.toString().endsWith(".png")))
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allSatisfy(file -> assertThat(Files.size(file)).isGreaterThan(5_000));
        }
    }

    @Test
    void anUnknownExperimentIsRefusedWithTheNamesThereAre() {
        CommandRun run = CommandRun.of("reproduce", "sixwell", "-o", folder.resolve("x"));
        assertThat(run.code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(run.err()).contains("sixwell").contains("all");
        for (Experiment experiment : Experiments.all()) {
            assertThat(run.err()).contains(experiment.name());
        }
        assertThat(folder.resolve("x")).doesNotExist();
    }
}
