package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From data to models with the real commands. */
class WorkflowTest extends LearnedWells {

    @Test
    void everyFormatGivesTheSameModel() throws IOException {
        String digest = digest(model);
        for (String ending : List.of("npy", "parquet")) {
            Path other = folder.resolve("same." + ending);
            Path learned = folder.resolve(ending + ".safetensors");
            succeed("simulate", "fourwell", "--trajectories", 200, "--steps", 100, "--seed", 4, "-o", other);
            succeed("learn", other, "-o", learned, "--kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)");
            assertThat(digest(learned)).as(ending).isEqualTo(digest);
        }
        Path piped = folder.resolve("piped.safetensors");
        CommandRun run = CommandRun.reading(
                Files.readString(data), "learn", "-", "-o", piped, "--kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)");
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(digest(piped)).isEqualTo(digest);
    }

    @Test
    void learnSaysWhatScriptsRelyOn() {
        String json = succeed("learn", data, "-o", folder.resolve("keys.safetensors"), "--json")
                .out();
        assertThat(json).startsWith("{").endsWith("}\n").hasLineCount(1);
        assertThat(number(json, "samples")).isEqualTo(20_000);
        assertThat(number(json, "dictionary")).isBetween(20.0, 1000.0);
        assertThat(number(json, "seconds")).isPositive();
        assertThat(number(json, "samplesPerSecond")).isPositive();
        assertThat(number(json, "norm")).isPositive();
    }

    @Test
    void settingsAreChosenFromTheFirstRowsAndCanBeReplaced() {
        Path file = folder.resolve("chosen.safetensors");
        CommandRun run = succeed("learn", data, "-o", file, "--json");
        assertThat(run.err()).contains("kernel = gaussian(sigma=", "times the median distance", "epsilon = ");
        assertThat(run.out()).contains("\"settings\":[{", "{\"name\":\"lambda\"");
        CommandRun mine = succeed("learn", data, "-o", file, "--force", "--lambda", 0.002, "--epsilon", 0.2);
        assertThat(mine.err()).contains("lambda = 0.002: asked for", "epsilon = 0.2: asked for");
        assertThat(succeed("info", file).out()).contains("0.002");
        CommandRun sogd = succeed("learn", data, "-o", file, "--force", "--method", "sogd");
        assertThat(sogd.err()).contains("eta = constant(", "smallest prequential error");
        CommandRun few = CommandRun.reading("a,b\n1,100\n2,250\n3,300\n", "learn", "-", "-o", file, "--force");
        assertThat(few.code()).isEqualTo(Exit.OK);
        assertThat(few.err())
                .contains("choosing settings from the first 2,000 rows", "2 pairs are too few to compare candidates");
        assertThat(succeed("info", file).out()).contains("scaled(", "names             a, b");
    }

    /** The rows that settings were chosen from are learned like all others. */
    @Test
    void noRowOfTheWarmUpIsLost() throws IOException {
        Path chosen = folder.resolve("warm.safetensors");
        Path given = folder.resolve("given.safetensors");
        succeed("learn", data, "-o", chosen, "--warm-up", 700);
        Matcher kernel = Pattern.compile("(?m)^(kernel|epsilon) +(.*)$")
                .matcher(succeed("info", chosen).out());
        java.util.Map<String, String> found = new java.util.HashMap<>();
        while (kernel.find()) {
            found.put(kernel.group(1), kernel.group(2));
        }
        succeed("learn", data, "-o", given, "--kernel", found.get("kernel"), "--epsilon", found.get("epsilon"));
        assertThat(digest(chosen)).isEqualTo(digest(given));
    }

