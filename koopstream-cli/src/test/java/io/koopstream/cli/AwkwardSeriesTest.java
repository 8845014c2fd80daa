package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Series of the kinds that monitoring brings: each is learned and scored without an option, whatever it lacks. */
class AwkwardSeriesTest {

    private static final int ROWS = 2_000;
    private static final int EVENT = 1_500;
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final LocalDateTime BEGIN = LocalDateTime.of(2014, 3, 28, 0, 0);

    @TempDir
    private Path folder;

    /** Series of values five minutes apart. */
    private enum Kind {
        CONSTANT,
        FLAT_THEN_SPIKE,
        FLAT_MIDDLE,
        SQUARE,
        SQUARE_WITHOUT_A_PULSE,
        SPARSE_COUNTS,
        GROWING_SAWTOOTH,
        NOISE,
        HUGE,
        TINY;

        private double value(int t) {
            boolean event = t >= EVENT && t < EVENT + 100;
            return switch (this) {
                case CONSTANT -> 45;
                case FLAT_THEN_SPIKE -> t == EVENT ? 90 : 45;
                case FLAT_MIDDLE -> event ? 20 : 50 + 30 * Math.sin(t * Math.PI / 144);
                case SQUARE -> t / 50 % 2 * 10;
                case SQUARE_WITHOUT_A_PULSE -> event ? 0 : t / 50 % 2 * 10;
                case SPARSE_COUNTS -> t % 97 == 0 ? 1 + t % 5 : 0;
                case GROWING_SAWTOOTH -> t % 40 * (1 + t / 1000.0);
                case NOISE -> new SplittableRandom(t).nextGaussian();
                case HUGE -> 1e17 * (3 + Math.sin(t / 20.0));
                case TINY -> 1e-17 * (3 + Math.sin(t / 20.0));
            };
        }
    }

    private List<String> scores(String name, StringBuilder rows) throws IOException {
        Path data = Files.writeString(folder.resolve(name), "timestamp,value\n" + rows);
        Path model = folder.resolve(name + ".safetensors");
        Path scores = folder.resolve(name + ".scores.csv");
        CommandRun learned = CommandRun.of("learn", data, "-o", model, "--scores", scores);
        assertThat(learned.code()).as(learned.err()).isEqualTo(Exit.OK);
        CommandRun scored = CommandRun.of("score", model, data);
        assertThat(scored.code()).as(scored.err()).isEqualTo(Exit.OK);
        return Files.readAllLines(scores);
    }

    private static double p(List<String> scores, int row) {
        int column = List.of(scores.get(0).split(",")).indexOf("p");
        String cell = scores.get(row + 1).split(",", -1)[column];
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    /** Very small and very large values are written with an exponent. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyKindIsLearnedAndScored(Kind kind) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int t = 0; t < ROWS; t++) {
            rows.append(BEGIN.plusMinutes(5L * t).format(FORMAT)).append(',').append(kind.value(t));
            rows.append('\n');
        }
        List<String> scores = scores(kind.name(), rows);
        assertThat(scores).hasSize(ROWS + 1);
        long known = scores.stream()
                .skip(1)
                .filter(line -> !line.split(",", -1)[1].isEmpty())
                .count();
        assertThat(known).as("rows with a score").isGreaterThan(ROWS / 2);
        if (kind == Kind.FLAT_THEN_SPIKE) {
            assertThat(p(scores, EVENT)).as("p of the odd row").isLessThan(1e-3);
        }
    }

    /** Rows missing, rows doubled, and the hours that daylight saving leaves out and repeats, in local times. */
    @Test
    void gapsAndDoubledTimesLoseNoMoreThanTheirRows() throws IOException {
        StringBuilder rows = new StringBuilder();
        SplittableRandom random = new SplittableRandom(4);
        int written = 0;
        int doubled = 0;
        for (int t = 0; t < 3 * ROWS; t++) {
            LocalDateTime local = BEGIN.plusMinutes(5L * t);
            boolean summer = local.isAfter(BEGIN.plusDays(2).plusHours(1).plusMinutes(59));
            boolean autumn = t > 2 * ROWS;
            String line = local.plusHours(summer && !autumn ? 1 : 0).format(FORMAT) + ","
                    + String.format(
                            java.util.Locale.ROOT,
                            "%.3e",
                            50 + 30 * Math.sin(t * Math.PI / 144) + random.nextGaussian())
                    + "\n";
            if (random.nextInt(200) == 0) {
                t += random.nextInt(30);
            }
            rows.append(line);
            written++;
            if (random.nextInt(100) == 0) {
                rows.append(line);
                doubled++;
            }
        }
        List<String> scores = scores("awkward.csv", rows);
        assertThat(doubled).isPositive();
        assertThat(scores).hasSizeGreaterThanOrEqualTo(written + 1).hasSizeLessThanOrEqualTo(written + doubled + 1);
        Path data = folder.resolve("awkward.csv");
        String learned = CommandRun.of(
                        "learn", data, "-o", folder.resolve("again"), "--delays", "0", "--kernel", "gaussian(30)")
                .out();
        long samples = Long.parseLong(learned.replaceAll("(?s).*Learned from ([0-9,]+) samples.*", "$1")
                .replace(",", ""));
        assertThat(samples).as("of %d rows", written).isBetween((long) (0.85 * 0.9 * written), (long) written);
    }

    /** Months, years and working days, as statistics programs save their series. */
    @Test
    void calendarsOfShortSeriesAreKept() throws IOException {
        StringBuilder months = new StringBuilder();
        StringBuilder years = new StringBuilder();
        for (int t = 0; t < 144; t++) {
            double level = 100 + 2 * t + 20 * Math.sin(t * Math.PI / 6);
            months.append(1949 + t / 12)
                    .append(String.format(java.util.Locale.ROOT, "-%02d,", t % 12 + 1))
                    .append(level)
                    .append('\n');
            years.append(1821 + t)
                    .append(',')
                    .append(Math.round(1500 + 1400 * Math.sin(t * 0.65)))
                    .append('\n');
        }
        Path passengers = Files.writeString(folder.resolve("passengers.csv"), "month,passengers\n" + months);
        Path lynx = Files.writeString(folder.resolve("lynx.csv"), "year,lynx\n" + years);
        for (Path data : List.of(passengers, lynx)) {
            Path model = folder.resolve("model");
            CommandRun learned = CommandRun.of("learn", data, "-o", model, "--force", "--scores", folder.resolve("s"));
            assertThat(learned.code()).as(learned.err()).isEqualTo(Exit.OK);
            CommandRun forecast = CommandRun.of("forecast", model, "--steps", "14");
            assertThat(forecast.code()).as(forecast.err()).isEqualTo(Exit.OK);
            assertThat(forecast.out())
                    .contains(data.equals(lynx) ? "\n1978 " : "\n1962-02 ")
                    .doesNotContainPattern(" -[0-9]");
        }
    }
}
