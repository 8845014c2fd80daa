package io.koopstream.cli;

import io.koopstream.io.Json;
import io.koopstream.io.ModelArrays;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Path;
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
        OutputFolder.prepare(folder, ModelArrays.SETTINGS, output.force());
        KoopmanOperator operator = model.operator();
        ModelArrays.write(folder, operator, model.description());
        if (output.json()) {
            console.out().print(Json.text(Map.of("folder", folder.toString(), "files", ModelArrays.FILES)));
        } else {
            console.say(
                    "%s: %s (%d kept samples)",
                    folder, String.join(", ", ModelArrays.FILES), operator.dictionarySize());
        }
        return Exit.FINE;
    }
}
