package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The completion script in a real bash. */
class CompletionTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "le|learn",
                "eig|eigenfunctions",
                "learn --ker|--kernel",
                "spectrum --ho|--holdout",
                "serv|serve",
                "serve --dem|--demo",
                "serve --demo four|fourwell",
                "simulate lor|lorenz",
                "learn --method so|sogd",
                "control evaluate --environment Pen|Pendulum-v1"
            })
    @Needs(Program.BASH)
    void bashCompletesCommandsAndOptions(String line) throws IOException, InterruptedException {
        Path script = Files.writeString(
                folder.resolve("completion.sh"), CommandRun.of("completion").out());
        String[] parts = line.split("\\|", -1);
        int last = parts[0].split(" ", -1).length;
        // What bash does on the tab key: it sets these and calls the function that the script registered.
        String typed = "source '" + script + "'; f=$(complete -p koop | sed 's/.*-F \\([^ ]*\\).*/\\1/');"
                + " COMP_WORDS=(koop " + parts[0] + "); COMP_CWORD=" + last + "; COMP_LINE=\"koop " + parts[0]
                + "\"; COMP_POINT=${#COMP_LINE}; $f koop; printf '%s\\n' \"${COMPREPLY[@]}\"";
        CommandRun run = PythonReadsTest.process(folder, List.of("bash", "-c", typed));
        assertThat(run.out().lines().map(String::strip)).as(run.err()).contains(parts[1]);
    }

    @Test
    void fishIsTold() {
        String script = CommandRun.of("completion", "fish").out();
        assertThat(script.lines())
                .contains("complete -c koop -f")
                .anyMatch(line -> line.startsWith("complete -c koop -n __fish_use_subcommand -a learn -d 'Learns"))
                .anyMatch(line -> line.contains("from serve' -l demo -r -a 'fourwell duffing pendulum lorenz'"))
                .anyMatch(line -> line.equals("complete -c koop -n '__fish_seen_subcommand_from learn' -F"))
                .allMatch(line -> line.startsWith("complete -c koop"));
    }
}
