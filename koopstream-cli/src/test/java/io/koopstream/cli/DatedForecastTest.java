package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a dated file to forecasts with times, as a user would go. */
class DatedForecastTest {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final LocalDateTime BEGIN = LocalDateTime.of(2024, 3, 1, 0, 0);
    private static final int ROWS = 600;

    @TempDir
    private static Path folder;

    private static Path data;
    private static Path model;

    /** A daily cycle around a level, seen every hour: load = 10 + 3 cos, price = 5 + sin, always positive. */
    private static String row(int t) {
        double phase = 2 * Math.PI * t / 24;
        return BEGIN.plusHours(t).format(FORMAT) + "," + (10 + 3 * Math.cos(phase)) + ",sunny," + (5 + Math.sin(phase))
                + "\n";
    }

    private static String table(int rows) {
        StringBuilder text = new StringBuilder("date,load,weather,price\n");
        for (int t = 0; t < rows; t++) {
            text.append(row(t));
        }
        return text.toString();
    }

    @BeforeAll
    static void learn() throws IOException {
        data = folder.resolve("load.csv");
        Files.writeString(data, table(ROWS));
        model = folder.resolve("load.safetensors");
        CommandRun run = succeed("learn", data, "-o", model);
        assertThat(eigenvalues(run))
                .as("as many as 'koop spectrum' shows, and the same")
                .isNotEmpty()
                .isEqualTo(eigenvalues(succeed("spectrum", model)));
        assertThat(run.out()).contains("A step is 1 h").contains("1 d");
        assertThat(run.err()).contains("'weather' holds text").contains("times in 'date'");
    }

