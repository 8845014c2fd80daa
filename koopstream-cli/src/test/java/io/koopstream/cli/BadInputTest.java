package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.MalformedModels;
import io.koopstream.io.ModelFormatException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed model files and samples that cannot be learned from, through the real command: exit code, one line, and its words. */
class BadInputTest {

    /** What the line must say, by the reason that the file is refused for. */
    private static final Map<Reason, String> WORDS = new EnumMap<>(Map.ofEntries(
            Map.entry(Reason.EMPTY, "empty"),
            Map.entry(Reason.TRUNCATED, "cut short"),
            Map.entry(Reason.TOO_NEW, "later"),
            Map.entry(Reason.TRAILING_BYTES, "bytes follow"),
            Map.entry(Reason.CHECKSUM, "damaged"),
            Map.entry(Reason.UNKNOWN_KERNEL, "kernel"),
            Map.entry(Reason.NOT_FINITE, "finite"),
            Map.entry(Reason.DUPLICATE_KEY, "twice")));

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> malformedModels() {
        return Stream.concat(MalformedModels.catalogue().stream(), MalformedModels.more().stream())
                .map(wrong -> DynamicTest.dynamicTest(wrong.name(), () -> {
                    Path file = folder.resolve("wrong.safetensors");
                    Files.write(file, wrong.bytes());
                    for (String command : List.of("info", "spectrum")) {
                        CommandRun run = CommandRun.of(command, file);
                        assertThat(run.code()).as(run.err()).isEqualTo(Exit.BAD_DATA);
                        assertThat(run.out()).isEmpty();
                        assertThat(run.err())
                                .startsWith("koop: " + file)
                                .hasLineCount(1)
                                .contains("expected", "found")
                                .containsIgnoringCase(WORDS.getOrDefault(wrong.expected(), ""));
                    }
                }));
    }

