package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sensor that does not move yet: learned and scored meanwhile, and learned further once it moves. */
class FlatDataTest {

    @TempDir
    Path folder;

    private Path table(String name, int from, int to, IntToDoubleFunction value) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                IntStream.range(from, to)
                        .mapToObj(t -> t + "," + value.applyAsDouble(t))
                        .collect(Collectors.joining("\n", "time,v\n", "\n")));
    }

    /** Values far below, near and far above one, and the movements of a hundredth of them. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-6, 20, -3e8})
    void aFlatSensorIsScoredAndLearnsWhenItMoves(double level) throws IOException {
        double size = level == 0 ? 1 : Math.abs(level) / 100;
        Path flat = table("flat.csv", 0, 300, t -> level);
        // Changes sign from step to step, so that an affine law forecasts it better than no change does.
        Path moves = table("moves.csv", 300, 700, t -> level + size * Math.cos(t * Math.PI / 2) * Math.sin(t));
        Path model = folder.resolve("flat.safetensors");
        Path scores = folder.resolve("flat-scores.csv");
        CommandRun first = CommandRun.of("learn", flat, "-o", model, "--scores", scores);
        assertThat(first.code()).as(first.err()).isEqualTo(Exit.OK);
        assertThat(first.err()).contains("nothing varied in the first 299 pairs");
        assertThat(column(scores, "p")).hasSizeGreaterThan(100).allMatch(p -> p == 1);
        Path forecast = folder.resolve("forecast.csv");
        CommandRun asked = CommandRun.of("forecast", model, "--steps", "2", "-o", forecast);
        assertThat(asked.code()).as(asked.err()).isEqualTo(Exit.OK);
        assertThat(column(forecast, "v")).allSatisfy(v -> assertThat(v).isCloseTo(level, within(1e-9 * size)));
        assertThat(CommandRun.of("forecast", model).out())
                .as("as many digits as it deserves")
                .doesNotContainPattern("[.]0{5}");
        Path later = folder.resolve("later.safetensors");
        Path laterScores = folder.resolve("later-scores.csv");
        CommandRun second = CommandRun.of("learn", moves, "--resume", model, "-o", later, "--scores", laterScores);
        assertThat(second.code()).as(second.err()).isEqualTo(Exit.OK);
        List<Double> p = column(laterScores, "p");
        assertThat(p).hasSize(400);
        assertThat(p.get(1)).as("the first that differs").isLessThan(0.01);
        assertThat(p.subList(300, 400)).as("once it is known").anyMatch(rare -> rare > 0.1);
        assertThat(CommandRun.of("spectrum", later).out()).contains("the operator has rank 2");
        assertThat(CommandRun.of("sets", later).err()).contains("the model has one time scale only");
    }

    /** What is computed of a flat line differs by rounding whenever the predictor is renewed. */
    @Test
    void nothingIsUnusualOnAFlatLine() throws IOException {
        Path scores = folder.resolve("long-scores.csv");
        CommandRun run = CommandRun.of(
                "learn", table("long.csv", 0, 4032, t -> 45), "-o", folder.resolve("long"), "--scores", scores);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        assertThat(column(scores, "score")).hasSizeGreaterThan(3000).allMatch(score -> score < 0.1);
        assertThat(run.out()).contains("scored, no alarm");
    }

    /** Without scores nobody waits: settings are chosen when there is something to choose them from. */
    @Test
    void theChoiceWaitsUntilSomethingVaries() throws IOException {
        Path both = table("both.csv", 0, 400, t -> t < 150 ? 20 : 20 + Math.sin(t / 3.0));
        CommandRun run = CommandRun.of("learn", both, "-o", folder.resolve("both.safetensors"), "--warm-up", "100");
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        assertThat(run.err()).doesNotContain("nothing varied");
    }

    private static List<Double> column(Path table, String name) throws IOException {
        List<String> lines = Files.readAllLines(table);
        int column = List.of(lines.get(0).split(",")).indexOf(name);
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1)[column])
                .filter(cell -> !cell.isEmpty())
                .map(Double::valueOf)
                .toList();
    }
}
