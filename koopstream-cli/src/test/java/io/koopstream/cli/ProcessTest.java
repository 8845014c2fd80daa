package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own can show: signals, pipes, and how much memory is enough. */
@Timeout(300)
class ProcessTest {

    @TempDir
    Path folder;

    private static List<String> koop(String heap, Object... arguments) {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "-cp",
                path,
                Koop.class.getName()));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        return words;
    }

    @Test
    void anInterruptLosesNothingThatWasReported() throws IOException, InterruptedException {
        Path model = folder.resolve("live.safetensors");
        Process process = new ProcessBuilder(
                        koop("-Xmx256m", "learn", "-", "-o", model, "--kernel", "gaussian(1)", "--every", 100))
                .start();
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
                BufferedReader err =
                        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            in.write("x\n");
            for (int i = 0; i < 251; i++) {
                in.write(Math.sin(0.1 * i) + "\n");
            }
            in.flush();
            // The stream stays open: the process waits for more.
            String line = err.readLine();
            while (line != null && !line.startsWith("200 samples saved")) {
                line = err.readLine();
            }
            assertThat(line).isNotNull();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        String info = CommandRun.of("info", model, "--json").out();
        long samples = Long.parseLong(info.replaceAll("(?s).*\"samples\":([0-9]+).*", "$1"));
        assertThat(samples).isBetween(200L, 250L);
    }

    @Test
    void aClosedPipeEndsQuietly() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        koop("-Xmx256m", "simulate", "ou", "--trajectories", 1_000_000, "--steps", 100, "-o", "-"))
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("trajectory,step,x1,x2");
        }
        assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aFileLargerThanTheHeapIsLearned() throws IOException, InterruptedException {
        Path data = folder.resolve("large.csv");
        CommandRun.of("simulate", "ou", "--trajectories", 800, "--steps", 999, "-o", data);
        assertThat(Files.size(data)).isGreaterThan(32L << 20);
        CommandRun run = PythonReadsTest.process(
                folder,
                koop(
                        "-Xmx24m",
                        "learn",
                        data,
                        "-o",
                        folder.resolve("m.safetensors"),
                        "--kernel",
                        "gaussian(3)",
                        "--epsilon",
                        0.3,
                        "--json"));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"samples\":799200");
    }

    @Test
    void exitCodesReachTheShell() throws IOException, InterruptedException {
        assertThat(PythonReadsTest.process(folder, koop("-Xmx64m")).code()).isEqualTo(Exit.WRONG_USAGE);
        CommandRun missing = PythonReadsTest.process(folder, koop("-Xmx64m", "info", "none.safetensors"));
        assertThat(missing.code()).isEqualTo(Exit.FILE_TROUBLE);
        assertThat(missing.err()).contains("none.safetensors").hasLineCount(1);
        assertThat(missing.out()).isEmpty();
    }
}
