package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that are only listed look like those that are there in full. */
class CommandsTest {

    private static final Console NOWHERE = new Console(
            InputStream.nullInputStream(),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            false);

    @Test
    void whatIsListedIsWhatRuns() {
        for (String name : Commands.NAMES) {
            CommandLine full = Commands.full(name, NOWHERE);
            assertThat(full.getCommandName()).isEqualTo(name);
            assertThat(Commands.listed(name).name()).isEqualTo(name);
            assertThat(Commands.listed(name).usageMessage().description())
                    .isNotEmpty()
                    .isEqualTo(full.getCommandSpec().usageMessage().description());
            assertThat(full.getCommandSpec().usageMessage().header())
                    .as("would be listed instead of the description")
                    .isEmpty();
            assertThat(full.getCommandSpec().usageMessage().hidden()).isFalse();
            assertThat(full.getCommandSpec().aliases()).as("are not looked for").isEmpty();
        }
    }

    @Test
    void helpListsAllCommandsWhateverElseIsAsked() {
        String help = CommandRun.of("--help").out();
        assertThat(help.lines()
                        .filter(line -> line.matches(" {2}[a-z]+ .*"))
                        .map(line -> line.strip().split(" ", -1)[0]))
                .containsExactlyElementsOf(Commands.NAMES);
        for (String name : List.of("learn", "control", "completion")) {
            assertThat(CommandRun.of("--help", name).out()).isEqualTo(help);
        }
    }

    @Test
    void everyCommandHasItsOwnHelp() {
        for (String name : Commands.NAMES) {
            CommandRun run = CommandRun.of(name, "--help");
            assertThat(run.code()).isZero();
            assertThat(run.out()).startsWith("Usage: koop " + name);
        }
    }

    @Test
    void theRehearsalPlaysItsScenes(@TempDir Path folder) throws Exception {
        Rehearsal.main(new String[] {folder.toString()});
        assertThat(folder.resolve("states.csv")).isNotEmptyFile();
        assertThat(CommandRun.of("info", folder.resolve("model.safetensors")).code())
                .isZero();
    }

    @Test
    void onlyMuchDataIsLearnedWithSimdLoopsFromTheStart(@TempDir Path folder) throws IOException {
        Path small = Files.write(folder.resolve("small.csv"), new byte[100]);
        Path large = Files.write(folder.resolve("large.csv"), new byte[(16 << 20) + 1]);
        assertThat(Koop.isLong("learn", large.toString(), "-o", "m")).isTrue();
        assertThat(Koop.isLong("learn", small.toString(), "-o", "m")).isFalse();
        assertThat(Koop.isLong("look", large.toString())).isFalse();
        assertThat(Koop.isLong("learn", "none.csv")).isFalse();
        assertThat(Koop.isLong()).isFalse();
    }
}
