package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is unusual in a file: while it is learned, and for a model that was learned before. */
class ScoreCommandTest {

    private static final int ROWS = 3000;
    private static final int SPIKE = 2500;
    private static final int MISSING = 2700;

    @TempDir
    private static Path folder;

    private static Path data;

    @BeforeAll
    static void write() throws IOException {
        StringBuilder text = new StringBuilder("time,load,weather\n");
        SplittableRandom random = new SplittableRandom(3);
        double x = 0;
        for (int row = 1; row <= ROWS; row++) {
            x = 0.9 * x + random.nextGaussian();
            String value = row == MISSING ? "" : Double.toString(50 + (row == SPIKE ? x + 25 : x));
            text.append(LocalDateTime.of(2024, 1, 1, 0, 0).plusMinutes(5L * row))
                    .append(',')
                    .append(value)
                    .append(",dry\n");
        }
        data = folder.resolve("load.csv");
        Files.writeString(data, text);
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private static void requireTable(Path table) throws IOException {
        List<String> lines = Files.readAllLines(table);
        assertThat(lines).hasSize(ROWS + 1);
        assertThat(lines.get(0)).isEqualTo("row,time,score,p,known,alarm,load,load_predicted,load_low,load_high");
        for (int row = 1; row <= ROWS; row++) {
            String[] cells = lines.get(row).split(",", -1);
            assertThat(cells).hasSize(10);
            assertThat(cells[0]).isEqualTo(Integer.toString(row));
            assertThat(cells[5]).isIn("0", "1");
        }
        String[] spike = lines.get(SPIKE).split(",", -1);
        assertThat(spike[1]).startsWith("2024-01-09T16:20");
        assertThat(Double.parseDouble(spike[2])).isGreaterThan(0.4).isLessThanOrEqualTo(1);
        assertThat(spike[5]).isEqualTo("1");
        assertThat(Double.parseDouble(spike[6])).isGreaterThan(Double.parseDouble(spike[9]));
        assertThat(lines.get(MISSING)).contains(",,,,0,,,,");
    }

    @Test
    void everyRowHasALineAndTheSpikeAnAlarm() throws IOException {
        Path table = folder.resolve("scores.csv");
        Path picture = folder.resolve("scores.svg");
        Path model = folder.resolve("load.safetensors");
        CommandRun run =
                succeed("learn", data, "-o", model, "--warm-up", 400, "--scores", table, "--scores-plot", picture);
        assertThat(run.out()).contains("(row " + SPIKE + ")");
        assertThat(picture).content().contains(">2024-01-");
        requireTable(table);
        Path again = folder.resolve("again.csv");
        succeed("score", model, data, "-o", again);
        requireTable(again);
        CommandRun json = succeed("score", model, data, "--json");
        assertThat(json.out()).contains("\"alarms\"").contains("\"row\":" + SPIKE);
    }

    @Test
    void aModelThatDidNotScoreServesToo() throws IOException {
        Path model = folder.resolve("plain.safetensors");
        succeed("learn", data, "-o", model, "--warm-up", 400);
        Path table = folder.resolve("plain.csv");
        succeed("score", model, data, "-o", table);
        requireTable(table);
    }

    @Test
    void wordsAboutScoresNeedThem() {
        CommandRun run = CommandRun.of("learn", data, "-o", folder.resolve("x.safetensors"), "--robust");
        assertThat(run.code()).isEqualTo(Exit.WRONG_USAGE);
        assertThat(run.err()).contains("--robust").contains("--scores");
    }

    /** A model knows the column that told its trajectories apart: every row is scored, and every trajectory is forecast. */
    @Test
    void trajectoriesAreToldApartAsTheyWereLearned() throws IOException {
        StringBuilder text = new StringBuilder("time,unit,x\n");
        SplittableRandom random = new SplittableRandom(4);
        double[] at = new double[5];
        for (int i = 0; i < 100; i++) {
            for (int unit = 0; unit < at.length; unit++) {
                at[unit] = 0.8 * at[unit] + random.nextGaussian();
                text.append(i + "," + unit + "," + at[unit] + "\n");
            }
        }
        Path file = Files.writeString(folder.resolve("units.csv"), text);
        Path model = folder.resolve("units.safetensors");
        succeed("learn", file, "-o", model, "--group", "unit", "--kernel", "gaussian(2)");
        assertThat(succeed("score", model, file, "--json").out()).contains("\"rows\":500,\"judged\":495");
        assertThat(succeed("forecast", model, "--data", file, "--steps", 1, "--json")
                        .out())
                .contains("\"row\":496,\"trajectory\":\"0\"")
                .contains("\"row\":500,\"trajectory\":\"4\"");
        Path unnamed =
                Files.writeString(folder.resolve("unnamed.csv"), text.toString().replaceAll("(?m),[^,]*,", ","));
        assertThat(succeed("score", model, unnamed).err()).contains("400 late or duplicate rows are left out");
    }
}
