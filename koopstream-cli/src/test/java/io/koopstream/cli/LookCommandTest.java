package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What koop look says of data, and that the line it ends with learns from them. */
class LookCommandTest {

    @TempDir
    Path folder;

    private static String row(int i, String place) {
        double angle = 0.1 * i;
        return String.format(
                Locale.ROOT,
                "2020-01-%02d %02d:00,%s,%.6f,%.6f,5,%.6f%n",
                1 + i / 24,
                i % 24,
                place,
                Math.sin(angle),
                Math.cos(angle),
                Math.sin(angle));
    }

    private Path file() throws IOException {
        StringBuilder text = new StringBuilder("when,place,x,y,five,again\n");
        for (String place : new String[] {"north", "south"}) {
            for (int i = 0; i < 300; i++) {
                // Ten rows are missing, as if the logger had stopped.
                text.append(i >= 100 && i < 110 ? "" : row(i, place));
            }
        }
        return Files.writeString(folder.resolve("places.csv"), text);
    }

    @Test
    void aFileIsDescribedAndTheLineThatLearnsFromItWorks() throws IOException {
        Path file = file();
        CommandRun run = CommandRun.of("look", file);
        assertThat(run.out())
                .contains("580 rows, states of 4 coordinates")
                .contains("Times from 2020-01-01 00:00 to 2020-01-13 11:00, 1 hour apart, 2 gaps, 1 row earlier")
                .contains("Ignored: place.")
                .contains("Constant: five.")
                .contains("Equal in every row: x and again.")
                .contains("Times begin again for every 'place'")
                .containsPattern("x +0\\.0 % +-1\\.000 +\\S+ +1\\.000  [▁▂▃▄▅▆▇█]{20,32}\\R");
        assertThat(run.err()).contains("koop: note: times in 'when' (yyyy-MM-dd HH:mm)");
        String line = run.out()
                .lines()
                .filter(l -> l.startsWith("koop learn "))
                .findFirst()
                .orElseThrow();
        assertThat(line).endsWith("-o places.safetensors --columns x,y --group place");
        CommandRun learned = CommandRun.of(
                "learn", file, "-o", folder.resolve("m.safetensors"), "--columns", "x,y", "--group", "place", "--json");
        assertThat(learned.code()).as(learned.err()).isZero();
        assertThat(learned.out()).contains("\"gaps\":2");
    }

    @ParameterizedTest
    @CsvSource({
        "'1960-01,1960-02,1960-03', 1 month",
        "'1960Q1,1960Q2,1960Q3', 3 months",
        "'2001,2002,2003', 1 y",
        "'2001-01-31,2001-02-28,2001-03-31', 1 month",
        "'Jan-1-1995,Feb-1-1995,Mar-1-1995', 1 month",
        "'Dec-31-1995,Jan-1-1996,Jan-2-1996', 1 day"
    })
    void intervalsOfTheCalendar(String times, String interval) throws IOException {
        StringBuilder text = new StringBuilder("year,x\n");
        for (String time : times.split(",", -1)) {
            text.append(time).append(',').append(text.length()).append('\n');
        }
        CommandRun run = CommandRun.of("look", Files.writeString(folder.resolve("calendar.csv"), text));
        assertThat(run.out()).contains(", " + interval + " apart, no gaps.");
    }

    @Test
    void yearsAreTimesRatherThanAColumnThatCounts() throws IOException {
        Path file =
                Files.writeString(folder.resolve("copper.csv"), "YEAR,PRICE,TIME\n1951,3,1\n1952,4,2\n1953,3.5,3\n");
        CommandRun run = CommandRun.of("look", file);
        assertThat(run.out()).contains("states of 1 coordinate", "Times from 1951 to 1953, 1 y apart");
        assertThat(run.err()).contains("column 'TIME' also holds times and is ignored");
    }

    @Test
    void tenThousandColumnsFitOnAScreen() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = -1; row < 10; row++) {
            for (int c = 0; c < 10_000; c++) {
                text.append(c == 0 ? "" : ",").append(row < 0 ? "sensor" + c : c % 3 == 0 ? "5" : "" + (row * c % 7));
            }
            text.append('\n');
        }
        CommandRun run = CommandRun.of("look", Files.writeString(folder.resolve("wide.csv"), text));
        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .hasSizeLessThan(25)
                .allMatch(line -> line.length() < 200)
                .anyMatch(line -> line.startsWith("9,985 more columns: a field,"))
                .anyMatch(line -> line.startsWith("Constant: sensor0, sensor3,") && line.endsWith(" more."));
    }

    @Test
    void jsonHoldsTheSame() throws IOException {
        CommandRun run = CommandRun.of("look", file(), "--json", "--ignore", "five,again");
        assertThat(run.out())
                .contains("\"rows\":580")
                .contains("\"interval\":3600.0")
                .contains("\"gaps\":2")
                .contains("\"group\":\"place\"")
                .contains("\"meaning\":\"text\"")
                .contains("--ignore five,again --group place");
    }

    /** Rows of one time stand together, and numbers name the trajectories: nothing falls, and nothing is text. */
    @Test
    void interleavedTrajectoriesAreFound() throws IOException {
        StringBuilder text = new StringBuilder("time,count,unit,x\n");
        for (int i = 0; i < 100; i++) {
            for (int unit = 1; unit <= 4; unit++) {
                text.append(i + "," + i / 30 + "," + unit + "," + Math.sin(0.1 * i + unit) + "\n");
            }
        }
        Path file = Files.writeString(folder.resolve("units.csv"), text);
        assertThat(CommandRun.of("look", file).out())
                .contains("Times begin again for every 'unit'")
                .contains("-o units.safetensors --group unit");
        assertThat(CommandRun.of("look", file, "--ignore", "unit").out())
                .contains("300 rows are not later than the one before")
                .contains("name their column with --group");
    }

    @Test
    void everyColumnIsDrawn() throws IOException {
        Path picture = folder.resolve("look.png");
        CommandRun run = CommandRun.of("look", file(), "--plot", picture);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(picture).isNotEmptyFile();
    }

    @Test
    void badAndMissingRowsAreCounted() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), "x,y\n1,2\n2,\noops,3\n3,4\n");
        CommandRun run = CommandRun.of("look", file);
        assertThat(run.out())
                .contains("3 rows and 1 unreadable")
                .contains("line 4, column 'x': 'oops' is not a number")
                .containsPattern("y +33\\.3 %")
                .contains("--skip-bad");
    }

    /** A model knows its columns: a later file may have more of them, in another order. */
    @Test
    void dataOfAModelNeedNoOptions() throws IOException {
        Path model = folder.resolve("m.safetensors");
        CommandRun learned = CommandRun.of(
                "learn", file(), "-o", model, "--columns", "y,x", "--group", "place", "--kernel", "gaussian(1)");
        assertThat(learned.code()).as(learned.err()).isZero();
        Path values = folder.resolve("values.csv");
        CommandRun all = CommandRun.of("eigenfunctions", model, "--at", file(), "-o", values, "-k", 2);
        assertThat(all.code()).as(all.err()).isZero();
        Path picked = Files.writeString(folder.resolve("picked.csv"), "y,x\n1.000000,0.000000\n");
        Path one = folder.resolve("one.csv");
        assertThat(CommandRun.of("eigenfunctions", model, "--at", picked, "-o", one, "-k", 2)
                        .code())
                .isZero();
        assertThat(Files.readAllLines(values))
                .startsWith(Files.readAllLines(one).toArray(String[]::new));
    }
}
