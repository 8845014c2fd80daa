package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sensor that reports when it likes, in a format of its own. */
class IrregularTimesTest {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("dd.MM.yy HH:mm:ss");
    private static final String[] TIME_FORMAT = {"--time-format", "dd.MM.yy HH:mm:ss"};

    @TempDir
    private Path folder;

    private Path sensor(int rows, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        LocalDateTime time = LocalDateTime.of(2024, 1, 2, 0, 0);
        StringBuilder table = new StringBuilder("when,v\n");
        for (int i = 0; i < rows; i++) {
            time = time.plusSeconds(1 + (long) (-600 * Math.log(random.nextDouble())));
            double hours = time.getHour() + time.getMinute() / 60.0;
            table.append(time.format(FORMAT)).append(',').append(10 + 3 * Math.sin(2 * Math.PI * hours / 24));
            table.append('\n');
        }
        return Files.writeString(folder.resolve("sensor" + seed + ".csv"), table);
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        return run;
    }

    private static long samples(CommandRun learned) {
        return Long.parseLong(learned.out()
                .replaceAll("(?s).*Learned from ([0-9,]+) samples.*", "$1")
                .replace(",", ""));
    }

    @Test
    void lookProposesRegularTimesAndTheModelRemembersThem() throws IOException {
        Path data = sensor(2000, 1);
        CommandRun look = succeed("look", data, TIME_FORMAT[0], TIME_FORMAT[1]);
        assertThat(look.out())
                .contains("come at irregular times")
                .contains("--resample 1h makes regular rows")
                .endsWith("--time-format 'dd.MM.yy HH:mm:ss' --resample 1h\n");
        Path model = folder.resolve("sensor.safetensors");
        CommandRun plain =
                succeed("learn", data, "-o", folder.resolve("plain"), TIME_FORMAT[0], TIME_FORMAT[1], "--delays", "4");
        assertThat(plain.out()).contains("--resample makes regular rows");
        CommandRun learned = succeed(
                "learn",
                data,
                "-o",
                model,
                TIME_FORMAT[0],
                TIME_FORMAT[1],
                "--resample",
                "1h",
                "--delays",
                "4",
                "--kernel",
                "gaussian(10)");
        assertThat(samples(learned)).isGreaterThan(310).isGreaterThan(3 * samples(plain));
        // Neither the format nor the interval is said again.
        CommandRun forecast = succeed("forecast", model, "--data", sensor(300, 2), "--steps", "2");
        assertThat(forecast.out()).containsPattern("After [0-9.]+ [0-9]{2}:00:00:\n");
        CommandRun score = succeed("score", model, sensor(300, 2));
        assertThat(score.out()).containsPattern("[45][0-9] rows, [34][0-9] scored");
    }

    /** A clock that is off by up to a third of the interval needs no other times. */
    @Test
    void rowsThatJitterAroundAGridAreRegular() throws IOException {
        SplittableRandom random = new SplittableRandom(6);
        StringBuilder table = new StringBuilder("time,v\n");
        int rows = 0;
        for (int t = 0; t < 4000; t++) {
            if (random.nextInt(50) > 0) {
                table.append(60 * (t + random.nextDouble(-0.33, 0.33)) + "," + Math.sin(t / 5.0) + "\n");
                rows++;
            }
        }
        Path data = Files.writeString(folder.resolve("jitter.csv"), table);
        CommandRun look = succeed("look", data);
        assertThat(look.out()).doesNotContain("irregular").doesNotContain("--resample");
        CommandRun learned = succeed(
                "learn",
                data,
                "-o",
                folder.resolve("jitter"),
                "--kernel",
                "gaussian(2)",
                "--delays",
                "0",
                "--holdout",
                "0");
        assertThat(samples(learned)).isBetween((long) (0.94 * rows), (long) (0.98 * rows));
    }

