package io.koopstream.cli.ask;

import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop eigenfunctions}. */
@Command(
        name = "eigenfunctions",
        mixinStandardHelpOptions = true,
        description = "Evaluates the leading eigenfunctions at points, and draws them as heat maps.",
        footer = {
            "",
            "Example:  koop eigenfunctions wells.safetensors -k 4 --plot maps.png",
            "          koop eigenfunctions wells.safetensors -k 3 --at wells.npy -o values.npy",
            "Each is scaled to largest modulus 1 over the kept samples. Output: NPY complex128 (n, k), or CSV f1_re,f1_im,..."
        })
public final class EigenfunctionsCommand extends KoopCommand {

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(names = "-k", paramLabel = "K", defaultValue = "3", description = "how many; default: ${DEFAULT-VALUE}")
    private int count;

    @Option(names = "--at", paramLabel = "DATA", description = "states to evaluate them at")
    private Path at;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "file for the values; default: CSV on standard output")
    private Path result;

    @Mixin
    private PlotOption plot;

    @Mixin
    private RowOptions columns;

    @Mixin
    private SliceOptions slices;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    private long rows;

    @Override
    protected void answer() throws IOException {
        if (at == null && !plot.isGiven()) {
            throw CommandFailure.usage("nothing to do: add --at DATA for values, --plot F.png for heat maps, or both");
        }
        if (at == null && result != null) {
            throw CommandFailure.usage("-o needs --at DATA: the states at which to evaluate");
        }
        output.requireFree(result);
        output.requirePicture(plot.file());
        Model model = Model.read(file, answers);
        Spectrum spectrum = Spectrum.leading(model.operator(), count);
        if (plot.isGiven()) {
            EigenfunctionMaps.of(model.operator(), spectrum, slices.slice(model), 0, count - 1, new double[0][])
                    .write(plot.file());
            console.tell("Picture: %s", plot.file());
        }
        if (at != null) {
            evaluate(model, spectrum);
        }
        if (output.json()) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("eigenvalues", List.of(spectrum.eigenvalues()).subList(0, count));
            summary.put("rows", rows);
            summary.put("file", result == null ? null : result.toString());
            summary.put("plot", plot.isGiven() ? plot.file().toString() : null);
            console.json(summary);
        }
    }

    private void evaluate(Model model, Spectrum spectrum) throws IOException {
        Data data = new Data(console, columns);
        if (result != null && Output.endsWith(result, ".npy")) {
            try (NpyWriter writer = new NpyWriter(result, NpyWriter.Kind.COMPLEX, count)) {
                data.forEachState(at, model, state -> writer.write(parts(spectrum, state)));
                writer.commit();
            }
            return;
        }
        if (result == null && output.json()) {
            throw CommandFailure.usage("--json with --at needs -o FILE for the values");
        }
        List<String> names = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            names.add("f" + (k + 1) + "_re");
            names.add("f" + (k + 1) + "_im");
        }
        try (TableWriter writer = Output.table(console, result, names, 0)) {
            data.forEachState(at, model, state -> writer.row(parts(spectrum, state)));
            writer.commit();
        }
    }

    private double[] parts(Spectrum spectrum, double[] state) {
        rows++;
        double[] parts = new double[2 * count];
        if (state == null) {
            // A row without enough rows before it is no state of a model with delays.
            Arrays.fill(parts, Double.NaN);
            return parts;
        }
        Complex[] values = spectrum.eigenfunctions(new double[][] {state})[0];
        for (int k = 0; k < count; k++) {
            parts[2 * k] = values[k].re();
            parts[2 * k + 1] = values[k].im();
        }
        return parts;
    }
}
