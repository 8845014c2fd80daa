package io.koopstream.cli.demo;

import io.koopstream.cli.reproduce.Experiment;
import io.koopstream.cli.reproduce.ExperimentRun;
import io.koopstream.cli.reproduce.Experiments;
import io.koopstream.cli.reproduce.Finding;
import io.koopstream.cli.reproduce.Findings;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.OutputFolder;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop reproduce}. */
@Command(
        name = "reproduce",
        mixinStandardHelpOptions = true,
        description =
                "Reproduces an experiment of the paper: figures, results.json (our numbers and the paper's) and report.html.",
        footer = {"", "Example:  koop reproduce fourwell -o wells --seed 1"})
public final class ReproduceCommand extends KoopCommand {

    private static final String ALL = "all";

    /** Tells a later run that the folder is its own. */
    private static final String MARKER = "results.json";

    @Mixin
    private Output output;

    @Mixin
    private SeedOption seed;

    @Parameters(
            paramLabel = "NAME",
            description = "which experiment: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private String name;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            defaultValue = "koop-reproduce",
            description = "folder for what is written (default: ${DEFAULT-VALUE})")
    private Path folder;

    @Option(names = "--reduced", description = "a small version that shows the same quantities in seconds")
    private boolean reduced;

    /** The words that stand for experiments. */
    static final class Names extends ArrayList<String> {

        private static final long serialVersionUID = 1L;

        Names() {
            Experiments.all().forEach(experiment -> add(experiment.name()));
            add(ALL);
        }
    }

    @Override
    protected void answer() throws IOException {
        List<Experiment> chosen = name.equals(ALL)
                ? Experiments.all()
                : Experiments.named(name).map(List::of).orElse(List.of());
        if (chosen.isEmpty()) {
            throw CommandFailure.usage(
                    "unknown experiment '" + name + "': it must be one of " + String.join(", ", new Names()));
        }
        OutputFolder.prepare(folder, MARKER, output.force());
        Map<Experiment, Findings> found = new LinkedHashMap<>();
        List<Map<String, Object>> results = new ArrayList<>();
        for (Experiment experiment : chosen) {
            Path place = name.equals(ALL) ? folder.resolve(experiment.name()) : folder;
            Files.createDirectories(place);
            console.tell("%s", experiment.title());
            Findings findings =
                    experiment.run(new ExperimentRun(place, seed.seed(), reduced, line -> console.tell("  %s", line)));
            ReproduceReport.write(place, experiment, findings);
            Map<String, Object> result = ReproduceReport.json(experiment, findings);
            Files.writeString(place.resolve(MARKER), Json.text(result));
            found.put(experiment, findings);
            results.add(result);
        }
        String printed = Json.text(name.equals(ALL) ? Map.of("experiments", results) : results.get(0));
        if (name.equals(ALL)) {
            Files.writeString(folder.resolve(MARKER), printed);
            ReproduceReport.writeIndex(folder, found);
        }
        if (output.json()) {
            console.out().print(printed);
        } else {
            found.forEach(this::print);
            console.say("Report in %s", folder.resolve("report.html"));
        }
    }

    private void print(Experiment experiment, Findings findings) {
        console.say("%s", experiment.title());
        for (Finding finding : findings.figures()) {
            console.say(
                    "  %-75s %10s  %s",
                    finding.quantity(),
                    ReproduceReport.number(finding.ours()),
                    String.join(
                            "; ",
                            List.of(
                                            finding.paper().isEmpty() ? "" : "paper: " + finding.paper(),
                                            ReproduceReport.verdict(finding))
                                    .stream()
                                    .filter(text -> !text.isEmpty())
                                    .toList()));
        }
        console.say("");
    }
}
