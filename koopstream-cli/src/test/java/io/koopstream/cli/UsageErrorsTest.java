package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong before or around the data: one line, the right exit code, and what to do. Numbers are those of the list of cases. */
class UsageErrorsTest {

    @TempDir
    Path folder;

    private static void assertFails(CommandRun run, int code, String... words) {
        assertThat(run.err()).as("standard error").contains(words).doesNotContain("\tat ");
        assertThat(run.err().lines().filter(line -> line.startsWith("koop: "))).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }

    private Path csv(String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CommandRun learn(Path data, Object... more) {
        List<Object> words = new java.util.ArrayList<>(List.of("learn", data, "-o", folder.resolve("m.safetensors")));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray());
    }

    @Test
    void case1NoArguments() {
        assertFails(CommandRun.of(), Exit.WRONG_USAGE, "koop demo", "--help");
    }

    @Test
    void case2UnknownCommand() {
        assertFails(CommandRun.of("lern"), Exit.WRONG_USAGE, "lern", "learn");
    }

    @Test
    void case3UnknownOptionSuggestsTheNearest() {
        assertFails(
                learn(folder.resolve("x.csv"), "--kernal", "x"),
                Exit.WRONG_USAGE,
                "--kernal",
                "did you mean '--kernel'");
    }

    @Test
    void case4MissingFile() {
        assertFails(learn(folder.resolve("none.csv")), Exit.IO_ERROR, "none.csv", "no such file");
        assertFails(CommandRun.of("info", folder.resolve("none")), Exit.IO_ERROR, "none", "no such file");
    }

    @Test
    void case5FolderAsFile() {
        assertFails(learn(folder), Exit.IO_ERROR, "folder");
        assertThat(CommandRun.of("info", folder).code()).isIn(Exit.IO_ERROR, Exit.BAD_DATA);
    }

    @Test
    void case6UnreadableFile() {
        Path file = csv("secret.csv", "x\n1\n2\n");
        assertThat(file.toFile().setReadable(false)).isTrue();
        // The administrator may read everything: then there is nothing to refuse.
        org.junit.jupiter.api.Assumptions.assumeFalse(
                Files.isReadable(file), "skipped: this user may read files without the right to");
        assertFails(learn(file), Exit.IO_ERROR, "secret.csv", "access denied");
    }

    @Test
    void case7EmptyCsv() {
        assertFails(learn(csv("empty.csv", "")), Exit.BAD_DATA, "empty.csv", "is empty", "header");
        assertFails(learn(csv("header.csv", "x,y\n")), Exit.BAD_DATA, "header.csv", "no usable rows");
        assertFails(learn(csv("one.csv", "x,y\n1,2\n")), Exit.BAD_DATA, "one.csv", "at least 2 rows");
    }

    @Test
    void case8RaggedRow() {
        assertFails(
                learn(csv("ragged.csv", "x,y\n1,2\n3\n")),
                Exit.BAD_DATA,
                "ragged.csv, line 3",
                "1 cells, expected 2",
                "--skip-bad");
    }

    @Test
    void case9NonNumericCell() {
        assertFails(
                learn(csv("text.csv", "x,y\n1,2\n3,up\n")),
                Exit.BAD_DATA,
                "text.csv, line 3",
                "column 'y'",
                "'up' is not a number");
        assertFails(learn(csv("headless.csv", "1,2\n3,4\n")), Exit.BAD_DATA, "headless.csv", "--no-header", "--names");
    }

    @Test
    void case10DecimalCommas() {
        CommandRun run = learn(csv("de.csv", "x;y\n1,5;2,5\n2,5;3,5\n3,5;4,5\n"), "--json");
        assertThat(run.out()).contains("\"samples\":2");
        assertThat(run.err()).contains("koop: note: decimal commas");
        assertFails(
                learn(csv("de2.csv", "x,y\n1,5,2,5\n"), "--force"),
                Exit.BAD_DATA,
                "line 2",
                "decimal commas",
                "semicolons");
    }

