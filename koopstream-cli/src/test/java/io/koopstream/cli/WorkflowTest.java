package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From data to answers with the real commands. */
class WorkflowTest {

    @TempDir
    static Path folder;

    private static Path model;
    private static Path data;

    @BeforeAll
    static void learnOnce() {
        data = folder.resolve("wells.csv");
        model = folder.resolve("wells.safetensors");
        succeed("simulate", "fourwell", "--trajectories", 200, "--steps", 100, "--seed", 4, "-o", data);
        succeed("learn", data, "-o", model, "--kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)");
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(Arrays.toString(arguments) + ": " + run.err()).isEqualTo(Exit.FINE);
        return run;
    }

    private static double number(String json, String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\":(-?[0-9.eE-]+)").matcher(json);
        assertThat(matcher.find()).as(key + " in " + json).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

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
        assertThat(run.code()).isEqualTo(Exit.FINE);
        assertThat(digest(piped)).isEqualTo(digest);
    }

    private static String digest(Path file) {
        return succeed("info", file, "--json").out().replaceAll("(?s).*\"digest\":\"([0-9a-f]+)\".*", "$1");
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
    void spectrum() {
        String json = succeed("spectrum", model, "-k", 6, "--dt", 0.1, "--json").out();
        assertThat(json)
                .startsWith("{\"eigenvalues\":[{\"re\":")
                .contains("\"modulus\":", "\"timescale\":", "\"residual\":");
        assertThat(number(json, "modulus")).isCloseTo(1, within(0.002));
        CommandRun table = succeed(
                "spectrum",
                model,
                "--holdout",
                data,
                "--plot",
                folder.resolve("s.svg"),
                "--pseudospectrum",
                folder.resolve("p.svg"));
        assertThat(table.out()).contains("eigenvalue", "residual", "bias", "std. error", "0.99");
        assertThat(folder.resolve("s.svg")).content().contains("<svg");
        assertThat(folder.resolve("p.svg")).content().contains("<svg");
        String judged = succeed("spectrum", model, "--holdout", data, "--json").out();
        assertThat(judged).contains("\"trusted\":true", "\"reasons\":[]", "\"heldOut\":");
        assertThat(number(judged, "standardError")).isBetween(1e-6, 1e-2);
    }

    /** Samples without any dynamics, fitted with hardly any ridge: what looks like an eigenvalue is noise, and is said to be. */
    @Test
    void spuriousEigenvaluesAreFlaggedNotHidden() throws IOException {
        java.util.SplittableRandom random = new java.util.SplittableRandom(5);
        Path noise = folder.resolve("noise.csv");
        Path other = folder.resolve("noise2.csv");
        for (Path file : List.of(noise, other)) {
            StringBuilder text = new StringBuilder("x,y\n");
            for (int i = 0; i < 1500; i++) {
                text.append(random.nextDouble())
                        .append(',')
                        .append(random.nextDouble())
                        .append('\n');
            }
            Files.writeString(file, text);
        }
        Path fitted = folder.resolve("noise.safetensors");
        succeed("learn", noise, "-o", fitted, "--kernel", "gaussian(0.08)", "--lambda", 1e-9, "--epsilon", 0.3);
        CommandRun table =
                succeed("spectrum", fitted, "-k", 6, "--holdout", other, "--plot", folder.resolve("noise.png"));
        assertThat(table.out()).contains("spurious?", "may be spurious: ", "residual beyond noise");
        assertThat(table.out().lines().filter(line -> line.matches("  +[1-6] .*")))
                .hasSize(6);
        assertThat(succeed("spectrum", fitted, "-k", 6, "--holdout", other, "--json")
                        .out())
                .contains("\"trusted\":false");
        succeed("learn", noise, "-o", fitted, "--force", "--kernel", "gaussian(0.08)", "--holdout", 0);
        assertThat(CommandRun.of("spectrum", fitted, "--pseudospectrum", folder.resolve("q.png"))
                        .err())
                .contains("--holdout");
    }

    @Test
    void settingsAreChosenFromTheFirstRowsAndCanBeReplaced() {
        Path file = folder.resolve("chosen.safetensors");
        CommandRun run = succeed("learn", data, "-o", file, "--json");
        assertThat(run.err()).contains("kernel = gaussian(sigma=", "times the median distance", "epsilon = ");
        assertThat(run.out()).contains("\"settings\":{", "\"lambda\":{");
        CommandRun mine = succeed("learn", data, "-o", file, "--force", "--lambda", 0.002, "--epsilon", 0.2);
        assertThat(mine.err()).contains("lambda = 0.002: asked for", "epsilon = 0.2: asked for");
        assertThat(succeed("info", file).out()).contains("0.002");
        CommandRun sogd = succeed("learn", data, "-o", file, "--force", "--method", "sogd");
        assertThat(sogd.err()).contains("eta = constant(", "smallest prequential error");
        CommandRun few = CommandRun.reading("a,b\n1,100\n2,250\n3,300\n", "learn", "-", "-o", file, "--force");
        assertThat(few.code()).isEqualTo(Exit.FINE);
        assertThat(few.err())
                .contains("choosing settings from the first 2,000 rows", "2 pairs are too few to compare candidates");
        assertThat(succeed("info", file).out()).contains("scaled(", "names         a, b");
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
        assertThat(succeed("info", delayed).out()).contains("x1, x1_lag2", "delays        1");
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
    void oneDimensionalSystemsAreDrawnAsCurves() {
        Path line = folder.resolve("logistic.csv");
        Path learned = folder.resolve("logistic.safetensors");
        succeed("simulate", "logistic", "--trajectories", 5, "--steps", 500, "-o", line);
        succeed("learn", line, "-o", learned, "--kernel", "gaussian(0.1)", "--report", folder.resolve("logistic.html"));
        succeed("eigenfunctions", learned, "-k", 3, "--plot", folder.resolve("curves.svg"));
        assertThat(folder.resolve("curves.svg")).content().contains("f₁,  λ = ", "f₃,  λ = ");
        succeed("sets", learned, "-k", 2, "--plot", folder.resolve("stripes.svg"));
        assertThat(folder.resolve("stripes.svg")).content().contains("Metastable sets");
        assertThat(folder.resolve("logistic.html")).content().contains("Eigenfunctions after the first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void impossibleNumbersOfEigenvalues(String k) {
        CommandRun run = CommandRun.of("spectrum", model, "-k", k);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("k = " + k).hasLineCount(1);
    }

    @Test
    void asManyEigenvaluesAsThereAre() {
        CommandRun all = succeed("spectrum", model, "-k", 100000);
        assertThat(all.out()).contains("There are no more: the operator has rank ");
        CommandRun three = succeed("spectrum", model, "-k", 20, "--rank", 3, "--json");
        assertThat(number(three.out(), "rank")).isEqualTo(3);
        assertThat(three.out().split("\"re\":", -1)).hasSize(4);
        assertThat(succeed("spectrum", model, "-k", 20, "--rank", "auto").out()).contains(", rank ");
        assertThat(CommandRun.of("spectrum", model, "--rank", "few").code()).isEqualTo(Exit.WRONG_USAGE);
    }

    @Test
    void aSavedModelAnswersAnewForAnyRidge() {
        double chosen = number(succeed("spectrum", model, "-k", 2, "--json").out(), "re");
        double shrunk = number(
                succeed("spectrum", model, "-k", 2, "--lambda", 0.1, "--json").out(), "re");
        assertThat(chosen).isCloseTo(1, within(1e-3));
        assertThat(shrunk).isLessThan(0.95);
        CommandRun scored = succeed("spectrum", model, "-k", 4);
        assertThat(scored.out()).contains("Answered with lambda ", "VAMP-2 ", "VAMP-E ");
        assertThat(succeed("forecast", model, "--from", "0.3,-1.5", "--steps", 2, "--lambda", 1e-3)
                        .out())
                .isNotEqualTo(succeed("forecast", model, "--from", "0.3,-1.5", "--steps", 2)
                        .out());
        Path sogd = folder.resolve("one-operator.safetensors");
        succeed("learn", data, "-o", sogd, "--method", "sogd", "--kernel", "gaussian(0.5)");
        assertThat(CommandRun.of("spectrum", sogd, "--lambda", 0.1).code()).isEqualTo(Exit.WRONG_USAGE);
    }

    @Test
    void whatWasKeptAsideCanBeLearnedAtLast() {
        Path all = folder.resolve("all.safetensors");
        Path none = folder.resolve("none.safetensors");
        succeed("learn", data, "-o", all, "--kernel", "gaussian(0.5)", "--use-all");
        succeed("learn", data, "-o", none, "--kernel", "gaussian(0.5)", "--holdout", 0);
        String info = succeed("info", all, "--json").out();
        assertThat(number(info, "samples")).isGreaterThanOrEqualTo(19_900);
        assertThat(number(info, "lambda")).isPositive();
        assertThat(number(succeed("info", none, "--json").out(), "samples")).isEqualTo(20_000);
    }

    @Test
    void eigenfunctionsSetsAndForecast() {
        Path values = folder.resolve("f.csv");
        succeed("eigenfunctions", model, "-k", 2, "--at", data, "-o", values, "--plot", folder.resolve("f.png"));
        assertThat(values).content().startsWith("f1_re,f1_im,f2_re,f2_im\n").hasLineCount(20_201);
        Path sets = folder.resolve("sets.csv");
        String json = succeed(
                        "sets", model, "-k", 4, "--at", data, "-o", sets, "--plot", folder.resolve("k.png"), "--json")
                .out();
        assertThat(json).contains("\"sets\":[").contains("\"unassigned\":");
        assertThat(sets).content().startsWith("set\n").hasLineCount(20_201);
        Path path = folder.resolve("path.csv");
        CommandRun forecast = succeed("forecast", model, "--from", "-1.0,1.0", "--steps", 5, "-o", path);
        assertThat(forecast.out()).contains("1 forecasts of 5 steps");
        assertThat(path)
                .content()
                .startsWith("row,step,known,x1,x2,x1_q0.1,x2_q0.1,x1_q0.9,x2_q0.9\n0,1,")
                .hasLineCount(6);
        assertThat(succeed("forecast", model, "--from=-1,1", "--steps", 2, "--json")
                        .out())
                .containsPattern("\"path\":\\[\\{\"step\":1,.*\"mean\":\\[-0\\.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2,3", "1", "NaN,0", "500,500"})
    void startsThatAreNoStates(String from) {
        CommandRun run = CommandRun.of("forecast", model, "--from", from);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).hasLineCount(1);
    }

    @Test
    void horizonsOutOfRange() {
        assertThat(CommandRun.of("forecast", model, "--from", "0,0", "--steps", 0)
                        .code())
                .isEqualTo(Exit.BAD_DATA);
        assertThat(CommandRun.of("forecast", model, "--from", "0,0", "--steps", 1_000_000)
                        .code())
                .isEqualTo(Exit.BAD_DATA);
    }

    @Test
    void skipBadCountsAndReports() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), "x\n1\n2\noops\n3\n4\n\n5,5\n6\n7\n");
        CommandRun run = CommandRun.of("learn", file, "-o", folder.resolve("bad.safetensors"), "--skip-bad", "--json");
        assertThat(run.code()).isEqualTo(Exit.FINE);
        assertThat(number(run.out(), "samples")).isEqualTo(3);
        assertThat(number(run.out(), "skipped")).isEqualTo(3);
        assertThat(run.err()).contains("line 4", "line 7: is blank", "line 8");
    }

    @Test
    void statusLinesAndSavesOnTheWay() throws IOException {
        Path saved = folder.resolve("every.safetensors");
        CommandRun run = CommandRun.reading(Files.readString(data), "learn", "-", "-o", saved, "--every", 5000);
        assertThat(run.code()).isEqualTo(Exit.FINE);
        assertThat(run.err()).contains("5,000 samples saved", "20,000 samples saved");
        assertThat(number(succeed("info", saved, "--json").out(), "samples")).isEqualTo(20_000);
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
        assertThat(number(info, "maxDictionary")).isEqualTo(30);
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
        assertThat(succeed("info", file).out()).contains("sogd", "decay(", "paper", "average       none");
        Path averaged = folder.resolve("averaged.safetensors");
        succeed("learn", data, "-o", averaged, "--method", "sogd", "--kernel", "gaussian(0.5)", "--average");
        assertThat(succeed("info", averaged).out()).contains("average       tail(3)");
        Path plainMean = folder.resolve("mean.safetensors");
        succeed("learn", data, "-o", plainMean, "--method", "sogd", "--kernel", "gaussian(0.5)", "--average=0");
        assertThat(succeed("info", plainMean).out()).contains("tail(0)");
        assertThat(digest(plainMean)).isNotEqualTo(digest(averaged));
        assertThat(succeed("info", model).out()).contains("least-squares");
    }

    @Test
    void theReportStandsAlone() {
        Path report = folder.resolve("report.html");
        succeed("learn", data, "-o", folder.resolve("r.safetensors"), "--report", report, "--holdout", 0.1);
        assertThat(report)
                .content()
                .startsWith("<!doctype html>")
                .contains(
                        "data:image/svg+xml;base64,",
                        "Settings",
                        "times the median distance",
                        "keeps",
                        "20,000 transitions",
                        "Validated on 1,960 held-out pairs",
                        "over the regularisation lambda",
                        "of it noise",
                        "<th>std. error</th>",
                        "<h2>Metastable sets</h2>",
                        "<h2>Forecast</h2><figure>",
                        "pairs learned from",
                        "regularisation for forecasts")
                .containsPattern(
                        "</h1><p><strong>4 metastable sets; each is left after .* eigenvalues are trusted; .*</strong>")
                .doesNotContain("<script", "src=\"http", "href=\"")
                .doesNotContainPattern("<tr><td>[a-z]+[A-Z2]");
    }

    @Test
    void dataOfAnotherDimension() throws IOException {
        Path file = Files.writeString(folder.resolve("one.csv"), "x\n1\n2\n");
        CommandRun run = CommandRun.of("spectrum", model, "--holdout", file);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("1 coordinates", "the model has 2");
    }
}
