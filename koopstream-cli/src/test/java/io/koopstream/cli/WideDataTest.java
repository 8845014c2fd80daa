package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.ModelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data with thousands of columns. */
class WideDataTest {

    @TempDir
    private Path folder;

    private Path data(int columns, int rows) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        StringBuilder text = new StringBuilder(
                IntStream.range(0, columns).mapToObj(c -> "c" + c).collect(Collectors.joining(",", "", "\n")));
        for (int t = 0; t < rows; t++) {
            for (int c = 0; c < columns; c++) {
                text.append(c == 0 ? "" : ",").append((1 + c % 90) * random.nextInt(1000) / 997.0);
            }
            text.append('\n');
        }
        return Files.writeString(folder.resolve("wide.csv"), text);
    }

    @Test
    void aModelOfThreeThousandColumnsIsLearnedAndReadAndGoneOnWith() throws IOException {
        Path data = data(3000, 40);
        Path model = folder.resolve("model.safetensors");
        CommandRun learned = CommandRun.of("learn", data, "-o", model, "--delays", 0, "--project", "none");
        assertThat(learned.code()).as(learned.err()).isEqualTo(Exit.OK);
        assertThat(ModelFile.read(model).input().kernel().text()).hasSizeGreaterThan(16_384);
        CommandRun info = CommandRun.of("info", model);
        assertThat(info.code()).as(info.err()).isEqualTo(Exit.OK);
        CommandRun resumed = CommandRun.of("learn", data, "-o", model, "--force", "--resume", model);
        assertThat(resumed.code()).as(resumed.err()).isEqualTo(Exit.OK);
    }

    @Test
    void moreCoordinatesThanAModelHoldsAreRefusedBeforeTheyAreLearned() throws IOException {
        Path model = folder.resolve("model.safetensors");
        CommandRun refused = CommandRun.of(
                "learn", data(3000, 3), "-o", model, "--kernel", "gaussian(1)", "--delays", 50, "--project", "none");
        assertThat(refused.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(refused.err()).contains("153,000 coordinates").contains("at most 131,072");
        assertThat(model).doesNotExist();
    }
}
