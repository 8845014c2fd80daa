package io.koopstream.cli.keep;

import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.DataFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code koop check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Verifies a server's data folder or a model file from end to end.",
        footer = {
            "",
            "Example:  koop check koop-data",
            "          koop check wells.safetensors",
            "Verifies every checksum and recovers every model of a folder as a server would; changes nothing. Exit code 0 when everything is",
            "intact, 3 when something is damaged. A folder in use by a server is refused: check a backup of it instead (koop backup)."
        })
public final class CheckCommand extends KoopCommand {

    @Mixin
    private JsonOption answer;

    @Parameters(paramLabel = "DIR|MODEL", description = "data folder of koop serve, or model file")
    private Path place;

    @Override
    public Integer call() {
        if (Files.isDirectory(place)) {
            return Findings.tell(console, answer.json(), new DataFolder(Storage.DISK, place).check());
        }
        long samples = Model.read(place).learned().version().version();
        if (answer.json()) {
            console.json(Map.of("whole", true, "samples", samples));
        } else {
            console.say("%s: intact; learned from %s samples", place, samples);
        }
        return Exit.OK;
    }
}
