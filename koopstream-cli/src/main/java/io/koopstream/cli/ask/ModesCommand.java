package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.KoopmanModes;
import io.koopstream.answers.ModesAnswer;
import io.koopstream.answers.ModesAnswer.Mode;
import io.koopstream.cli.plot.ModePlot;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.StepOption;
import io.koopstream.io.Json;
import io.koopstream.io.NpyWriter;
import io.koopstream.spectrum.Complex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop modes}. */
@Command(
        name = "modes",
        mixinStandardHelpOptions = true,
        description =
                "Shows the Koopman modes: which columns swing together, with which period, and how fast it fades.",
        footer = {
            "",
            "Example:  koop learn snapshots.npy -o wake.safetensors",
            "          koop modes wake.safetensors -k 6 --shape 100x200 --plot modes.png -o modes.npy",
            "Each mode is a pattern over the columns and an eigenvalue, by which it turns and fades from row to row. Modes with most",
            "energy come first; of a conjugate pair there is one. Amplitude: root mean square over rows and columns, in the units of the",
            "data. Energy: share of the variance of all columns; modes overlap, so shares need not add up to 100 %%. NPY: complex128 of shape",
            "(modes, columns); the modulus says by how much a column swings, the argument when. In Python: np.load('modes.npy').reshape(-1, 100, 200)"
        })
public final class ModesCommand extends KoopCommand {

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(
            names = "-k",
            paramLabel = "K",
            defaultValue = "" + EigenvalueTable.USUAL_SIZE,
            description = "how many; default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--shape",
            paramLabel = "ROWSxCOLUMNS",
            description =
                    "grid of the field, row by row, e.g. 100x200: pictures are maps; default: curves over the columns")
    private String shape;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F.npy",
            description = "file for the patterns, complex numbers")
    private Path result;

    @Mixin
    private PlotOption plot;

    @Mixin
    private StepOption step;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        Output.requireAtLeastOne("-k", count);
        output.requireFree(result);
        output.requirePicture(plot.file());
        if (result != null && !Output.endsWith(result, ".npy")) {
            throw CommandFailure.usage("-o " + result + ": expected a name that ends with .npy");
        }
        Model model = Model.read(file, answers);
        Clock clock = step.clock(model);
        KoopmanModes modes = KoopmanModes.of(model.learned(), count, clock, model.wish());
        ModesAnswer answer = modes.answer();
        int[] grid = grid(answer.columns());
        List<double[][]> pictures = new ArrayList<>();
        for (int k = 0; (result != null || plot.isGiven()) && k < modes.size(); k++) {
            pictures.add(modes.columns(k));
        }
        if (result != null) {
            write(pictures, answer.columns());
        }
        if (plot.isGiven()) {
            List<String> titles = new ArrayList<>();
            for (int k = 0; k < pictures.size(); k++) {
                titles.add(title(k, answer.modes().get(k), clock));
            }
            ModePlot.of(grid[0], grid[1], titles, pictures).write(plot.file());
        }
        if (output.json()) {
            console.out().print(Json.text(answer));
            return Exit.OK;
        }
        print(answer, clock);
        if (result != null) {
            console.say("Patterns: %s", result);
        }
        plot.say(console);
        return Exit.OK;
    }

    /** Rows and columns of the grid; one row where none is told. */
    private int[] grid(int columns) {
        if (shape == null) {
            return new int[] {1, columns};
        }
        if (!shape.matches("[1-9][0-9]{0,6}x[1-9][0-9]{0,6}")) {
            throw CommandFailure.usage("--shape " + shape + ": expected rows and columns of the grid, e.g. 100x200");
        }
        String[] sides = shape.split("x", -1);
        int[] grid = {Integer.parseInt(sides[0]), Integer.parseInt(sides[1])};
        long points = (long) grid[0] * grid[1];
        if (points != columns) {
            throw CommandFailure.usage(String.format(
                    Locale.ROOT, "--shape %s: has %,d points, and the data have %,d columns", shape, points, columns));
        }
        return grid;
    }

    private void write(List<double[][]> pictures, int columns) throws IOException {
        try (NpyWriter writer = new NpyWriter(result, NpyWriter.Kind.COMPLEX, columns)) {
            for (double[][] parts : pictures) {
                for (int c = 0; c < columns; c++) {
                    writer.write(parts[0][c], parts[1][c]);
                }
            }
            writer.commit();
        }
    }

    private static String title(int k, Mode mode, Clock clock) {
        return (k + 1) + ":  period " + clock.duration(mode.period()) + ",  decay " + clock.duration(mode.timescale());
    }

    private static String energy(Mode mode) {
        return Double.isNaN(mode.energy()) ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * mode.energy());
    }

    private void print(ModesAnswer answer, Clock clock) {
        console.say("   k   eigenvalue            modulus       period        decay    amplitude    energy");
        for (int k = 0; k < answer.modes().size(); k++) {
            Mode mode = answer.modes().get(k);
            console.say(
                    "  %2d   %-20s %8.4f %12s %12s %12.4g  %8s",
                    k + 1,
                    Numbers.complex(new Complex(mode.re(), mode.im())),
                    mode.modulus(),
                    clock.duration(mode.period()),
                    clock.duration(mode.timescale()),
                    mode.amplitude(),
                    energy(mode));
        }
        if (answer.modes().size() < count) {
            console.say("There are no more.");
        }
        console.say(
                "Periods and decay times%s. Computed with lambda %s.",
                clock.isDated() ? "" : " in" + clock.heading().replaceAll("[()]", ""),
                Numbers.shortest(answer.lambda()));
        if (answer.projection() != null) {
            console.say(
                    "Modes are sums of %,d patterns over %,d columns, which miss %.1f %% of the energy.",
                    answer.projection().coordinates(),
                    answer.columns(),
                    100 * answer.projection().missed());
        }
    }
}
