package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Console;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/cli.md and of the tutorials run as they stand there. */
@Timeout(1800)
@Needs(Program.BASH)
class GuideTest {

    private static final Pattern QUOTED = Pattern.compile("```text\\n(.*?)```", Pattern.DOTALL);

    /**
     * The command as the examples call it: in a Java that stays, or in one of its own where it reads or writes a pipe. {@code 3} leads to the
     * Java that stays, {@code 4} back.
     */
    private static final String KOOP = """
            set -e
            mkfifo ask answer
            "$JAVA" -Xmx512m -cp "$KOOP_PATH" 'io.koopstream.cli.GuideTest$Commands' <ask >answer &
            exec 3>ask 4<answer
            rm ask answer
            koop() {
                case " $* " in
                *" - "*)
                    "$JAVA" -Xmx512m -cp "$KOOP_PATH" io.koopstream.cli.Koop "$@" 3>&- 4<&-
                    return
                    ;;
                esac
                (IFS=$(printf '\\t') && printf '%s\\n' "$*" >&3)
                read -r code <&4
                cat koop.out
                cat koop.err >&2
                return "$code"
            }
            """;

    /** Runs the commands of an example: the arguments of one are a line of standard input with tabs between, its exit code is a line of standard output. */
    static final class Commands {

        private Commands() {}

        public static void main(String[] arguments) throws IOException {
            Koop.quieten();
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try (PrintStream out = new PrintStream("koop.out", StandardCharsets.UTF_8);
                        PrintStream err = new PrintStream("koop.err", StandardCharsets.UTF_8)) {
                    Console console = new Console(InputStream.nullInputStream(), out, err, false);
                    int code = Koop.run(console, line.split("\t", -1));
                    out.flush();
                    err.flush();
                    System.out.println(code);
                }
            }
        }
    }

    @TempDir
    Path folder;

    @Test
    void theExamplesOfTheGuideRun() throws IOException, InterruptedException {
        runBlocks(Path.of("..", "docs", "cli.md"));
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

    /** With {@code -Dtutorials.renew} their pictures, and the lines of output that they quote, are written into docs/tutorials. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-motions", "dated-data", "chaos", "control", "paper"})
    void theTutorialsRunDrawTheirPicturesAndPrintWhatTheyQuote(String tutorial)
            throws IOException, InterruptedException {
        requireQuoted(tutorial);
    }

    /** Its field is made by numpy. */
    @Test
    @Needs(Program.PYTHON)
    void theTutorialOfFieldsDoesSoToo() throws IOException, InterruptedException {
        requireQuoted("fields");
    }

    private void requireQuoted(String tutorial) throws IOException, InterruptedException {
        Path tutorials = Path.of("..", "docs", "tutorials");
        Files.copy(tutorials.resolve("data").resolve("co2_weekly.csv"), folder.resolve("co2_weekly.csv"));
        Path guide = tutorials.resolve(tutorial + ".md");
        List<String> printed = runBlocks(guide).out().lines().toList();
        String text = Files.readString(guide);
        boolean renewed = System.getProperty("tutorials.renew") != null;
        if (renewed) {
            text = QUOTED.matcher(text).replaceAll(block -> Matcher.quoteReplacement(renewed(block.group(), printed)));
            Files.writeString(guide, text);
        }
        Matcher picture = Pattern.compile("\\]\\((images/[^)]+)\\)").matcher(text);
        int pictures = 0;
        while (picture.find()) {
            Path target = tutorials.resolve(picture.group(1));
            Path drawn = folder.resolve(target.getFileName());
            assertThat(drawn).isNotEmptyFile();
            if (renewed) {
                Files.copy(drawn, target, StandardCopyOption.REPLACE_EXISTING);
            }
            pictures++;
        }
        assertThat(pictures).isPositive();
        QUOTED.matcher(text)
                .results()
                .flatMap(block -> block.group(1).lines())
                .forEach(line -> assertThat(printed).as("what %s quotes", guide).contains(line));
    }

    /** A block of output with each line that is no longer printed replaced by the likeliest one that begins with the same word. */
    private static String renewed(String block, List<String> printed) {
        return block.lines()
                .map(line -> printed.contains(line)
                        ? line
                        : printed.stream()
                                .filter(other -> firstWord(other).equals(firstWord(line)))
                                .max(Comparator.comparingLong(other -> words(other)
                                        .filter(word -> words(line).anyMatch(word::equals))
                                        .count()))
                                .orElse(line))
                .collect(Collectors.joining("\n"));
    }

    private static Stream<String> words(String line) {
        return Stream.of(line.strip().split("\\s+", -1));
    }

    private static String firstWord(String line) {
        return line.strip().split("[\\s:]", 2)[0];
    }

    /** A cluster and a broker are too much for every build ({@code lab/run flink} starts them), but its commands are there. */
    @Test
    void theCommandsOfTheFleetExist() throws IOException {
        Matcher command = Pattern.compile("(?m)^    koop (.+)$")
                .matcher(Files.readString(Path.of("..", "docs", "tutorials", "fleet.md")));
        int commands = 0;
        while (command.find()) {
            CommandRun run = CommandRun.of((Object[]) (command.group(1) + " --help").split(" ", -1));
            assertThat(run.out()).as(run.err()).contains("koop " + command.group(1) + " ");
            commands++;
        }
        assertThat(commands).isPositive();
    }

    /** Runs all blocks of commands of a document, one after the other in one folder. */
    private CommandRun runBlocks(Path document) throws IOException, InterruptedException {
        Matcher block = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(document));
        StringBuilder script = new StringBuilder(KOOP);
        int blocks = 0;
        while (block.find()) {
            script.append(block.group(1));
            blocks++;
        }
        assertThat(blocks).isPositive();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String quoted = "JAVA='" + java + "'\nKOOP_PATH='" + absolute(path) + "'\n";
        script.append("exec 3>&-\nwait\n");
        CommandRun run = PythonReadsTest.process(folder, List.of("/bin/sh", "-c", quoted + script));
        assertThat(run.code()).as(run.err()).isZero();
        return run;
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
