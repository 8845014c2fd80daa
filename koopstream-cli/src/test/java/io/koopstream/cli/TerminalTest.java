package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Progress;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The progress line as a terminal gets it: drawn over, never wrapped, and as full as there is room. */
@Timeout(1800)
class TerminalTest {

    /** Runs a program on a pseudo-terminal of its own and prints all that the terminal received. */
    private static final String ON_A_TERMINAL = """
            import fcntl, os, pty, struct, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                os.execvp(sys.argv[2], sys.argv[2:])
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
            received = b''
            while True:
                try:
                    part = os.read(terminal, 4096)
                except OSError:
                    break
                if not part:
                    break
                received += part
            sys.stdout.buffer.write(received)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """;

    /** Feeds rows to a program on a terminal of 120 columns, makes it narrow, and goes on until the program has noticed. */
    private static final String RESIZED = """
            import fcntl, os, pty, random, select, struct, sys, termios, time
            rows, feed = os.pipe()
            pid, terminal = pty.fork()
            if pid == 0:
                os.dup2(rows, 0)
                os.close(feed)
                os.execvp(sys.argv[1], sys.argv[1:])
            os.close(rows)
            def resize(columns):
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
            resize(120)
            received, wide, end = b'', False, time.time() + 200
            os.write(feed, b'x\\n')
            draw = random.Random(1)
            while b'  err ' not in received and time.time() < end:
                os.write(feed, b''.join(b'%.3f\\n' % draw.gauss(0, 1) for _ in range(50)))
                if select.select([terminal], [], [], 0.02)[0]:
                    received += os.read(terminal, 4096)
                if not wide and b'one-step error' in received:
                    wide = True
                    resize(40)
            os.close(feed)
            try:
                while os.read(terminal, 4096):
                    pass
            except OSError:
                pass
            sys.stdout.buffer.write(received)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """;

    @TempDir
    Path folder;

    @Test
    @Needs(Program.PYTHON)
    void theBarFollowsATerminalThatIsResized() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(Program.PYTHON.command(), "-c", RESIZED));
        words.addAll(ProcessTest.koop(
                "-Dkoop.terminal=true",
                "learn",
                "-",
                "-o",
                folder.resolve("w.safetensors"),
                "--kernel",
                "gaussian(0.5)"));
        CommandRun run = PythonReadsTest.process(folder, words);
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("one-step error", "  err ");
    }

    @ParameterizedTest
    @ValueSource(ints = {120, 80, 40, 20})
    @Needs(Program.PYTHON)
    void theBarIsDrawnOverAndNeverWraps(int columns) throws IOException, InterruptedException {
        Path data = folder.resolve("w.csv");
        CommandRun.of("simulate", "fourwell", "--trajectories", 100, "--steps", 200, "-o", data);
        List<String> words =
                new ArrayList<>(List.of(Program.PYTHON.command(), "-c", ON_A_TERMINAL, Integer.toString(columns)));
        words.addAll(ProcessTest.koop(
                "-Dkoop.terminal=true",
                "learn",
                data,
                "-o",
                folder.resolve("w.safetensors"),
                "--kernel",
                "gaussian(0.5)"));
        CommandRun run = PythonReadsTest.process(folder, words);
        assertThat(run.code()).as(run.err()).isZero();
        List<String> frames = Arrays.stream(run.out().split("\r", -1))
                .filter(frame -> frame.endsWith("\u001b[K") || frame.contains("100%"))
                .map(frame -> frame.replace("\u001b[K", "").strip())
                .toList();
        assertThat(frames).isNotEmpty().allMatch(frame -> frame.length() < columns);
        String last = frames.get(frames.size() - 1);
        assertThat(last).contains("100%", "20,000");
        assertThat(last.startsWith("[#")).isEqualTo(columns >= 80);
        if (columns == 120) {
            assertThat(last).contains("samples", "/s", "dictionary", "one-step error");
        }
        // The answer is on a line of its own.
        assertThat(run.out()).contains("\r\nLearned from 20,000 samples");
    }

    @Test
    void elsewherePlainLinesAreWritten() {
        java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
        Console console = new Console(
                java.io.InputStream.nullInputStream(),
                new java.io.PrintStream(java.io.OutputStream.nullOutputStream()),
                new java.io.PrintStream(err, true, java.nio.charset.StandardCharsets.UTF_8),
                false);
        long[] time = {0};
        Progress progress = new Progress(console, () -> time[0]);
        for (int i = 1; i <= 8; i++) {
            time[0] += 2_000_000_000L;
            progress.at(i / 10.0, 1000L * i, 30 + i, 0.25);
        }
        progress.done(1, 10_000, 41, 0.2);
        assertThat(err.toString(java.nio.charset.StandardCharsets.UTF_8).lines())
                .containsExactly(
                        " 30%  3,000 samples  500/s  dictionary 33  one-step error 0.250  0:14 left",
                        " 60%  6,000 samples  500/s  dictionary 36  one-step error 0.250  0:08 left",
                        "100%  10,000 samples  625/s  dictionary 41  one-step error 0.200");
    }
}
