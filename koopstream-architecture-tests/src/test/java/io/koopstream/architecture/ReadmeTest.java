package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows runs: its Java example and its command-line example, as they stand there. */
class ReadmeTest {

    private static String readme;

    @TempDir
    Path folder;

    @BeforeAll
    static void read() throws IOException {
        readme = Files.readString(Repository.root().resolve("README.md"));
    }

    private static String block(String language) {
        Matcher matcher = Pattern.compile("<!-- runs in CI -->\\s*```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(readme);
        assertThat(matcher.find())
                .as("a %s block marked 'runs in CI'", language)
                .isTrue();
        return matcher.group(1);
    }

    @Test
    void theJavaExampleCompilesRunsAndPrintsEigenvaluesBelowOne() throws Exception {
        String code = block("java");
        assertThat(code.lines().filter(line -> !line.isBlank()).count()).isLessThanOrEqualTo(25);
        Path source = folder.resolve("Example.java");
        Files.writeString(source, code);
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        errors,
                        "-d",
                        folder.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(result).as(errors.toString(StandardCharsets.UTF_8)).isZero();
        String output = run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + java.io.File.pathSeparator + System.getProperty("java.class.path"),
                "Example"));
        assertThat(output).contains("eigenvalue").doesNotContain("NaN").doesNotContain("Exception");
    }

    @Test
    @Needs(Program.BASH)
    void theCommandLineExampleRuns() throws Exception {
        String script = block("sh");
        assertThat(script.lines().filter(line -> !line.isBlank()).count()).isLessThanOrEqualTo(5);
        writeSensor();
        Path koop = Repository.root().resolve("koop");
        String output = run(List.of("bash", "-euo", "pipefail", "-c", script.replace("./koop", "\"" + koop + "\"")));
        assertThat(output).doesNotContain("Exception");
    }

    @Test
    @Needs({Program.BASH, Program.SKLEARN})
    void thePythonExampleRuns() throws Exception {
        writeSensor();
        Path script = folder.resolve("example.py");
        Files.writeString(
                script,
                "import pandas\nframe = pandas.read_csv('sensor.csv', index_col=0, parse_dates=True)\n"
                        + block("python")
                        + "assert mean.shape == (24, 1) and len(bands.columns.levels[0]) == 2\nprint(mean)\n");
        String sources = Repository.root()
                .resolve("clients")
                .resolve("python")
                .resolve("src")
                .toString();
        String output = run(List.of(
                "env",
                "PYTHONPATH=" + sources,
                "PYTHONDONTWRITEBYTECODE=1",
                Program.SKLEARN.command(),
                script.toString()));
        assertThat(output).contains("2024-").doesNotContain("NaN");
    }

    /** A file as readers have: dated, with the course of a day. */
    private void writeSensor() throws IOException {
        StringBuilder rows = new StringBuilder("date,load\n");
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);
        java.time.LocalDateTime time = java.time.LocalDateTime.of(2024, 1, 1, 0, 0);
        for (int t = 0; t < 2400; t++) {
            double load = 50 + 20 * StrictMath.sin(2 * StrictMath.PI * t / 24) + random.nextGaussian();
            rows.append(time.plusHours(t)).append(',').append(load).append('\n');
        }
        Files.writeString(folder.resolve("sensor.csv"), rows);
    }

    /** Runs a process in the temporary folder and returns what it printed; fails when it fails. */
    private String run(List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = process.waitFor(10, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        String output = Files.readString(log);
        assertThat(ended).as("ended in time; it printed: %s", output).isTrue();
        assertThat(process.exitValue()).as("exit code; it printed: %s", output).isZero();
        return output;
    }
}
