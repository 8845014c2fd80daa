package io.koopstream.cli.keep;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.io.Storage;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.DataFolder.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop repair}. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description = "Lets damaged models of a server's data folder go on with what is left of them.",
        footer = {
            "",
            "Example:  koop repair koop-data                          says what would be lost, and changes nothing",
            "          koop repair koop-data --model plant --accept-loss",
            "A model is brought to the state before its first missing batch. Its log is put aside in the folder 'lost', not deleted; the server",
            "tells from then on how many acknowledged batches are lost. A backup that has them is better: koop restore."
        })
public final class RepairCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "DIR", description = "data folder of koop serve")
    private Path folder;

    @Option(names = "--model", paramLabel = "NAME", description = "only this model; otherwise all that are damaged")
    private String model;

    @Option(names = "--accept-loss", description = "go on without what is lost")
    private boolean acceptLoss;

    @Option(names = "--json", description = "print one JSON document on standard output")
    private boolean json;

    /** The command that answers on this console. */
    public RepairCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        DataFolder data = new DataFolder(Storage.DISK, folder);
        List<Finding> damaged = new ArrayList<>(data.check());
        damaged.removeIf(
                finding -> finding.whole() || (model != null && !finding.model().equals(model)));
        if (damaged.isEmpty()) {
            console.tell("nothing is damaged, nothing was changed");
            return Exit.FINE;
        }
        if (!acceptLoss) {
            int code = Findings.tell(console, json, damaged);
            console.tell("nothing was changed; with --accept-loss these models go on with the batches said above");
            return code;
        }
        List<Finding> done = new ArrayList<>();
        for (Finding finding : damaged) {
            done.add(data.repair(finding.model()));
        }
        return Findings.tell(console, json, done);
    }
}
