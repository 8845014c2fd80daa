package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A room that a thermostat heats, with the temperature outside as an input. */
class InputsTest {

    private static final int LEARNED = 900;
    private static final int AHEAD = 30;

    @TempDir
    private static Path folder;

    private static Path model;
    private static final double[] room = new double[LEARNED + AHEAD];
    private static final List<String> outside = new ArrayList<>();
    private static final List<String> times = new ArrayList<>();

    @BeforeAll
    static void learn() throws IOException {
        SplittableRandom random = new SplittableRandom(77);
        LocalDateTime begin = LocalDateTime.of(2025, 1, 1, 0, 0);
        double weather = 0;
        double inside = 20;
        List<String> rows = new ArrayList<>(List.of("time,outside,room"));
        for (int t = 0; t < room.length; t++) {
            weather = 0.95 * weather + random.nextGaussian();
            inside +=
                    0.06 * (weather - inside) + 1.32 / (1 + Math.exp(2 * (inside - 20))) + 0.05 * random.nextGaussian();
            room[t] = inside;
            outside.add(String.format(Locale.ROOT, "%.6f", weather));
            times.add(begin.plusHours(t) + ":00");
            if (t < LEARNED) {
                rows.add(times.get(t) + "," + outside.get(t) + "," + String.format(Locale.ROOT, "%.6f", inside));
            }
        }
        Path data = Files.write(folder.resolve("heating.csv"), rows);
        model = folder.resolve("heating.safetensors");
        CommandRun run = CommandRun.of("learn", data, "--inputs", "outside", "-o", model);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
    }

    private static Path file(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), Arrays.asList(lines));
    }

    private static Path dated(String name, int from) throws IOException {
        List<String> lines = new ArrayList<>(List.of("time,outside"));
        for (int t = from; t < room.length; t++) {
            lines.add(times.get(t) + "," + outside.get(t));
        }
        return Files.write(folder.resolve(name), lines);
    }

    private static CommandRun ok(Object... words) {
        CommandRun run = CommandRun.of(words);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        return run;
    }

    private static List<double[]> table(Object... more) throws IOException {
        Path result = folder.resolve("result.csv");
        List<Object> words = new ArrayList<>(List.of("forecast", model, "-o", result, "--force"));
        words.addAll(Arrays.asList(more));
        ok(words.toArray());
        List<String> lines = Files.readAllLines(result);
        assertThat(lines.get(0)).isEqualTo("time,row,step,known,room,room_q0.1,room_q0.9");
        return lines.stream()
                .skip(1)
                .map(line -> Arrays.stream(line.split(","))
                        .skip(1)
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toList();
    }

    private static double error(List<double[]> rows) {
        double squares = 0;
        for (int s = 0; s < rows.size(); s++) {
            squares += Math.pow(rows.get(s)[3] - room[LEARNED + s], 2) / rows.size();
        }
        return Math.sqrt(squares);
    }

    @Test
    void comingInputsMakeForecastsBetterAndBandsNarrower() throws IOException {
        List<double[]> given = table("--future", dated("future.csv", LEARNED));
        List<double[]> unknown = table("--steps", AHEAD);
        assertThat(given).as("as many steps as rows").hasSize(AHEAD);
        assertThat(error(given)).isLessThan(0.5 * error(unknown)).isLessThan(0.25);
        double[] last = given.get(AHEAD - 1);
        double[] blind = unknown.get(AHEAD - 1);
        assertThat(last[5] - last[4]).isLessThan(0.7 * (blind[5] - blind[4]));
    }

    @Test
    void rowsGoWithStepsByTheirTimesOrInTheirOrder() throws IOException {
        List<double[]> given = table("--future", dated("longer.csv", LEARNED - 200), "--steps", 10);
        List<String> undated = new ArrayList<>(List.of("outside"));
        undated.addAll(outside.subList(LEARNED, LEARNED + 10));
        List<double[]> ordered = table("--future", file("undated.csv", undated.toArray(String[]::new)));
        assertThat(ordered.toArray(double[][]::new)).isDeepEqualTo(given.toArray(double[][]::new));
    }

    @Test
    void theAnswerSaysWhatInputsAre() throws IOException {
        assertThat(ok("forecast", model, "--steps", 2).out())
                .contains(
                        "Inputs (outside) are forecast from their own past; --future FILE brings their coming values.");
        Path future = dated("future2.csv", LEARNED);
        assertThat(ok("forecast", model, "--future", future).out()).contains("Inputs (outside) are as given");
        assertThat(ok("forecast", model, "--future", future, "--json").out())
                .contains("\"names\":[\"room\"]", "\"inputs\":{\"outside\":\"given\"}");
        assertThat(ok("info", model, "--json").out()).contains("\"names\":[\"room\",\"outside\"]");
    }

    private static void refused(String why, Object... words) {
        CommandRun run = CommandRun.of(words);
        assertThat(run.code()).isNotEqualTo(Exit.OK);
        assertThat(run.err()).contains(why);
    }

    @Test
    void filesThatDoNotFitAreRefused() throws IOException {
        refused("the inputs of", "forecast", model, "--future", file("other.csv", "wind", "1", "2"));
        refused("of 2 rows", "forecast", model, "--steps", 3, "--future", file("few.csv", "outside", "1", "2"));
        refused("NaN", "forecast", model, "--future", file("hole.csv", "outside,x", "1,1", ",2", "3,3"));
        refused(
                "one step after the start",
                "forecast",
                model,
                "--future",
                file("late.csv", "time,outside", "2026-01-01T00:00,1", "2026-01-01T01:00,1"));
        Path wells = file("plain.csv", "a,b", "1,2", "2,1", "1,2", "2,1", "1.5,2", "2,1");
        refused("no column 'c'", "learn", wells, "--inputs", "c", "-o", folder.resolve("no.safetensors"));
        refused("last of the 2", "learn", wells, "--inputs", "a,b", "-o", folder.resolve("no.safetensors"));
    }
}