    /** Wherever the data is cut, also within the warm-up and within a trajectory. */
    @ParameterizedTest
    @ValueSource(ints = {50, 1999, 2001, 3333})
    void goingOnFromAModelEqualsLearningInOneGo(int rows) throws IOException {
        List<String> lines = Files.readAllLines(data);
        assertThat(lines.size()).isGreaterThan(rows + 100);
        Path first = Files.write(folder.resolve("first.csv"), lines.subList(0, rows));
        List<String> rest = new ArrayList<>(List.of(lines.get(0)));
        rest.addAll(lines.subList(rows, lines.size()));
        Path second = Files.write(folder.resolve("second.csv"), rest);
        for (String method : List.of("least-squares", "sogd")) {
            Path part = folder.resolve("part.safetensors");
            Path whole = folder.resolve("whole.safetensors");
            Object[] settings = {"--method", method, "--kernel", "gaussian(0.5)", "--force"};
            succeed(words(settings, "learn", first, "-o", part));
            succeed("learn", second, "-o", part, "--resume", part);
            succeed(words(settings, "learn", data, "-o", whole));
            assertThat(part).hasSameBinaryContentAs(whole);
        }
    }

    private static Object[] words(Object[] more, Object... first) {
        List<Object> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(more));
        return all.toArray();
    }

    @Test
    void goingOnWithOtherSettingsIsRefused() {
        Path learned = folder.resolve("learned.safetensors");
        succeed("learn", data, "-o", learned, "--kernel", "gaussian(0.5)");
        Path other = folder.resolve("other.safetensors");
        CommandRun contradiction =
                CommandRun.of("learn", data, "-o", other, "--resume", learned, "--kernel", "gaussian(0.6)");
        assertThat(contradiction.code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(contradiction.err()).contains("--kernel gaussian(0.6)", "was learned with gaussian(0.5)");
        assertThat(CommandRun.of("learn", data, "-o", other, "--resume", learned, "--names", "a,b")
                        .code())
                .isEqualTo(Exit.BAD_DATA);
        succeed("learn", data, "-o", other, "--resume", learned, "--kernel", "gaussian(0.5)");
        succeed("learn", data, "-o", learned, "--kernel", "gaussian(0.5)", "--use-all", "--force");
        CommandRun ended = CommandRun.of("learn", data, "-o", other, "--force", "--resume", learned);
        assertThat(ended.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(ended.err()).contains("does not hold the stream");
    }

    @Test
    void namesOfTheDataReachEverything() throws IOException {
        Path file = Files.writeString(
                folder.resolve("named.csv"),
                "trajectory,Höhe (m),\"Druck, bar\"\n" + "a,1,2\na,2,3\na,3,5\na,4,8\n".repeat(5));
        Path named = folder.resolve("named.safetensors");
        succeed("learn", file, "-o", named, "--report", folder.resolve("named.html"));
        assertThat(succeed("info", named).out()).contains("Höhe (m), Druck, bar");
        assertThat(folder.resolve("named.html")).content().contains("Höhe (m)");
        succeed("eigenfunctions", named, "-k", 1, "--plot", folder.resolve("named.svg"));
        assertThat(folder.resolve("named.svg")).content().contains("Höhe (m)");
        succeed("forecast", named, "--from", "1,2", "--steps", 2, "-o", folder.resolve("named-path.csv"));
        assertThat(folder.resolve("named-path.csv"))
                .content()
                .startsWith("row,step,known,Höhe (m),\"Druck, bar\",Höhe (m)_q0.1,\"Druck, bar_q0.1\",");
        succeed("export", named, "-o", folder.resolve("named-arrays"));
        assertThat(folder.resolve("named-arrays").resolve("config.json"))
                .content()
                .contains("\"names\":[\"Höhe (m)\",\"Druck, bar\"]");
        succeed("learn", file, "-o", named, "--names", "h,p", "--force");
        assertThat(succeed("info", named).out()).contains("h, p");
        assertThat(CommandRun.of("learn", file, "-o", named, "--names", "h", "--force")
                        .err())
                .contains("1 names", "2 coordinates");
        CommandRun other = succeed("spectrum", model, "-k", 1, "--json");
        assertThat(other.err()).isEmpty();
    }

    @Test
    void aSystemSeenInPartIsLearnedWithDelays() throws IOException {
        Path whole = folder.resolve("rotation.csv");
        Path part = folder.resolve("part.csv");
        succeed("simulate", "rotation", "--trajectories", 2, "--steps", 2500, "--seed", 3, "-o", whole);
        Files.write(
                part,
                Files.readAllLines(whole).stream()
                        .map(line -> line.substring(0, line.lastIndexOf(',')))
                        .toList());
        Path delayed = folder.resolve("delayed.safetensors");
        CommandRun run = succeed(
                "learn", part, "-o", delayed, "--delays", 1, "--stride", 2, "--kernel", "gaussian(1)", "--json");
        assertThat(number(run.out(), "samples")).isEqualTo(2 * (2500 - 2));
        assertThat(succeed("info", delayed).out())
                .contains("names             x1", "delays            1")
                .doesNotContain("x1_lag2");
        assertThat(succeed("info", delayed, "--json").out())
                .contains("\"names\":[\"x1\"]", "\"stateDimension\":2", "\"delays\":1,\"stride\":2")
                .doesNotContain("_lag");
        Matcher frequency = Pattern.compile("\"frequency\":([0-9.]+)")
                .matcher(succeed("spectrum", delayed, "-k", 3, "--holdout", part, "--json")
                        .out());
        double fastest = 0;
        while (frequency.find()) {
            fastest = Math.max(fastest, Double.parseDouble(frequency.group(1)));
        }
        // The rotation is by 0.5 a step.
        assertThat(fastest * 2 * Math.PI).isCloseTo(0.5, within(0.05));
        Path values = folder.resolve("delayed.csv");
        succeed("eigenfunctions", delayed, "-k", 1, "--at", part, "-o", values);
        // One row a row of the data; the first two of each trajectory are no states.
        assertThat(Files.readAllLines(values)).hasSize(5003).contains("NaN,NaN");
        assertThat(Files.readAllLines(values).stream().filter(line -> line.startsWith("NaN")))
                .hasSize(4);
        assertThat(CommandRun.of("learn", part, "-o", delayed, "--delays", -1, "--force")
                        .code())
                .isEqualTo(Exit.BAD_DATA);
    }

    @Test
    void aChangeOfTheDynamicsIsSaid() throws IOException {
        Path file = folder.resolve("drift.csv");
        java.util.SplittableRandom random = new java.util.SplittableRandom(7);
        StringBuilder text = new StringBuilder("x,y\n");
        double x = 1;
        double y = 0;
        for (int i = 0; i < 8000; i++) {
            double angle = i < 5000 ? 0.5 : 0.9;
            double turned = 0.95 * (Math.cos(angle) * x - Math.sin(angle) * y) + 0.2 * random.nextGaussian();
            y = 0.95 * (Math.sin(angle) * x + Math.cos(angle) * y) + 0.2 * random.nextGaussian();
            x = turned;
            text.append(x).append(',').append(y).append('\n');
        }
        Files.writeString(file, text);
        CommandRun run = succeed(
                "learn",
                file,
                "-o",
                folder.resolve("drift.safetensors"),
                "--kernel",
                "gaussian(0.8)",
                "--drift-discount",
                0.01,
                "--json");
        assertThat(run.err()).contains("the dynamics changed at about sample");
        assertThat(number(run.out(), "since")).isBetween(4500.0, 5500.0);
        assertThat(CommandRun.of("learn", file, "-o", folder.resolve("x"), "--no-watch-drift", "--drift-discount", 0.1)
                        .code())
                .isEqualTo(Exit.WRONG_USAGE);
    }

    @Test
    void whatWasKeptAsideCanBeLearnedAtLast() {
        Path all = folder.resolve("all.safetensors");
        Path none = folder.resolve("none.safetensors");
        succeed("learn", data, "-o", all, "--kernel", "gaussian(0.5)", "--use-all");
        succeed("learn", data, "-o", none, "--kernel", "gaussian(0.5)", "--holdout", 0);
        String info = succeed("info", all, "--json").out();
        assertThat(number(info, "samples")).isGreaterThanOrEqualTo(19_900);
        assertThat(number(info, "spectrum")).isPositive();
        assertThat(number(succeed("info", none, "--json").out(), "samples")).isEqualTo(20_000);
    }

    @Test
    void skipBadCountsAndReports() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), "x\n1\n2\noops\n3\n4\n\n5,5\n6\n7\n");
        CommandRun run = CommandRun.of("learn", file, "-o", folder.resolve("bad.safetensors"), "--skip-bad", "--json");
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(number(run.out(), "samples")).isEqualTo(3);
        assertThat(number(run.out(), "skipped")).isEqualTo(3);
        assertThat(run.err()).contains("line 4", "line 7: is blank", "line 8");
    }

    @Test
    void statusLinesAndSavesOnTheWay() throws IOException {
        Path saved = folder.resolve("every.safetensors");
        CommandRun run = CommandRun.reading(Files.readString(data), "learn", "-", "-o", saved, "--every", 5000);
        assertThat(run.code()).isEqualTo(Exit.OK);
        assertThat(run.err()).contains("5,000 samples saved", "20,000 samples saved");
        assertThat(number(succeed("info", saved, "--json").out(), "version")).isEqualTo(20_000);
    }

    @Test
    void aFullDictionaryExchangesItsPoints() {
        Path file = folder.resolve("capped.safetensors");
        CommandRun run =
                succeed("learn", data, "-o", file, "--kernel", "gaussian(0.5)", "--max-dictionary", 30, "--json");
        assertThat(number(run.out(), "dictionary")).isEqualTo(30);
        assertThat(number(run.out(), "removals")).isPositive();
        assertThat(number(run.out(), "errorBound")).isPositive();
        String info = succeed("info", file, "--json").out();
        assertThat(number(info, "removals")).isEqualTo(number(run.out(), "removals"));
        assertThat(number(info, "errorBound")).isEqualTo(number(run.out(), "errorBound"));
        assertThat(info).contains("{\"name\":\"max-dictionary\",\"value\":\"30\"");
        Path report = folder.resolve("capped.html");
        CommandRun again = succeed(
                "learn",
                data,
                "-o",
                file,
                "--force",
                "--kernel",
                "gaussian(0.5)",
                "--max-dictionary",
                30,
                "--report",
                report);
        assertThat(again.out()).contains("The dictionary was full", "error bound");
        assertThat(report).content().contains("the dictionary was full");
        assertThat(number(succeed("info", model, "--json").out(), "removals")).isZero();
    }

    @Test
    void bothMethodsLearn() {
        Path file = folder.resolve("sogd.safetensors");
        succeed(
                "learn",
                data,
                "-o",
                file,
                "--method",
                "sogd",
                "--eta",
                0.5,
                "--decay",
                "0.75,200",
                "--lambda",
                1e-5,
                "--criterion",
                "paper",
                "--epsilon",
                0.02);
        assertThat(succeed("info", file).out()).contains("sogd", "decay(", "paper", "average           none");
        Path averaged = folder.resolve("averaged.safetensors");
        succeed("learn", data, "-o", averaged, "--method", "sogd", "--kernel", "gaussian(0.5)", "--average");
        assertThat(succeed("info", averaged).out()).contains("average           tail(3)");
        Path plainMean = folder.resolve("mean.safetensors");
        succeed("learn", data, "-o", plainMean, "--method", "sogd", "--kernel", "gaussian(0.5)", "--average=0");
        assertThat(succeed("info", plainMean).out()).contains("tail(0)");
        assertThat(digest(plainMean)).isNotEqualTo(digest(averaged));
        assertThat(succeed("info", model).out()).contains("least-squares");
    }
}
