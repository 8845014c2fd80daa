package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The curl lines of docs/server.md run as they stand there. */
@Timeout(1800)
@Needs({Program.BASH, Program.CURL})
class ServerGuideTest {

    @TempDir
    Path folder;

    @Test
    void theExamplesOfTheGuideRun() throws Exception {
        Matcher block = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", "server.md")));
        assertThat(block.find()).isTrue();
        try (RunningServer server = RunningServer.start()) {
            ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-ec", block.group(1))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("out.txt").toFile());
            shell.environment().put("KOOP", "http://127.0.0.1:" + server.port());
            shell.environment().put("TOKEN", RunningServer.TOKEN);
            int code = shell.start().waitFor();
            String out = Files.readString(folder.resolve("out.txt"));
            assertThat(code).as(out).isZero();
            assertThat(out)
                    .contains("\"accepted\":3,\"duplicates\":0")
                    .contains("\"accepted\":0,\"duplicates\":3")
                    .contains("\"eigenvalues\"")
                    .contains("\"mean\"")
                    .doesNotContain("\"error\":{");
            assertThat(folder.resolve("plant-1.safetensors")).isNotEmptyFile();
            assertThat(folder.resolve("plant-1.zip")).isNotEmptyFile();
        }
    }
}
