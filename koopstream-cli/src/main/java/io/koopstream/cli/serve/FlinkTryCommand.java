package io.koopstream.cli.serve;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.SeedOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code koop flink try}: starts the tour in {@code deploy/flink/try.sh}, which does all the work. */
@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        description = {
            "A tour of about two minutes: starts a Flink cluster and a Kafka broker on this machine, learns eight streams, kills a worker in the "
                    + "middle, compares the models with those of koop learn, and stops everything.",
            "Needs Maven and bash; fetches about 110 MB the first time."
        },
        footer = {"", "Example:  koop flink try -o tour"})
final class FlinkTryCommand extends KoopCommand {

    private static final String SCRIPT = "deploy/flink/try.sh";

    @Mixin
    private SeedOption seed;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "folder for everything the tour writes; default: deploy/flink/target/try")
    private Path folder;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "6144",
            description = "samples of each stream, in steps of 256; default: ${DEFAULT-VALUE}")
    private int steps;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String root = System.getProperty("koop.root");
        Path script = root == null ? null : Path.of(root).resolve(SCRIPT);
        if (script == null || !Files.isRegularFile(script)) {
            throw CommandFailure.file(SCRIPT + " not found; run the koop script at the root of the project's sources");
        }
        if (seed.seed() < 0) {
            throw CommandFailure.usage("--seed " + seed.seed() + ": must be >= 0");
        }
        console.out().flush();
        List<String> words = new java.util.ArrayList<>(List.of(
                "bash", script.toString(), "--steps", Integer.toString(steps), "--seed", Long.toString(seed.seed())));
        if (folder != null) {
            words.addAll(List.of("-o", folder.toString()));
        }
        Process tour = new ProcessBuilder(words).inheritIO().start();
        // Ctrl-C reaches the script too, which then ends its processes; leaving before it has would look as if nothing
        // ran any more.
        Thread patience = new Thread(() -> {
            tour.destroy();
            tour.onExit().join();
        });
        Runtime.getRuntime().addShutdownHook(patience);
        int code = tour.waitFor();
        Runtime.getRuntime().removeShutdownHook(patience);
        return code;
    }
}
