package io.koopstream.cli.control;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.NumberList;
import io.koopstream.cli.shell.Output;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.plan.GreedyPolicy;
import io.koopstream.io.Json;
import io.koopstream.io.samples.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop control decide}. */
@Command(
        name = "decide",
        mixinStandardHelpOptions = true,
        description = "Prints the action of a learned controller in a state, or in every state of a file.",
        footer = {"", "Example:  koop control decide swing.safetensors --at -1,0,0"})
final class ControlDecideCommand implements Callable<Integer> {

    private static final int ROWS_AT_ONCE = 1024;

    private final Console console;

    @Parameters(paramLabel = "POLICY", description = "file written by koop control learn")
    private Path file;

    @Option(names = "--at", paramLabel = "X", description = "a state, numbers separated by commas")
    private String at;

    @Option(names = "--states", paramLabel = "DATA", description = "a file of states, or '-' for standard input")
    private Path states;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "where the actions for --states go: .csv or .parquet; '-' (the default) is standard output")
    private Path result;

    @Mixin
    private DataOptions columns;

    @Mixin
    private Output output;

    ControlDecideCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if ((at == null) == (states == null)) {
            throw CommandFailure.usage("in which state? give either --at X or --states DATA");
        }
        output.requireFree(result);
        LearnedPolicy learned = PolicyFile.read(file);
        GreedyPolicy policy = learned.plan().policy();
        List<String> names = learned.task().actionNames();
        if (states != null) {
            decideAll(learned, policy);
            return Exit.FINE;
        }
        double[] state =
                NumberList.parse("--at", at, learned.task().stateNames().size());
        double[] action = policy.action(state);
        double value = policy.value(state);
        if (output.json()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("state", state);
            answer.put("action", action);
            answer.put("value", value);
            console.out().print(Json.text(answer));
        } else {
            for (int c = 0; c < action.length; c++) {
                console.say("%s = %.6g", names.get(c), action[c]);
            }
            console.say("expected discounted cost %.6g", value);
        }
        return Exit.FINE;
    }

    private void decideAll(LearnedPolicy learned, GreedyPolicy policy) throws IOException {
        List<double[]> waiting = new ArrayList<>();
        try (TableWriter writer = Output.table(console, result, learned.task().actionNames(), 0)) {
            new Data(console, columns, false)
                    .forEachState(states, learned.task().stateNames(), state -> {
                        waiting.add(state.clone());
                        if (waiting.size() == ROWS_AT_ONCE) {
                            flush(policy, waiting, writer);
                        }
                    });
            flush(policy, waiting, writer);
            writer.commit();
        }
    }

    private static void flush(GreedyPolicy policy, List<double[]> waiting, TableWriter writer) throws IOException {
        for (double[] action : policy.actions(waiting.toArray(double[][]::new))) {
            writer.row(action);
        }
        waiting.clear();
    }
}
