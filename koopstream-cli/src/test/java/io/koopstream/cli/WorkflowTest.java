package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        CommandRun table = succeed("spectrum", model, "--holdout", data, "--plot", folder.resolve("s.svg"));
        assertThat(table.out()).contains("eigenvalue", "residual", "0.99");
        assertThat(folder.resolve("s.svg")).content().contains("<svg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "100000"})
    void impossibleNumbersOfEigenvalues(String k) {
        CommandRun run = CommandRun.of("spectrum", model, "-k", k);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("k = " + k).hasLineCount(1);
    }

    @Test
    void eigenfunctionsSetsAndForecast() {
        Path values = folder.resolve("f.csv");
        succeed("eigenfunctions", model, "-k", 2, "--at", data, "-o", values, "--plot", folder.resolve("f.png"));
        assertThat(values).content().startsWith("f0_re,f0_im,f1_re,f1_im\n").hasLineCount(20_201);
        Path sets = folder.resolve("sets.csv");
        String json = succeed(
                        "sets", model, "-k", 4, "--at", data, "-o", sets, "--plot", folder.resolve("k.png"), "--json")
                .out();
        assertThat(json).contains("\"sets\":[").contains("\"unassigned\":");
        assertThat(sets).content().startsWith("set\n").hasLineCount(20_201);
        Path path = folder.resolve("path.csv");
        CommandRun forecast = succeed("forecast", model, "--from", "-1.0,1.0", "--steps", 5, "-o", path);
        assertThat(forecast.out()).contains("+-");
        assertThat(path)
                .content()
                .startsWith("step,x1,x2,x1_spread,x2_spread\n1,")
                .hasLineCount(6);
        assertThat(succeed("forecast", model, "--from=-1,1", "--steps", 2, "--json")
                        .out())
                .contains("\"path\":[{\"step\":1,\"mean\":[-0.");
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
        Path file = Files.writeString(folder.resolve("bad.csv"), "x\n1\n2\n?\n3\n4\n\n5,5\n6\n7\n");
        CommandRun run = CommandRun.of("learn", file, "-o", folder.resolve("bad.safetensors"), "--skip-bad", "--json");
        assertThat(run.code()).isEqualTo(Exit.FINE);
        assertThat(number(run.out(), "samples")).isEqualTo(3);
        assertThat(number(run.out(), "skipped")).isEqualTo(2);
        assertThat(run.err()).contains("line 4", "line 8");
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
    void theDictionaryDoesNotOutgrowItsLimit() {
        CommandRun run = CommandRun.of("learn", data, "-o", folder.resolve("x.safetensors"), "--max-dictionary", 10);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("outgrew 10", "--epsilon");
        assertThat(folder.resolve("x.safetensors")).doesNotExist();
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
        assertThat(succeed("info", file).out()).contains("sogd", "decay(", "paper");
        assertThat(succeed("info", model).out()).contains("least-squares");
    }

    @Test
    void theReportStandsAlone() {
        Path report = folder.resolve("report.html");
        succeed("learn", data, "-o", folder.resolve("r.safetensors"), "--report", report);
        assertThat(report)
                .content()
                .startsWith("<!doctype html>")
                .contains(
                        "data:image/svg+xml;base64,",
                        "0.00001 (default)",
                        "Settings",
                        "guessed from the first rows",
                        "20,000 transitions")
                .doesNotContain("<script", "src=\"http", "href=\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PK\u0003\u0004zip", "\u0080\u0004pickle", "{\"json\": true}", "x,y\n1,2\n"})
    void filesThatAreNoModels(String content) throws IOException {
        Path file =
                Files.writeString(folder.resolve("foreign.bin"), content, java.nio.charset.StandardCharsets.ISO_8859_1);
        for (String command : List.of("info", "spectrum")) {
            CommandRun run = CommandRun.of(command, file);
            assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
            assertThat(run.err()).startsWith("koop: ").hasLineCount(1);
        }
    }

    @Test
    void damagedModels() throws IOException {
        byte[] good = Files.readAllBytes(model);
        Path file = folder.resolve("damaged.safetensors");
        for (int at : new int[] {3, 40, good.length / 2, good.length - 1}) {
            byte[] flipped = good.clone();
            flipped[at] ^= 0x10;
            Files.write(file, flipped);
            CommandRun run = CommandRun.of("info", file);
            assertThat(run.code()).as("byte " + at).isEqualTo(Exit.BAD_DATA);
            assertThat(run.err()).hasLineCount(1);
        }
        Files.write(file, Arrays.copyOf(good, good.length - 8));
        assertThat(CommandRun.of("spectrum", file).code()).isEqualTo(Exit.BAD_DATA);
    }

    @Test
    void dataOfAnotherDimension() throws IOException {
        Path file = Files.writeString(folder.resolve("one.csv"), "x\n1\n2\n");
        CommandRun run = CommandRun.of("spectrum", model, "--holdout", file);
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("1 coordinates", "the model has 2");
    }
}
