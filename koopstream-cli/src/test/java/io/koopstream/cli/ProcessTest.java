package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a process of its own can show: signals, pipes, and how much memory is enough. */
@Timeout(1800)
@Needs(Program.BASH)
class ProcessTest {

    @TempDir
    Path folder;

    static List<String> koop(String heap, Object... arguments) {
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

    /** Ctrl-C, and what a system sends when it shuts down. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void anInterruptLosesNothingThatWasReported(String signal) throws IOException, InterruptedException {
        Path model = folder.resolve("live.safetensors");
        long samples = interrupted(
                signal,
                "200 samples saved",
                koop("-Xmx256m", "learn", "-", "-o", model, "--kernel", "gaussian(1)", "--every", 100));
        assertThat(samples).isBetween(200L, 250L);
    }

    /** Interrupted while rows still wait for settings to be chosen: they are learned with what can be told from them. */
    @Test
    void anInterruptLosesNoRowOfTheWarmUp() throws IOException, InterruptedException {
        Path model = folder.resolve("live.safetensors");
        long samples = interrupted("TERM", "koop: choosing settings", koop("-Xmx256m", "learn", "-", "-o", model));
        assertThat(samples).isBetween(1L, 250L);
    }

    /** A build in the background of a shell ignores SIGINT, and so do its children, unless they are told otherwise. */
    private static List<String> heeding(String signal, List<String> words) throws IOException, InterruptedException {
        List<String> heeding = new ArrayList<>(List.of("env", "--default-signal=" + signal));
        List<String> trial = new ArrayList<>(heeding);
        trial.add("true");
        if (new ProcessBuilder(trial).start().waitFor() != 0) {
            // An env without this option; whoever builds in the foreground does not need it.
            return words;
        }
        heeding.addAll(words);
        return heeding;
    }

    /** Feeds 251 rows of a stream that stays open, interrupts after a line that starts so, and counts what is in the model. */
    private long interrupted(String signal, String line, List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(heeding(signal, words)).start();
        StringBuilder said = new StringBuilder();
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
                BufferedReader err =
                        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            in.write("x\n");
            for (int i = 0; i < 251; i++) {
                // More in all than a pipe holds: what is flushed has been taken up.
                in.write(String.format(Locale.ROOT, "%.2000f", Math.sin(0.1 * i)) + "\n");
            }
            in.flush();
            String found = err.readLine();
            while (found != null && !found.startsWith(line)) {
                said.append(found).append('\n');
                found = err.readLine();
            }
            assertThat(found).as(said.toString()).isNotNull();
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertThat(process.waitFor(20, TimeUnit.MINUTES))
                    .as("ended by SIG" + signal)
                    .isTrue();
            for (found = err.readLine(); found != null; found = err.readLine()) {
                said.append(found).append('\n');
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(said).contains("interrupted; ");
        String info = CommandRun.of("info", folder.resolve("live.safetensors"), "--json")
                .out();
        return Long.parseLong(info.replaceAll("(?s).*\"version\":([0-9]+).*", "$1"));
    }

    @Test
    void aClosedPipeEndsQuietly() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        koop("-Xmx256m", "simulate", "ou", "--trajectories", 1_000_000, "--steps", 100, "-o", "-"))
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("trajectory,step,time,x1,x2");
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
                        "--max-dictionary",
                        300,
                        "--json"));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"samples\":799200");
    }

    @Test
    void exitCodesReachTheShell() throws IOException, InterruptedException {
        assertThat(PythonReadsTest.process(folder, koop("-Xmx64m")).code()).isEqualTo(Exit.WRONG_USAGE);
        CommandRun missing = PythonReadsTest.process(folder, koop("-Xmx64m", "info", "none.safetensors"));
        assertThat(missing.code()).isEqualTo(Exit.IO_ERROR);
        assertThat(missing.err()).contains("none.safetensors").hasLineCount(1);
        assertThat(missing.out()).isEmpty();
    }
}
