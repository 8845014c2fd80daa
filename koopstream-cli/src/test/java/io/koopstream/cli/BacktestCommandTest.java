package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What forecasts of a file would have been worth, as a user asks. */
class BacktestCommandTest {

    private static final int ROWS = 700;

    @TempDir
    private static Path folder;

    private static Path data;

    /** Weekly values that grow and have a season. */
    @BeforeAll
    static void write() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder text = new StringBuilder("week,level\n");
        LocalDate begin = LocalDate.of(1990, 1, 1);
        for (int t = 0; t < ROWS; t++) {
            double level = 300 + 0.03 * t + 3 * Math.cos(2 * Math.PI * 7 * t / 365.2425) + 0.2 * random.nextGaussian();
            text.append(begin.plusWeeks(t)).append(',').append(level).append('\n');
        }
        data = folder.resolve("level.csv");
        Files.writeString(data, text);
    }

    private static CommandRun run(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    @Test
    void theSeasonIsFoundAndForecastFarAhead() {
        // Persistence errs by 0.7 and 0.9 of the standard deviation; of a season without any irregularity an
        // autoregression is as good.
        assertThat(run("backtest", data, "--horizons", "13,26", "--origins", 40).out())
                .containsPattern("91 d +0\\.[01]\\d+ +0\\.[6-9]")
                .containsPattern("182 d +0\\.[01]\\d+ +0\\.[7-9]");
    }

    @Test
    void withoutCalendarAndDelaysTheSeasonIsFoundInTheRowsThatAreRemembered() {
        CommandRun run =
                run("backtest", data, "--horizons", "26", "--origins", 40, "--calendar", "none", "--delays", 0);
        assertThat(run.out()).as("a year later than half a year ago").containsPattern("182 d +0\\.0\\d+ +0\\.9");
    }

    @Test
    void preparedModelsAreJudgedInTheUnitsOfTheData() {
        CommandRun run = run(
                "backtest",
                data,
                "--horizons",
                "13",
                "--origins",
                40,
                "--difference",
                "--log",
                "--calendar",
                "season",
                "--json");
        double error = Double.parseDouble(run.out().replaceAll("(?s).*\"errors\":\\[([0-9.]+)\\].*", "$1"));
        assertThat(error).as("levels are about 310; the season moves them by 3").isBetween(0.05, 1.0);
        assertThat(run.out()).contains("\"rolling\":false");
    }

    @Test
    void rollingOriginsBeginAfterATenth() {
        CommandRun run = run("backtest", data, "--horizons", "1", "--origins", 40, "--rolling");
        assertThat(run.out())
                .contains("100 rows learned before the first origin")
                .contains("deviation of all rows");
        assertThat(CommandRun.of("backtest", data, "--rolling", "--train", "0.5")
                        .err())
                .contains("mutually exclusive");
    }

    @Test
    void horizonsFollowTheRowsUnlessTheyAreSaid() throws IOException {
        Path few = folder.resolve("few.csv");
        Files.write(few, Files.readAllLines(data).subList(0, 145));
        CommandRun run = run("backtest", few, "--kernel", "gaussian(3)", "--calendar", "none");
        assertThat(run.out())
                .contains("100 rows learned before the first origin, 20 origins after it")
                .contains("168 d")
                .doesNotContain("672 d");
        CommandRun said = CommandRun.of("backtest", few, "--kernel", "gaussian(3)", "--horizons", "1,96");
        assertThat(said.code()).isNotZero();
        assertThat(said.err()).contains("144 rows with 100 to learn and 96 steps ahead");
    }

    /** Interleaved trajectories at different levels: from its own last row, each is persistent. */
    @Test
    void everyTrajectoryIsJudgedOnItsOwnRows() throws IOException {
        StringBuilder text = new StringBuilder("time,unit,x\n");
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 120; i++) {
            for (int unit = 0; unit < 4; unit++) {
                text.append(i + "," + unit + "," + (10 * unit + random.nextGaussian()) + "\n");
            }
        }
        Path units = Files.writeString(folder.resolve("units.csv"), text);
        String out = run("backtest", units, "--group", "unit", "--kernel", "gaussian(5)", "--horizons", 1, "--json")
                .out();
        assertThat(out)
                .contains("\"judged\":480,\"trajectories\":4,\"trained\":320")
                .contains("\"origins\":156");
        double persistence = Double.parseDouble(out.replaceAll("(?s).*\"persistenceErrors\":\\[([0-9.]+)\\].*", "$1"));
        assertThat(persistence).as("two independent errors").isBetween(1.2, 1.7);
    }

    @Test
    void aCalendarNeedsTimes() throws IOException {
        Path plain = folder.resolve("plain.csv");
        Files.writeString(plain, Files.readString(data).replaceAll("(?m)^[^,\n]*,", ""));
        CommandRun run = CommandRun.of("backtest", plain, "--horizons", "1", "--calendar", "season");
        assertThat(run.code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(run.err()).contains("the rows have no times");
    }
}
