package io.koopstream.cli.control;

import io.koopstream.cli.shell.Choices;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Environments;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.io.Json;
import io.koopstream.server.policy.PolicyFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop control evaluate}. */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        description = "Runs a learned controller in a built-in environment and reports how well it did.",
        footer = {"", "Example:  koop control evaluate swing.safetensors --environment Pendulum-v1 --episodes 100"})
final class ControlEvaluateCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "POLICY", description = "file written by koop control learn")
    private Path file;

    @Option(
            names = "--environment",
            required = true,
            paramLabel = "ID",
            completionCandidates = Choices.ControlEnvironments.class,
            description = "such as Pendulum-v1; 'koop control record --list' shows them")
    private String name;

    @Option(names = "--episodes", paramLabel = "N", defaultValue = "100", description = "default: ${DEFAULT-VALUE}")
    private int episodes;

    @Mixin
    private SeedOption seed;

    @Mixin
    private Output output;

    ControlEvaluateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Environment environment = Environments.of(name);
        LearnedPolicy policy = PolicyFile.read(file);
        if (policy.task().stateNames().size() != environment.observationSpace().dimension()
                || policy.task().actionNames().size()
                        != environment.actionSpace().dimension()) {
            throw CommandFailure.data(
                    file + ": was learned for states " + policy.task().stateNames() + " and actions "
                            + policy.task().actionNames() + ", but " + environment.id() + " has "
                            + environment.observationNames() + " and " + environment.actionNames());
        }
        ScoreSummary score = Episodes.evaluate(environment, policy.policy(), episodes, seed.seed());
        if (output.json()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("environment", environment.id());
            result.put("episodes", score.episodes());
            result.put("median", score.median());
            result.put("mean", score.mean());
            result.put("low", score.low());
            result.put("high", score.high());
            result.put("min", score.min());
            result.put("max", score.max());
            console.out().print(Json.text(result));
        } else {
            console.say("%s: score %s", environment.id(), score);
        }
        return Exit.OK;
    }
}