    /** Every stretch between missing rows is judged, not the longest alone. */
    @Test
    void aBacktestOfResampledRowsJudgesAllStretches() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(sensor(2000, 1)));
        lines.subList(1500, 1560).clear();
        lines.subList(1000, 1060).clear();
        lines.subList(500, 560).clear();
        Path data = Files.write(folder.resolve("outages.csv"), lines);
        String options = "--resample 1h --delays 0 --kernel gaussian(10) --json";
        List<Object> words = new ArrayList<>(List.of("backtest", data, TIME_FORMAT[0], TIME_FORMAT[1]));
        words.addAll(List.of(options.split(" ")));
        String out = succeed(words.toArray()).out();
        long rows = Long.parseLong(out.replaceAll("(?s).*\"rows\":([0-9]+),.*", "$1"));
        long pairs = Long.parseLong(out.replaceAll("(?s).*?\"pairs\":([0-9]+),.*", "$1"));
        long judged = Long.parseLong(out.replaceAll("(?s).*?\"steps\":1,\"targets\":([0-9]+),.*", "$1"));
        assertThat(rows).isBetween(335L, 345L);
        assertThat(pairs).as("three outages of about ten hours").isBetween(295L, 315L);
        assertThat(judged).as("four stretches of about 75 rows").isGreaterThan(270);
    }

    @Test
    void aForecastAfterAGapSaysWhereItStarts() throws IOException {
        StringBuilder table = new StringBuilder("time,v\n");
        for (int t = 0; t < 200; t++) {
            table.append(t < 197 ? t : t + 50)
                    .append(',')
                    .append(Math.sin(t / 5.0))
                    .append('\n');
        }
        Path data = Files.writeString(folder.resolve("gap.csv"), table);
        Path model = folder.resolve("gap.safetensors");
        succeed("learn", data, "-o", model, "--kernel", "gaussian(2)", "--delays", "4");
        CommandRun ended = CommandRun.of("forecast", model);
        assertThat(ended.code()).isNotEqualTo(Exit.OK);
        assertThat(ended.err()).contains("learning ended 3 rows after a gap, and a state takes more");
        CommandRun forecast = succeed("forecast", model, "--data", data, "--steps", "1");
        assertThat(forecast.err()).contains("starts after row 197 (196): the 3 rows behind it follow a gap");
        assertThat(forecast.out()).startsWith("After 196:");
    }

    @Test
    void timesThatAreNumbersDoNotShowTheRoundingOfSums() throws IOException {
        StringBuilder table = new StringBuilder("time,v\n");
        for (int t = 0; t < 200; t++) {
            table.append(String.format(java.util.Locale.ROOT, "%.11f,%s%n", 1991.5 + t / 260.0, Math.sin(t / 5.0)));
        }
        Path data = Files.writeString(folder.resolve("stocks.csv"), table);
        Path model = folder.resolve("stocks.safetensors");
        succeed("learn", data, "-o", model, "--kernel", "gaussian(2)", "--delays", "4");
        CommandRun forecast = succeed("forecast", model, "--data", data, "--steps", "8");
        assertThat(forecast.out())
                .contains("\n1992.269230769 ", "\n1992.273076923 ")
                .doesNotContainPattern("[.][0-9]{10}");
    }

    /** Numbers in the first line do not tell whether they are names; the model knows what was said of its own data. */
    @Test
    void aModelKnowsWhetherTheFirstLineIsAHeader() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int t = 0; t < 300; t++) {
            rows.append(Math.sin(t / 5.0)).append(',').append(Math.cos(t / 5.0)).append('\n');
        }
        Path data = Files.writeString(folder.resolve("bare.csv"), rows);
        Path named = Files.writeString(folder.resolve("named.csv"), "x2,x1\n0.5,0.25\n");
        Path model = folder.resolve("bare.safetensors");
        assertThat(CommandRun.of("learn", data, "-o", model).err()).contains("add --no-header");
        succeed("learn", data, "-o", model, "--no-header", "--kernel", "gaussian(1)");
        assertThat(succeed("score", model, data).out()).contains("300 rows");
        succeed("forecast", model, "--data", data, "--steps", "1");
        // A line that names the model's columns is a header all the same.
        succeed("forecast", model, "--data", named, "--steps", "1", "--anyway");
    }
}
