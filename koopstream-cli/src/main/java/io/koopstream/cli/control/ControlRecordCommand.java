package io.koopstream.cli.control;

import io.koopstream.cli.shell.Choices;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Environments;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.StepResult;
import io.koopstream.io.Json;
import io.koopstream.io.samples.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop control record}. */
@Command(
        name = "record",
        mixinStandardHelpOptions = true,
        description = "Records transitions of a built-in environment under random actions.",
        footer = {
            "",
            "Example:  koop control record Pendulum-v1 --transitions 3000 --seed 1 -o swings.csv",
            "Columns: trajectory, step, the observation, the action taken there; the action of a last row is not used."
        })
final class ControlRecordCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(
            paramLabel = "ENVIRONMENT",
            arity = "0..1",
            completionCandidates = Choices.ControlEnvironments.class,
            description = "environment, e.g. Pendulum-v1; --list shows them")
    private String name;

    @Option(names = "--list", description = "list the environments and exit")
    private boolean list;

    @Option(
            names = "--transitions",
            paramLabel = "N",
            defaultValue = "4000",
            description = "how many; default: ${DEFAULT-VALUE}")
    private int transitions;

    @Option(
            names = "--hold",
            paramLabel = "N",
            defaultValue = "1",
            description = "number of steps to hold each random action, for slow systems; default: ${DEFAULT-VALUE}")
    private int hold;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "file to write, .csv or .parquet")
    private Path file;

    @Mixin
    private SeedOption seed;

    @Mixin
    private Output output;

    ControlRecordCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            list();
            return Exit.OK;
        }
        if (name == null || file == null) {
            throw CommandFailure.usage(
                    "an environment and -o FILE are required, e.g. Pendulum-v1 -o swings.csv; --list shows all environments");
        }
        Output.requireAtLeastOne("--transitions", transitions);
        Environment environment = Environments.of(name);
        output.requireFree(file);
        int episodes = write(environment);
        if (output.json() && !Output.isStandard(file)) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("environment", environment.id());
            result.put("transitions", transitions);
            result.put("episodes", episodes);
            result.put("seed", seed.seed());
            result.put("file", file.toString());
            console.out().print(Json.text(result));
        } else {
            console.tell("%s: %,d transitions in %,d episodes of %s", file, transitions, episodes, environment.id());
        }
        return Exit.OK;
    }

    private void list() {
        List<Object> all = new ArrayList<>();
        for (Environment environment : Environments.all()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("id", environment.id());
            entry.put("observation", environment.observationNames());
            entry.put("action", environment.actionNames());
            entry.put("description", environment.description());
            all.add(entry);
            if (!output.json()) {
                console.say("%-26s %s", environment.id(), environment.description());
            }
        }
        if (output.json()) {
            console.out().print(Json.text(Map.of("environments", all)));
        }
    }

    private int write(Environment environment) throws IOException {
        SplittableRandom seeds = new SplittableRandom(seed.seed());
        Policy policy = Policy.held(Policy.uniform(environment.actionSpace(), seeds.nextLong()), hold);
        List<String> names = new ArrayList<>(List.of("trajectory", "step"));
        names.addAll(environment.observationNames());
        names.addAll(environment.actionNames());
        int episode = 0;
        try (TableWriter writer = Output.table(console, file, names, 2)) {
            for (int done = 0; done < transitions; episode++) {
                double[] observation = environment.reset(seeds.nextLong());
                boolean over = false;
                int step = 0;
                for (; !over && done < transitions; step++, done++) {
                    double[] action = policy.action(observation);
                    writer.row(row(episode, step, observation, action));
                    StepResult result = environment.step(action);
                    observation = result.observation();
                    over = result.over();
                }
                writer.row(row(
                        episode,
                        step,
                        observation,
                        new double[environment.actionNames().size()]));
            }
            writer.commit();
        }
        return episode;
    }

    private static double[] row(int episode, int step, double[] observation, double[] action) {
        double[] row = new double[2 + observation.length + action.length];
        row[0] = episode;
        row[1] = step;
        System.arraycopy(observation, 0, row, 2, observation.length);
        System.arraycopy(action, 0, row, 2 + observation.length, action.length);
        return row;
    }
}
