package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root finds its build from any folder and through symbolic links. */
@Timeout(600)
class KoopScriptTest {

    @TempDir
    Path folder;

    @Test
    void runsFromElsewhereThroughALink() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/env")), "skipped: there is no /usr/bin/env");
        assumeTrue(
                Files.isDirectory(Repository.root().resolve("koopstream-cli/target/lib")),
                "skipped: the command is not packaged in this build");
        Path link =
                Files.createSymbolicLink(folder.resolve("k"), Repository.root().resolve("koop"));

        assertThat(run(0, link.toString(), "--version")).startsWith("koop ");
        assertThat(run(2, link.toString())).isEmpty();
        assertThat(run(4, link.toString(), "info", "none")).isEmpty();
    }

    private String run(int expected, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(words))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(expected);
        return out;
    }
}
