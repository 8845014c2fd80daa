package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.ModelFile;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.StoredModel;
import io.koopstream.spectrum.Complex;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A field of known travelling patterns, from the file to eigenvalues, modes and a forecast. */
class FieldTest {

    private static final int DOWN = 20;
    private static final int ACROSS = 30;
    private static final int COLUMNS = DOWN * ACROSS;
    private static final int ROWS = 400;
    private static final double NOISE = 0.1;
    /** Modulus and angle of each, strongest first. */
    private static final double[][] TRUE = {{0.999, 0.31}, {0.998, 0.83}, {0.9995, 1.47}};

    @TempDir
    static Path folder;

    private static Path data;
    private static Path model;

    @BeforeAll
    static void learnOnce() throws IOException {
        data = array("field.npy", 0, ROWS);
        model = folder.resolve("field.safetensors");
        CommandRun learned = succeed("learn", data, "-o", model);
        assertThat(learned.err()).contains("600 columns to 6 coordinates");
    }

    private static CommandRun succeed(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(Arrays.toString(arguments) + ": " + run.err()).isEqualTo(Exit.OK);
        return run;
    }

    private static void refuse(int code, String message, Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).contains(message);
    }

    /** Pattern k at a point. */
    private static Complex pattern(int k, int point) {
        double x = (point % ACROSS) / (double) ACROSS;
        double y = Math.floorDiv(point, ACROSS) / (double) DOWN;
        double height = (1.2 - 0.3 * k) * Math.sin(Math.PI * (k + 1) * y);
        double phase = 2 * Math.PI * (k + 1) * x;
        return new Complex(height * Math.cos(phase), height * Math.sin(phase));
    }

    /** Row t without noise. */
    private static double[] field(int t) {
        double[] row = new double[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            row[c] = 5 + c % 7;
            for (int k = 0; k < TRUE.length; k++) {
                double size = Math.pow(TRUE[k][0], t);
                Complex p = pattern(k, c);
                row[c] += size * (p.re() * Math.cos(TRUE[k][1] * t) - p.im() * Math.sin(TRUE[k][1] * t));
            }
        }
        return row;
    }

    private static double[] noisy(int t) {
        Random random = new Random(1000 + t);
        return Arrays.stream(field(t))
                .map(value -> value + NOISE * random.nextGaussian())
                .toArray();
    }

    private static Path array(String name, int from, int to) throws IOException {
        Path file = folder.resolve(name);
        try (NpyWriter writer = new NpyWriter(file, NpyWriter.Kind.REAL, COLUMNS)) {
            for (int t = from; t < to; t++) {
                writer.write(noisy(t));
            }
            writer.commit();
        }
        return file;
    }

    private static List<double[]> eigenvalues(String json) {
        Matcher matcher =
                Pattern.compile("\"re\":(-?[0-9.E-]+),\"im\":(-?[0-9.E-]+)").matcher(json);
        return matcher.results()
                .map(one -> new double[] {Double.parseDouble(one.group(1)), Double.parseDouble(one.group(2))})
                .toList();
    }

    /** The numbers of an NPY file of doubles. */
    private static double[] numbers(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(10 + bytes.getShort(8));
        double[] numbers = new double[bytes.remaining() / Double.BYTES];
        bytes.asDoubleBuffer().get(numbers);
        return numbers;
    }

    @Test
    void eigenvaluesAreThoseOfTheField() {
        List<double[]> found =
                eigenvalues(succeed("modes", model, "-k", 3, "--json").out());
        assertThat(found).hasSize(3);
        for (double[] wanted : TRUE) {
            double re = wanted[0] * Math.cos(wanted[1]);
            double im = wanted[0] * Math.sin(wanted[1]);
            assertThat(found)
                    .anySatisfy(value ->
                            assertThat(Math.hypot(value[0] - re, value[1] - im)).isLessThan(1e-3));
        }
        assertThat(succeed("spectrum", model, "-k", 7).out()).contains("0.9512 + 0.30");
    }

    @Test
    @Needs(Program.PYTHON)
    void eigenvaluesAreThoseOfDynamicModeDecomposition() throws IOException, InterruptedException {
        String script = """
                import sys, numpy as np
                X = np.load(sys.argv[1]); Z = X - X.mean(0)
                V = np.linalg.svd(Z, full_matrices=False)[2][:6]
                Y = Z @ V.T
                A = np.linalg.lstsq(Y[:-1], Y[1:], rcond=None)[0]
                [print(v.real, v.imag) for v in np.linalg.eigvals(A) if v.imag > 0]
                """;
        Process process = new ProcessBuilder(Program.PYTHON.command(), "-c", script, data.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        List<double[]> found =
                eigenvalues(succeed("modes", model, "-k", 3, "--json").out());
        List<String> lines = printed.lines().toList();
        assertThat(lines).hasSize(3);
        for (String line : lines) {
            double[] wanted = Arrays.stream(line.split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            assertThat(found)
                    .as(printed)
                    .anySatisfy(value -> assertThat(Math.hypot(value[0] - wanted[0], value[1] - wanted[1]))
                            .isLessThan(1e-3));
        }
    }

    @Test
    void modesAreThePatterns() throws IOException {
        Path modes = folder.resolve("modes.npy");
        Path picture = folder.resolve("modes.png");
        CommandRun run = succeed("modes", model, "-k", 3, "--shape", "20x30", "-o", modes, "--plot", picture);
        assertThat(run.out()).contains("20.3").contains("which miss");
        assertThat(picture).isNotEmptyFile();
        double[] numbers = numbers(modes);
        assertThat(numbers).hasSize(3 * COLUMNS * 2);
        for (int k = 0; k < 3; k++) {
            double re = 0;
            double im = 0;
            double squares = 0;
            double known = 0;
            double largest = 0;
            for (int c = 0; c < COLUMNS; c++) {
                double a = numbers[2 * (k * COLUMNS + c)];
                double b = numbers[2 * (k * COLUMNS + c) + 1];
                // The field has the real part of p e^{iωt}.
                Complex p = pattern(k, c);
                re += a * p.re() + b * p.im();
                im += b * p.re() - a * p.im();
                squares += a * a + b * b;
                known += p.re() * p.re() + p.im() * p.im();
                largest = Math.max(largest, Math.hypot(a, b));
            }
            assertThat(Math.hypot(re, im) / Math.sqrt(squares * known))
                    .as("correlation of mode %d with the truth", k + 1)
                    .isGreaterThan(0.99);
            // In the units of the data, decay averaged over the rows.
            assertThat(largest).isBetween(0.5 * (1.2 - 0.3 * k), 1.1 * (1.2 - 0.3 * k));
        }
    }

    @Test
    void aForecastHasTheColumnsOfTheData() throws IOException {
        Path future = folder.resolve("future.npy");
        CommandRun run = succeed("forecast", model, "--steps", 12, "-o", future);
        assertThat(run.out()).contains("Expected rows of 600 columns");
        double[] numbers = numbers(future);
        assertThat(numbers).hasSize(12 * COLUMNS);
        for (int s = 0; s < 12; s++) {
            double[] truth = field(ROWS + s);
            double error = 0;
            for (int c = 0; c < COLUMNS; c++) {
                error += Math.pow(numbers[s * COLUMNS + c] - truth[c], 2);
            }
            // Each of the six coordinates of the start has the noise of one column.
            assertThat(Math.sqrt(error / COLUMNS)).as("step %d", s + 1).isLessThan(0.05);
        }
        Path table = folder.resolve("future.csv");
        succeed("forecast", model, "--steps", 2, "-o", table);
        assertThat(Files.readAllLines(table)).hasSize(3);
        assertThat(Files.readAllLines(table).get(0))
                .startsWith("row,step,known,x1,x2,")
                .endsWith(",x600");
        assertThat(succeed("forecast", model, "--steps", 2).out()).contains("6 coordinates, which hold");
    }

    @Test
    void laterRowsOfTheSameColumnsAreTakenAndOthersRefused() throws IOException {
        Path later = array("later.npy", ROWS, ROWS + 50);
        Path future = folder.resolve("after.npy");
        succeed("forecast", model, "--data", later, "--steps", 1, "-o", future);
        double[] truth = field(ROWS + 50);
        double[] numbers = numbers(future);
        for (int c = 0; c < COLUMNS; c++) {
            assertThat(numbers[c]).isCloseTo(truth[c], within(0.3));
        }
        Path narrow = Files.writeString(folder.resolve("narrow.csv"), "a,b\n1,2\n3,4\n");
        refuse(
                Exit.BAD_DATA,
                "has rows of 2 columns, and the model projects rows of 600",
                "forecast",
                model,
                "--data",
                narrow);
    }

    @Test
    void learningGoesOnInTheSameProjection() throws IOException {
        Path half = array("half.npy", 0, ROWS / 2);
        Path rest = array("rest.npy", ROWS / 2, ROWS);
        Path first = folder.resolve("first.safetensors");
        Path whole = folder.resolve("whole.safetensors");
        succeed("learn", half, "-o", first);
        succeed("learn", rest, "-o", whole, "--resume", first);
        StoredModel before = ModelFile.load(first);
        StoredModel after = ModelFile.load(whole);
        assertThat(after.projection().coordinates(field(3)))
                .containsExactly(before.projection().coordinates(field(3)));
        assertThat(after.state().pairs()).isEqualTo(ROWS - 1);
        refuse(
                Exit.WRONG_USAGE,
                "--project",
                "learn",
                rest,
                "-o",
                whole,
                "--force",
                "--resume",
                first,
                "--project",
                "5");
    }

    @Test
    void thePipeLearnsFromItsFirstRows() {
        String csv = IntStream.range(0, 300)
                .mapToObj(
                        t -> Arrays.stream(noisy(t)).mapToObj(Double::toString).collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n"));
        Path piped = folder.resolve("piped.safetensors");
        CommandRun run = CommandRun.reading(csv, "learn", "-", "-o", piped, "--no-header", "--warm-up", 150, "--json");
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        assertThat(run.out()).contains("\"projection\":{\"columns\":600,\"coordinates\":6,\"rows\":150,");
        assertThat(run.out()).contains("\"samples\":299");
    }

    @Test
    void rowsThatCannotBeUsedAreTold() throws IOException {
        StringBuilder csv = new StringBuilder(
                IntStream.range(0, COLUMNS).mapToObj(c -> "p" + c).collect(Collectors.joining(",", "", "\n")));
        for (int t = 0; t < 100; t++) {
            double[] row = noisy(t);
            csv.append(Arrays.stream(row).mapToObj(Double::toString).collect(Collectors.joining(",")));
            csv.append(t == 50 ? ",7\n" : "\n");
        }
        Path broken = Files.writeString(folder.resolve("broken.csv"), csv);
        Path target = folder.resolve("broken.safetensors");
        refuse(Exit.BAD_DATA, "line 52", "learn", broken, "-o", target);
        assertThat(succeed("learn", broken, "-o", target, "--skip-bad", "--json")
                        .out())
                .contains("\"skipped\":1")
                .contains("\"samples\":97");
        refuse(Exit.WRONG_USAGE, "--project none", "learn", data, "-o", target, "--force", "--log", "all");
        refuse(Exit.WRONG_USAGE, "--project many", "learn", data, "-o", target, "--force", "--project", "many");
        refuse(
                Exit.BAD_DATA,
                "from 1 to the number of columns",
                "learn",
                data,
                "-o",
                target,
                "--force",
                "--project",
                601);
    }

    @Test
    void theShapeMustFit() {
        refuse(Exit.WRONG_USAGE, "has 620 points, and the data have 600 columns", "modes", model, "--shape", "20x31");
        refuse(Exit.WRONG_USAGE, "expected rows and columns of the grid", "modes", model, "--shape", "20");
        refuse(Exit.WRONG_USAGE, "ends with .npy", "modes", model, "-o", folder.resolve("modes.csv"));
    }

    @Test
    void infoAndLookSayWhatTheFieldIs() {
        assertThat(succeed("info", model).out())
                .contains("projection")
                .contains("columns 600, coordinates 6, rows 400");
        assertThat(succeed("info", model, "--json").out()).contains("\"projection\":{\"columns\":600");
        CommandRun look = succeed("look", data);
        assertThat(look.out())
                .contains("states of 600 coordinates")
                .contains("a field")
                .contains("koop learn");
        assertThat(succeed("look", data, "--json").out())
                .contains("\"coordinates\":600")
                .hasSizeLessThan(5000);
    }

    @Test
    void aFewColumnsAreProjectedWhenAskedAndAllWhenTold() throws IOException {
        Path target = folder.resolve("two.safetensors");
        succeed("learn", data, "-o", target, "--project", 2);
        assertThat(ModelFile.load(target).projection().rank()).isEqualTo(2);
        Path narrow = folder.resolve("lorenz.csv");
        succeed("simulate", "lorenz", "--trajectories", 1, "--steps", 300, "-o", narrow);
        Path plain = folder.resolve("plain.safetensors");
        succeed("learn", narrow, "-o", plain, "--kernel", "gaussian(10)");
        assertThat(ModelFile.load(plain).projection()).isNull();
        assertThat(succeed("modes", plain, "-k", 2).out()).contains("period");
    }
}
