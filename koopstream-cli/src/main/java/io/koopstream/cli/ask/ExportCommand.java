package io.koopstream.cli.ask;

import io.koopstream.answers.StoredInfo;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.OutputFolder;
import io.koopstream.io.ModelArrays;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Writes a model as arrays: kept points x.npy and x_next.npy, their factors L.npy and L_next.npy, the operator M.npy and A.npy, settings config.json.",
        footer = {
            "",
            "Example:  koop export wells.safetensors -o wells-arrays",
            "Coordinates of a state: b(x) = solve(L, k(x)) with k(x)[i] = kernel(x[i], x). One step: M b(x), coordinates on x_next.",
            "Eigenvalues: eig(A), as 'koop spectrum' shows them; an eigenvector c of A.T is the eigenfunction f(x) = c . b(x).",
            "E[g(next) | x] = g(x_next) . solve(L_next.T, M b(x)). No matrix is inverted, so this holds for close points too."
        })
public final class ExportCommand extends KoopCommand {

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "folder to write into")
    private Path folder;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        Model model = Model.read(file, answers);
        OutputFolder.prepare(folder, ModelArrays.SETTINGS, output.force());
        KoopmanOperator operator = model.operator();
        ModelArrays.write(folder, operator, StoredInfo.of(model.learned(), file.toString(), model.wish()));
        if (output.json()) {
            console.json(Map.of("folder", folder.toString(), "files", ModelArrays.FILES));
        } else {
            console.say(
                    "%s: %s (%d kept samples)",
                    folder, String.join(", ", ModelArrays.FILES), operator.dictionarySize());
        }
    }
}
