package io.koopstream.cli.keep;

import io.koopstream.KoopstreamException;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.DataFolder.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop repair}. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description = "Recovers what is left of damaged models in a server's data folder.",
        footer = {
            "",
            "Example:  koop repair koop-data",
            "          koop repair koop-data --model plant --accept-loss",
            "Without --accept-loss it says what would be lost and changes nothing. A model is restored to the state before its first missing",
            "batch. Its log is moved to the folder 'lost', not deleted; from then on the server reports how many acknowledged batches were lost.",
            "If a backup has them, prefer koop restore."
        })
public final class RepairCommand extends KoopCommand {

    @Mixin
    private JsonOption answer;

    @Parameters(paramLabel = "DIR", description = "data folder of koop serve")
    private Path folder;

    @Option(names = "--model", paramLabel = "NAME", description = "only this model; default: all damaged ones")
    private String model;

    @Option(names = "--accept-loss", description = "continue without the lost data")
    private boolean acceptLoss;

    @Override
    public Integer call() {
        DataFolder data = new DataFolder(Storage.DISK, folder);
        List<Finding> damaged = new ArrayList<>(data.check());
        damaged.removeIf(
                finding -> finding.whole() || (model != null && !finding.model().equals(model)));
        if (damaged.isEmpty()) {
            console.tell("nothing is damaged, nothing was changed");
            return Exit.OK;
        }
        if (!acceptLoss) {
            int code = Findings.tell(console, answer.json(), damaged, "some damaged");
            console.tell("nothing was changed; with --accept-loss these models continue with the batches listed above");
            return code;
        }
        List<Finding> done = new ArrayList<>();
        for (Finding finding : damaged) {
            try {
                done.add(data.repair(finding.model()));
            } catch (KoopstreamException e) {
                // The others can be repaired all the same.
                done.add(Finding.unreadable(finding.model(), e));
            }
        }
        return Findings.tell(
                console,
                answer.json(),
                done,
                "some could not be repaired: restore them from a backup (koop restore), or delete them");
    }
}
