package io.koopstream.cli.control;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.NumberList;
import io.koopstream.cli.shell.Output;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.LearnedPolicy.Decision;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.Json;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.server.policy.PolicyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
        description = {
            "Prints the action of a learned controller for a state, or for each state of a file, with the expected cost from there on and how well",
            "the state is known, 0 to 1. States of which less than a tenth is known get no answer."
        },
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
            description =
                    "file for the actions of --states, with value and known: .csv or .parquet; '-' (the default) is standard output")
    private Path result;

    @Option(
            names = "--reference",
            paramLabel = "R",
            description =
                    "for a policy of --mpc: the states wanted after 1, 2, ... steps with ';' between, the last one"
                            + " from then on; default: its goal")
    private String reference;

    @Option(
            names = "--plan",
            paramLabel = "U",
            description =
                    "for a policy of --mpc, with --at: the plan that the decision before printed with --json, actions"
                            + " with ';' between, to go on from; default: search for one")
    private String plan;

    @Option(names = "--anyway", description = "also answer where less than a tenth of the state is known")
    private boolean anyway;

    /** The rows of {@link #reference}. */
    private double[][] wanted;

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
            throw CommandFailure.usage("no state given: add either --at X or --states DATA");
        }
        if (plan != null && at == null) {
            throw CommandFailure.usage("--plan belongs to --at: it is the plan of one state");
        }
        output.requireFree(result);
        LearnedPolicy learned = console.kept().get(file, LearnedPolicy.class, PolicyFile::read);
        wanted = rows("--reference", reference, learned.task().stateNames().size());
        if (states != null) {
            decideAll(learned);
            return Exit.OK;
        }
        double[] state =
                NumberList.parse("--at", at, learned.task().stateNames().size());
        double[][] before = rows("--plan", plan, learned.task().actionNames().size());
        Decision decision = learned.decide(
                        new double[][] {state}, wanted, before == null ? null : new double[][][] {before})
                .get(0);
        boolean answered = isAnswered(decision);
        if (!answered && !output.json()) {
            throw CommandFailure.data(String.format(
                    Locale.ROOT,
                    "--at %s: only %.2g of this state is known, too little to choose an action; learn from data closer to it, or add --anyway",
                    at,
                    decision.known()));
        }
        if (output.json()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("state", state);
            answer.put("action", answered ? decision.action() : null);
            answer.put("value", answered ? decision.value() : null);
            answer.put("known", decision.known());
            if (learned.tracks()) {
                answer.put("plan", decision.plan());
            }
            console.out().print(Json.text(answer));
        } else {
            for (int c = 0; c < decision.action().size(); c++) {
                console.say(
                        "%s = %.6g",
                        learned.task().actionNames().get(c), decision.action().get(c));
            }
            console.say(
                    "expected %s %.6g, known %.2f",
                    learned.tracks() ? "cost along the horizon" : "discounted cost",
                    decision.value(),
                    decision.known());
        }
        return Exit.OK;
    }

    private static double[][] rows(String option, String text, int columns) {
        return text == null
                ? null
                : Arrays.stream(text.split(";", -1))
                        .map(row -> NumberList.parse(option, row, columns))
                        .toArray(double[][]::new);
    }

    private boolean isAnswered(Decision decision) {
        return anyway || decision.known() >= Forecaster.REFUSE_BELOW;
    }

    private void decideAll(LearnedPolicy learned) throws IOException {
        List<String> names = new ArrayList<>(learned.task().actionNames());
        names.addAll(List.of("value", "known"));
        List<double[]> waiting = new ArrayList<>();
        try (TableWriter writer = Output.table(console, result, names, 0)) {
            new Data(console, columns, false)
                    .forEachState(states, learned.task().stateNames(), state -> {
                        waiting.add(state.clone());
                        if (waiting.size() == ROWS_AT_ONCE) {
                            flush(learned, waiting, writer);
                        }
                    });
            flush(learned, waiting, writer);
            writer.commit();
        }
    }

    private void flush(LearnedPolicy learned, List<double[]> waiting, TableWriter writer) throws IOException {
        for (Decision decision : learned.decide(waiting.toArray(double[][]::new), wanted, null)) {
            double[] row = new double[decision.action().size() + 2];
            Arrays.fill(row, Double.NaN);
            for (int c = 0; c < row.length - 2 && isAnswered(decision); c++) {
                row[c] = decision.action().get(c);
                row[row.length - 2] = decision.value();
            }
            row[row.length - 1] = decision.known();
            writer.row(row);
        }
        waiting.clear();
    }
}
