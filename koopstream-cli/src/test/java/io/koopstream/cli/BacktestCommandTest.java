package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
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
        // The last row errs by 0.5 and 0.7 of the standard deviation; of a season without any irregularity an
        // autoregression is better still.
        assertThat(run("backtest", data, "--horizons", "13,26").out())
                .containsPattern("91 d +0\\.[01]\\d+ +0\\.[4-6]")
                .containsPattern("182 d +0\\.1\\d+ +0\\.[6-8]");
    }

    @Test
    void withoutCalendarAndDelaysTheSeasonIsFoundInTheRowsThatAreRemembered() {
        CommandRun run = run("backtest", data, "--horizons", "26", "--calendar", "none", "--delays", 0);
        assertThat(run.out()).as("a year later than half a year ago").containsPattern("182 d +0\\.1\\d+ +0\\.[6-8]");
    }

    @Test
    void whatFewRowsDoNotTellIsADash() throws IOException {
        Path few = folder.resolve("few-weeks.csv");
        Files.write(few, Files.readAllLines(data).subList(0, 26));
        assertThat(run("backtest", few, "--kernel", "gaussian(3)", "--calendar", "none", "--horizons", "1")
                        .out())
                .containsPattern("(?m)^ +7 d .* -$")
                .doesNotContain("NaN");
    }

    @Test
    void differencesAreJudgedByTheirLevels() {
        CommandRun run = run("backtest", data, "--horizons", "13", "--difference", "--calendar", "season", "--json");
        double error =
                Double.parseDouble(run.out().replaceAll("(?s).*\"steps\":13,.*?\"columns\":\\[([0-9.]+)\\].*", "$1"));
        assertThat(error).as("levels are about 310; the season moves them by 3").isBetween(0.05, 1.0);
    }

    @Test
    void horizonsAreAnyAndThoseBeyondTheRowsAreNamed() throws IOException {
        Path few = folder.resolve("few.csv");
        Files.write(few, Files.readAllLines(data).subList(0, 145));
        CommandRun run = run("backtest", few, "--kernel", "gaussian(3)", "--calendar", "none", "--horizons", "1,5,140");
        assertThat(run.out())
                .containsPattern("(?m)^ +35 d ")
                .contains("Too few rows to judge forecasts of 140 rows ahead.");
        CommandRun wrong = CommandRun.of("backtest", few, "--horizons", "0");
        assertThat(wrong.code()).isNotZero();
        assertThat(wrong.err()).contains("from 1 to 1000");
    }

    @Test
    void stretchesBetweenGapsAreAllJudged() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(data));
        lines.subList(300, 310).clear();
        Path gap = Files.write(folder.resolve("gap.csv"), lines);
        assertThat(run("backtest", gap, "--kernel", "gaussian(3)", "--calendar", "none")
                        .out())
                .contains("690 rows, 688 of them follow another");
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
        assertThat(out).contains("\"rows\":480,\"pairs\":476");
        double last = Double.parseDouble(out.replaceAll("(?s).*?\"last row\":([0-9.]+).*", "$1"));
        assertThat(last)
                .as("two independent errors of 1, levels of 10, 20 and 30")
                .isBetween(0.1, 0.15);
    }

    @Test
    void aCalendarNeedsTimes() throws IOException {
        Path plain = folder.resolve("plain.csv");
        Files.writeString(plain, Files.readString(data).replaceAll("(?m)^[^,\n]*,", ""));
        CommandRun run = CommandRun.of("backtest", plain, "--horizons", "1", "--calendar", "season");
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("row 1: an observation without time, which calendar = season needs");
    }
}
