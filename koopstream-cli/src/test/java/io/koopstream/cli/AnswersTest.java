package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a learned model from the real commands: spectra, sets, forecasts, reports. */
class AnswersTest extends LearnedWells {

    @Test
    void spectrum() {
        String json = succeed("spectrum", model, "-k", 6, "--dt", 0.1, "--json").out();
        assertThat(json)
                .startsWith("{\"version\":")
                .contains("\"eigenvalues\":[{\"re\":", "\"modulus\":", "\"timescale\":", "\"residual\":");
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

    /** A random walk, of whose eigenvalues some are doubtful: learning counts those that the file's spectrum does not flag. */
    @Test
    void learningAndTheFileTrustTheSameEigenvalues() throws IOException {
        java.util.Random random = new java.util.Random(1);
        double[] at = new double[3];
        StringBuilder text = new StringBuilder("a,b,c\n");
        for (int i = 0; i < 600; i++) {
            java.util.Arrays.setAll(at, c -> at[c] + random.nextGaussian());
            text.append(at[0] + "," + at[1] + "," + at[2] + "\n");
        }
        Path walk = Files.writeString(folder.resolve("walk.csv"), text);
        Path learned = folder.resolve("walk.safetensors");
        String said =
                succeed("learn", walk, "-o", learned, "--kernel", "gaussian(3)").out();
        int trusted = succeed("spectrum", learned, "-k", 8, "--json").out().split("\"trusted\":true", -1).length - 1;
        assertThat(said).contains("; " + trusted + " of 7 eigenvalues are trusted");
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
        assertThat(scored.out()).contains("Computed with lambda ", "VAMP-2 ", "VAMP-E ");
        assertThat(succeed("forecast", model, "--from", "0.3,-1.5", "--steps", 2, "--lambda", 1e-3, "--json")
                        .out())
                .isNotEqualTo(succeed("forecast", model, "--from", "0.3,-1.5", "--steps", 2, "--json")
                        .out());
        Path sogd = folder.resolve("one-operator.safetensors");
        succeed("learn", data, "-o", sogd, "--method", "sogd", "--kernel", "gaussian(0.5)");
        assertThat(CommandRun.of("spectrum", sogd, "--lambda", 0.1).code()).isEqualTo(Exit.WRONG_USAGE);
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
                .containsPattern("\"mean\":\\[\\[-0\\..*\"quantiles\":\\[\\[\\[-");
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
                        "How far forecasts have been off, each judged before its target was learned.",
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
