package io.koopstream.cli;

import io.koopstream.io.samples.NpyWriter;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Writes a model as arrays: kept inputs x.npy, kept outputs x_next.npy, coefficients W.npy, settings config.json.",
        footer = {
            "",
            "Example:  koop export wells.safetensors -o wells-arrays",
            "U = sum_ij W[i,j] phi(x_next[i]) (x) phi(x[j]); E[g(next) | x] = sum_i (W k(x))[i] g(x_next[i])."
        })
final class ExportCommand implements Callable<Integer> {

    private static final String MARKER = "config.json";

    private final Console console;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "folder to write into")
    private Path folder;

    @Mixin
    private Output output;

    ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Model model = Model.read(file);
        OutputFolder.prepare(folder, MARKER, output.force());
        KoopmanOperator operator = model.operator();
        array("x.npy", operator.inputPoints(), model.dimension());
        array("x_next.npy", operator.outputPoints(), model.dimension());
        array("W.npy", operator.coefficients(), operator.inputPoints().length);
        Map<String, Object> facts = model.description();
        Files.writeString(folder.resolve(MARKER), Json.text(facts));
        if (output.json()) {
            console.out()
                    .print(Json.text(Map.of(
                            "folder", folder.toString(), "files", List.of("x.npy", "x_next.npy", "W.npy", MARKER))));
        } else {
            console.say(
                    "%s: x.npy, x_next.npy, W.npy, config.json (%d kept samples)", folder, operator.dictionarySize());
        }
        return Exit.FINE;
    }

    private void array(String name, double[][] rows, int columns) throws IOException {
        try (NpyWriter writer = new NpyWriter(folder.resolve(name), NpyWriter.Kind.REAL, columns)) {
            for (double[] row : rows) {
                writer.write(row);
            }
            writer.commit();
        }
    }
}
