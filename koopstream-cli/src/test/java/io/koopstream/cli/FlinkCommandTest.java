package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code koop flink}: finds its script, and hands options and exit code through. The tour itself takes minutes and servers. */
class FlinkCommandTest {

    @TempDir
    Path folder;

    @AfterEach
    void forgetTheRoot() {
        System.clearProperty("koop.root");
    }

    @Test
    void saysWhatThereIs() {
        assertThat(CommandRun.of("flink").code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(CommandRun.of("flink").err()).contains("koop flink try");
        assertThat(CommandRun.of("flink", "try", "--help").out()).contains("Usage: koop flink try", "Example:");
    }

    @Test
    void withoutTheSourcesItSaysWhereToRunIt() {
        System.setProperty("koop.root", folder.toString());
        CommandRun run = CommandRun.of("flink", "try");
        assertThat(run.code()).isEqualTo(Exit.IO_ERROR);
        assertThat(run.err()).contains("deploy/flink/try.sh not found");
    }

    @Test
    @Needs(Program.BASH)
    void theScriptSeesTheOptionsAndItsExitCodeComesBack() {
        System.setProperty(
                "koop.root", Path.of("..").toAbsolutePath().normalize().toString());
        // Refused by the script before it starts anything.
        assertThat(CommandRun.of("flink", "try", "--steps", 5, "-o", folder.resolve("tour"))
                        .code())
                .isEqualTo(Exit.WRONG_USAGE);
        assertThat(folder.resolve("tour")).doesNotExist();
    }
}
