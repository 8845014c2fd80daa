package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/cli.md run as they stand there. */
@Timeout(600)
class GuideTest {

    @TempDir
    Path folder;

    @Test
    void theExamplesOfTheGuideRun() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "skipped: there is no /bin/sh");
        String guide = Files.readString(Path.of("..", "docs", "cli.md"));
        Matcher block = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL).matcher(guide);
        StringBuilder script = new StringBuilder(
                "set -e\nkoop() { \"$JAVA\" -Xmx512m -cp \"$KOOP_PATH\" " + Koop.class.getName() + " \"$@\"; }\n");
        int blocks = 0;
        while (block.find()) {
            script.append(block.group(1));
            blocks++;
        }
        assertThat(blocks).isPositive();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String quoted = "JAVA='" + java + "'\nKOOP_PATH='" + absolute(path) + "'\n";
        CommandRun run = PythonReadsTest.process(folder, List.of("/bin/sh", "-c", quoted + script));
        assertThat(run.code()).as(run.err()).isZero();
        for (String name : List.of(
                "wells.html",
                "spectrum.png",
                "maps.svg",
                "values.npy",
                "sets.csv",
                "sets.png",
                "forecast.png",
                "arrays/A.npy",
                "ou.safetensors",
                "sogd.safetensors",
                "koop-completion.sh")) {
            assertThat(folder.resolve(name)).isNotEmptyFile();
        }
    }

    /** The examples run in another folder than the tests. */
    private static String absolute(String path) {
        StringBuilder text = new StringBuilder();
        for (String entry : path.split(Pattern.quote(java.io.File.pathSeparator), -1)) {
            text.append(text.length() == 0 ? "" : java.io.File.pathSeparator)
                    .append(Path.of(entry).toAbsolutePath());
        }
        return text.toString();
    }
}