    /** Of a file whose rows are all bad, skipping would leave nothing. */
    @Test
    void skippingIsNotProposedWhereItWouldLeaveNothing() {
        Path file = csv("bad.csv", "x,y\n" + "1\n".repeat(30) + "1,2\n2,3\n");
        CommandRun run = learn(file);
        assertFails(run, Exit.BAD_DATA, "line 2", "1 cells, expected 2");
        assertThat(run.err()).doesNotContain("--skip-bad");
        CommandRun skipping = learn(file, "--skip-bad");
        assertThat(skipping.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(skipping.err()).contains("20 rows before it").doesNotContain("Exception");
    }

    @Test
    void case11Utf16AndByteOrderMarkAreRead() throws IOException {
        String text = "x,y\r\n1,2\r\n2,3\r\n3,4\r\n";
        Path marked = Files.write(folder.resolve("bom.csv"), ("\ufeff" + text).getBytes(StandardCharsets.UTF_8));
        Path wide = Files.write(folder.resolve("wide.csv"), ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE));
        Path unmarked = Files.write(folder.resolve("raw.csv"), text.getBytes(StandardCharsets.UTF_16LE));

        assertThat(learn(marked, "--json").out()).contains("\"samples\":2");
        assertThat(learn(wide, "--json", "--force").out()).contains("\"samples\":2");
        assertFails(learn(unmarked, "--force"), Exit.BAD_DATA, "raw.csv", "not text");
    }

    @Test
    void case12LineOf100Megabytes() throws IOException {
        Path file = folder.resolve("long.csv");
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write("x,y\n1,".getBytes(StandardCharsets.US_ASCII));
            byte[] digits = "1".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 100; i++) {
                out.write(digits);
            }
        }
        assertFails(learn(file, "--kernel", "gaussian(1)"), Exit.BAD_DATA, "long.csv", "line", "longer than");
    }

    @Test
    void case13OutputExists() {
        Path data = csv("ok.csv", "x\n1\n2\n3\n");
        Path model = csv("m.safetensors", "precious");
        assertFails(learn(data), Exit.IO_ERROR, "m.safetensors", "--force");
        assertThat(model).hasContent("precious");
        assertThat(learn(data, "--force").code()).isEqualTo(Exit.OK);
        assertFails(
                CommandRun.of("simulate", "ou", "-o", csv("s.csv", "x")), Exit.IO_ERROR, "s.csv", "exists", "--force");
    }

    @Test
    void case14ClosedPipe() {
        AtomicInteger attempts = new AtomicInteger();
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                attempts.incrementAndGet();
                throw new IOException("Broken pipe");
            }
        };
        java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(
                new java.io.ByteArrayInputStream(new byte[0]),
                new PrintStream(closed, false, StandardCharsets.UTF_8),
                errors,
                false);
        int code = Koop.run(console, "simulate", "fourwell", "--trajectories", "1000000", "--steps", "100", "-o", "-");
        assertThat(code).isEqualTo(Exit.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        // All of its output would be a million such attempts.
        assertThat(attempts).hasValueBetween(1, 1000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--lambda 0|lambda",
                "--lambda -1|lambda",
                "--epsilon -1|epsilon",
                "--forgetting 0|forgetting",
                "--forgetting 2|forgetting",
                "--method sogd --eta 0|eta",
                "--method sogd --eta 5|eta",
                "--kernel gaussian(0)|sigma",
                "--kernel gauss(1)|gaussian",
                "--max-dictionary 0|--max-dictionary",
                "--warm-up 1|--warm-up",
                "--holdout 0.9|--holdout",
                "--stride 0|--stride",
                "--method sogd --average=-1|--average",
                "--every 0|--every"
            })
    void settingsOutOfRange(String line) {
        String[] parts = line.split("\\|", -1);
        Path data = csv("ok.csv", "x\n1\n2\n3\n");
        assertFails(learn(data, (Object[]) parts[0].split(" ", -1)), Exit.BAD_DATA, parts[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--method svm|least-squares or sogd",
                "--eta 0.3|--eta",
                "--decay 0.6,200|--decay",
                "--method sogd --forgetting 0.9|--forgetting",
                "--method sogd --decay fast|--decay",
                "--average|--average",
                "--deterministic --holdout 0|--holdout",
                "--lambda much|--lambda"
            })
    void optionsThatMakeNoSense(String line) {
        String[] parts = line.split("\\|", -1);
        Path data = csv("ok.csv", "x\n1\n2\n3\n");
        assertFails(learn(data, (Object[]) parts[0].split(" ", -1)), Exit.WRONG_USAGE, parts[1]);
    }

    @Test
    void everyCommandTeachesWithAnExample() {
        for (String command : List.of(
                "demo",
                "simulate",
                "learn",
                "info",
                "export",
                "spectrum",
                "eigenfunctions",
                "sets",
                "forecast",
                "completion")) {
            CommandRun run = CommandRun.of(command, "--help");
            assertThat(run.code()).isEqualTo(Exit.OK);
            assertThat(run.out()).as(command).contains("Usage: koop " + command).contains("Example:");
        }
        assertThat(CommandRun.of("--help").out()).contains("koop demo");
        assertThat(CommandRun.of("--version").out()).startsWith("koop ");
        assertThat(CommandRun.of("completion").out()).contains("complete").contains("eigenfunctions");
    }
}
