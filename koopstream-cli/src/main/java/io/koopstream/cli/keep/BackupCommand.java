package io.koopstream.cli.keep;

import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.DataFolder;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop backup}. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Copies a server's data folder, also while the server learns, and verifies the copy.",
        footer = {
            "",
            "Example:  koop backup koop-data -o koop-backup-monday",
            "The copy holds everything that was acknowledged when the backup began. It is a data folder itself: koop check reads it, koop serve",
            "can serve it. Secrets (the token) are not copied."
        })
public final class BackupCommand extends KoopCommand {

    @Mixin
    private JsonOption answer;

    @Parameters(paramLabel = "DIR", description = "data folder of koop serve")
    private Path folder;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "folder for the copy; must be empty or not exist")
    private Path output;

    @Override
    public Integer call() {
        return Findings.tell(console, answer.json(), new DataFolder(Storage.DISK, folder).copyTo(output));
    }
}