    /** Every other command refuses a file that is no model just the same, before it writes anything. */
    @Test
    void everyCommandThatReadsAModelRefusesAnother() throws IOException {
        Path file = Files.write(
                folder.resolve("wrong.safetensors"),
                MalformedModels.catalogue().get(0).bytes());
        Path out = folder.resolve("out");
        for (Object[] line : List.of(
                new Object[] {"export", file, "-o", out},
                new Object[] {"eigenfunctions", file, "--plot", out + ".png"},
                new Object[] {"sets", file, "--plot", out + ".png"},
                new Object[] {"forecast", file, "--from", "1", "-o", out + ".csv"})) {
            CommandRun run = CommandRun.of(line);
            assertThat(run.code()).as(line[0] + ": " + run.err()).isEqualTo(Exit.BAD_DATA);
            assertThat(run.err()).startsWith("koop: ").hasLineCount(1);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void damagedModels() throws IOException {
        Path data = Files.writeString(folder.resolve("ok.csv"), "x\n1\n2\n3\n5\n8\n");
        Path model = folder.resolve("ok.safetensors");
        assertThat(CommandRun.of("learn", data, "-o", model).code()).isEqualTo(Exit.OK);
        byte[] good = Files.readAllBytes(model);
        Path file = folder.resolve("damaged.safetensors");
        for (int at = 0; at < good.length; at += 13) {
            byte[] flipped = good.clone();
            flipped[at] ^= 0x10;
            Files.write(file, flipped);
            CommandRun run = CommandRun.of("info", file);
            assertThat(run.code()).as("byte " + at).isEqualTo(Exit.BAD_DATA);
            assertThat(run.err()).hasLineCount(1);
        }
    }

    private CommandRun learn(String name, String content, Object... more) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content, StandardCharsets.UTF_8);
        List<Object> words =
                new java.util.ArrayList<>(List.of("learn", file, "-o", folder.resolve("m.safetensors"), "--force"));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray());
    }

    private static void refused(CommandRun run, String... words) {
        assertThat(run.err()).contains(words).doesNotContain("\tat ");
        assertThat(run.err().lines().filter(line -> line.startsWith("koop: "))).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n1\n2\n\n\n50\n51\n", "[1]\n[2]\n\n\n[50]\n[51]\n"})
    void aBlankLineIsARowThatIsMissing(String text) throws IOException {
        long line = text.lines().takeWhile(words -> !words.isEmpty()).count() + 1;
        refused(learn("blank.csv", text), "blank.csv, line " + line + ": is blank", "--skip-bad");
        CommandRun skipped = learn("blank.csv", text, "--skip-bad", "--json");
        assertThat(skipped.code()).as(skipped.err()).isEqualTo(Exit.OK);
        // 1->2 and 50->51: no pair jumps over the blank lines.
        assertThat(skipped.out()).contains("\"samples\":2", "\"skipped\":2");
    }

    /** Sample 1: NaN is a value that is not known, a gap and no bad row. */
    @Test
    void sample1NaNIsAGap() throws IOException {
        CommandRun run = learn("gap.csv", "x,y\n1,2\n2,3\n3,NaN\n4,5\n5,7\n", "--json");
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(run.out()).contains("\"samples\":2", "\"skipped\":0", "\"missing\":1");
    }

    /** Samples 2 and 3: not finite in x. */
    @ParameterizedTest
    @ValueSource(strings = {"Infinity", "-Infinity", "1e999"})
    void samples2And3NotFinite(String number) throws IOException {
        refused(learn("bad.csv", "x,y\n1,2\n2,3\n3," + number + "\n"), "bad.csv, line 4", "column 'y'", "finite");
        CommandRun skipped = learn("bad.csv", "x,y\n1,2\n2,3\n3," + number + "\n4,5\n5,7\n", "--skip-bad", "--json");
        assertThat(skipped.code()).isEqualTo(Exit.OK);
        // (1,2)->(2,3) and (4,5)->(5,7): no pair jumps over the bad row.
        assertThat(skipped.out()).contains("\"samples\":2", "\"skipped\":1");
    }

    /** Samples 4 to 6: not finite in the next state. */
    @ParameterizedTest
    @ValueSource(strings = {"Infinity", "-Infinity"})
    void samples4To6NextStateNotFinite(String number) throws IOException {
        refused(learn("bad.csv", "x,x_next\n1,2\n2," + number + "\n"), "bad.csv, line 3", "finite");
    }

    /** Samples 7 and 8: too short, too long; in CSV and in JSON lines. */
    @Test
    void samples7And8WrongLength() throws IOException {
        refused(learn("bad.csv", "x,y\n1,2\n3\n"), "line 3", "1 cells, expected 2");
        refused(learn("bad.csv", "x,y\n1,2\n3,4,5\n"), "line 3", "3 cells, expected 2");
        refused(learn("bad.jsonl", "[1, 2]\n[3]\n"), "line 2", "has 1 numbers, expected 2");
        refused(learn("bad.jsonl", "[1, 2]\n[3, 4, 5]\n"), "line 2", "has 3 numbers, expected 2");
    }

    /** Sample 9: the next state has another dimension. */
    @Test
    void sample9NextStateOfAnotherDimension() throws IOException {
        refused(learn("bad.csv", "x,y,x_next\n1,2,3\n"), "bad.csv", "'y_next' is missing");
        Path x = folder.resolve("x.csv");
        Files.writeString(x, "a\n1\n2\n");
        Path two = folder.resolve("two.npy");
        Path one = folder.resolve("one.npy");
        assertThat(CommandRun.of("simulate", "ou", "--trajectories", 1, "--steps", 3, "-o", two)
                        .code())
                .isZero();
        assertThat(CommandRun.of("simulate", "logistic", "--trajectories", 1, "--steps", 3, "-o", one)
                        .code())
                .isZero();
        CommandRun run = CommandRun.of("learn", two, "--next", one, "-o", folder.resolve("m.safetensors"));
        refused(run, "two.npy with ", "they must agree row by row");
    }

    /** Sample 10: something else where a number should be. */
    @Test
    void sample10NoNumber() throws IOException {
        refused(learn("bad.jsonl", "{\"x\": 1}\n{\"x\": {}}\n"), "line 2", "column 'x'", "expected a number");
        refused(learn("bad.jsonl", "{\"x\": 1}\n{\"x\": \"up\"}\n"), "line 2", "column 'x'", "'up' is not a number");
    }

    /** Sample 11: so large that its square overflows. */
    @Test
    void sample11TooLargeToSquare() throws IOException {
        refused(learn("bad.csv", "x\n1\n1e155\n"), "line 3", "column 'x'");
    }

    /** Samples 12 to 15, as far as a file has them: a step that is repeated, goes back or jumps makes no pair and is counted. */
    @ParameterizedTest
    @CsvSource({"1, duplicates", "0, late", "7, gaps"})
    void samples12To15StepsOutOfOrder(String step, String count) throws IOException {
        CommandRun run = learn("steps.csv", "step,x\n0,1\n1,2\n" + step + ",3\n", "--json");
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(run.out()).contains("\"samples\":1", '"' + count + "\":1");
    }

    /** Sample 16: a time that is not finite makes no pair. */
    @Test
    void sample16TimeNotFinite() throws IOException {
        for (String column : List.of("time", "step")) {
            CommandRun run = learn("times.csv", column + ",x\n0,1\n1,2\nNaN,3\nNaN,4\n4,5\n5,6\n", "--json");
            assertThat(run.code()).isEqualTo(Exit.OK);
            // 1 -> 2 and 5 -> 6 alone.
            assertThat(run.out()).as(column).contains("\"samples\":2", "\"gaps\":3");
        }
    }
}