    private static List<String> eigenvalues(CommandRun run) {
        return run.out()
                .lines()
                .filter(line -> line.matches(" +[0-9]+ +-?[0-9.]+ .*"))
                .toList();
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private static List<String[]> csv(Path file) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            rows.add(line.split(",", -1));
        }
        return rows;
    }

    @Test
    void aForecastBeginsWhereLearningEndedWithTheTimesOfTheData() throws IOException {
        CommandRun run = succeed("forecast", model, "--steps", 3);
        String last = BEGIN.plusHours(ROWS - 1).format(FORMAT);
        assertThat(run.out())
                .startsWith("After " + last + ":")
                .contains(BEGIN.plusHours(ROWS + 2).format(FORMAT));
        Path out = folder.resolve("end.csv");
        Path picture = folder.resolve("end.svg");
        succeed("forecast", model, "--steps", 24, "-o", out, "--plot", picture);
        assertThat(picture).content().contains(">" + last + "<");
        List<String[]> rows = csv(out);
        assertThat(rows.get(0)).startsWith("time", "row", "step", "known", "load", "price", "load_q0.1");
        for (int s = 1; s <= 24; s++) {
            double phase = 2 * Math.PI * (ROWS - 1 + s) / 24;
            String[] cells = rows.get(s);
            assertThat(cells[0]).isEqualTo(BEGIN.plusHours(ROWS - 1 + s).format(FORMAT));
            assertThat(Double.parseDouble(cells[4])).isCloseTo(10 + 3 * Math.cos(phase), within(0.05));
            assertThat(Double.parseDouble(cells[6]))
                    .as("a band is never of width zero")
                    .isLessThan(Double.parseDouble(cells[8]));
        }
    }

    @Test
    void theTimesOfAForecastOfWorkingDaysAreWorkingDays() throws IOException {
        StringBuilder text = new StringBuilder("date,price\n");
        LocalDate day = LocalDate.of(2024, 3, 1);
        for (int t = 0; t < 260; t++) {
            text.append(day).append(',').append(10 + Math.sin(0.3 * t)).append('\n');
            day = day.plusDays(day.getDayOfWeek() == DayOfWeek.FRIDAY ? 3 : 1);
        }
        Path market = folder.resolve("market.csv");
        Files.writeString(market, text);
        Path learned = folder.resolve("market.safetensors");
        assertThat(succeed("look", market).out()).contains("1 working day apart, no gaps");
        assertThat(succeed("learn", market, "-o", learned).out()).contains("A step is 1 working day");
        Path out = folder.resolve("market-ahead.csv");
        succeed("forecast", learned, "--steps", 10, "-o", out);
        for (String[] cells : csv(out).subList(1, 11)) {
            assertThat(LocalDate.parse(cells[0]).getDayOfWeek()).isNotIn(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
        }
        Path picture = folder.resolve("market.svg");
        CommandRun shown = succeed("forecast", learned, "--data", market, "--steps", 10, "--plot", picture);
        assertThat(Files.readString(picture)).as("the rows before the fan").contains("2025-02-13");
        assertThat(shown.out().lines().filter(line -> line.startsWith("2025-")).map(line -> line.split("[ (]+", -1)[1]))
                .as("one notation and one number of decimals")
                .hasSize(10)
                .extracting(number -> number.replaceAll("[0-9]+\\.", "").length())
                .containsOnly(4);
    }

    @Test
    void aModelSaysHowGoodItsForecastsHaveBeenAndAForecastOfWhatItIsMade() {
        assertThat(succeed("info", model).out())
                .contains("Forecasts, each judged before its target was learned")
                .containsPattern("(?m)^ +1 d +0\\.0\\d+ +0\\.000 +0\\.000 ")
                .doesNotContain("%%");
        assertThat(succeed("info", model, "--json").out()).contains("\"forecasts\":[{\"steps\":1,");
        CommandRun run = succeed("forecast", model, "--steps", 24);
        assertThat(run.out()).containsPattern("At 1 d: [0-9]+ % [a-zA-Z ]+");
        assertThat(succeed("forecast", model, "--steps", 2, "--json").out()).contains("\"madeOf\":{\"");
    }

    @Test
    void forecastsBeginAfterTheRowsThatWereAskedFor() throws IOException {
        Path out = folder.resolve("rows.csv");
        succeed("forecast", model, "--data", data, "--rows", "100..102", "--steps", 2, "-o", out);
        List<String[]> rows = csv(out);
        assertThat(rows).hasSize(1 + 3 * 2);
        assertThat(rows.get(1)[1]).isEqualTo("100");
        assertThat(rows.get(1)[0]).isEqualTo(BEGIN.plusHours(100).format(FORMAT));
        Path list = folder.resolve("list.txt");
        Files.writeString(list, "100\n102\n");
        Path listed = folder.resolve("listed.csv");
        succeed("forecast", model, "--data", data, "--rows", list, "--steps", 2, "-o", listed);
        assertThat(csv(listed).get(3)).isEqualTo(rows.get(5));
        Path every = folder.resolve("every.npy");
        succeed(
                "forecast",
                model,
                "--data",
                data,
                "--every",
                100,
                "--steps",
                5,
                "--quantiles",
                "0.025,0.5,0.975",
                "-o",
                every);
        assertThat(Files.readString(every, java.nio.charset.StandardCharsets.ISO_8859_1))
                .contains("(4, 6, 5, 2");
        assertThat(CommandRun.of("forecast", model, "--data", data, "--rows", "9000")
                        .code())
                .isEqualTo(Exit.BAD_DATA);
    }

    @Test
    void logarithmsDifferencesAndTheCalendarAreUndone() throws IOException {
        Path prepared = folder.resolve("prepared.safetensors");
        succeed(
                "learn",
                data,
                "-o",
                prepared,
                "--log",
                "load",
                "--difference",
                "--calendar",
                "hour",
                "--columns",
                "load,price");
        assertThat(succeed("info", prepared).out()).contains("diff(log(load))").contains("hour_sin");
        Path out = folder.resolve("prepared.csv");
        succeed("forecast", prepared, "--steps", 24, "-o", out);
        for (int s = 1; s <= 24; s++) {
            double phase = 2 * Math.PI * (ROWS - 1 + s) / 24;
            String[] cells = csv(out).get(s);
            assertThat(Double.parseDouble(cells[4])).isCloseTo(10 + 3 * Math.cos(phase), within(0.1));
            assertThat(Double.parseDouble(cells[5])).isCloseTo(5 + Math.sin(phase), within(0.1));
        }
        assertThat(CommandRun.of("forecast", prepared, "--from", "1,2,3,4").err())
                .contains("--data");
    }

    @Test
    void observablesAreForecastByFormula() throws IOException {
        Path out = folder.resolve("cost.csv");
        succeed("forecast", model, "--steps", 6, "--observable", "load*price", "-o", out);
        List<String[]> rows = csv(out);
        assertThat(rows.get(0)).contains("load*price", "load*price_q0.9");
        for (int s = 1; s <= 6; s++) {
            double phase = 2 * Math.PI * (ROWS - 1 + s) / 24;
            assertThat(Double.parseDouble(rows.get(s)[6]))
                    .isCloseTo((10 + 3 * Math.cos(phase)) * (5 + Math.sin(phase)), within(0.5));
        }
        assertThat(CommandRun.of("forecast", model, "--observable", "nothing+1").code())
                .isNotZero();
    }

    @Test
    void aStartThatNobodyKnowsIsRefusedUnlessAskedAnyway() {
        CommandRun run = CommandRun.of("forecast", model, "--from", "1000,-1000");
        if (run.err().contains("numbers, a state")) {
            // The advisor took delays: say a far state in all of them.
            int numbers = Integer.parseInt(run.err().replaceAll("(?s).*has (\\d+) \\(.*", "$1"));
            run = CommandRun.of("forecast", model, "--from", "1000" + ",-1000".repeat(numbers - 1));
        }
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("known");
    }

    @Test
    void spectraKnowTheirStepAndCanBeToldAnother() {
        assertThat(succeed("spectrum", model).out()).contains("period").contains("1 d");
        assertThat(succeed("spectrum", model, "--dt", "2h").out()).contains("2 d");
        assertThat(succeed("spectrum", model, "--json").out())
                .contains("\"dt\":3600.0")
                .contains("\"timeUnit\":\"s\"");
        assertThat(CommandRun.of("spectrum", model, "--dt", "0").code()).isEqualTo(Exit.BAD_DATA);
    }

    @Test
    void missingValuesAreGapsOrFilledIn() throws IOException {
        Path holes = folder.resolve("holes.csv");
        Files.writeString(
                holes, table(ROWS).replace(row(300), BEGIN.plusHours(300).format(FORMAT) + ",,rain,NA\n"));
        CommandRun gap = succeed("learn", holes, "-o", folder.resolve("gap.safetensors"), "--delays", 0);
        assertThat(gap.out()).contains("1 row with missing values").contains("--fill linear");
        CommandRun filled = succeed(
                "learn",
                holes,
                "-o",
                folder.resolve("filled.safetensors"),
                "--fill",
                "linear",
                "--json",
                "--delays",
                0);
        assertThat(filled.out())
                .contains("\"missing\":1")
                .contains("\"filled\":1")
                .contains("\"gaps\":0");
    }
}
