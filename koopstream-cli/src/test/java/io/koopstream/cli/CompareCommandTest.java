package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two models of a system, and the changes that a stream is told of on the way. */
class CompareCommandTest {

    @TempDir
    private static Path folder;

    /** Hourly rows of a noisy rotation by one angle, later by another. */
    private static Path data(String name, double angle, double later, int rows, int minutes, long seed)
            throws IOException {
        StringBuilder text = new StringBuilder("time,a,b\n");
        SplittableRandom random = new SplittableRandom(seed);
        double x = 0;
        double y = 0;
        for (int t = 0; t < rows; t++) {
            double turn = t < rows / 2 ? angle : later;
            double first = 0.9 * (Math.cos(turn) * x - Math.sin(turn) * y);
            y = 0.9 * (Math.sin(turn) * x + Math.cos(turn) * y) + 0.2 * random.nextGaussian();
            x = first + 0.2 * random.nextGaussian();
            text.append(LocalDateTime.of(2024, 1, 1, 0, 0).plusMinutes((long) minutes * t))
                    .append(',')
                    .append(x)
                    .append(',')
                    .append(y)
                    .append('\n');
        }
        return Files.writeString(folder.resolve(name + ".csv"), text);
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private static Path model(String name, double angle, int minutes, long seed) throws IOException {
        Path model = folder.resolve(name + ".safetensors");
        succeed(
                "learn",
                data(name, angle, angle, 6000, minutes, seed),
                "-o",
                model,
                "--kernel",
                "gaussian(0.8)",
                "--epsilon",
                "0.1");
        return model;
    }

    private static Path slow;

    @BeforeAll
    static void learn() throws IOException {
        slow = model("slow", 0.5, 60, 1);
    }

    /** exp(±0.5 i) against exp(±0.7 i): periods of 12.6 and 9 hours. */
    @Test
    void eigenvaluesThatMovedAreToldInStandardErrorsAndHours() throws IOException {
        Path fast = model("fast", 0.7, 60, 2);
        Path picture = folder.resolve("moved.png");
        String text =
                succeed("compare", slow, fast, "-k", "4", "--plot", picture).out();
        assertThat(text)
                .containsPattern("12\\.[4-8]\\d* h -> (8\\.[89]|9)\\d* h")
                .containsPattern("[12] of \\d eigenvalues moved by more than 3 standard errors, most of all 0\\.7");
        assertThat(picture).isNotEmptyFile();
        String json = succeed("compare", slow, fast, "-k", "4", "--json").out();
        assertThat(json).contains("\"moved\":true", "\"standardErrors\":", "\"timescales\":[", "\"sentence\":");
    }

    @Test
    void modelsOfOneSystemAgree() throws IOException {
        Path again = model("again", 0.5, 60, 3);
        assertThat(succeed("compare", slow, again, "-k", "3").out())
                .contains("No eigenvalue moved by more than 3 standard errors");
    }

    @Test
    void otherIntervalsAreRefused() throws IOException {
        CommandRun run = CommandRun.of("compare", slow, model("minutes", 0.5, 15, 4));
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("lasts").contains("--dt");
    }

    /** A changed spectrum half-way is told with its kind, the rows and their times. */
    @Test
    void changesAreToldWithTheirKinds() throws IOException {
        Path changing = data("changing", 0.5, 0.9, 10_000, 60, 5);
        CommandRun run = succeed(
                "learn",
                changing,
                "-o",
                folder.resolve("changing.safetensors"),
                "--kernel",
                "gaussian(0.8)",
                "--epsilon",
                "0.1",
                "--on-drift",
                "discount",
                "--json");
        assertThat(run.err())
                .contains("koop: changed spectrum: the dynamics changed")
                .contains("since about row ")
                .contains("2024-07-");
        assertThat(run.out()).contains("\"kind\":\"changed spectrum\"", "\"onset\":\"2024-07-", "\"sentence\":");
        CommandRun wrong = CommandRun.of("learn", changing, "-o", folder.resolve("x.safetensors"), "--on-drift", "no");
        assertThat(wrong.code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(wrong.err()).contains("--on-drift no").contains("forget");
    }
}
