package io.koopstream.cli.keep;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.DataFolder.Finding;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop restore}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = "Restores a server's data folder from a backup, after verifying the backup.",
        footer = {
            "",
            "Example:  koop restore koop-backup-monday --data koop-data",
            "The data folder must be empty or not exist; move a damaged one away first. Senders that number their samples then send again",
            "what came after the backup; the server tells them which number it expects."
        })
public final class RestoreCommand extends KoopCommand {

    @Mixin
    private JsonOption answer;

    @Parameters(paramLabel = "BACKUP", description = "folder written by koop backup")
    private Path backup;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "data folder to create; must be empty or not exist")
    private Path data;

    @Override
    public Integer call() {
        DataFolder source = new DataFolder(Storage.DISK, backup);
        List<Finding> found = source.check();
        if (found.isEmpty()) {
            throw CommandFailure.data(backup + ": holds no model; name a folder written by koop backup");
        }
        if (!found.stream().allMatch(Finding::whole)) {
            return Findings.tell(console, answer.json(), found);
        }
        return Findings.tell(console, answer.json(), source.copyTo(data));
    }
}
