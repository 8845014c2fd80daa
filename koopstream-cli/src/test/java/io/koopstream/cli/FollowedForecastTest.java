package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forecasts from rows that came after learning ended: the record goes on over the rows before each start. */
class FollowedForecastTest {

    private static final int LEARNED = 600;
    private static final int ROWS = 1200;

    @TempDir
    private static Path folder;

    private static Path data;
    private static Path model;
    private static final double[] values = new double[ROWS];

    /** A slow oscillation whose noise is twice as large once learning has ended. */
    @BeforeAll
    static void learn() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        double x = 0;
        List<String> lines = new ArrayList<>(List.of("x"));
        for (int t = 0; t < ROWS; t++) {
            x = 0.9 * x + (t < LEARNED ? 1 : 2) * random.nextGaussian();
            values[t] = x;
            lines.add(String.format(Locale.ROOT, "%.6f", x));
        }
        data = folder.resolve("all.csv");
        Files.write(data, lines);
        Path early = folder.resolve("early.csv");
        Files.write(early, lines.subList(0, LEARNED + 1));
        model = folder.resolve("model.safetensors");
        assertThat(CommandRun.of("learn", early, "-o", model).code()).isZero();
    }

    /** Row, step, known, mean and the two quantiles of the first step from every start. */
    private static List<double[]> forecasts(Path file, String... starts) throws IOException {
        Path result = folder.resolve("forecasts.csv");
        List<Object> words =
                new ArrayList<>(List.of("forecast", model, "--data", file, "--steps", 1, "-o", result, "--force"));
        words.addAll(List.of(starts));
        CommandRun run = CommandRun.of(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return Files.readAllLines(result).stream()
                .skip(1)
                .map(line -> List.of(line.split(",")).stream()
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .collect(Collectors.toList());
    }

    private static double width(double[] forecast) {
        return forecast[5] - forecast[4];
    }

    @Test
    void bandsFollowTheErrorsOfTheRowsBeforeEachStart() throws IOException {
        List<double[]> all = forecasts(data, "--rows", "550..1199");
        double before = width(all.get(LEARNED - 550));
        double after = width(all.get(all.size() - 1));
        assertThat(after / before).as("noise is twice as large").isBetween(1.5, 3.0);
        long held = all.stream()
                .filter(one -> one[0] >= 800)
                .filter(one -> values[(int) one[0]] >= one[4] && values[(int) one[0]] <= one[5])
                .count();
        assertThat(held / 400.0).as("share held by 80 % bands").isBetween(0.72, 0.88);
    }

    @Test
    void startsDoNotDependOnWhichOthersAreAskedFor() throws IOException {
        assertThat(forecasts(data, "--rows", "1000").get(0))
                .containsExactly(forecasts(data, "--rows", "700..1000").get(300));
    }

    @Test
    void rowsThatWereLearnedAreNotJudgedAgain() throws IOException {
        Path early = folder.resolve("early.csv");
        double[] last = forecasts(early).get(0);
        CommandRun run = CommandRun.of("forecast", model, "--steps", 1, "--json");
        assertThat(run.out()).as("as from where learning ended").contains(Double.toString(last[4]));
    }
}
