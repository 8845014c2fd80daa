package io.koopstream.cli.control;

import io.koopstream.cli.plot.ControlPlot;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.NumberList;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.ControlTask;
import io.koopstream.control.Formula;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.plan.SolverException;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.io.Json;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.kernel.Concatenated;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
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

/** {@code koop control learn}. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        description = "Learns the dynamics from logged transitions, plans for a cost, and writes the controller.",
        footer = {
            "",
            "Examples:",
            "  koop control learn cart.csv --actions force -o cart.safetensors --goal 0,0 --weights 1,0.1",
            "  koop control learn cart.csv --actions force -o cart.safetensors --goal 0,0 --mpc 20 --state-bounds"
                    + " speed=-1:1",
            "Data: rows of a trajectory with the action taken in each row; or pairs, columns a,b,u,a_next,b_next.",
            "Formulas: numbers, column names, pi, + - * / ^ ( ) < <= > >=, and the functions",
            "  abs cos exp log sin sqrt tan wrap (an angle to -pi..pi), atan2(y,x) max(a,b) min(a,b)."
        })
final class ControlLearnCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "DATA", description = "CSV, JSON lines, NPY, NPZ or Parquet")
    private Path data;

    @Option(
            names = "--actions",
            required = true,
            paramLabel = "NAMES",
            description = "action columns, separated by commas; columns of arrays are x1, x2, ...")
    private String actions;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "POLICY",
            description = "file to write, .safetensors")
    private Path file;

    @Option(names = "--cost", paramLabel = "FORMULA", description = "what a step costs, over state and action columns")
    private String cost;

    @Option(
            names = "--goal",
            paramLabel = "X",
            description = "instead of --cost: the state to reach, with squared distances as cost")
    private String goal;

    @Option(
            names = "--weights",
            paramLabel = "W",
            description = "weights of the squared distances to the goal; default: 1 each")
    private String weights;

    @Option(
            names = "--action-weights",
            paramLabel = "R",
            description = "weights of the squared actions beside the goal; default: 0.001 each")
    private String actionWeights;

    @Option(names = "--terminal", paramLabel = "FORMULA", description = "an episode is over where this exceeds 0")
    private String terminal;

    @Option(
            names = "--terminal-cost",
            paramLabel = "FORMULA",
            defaultValue = "0",
            description = "paid once at the end, negative for a prize; default: ${DEFAULT-VALUE}")
    private String terminalCost;

    @Option(
            names = "--discount",
            paramLabel = "G",
            defaultValue = "0.98",
            description = "discount factor, below 1; default: ${DEFAULT-VALUE}")
    private double discount;

    @Option(
            names = "--bounds",
            paramLabel = "L:H",
            description = "bounds of each action, e.g. -2:2,0:1; default: those of the data")
    private String bounds;

    @Option(
            names = "--grid",
            paramLabel = "N",
            defaultValue = "11",
            description = "actions tried along each coordinate, refined in between; default: ${DEFAULT-VALUE}")
    private int grid;

    @Option(
            names = "--prediction",
            paramLabel = "NAME",
            defaultValue = "mean-state",
            description =
                    "mean-state, or embedding (the paper's: a distribution of next states; needs about twice the transitions); default: ${DEFAULT-VALUE}")
    private String prediction;

    @Option(names = "--state-kernel", paramLabel = "SPEC", description = "on the state; default: from the data")
    private String stateKernel;

    @Option(
            names = "--action-kernel",
            paramLabel = "SPEC",
            description = "on the action; default: as wide as its range")
    private String actionKernel;

    @Option(
            names = "--next-kernel",
            paramLabel = "SPEC",
            description = "on the next state: the resolution of the value function; default: from the data")
    private String nextKernel;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "regularisation, > 0; default: the one that predicts held-out transitions best")
    private Double lambda;

    @Option(
            names = "--epsilon",
            paramLabel = "EPS",
            defaultValue = "0.03",
            description = "novelty threshold; smaller keeps more inputs and next states; default: ${DEFAULT-VALUE}")
    private double epsilon;

    @Option(
            names = "--max-dictionary",
            paramLabel = "N",
            defaultValue = "1000",
            description = "maximum number of inputs kept, and of next states; default: ${DEFAULT-VALUE}")
    private int maxDictionary;

    @Option(
            names = "--max-sweeps",
            paramLabel = "N",
            defaultValue = "5000",
            description = "maximum number of sweeps of value iteration; default: ${DEFAULT-VALUE}")
    private int maxSweeps;

    @Option(
            names = "--tolerance",
            paramLabel = "T",
            defaultValue = "1e-5",
            description = "residual at which planning stops; default: ${DEFAULT-VALUE}")
    private double tolerance;

    @Option(
            names = "--table",
            paramLabel = "F",
            description = "also write kept states, their values and actions: .csv or .parquet")
    private Path table;

    @Option(
            names = "--axes",
            paramLabel = "A;B",
            description = "two formulas over the state for the axes of the picture; default: its first two coordinates")
    private String axes;

    @Mixin
    private TrackingOptions tracking;

    @Mixin
    private PlotOption plot;

    @Mixin
    private RowOptions columns;

    @Mixin
    private Output output;

    ControlLearnCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if ((cost == null) == (goal == null)) {
            throw CommandFailure.usage("no cost given: add either --cost FORMULA or --goal X");
        }
        if (goal == null && (weights != null || actionWeights != null)) {
            throw CommandFailure.usage(
                    "--weights and --action-weights belong to --goal; put them into the formula of --cost");
        }
        Prediction model = prediction();
        boolean tracks = tracking.isGiven();
        if (tracks
                && (goal == null
                        || terminal != null
                        || model == Prediction.EMBEDDING
                        || table != null
                        || plot.isGiven())) {
            throw CommandFailure.usage(
                    "--mpc needs --goal and predicts by mean-state; --cost, --terminal, --table and --plot are for"
                            + " plans without it");
        }
        ValueIteration planner = new ValueIteration(tolerance, maxSweeps);
        output.requireFree(file);
        output.requireFree(table);
        output.requirePicture(plot.file());
        LoggedTransitions logged = LoggedTransitions.read(data, actions, bounds, new Data(console, columns));
        ControlTask task = task(logged);
        List<Formula> drawn = axes(logged.stateNames());
        Horizon horizon = tracks
                ? tracking.horizon(logged.stateNames(), weights(logged), actionWeights(logged), logged.range())
                : null;
        DynamicsLearner learner = new DynamicsLearner(dynamics(logged.transitions(), task.actions()));
        // Formulas and the discount are looked at before the work of learning.
        task.problem();
        learner.update(logged.transitions());
        LearnedPolicy policy = tracks
                ? LearnedPolicy.track(task, learner, horizon, NumberList.parse("--goal", goal))
                : plan(task, learner, model, planner);
        PolicyFile.write(file, policy);
        if (table != null || plot.isGiven()) {
            show(policy, drawn);
        }
        print(policy, learner);
        return Exit.OK;
    }

    private void show(LearnedPolicy policy, List<Formula> drawn) throws IOException {
        double[][] points = new double[policy.points()][];
        Arrays.setAll(points, i -> policy.plan().model().point(i));
        double[][] decisions = policy.plan().policy().actions(points);
        if (table != null) {
            writeTable(policy, points, decisions);
        }
        if (plot.isGiven()) {
            ControlPlot.of(drawn, points, policy.plan().values(), policy.task().actionNames(), decisions)
                    .write(plot.file());
        }
    }

    private List<Double> weights(LoggedTransitions logged) {
        return weights == null
                ? logged.stateNames().stream().map(name -> 1.0).toList()
                : NumberList.parse("--weights", weights);
    }

    private List<Double> actionWeights(LoggedTransitions logged) {
        return actionWeights == null
                ? logged.actionNames().stream().map(name -> 0.001).toList()
                : NumberList.parse("--action-weights", actionWeights);
    }

    private Prediction prediction() {
        try {
            return Prediction.valueOf(prediction.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--prediction " + prediction + ": must be mean-state or embedding");
        }
    }

    private ControlTask task(LoggedTransitions logged) {
        List<String> states = logged.stateNames();
        List<String> actionNames = logged.actionNames();
        String formula = cost;
        if (goal != null) {
            formula = ControlTask.quadratic(
                    states, NumberList.parse("--goal", goal), weights(logged), actionNames, actionWeights(logged));
        }
        return new ControlTask(
                states,
                actionNames,
                formula,
                terminal == null ? "" : terminal,
                terminalCost,
                discount,
                logged.range(),
                actionNames.stream().map(name -> grid).toList());
    }

    private DynamicsConfig dynamics(Transitions transitions, Box range) {
        DynamicsConfig guess = DynamicsConfig.guess(transitions, range, epsilon, maxDictionary);
        List<Concatenated.Part> parts = ((Concatenated) guess.input().kernel()).parts();
        DynamicsConfig settings = DynamicsConfig.of(
                transitions.stateDimension(),
                kernel(stateKernel, parts.get(0).kernel()),
                transitions.actionDimension(),
                kernel(actionKernel, parts.get(1).kernel()),
                kernel(nextKernel, guess.output().kernel()),
                epsilon,
                maxDictionary);
        return lambda == null ? settings : settings.withLambda(lambda);
    }

    private double lambda(DynamicsLearner learner) {
        return prediction() == Prediction.EMBEDDING ? learner.embeddingLambda() : learner.lambda();
    }

    private static Kernel kernel(String given, Kernel guess) {
        return given == null ? guess : Kernels.parse(given);
    }

    private List<Formula> axes(List<String> stateNames) {
        if (axes == null) {
            return List.of(
                    Formula.parse(stateNames.get(0), stateNames),
                    Formula.parse(stateNames.get(Math.min(1, stateNames.size() - 1)), stateNames));
        }
        String[] parts = axes.split(";", -1);
        if (parts.length != 2) {
            throw CommandFailure.usage("--axes " + axes + ": expected two formulas with ';' between");
        }
        return List.of(Formula.parse(parts[0], stateNames), Formula.parse(parts[1], stateNames));
    }

    /** A planner that does not finish is an error, and says how far it came. */
    private static LearnedPolicy plan(
            ControlTask task, DynamicsLearner learner, Prediction model, ValueIteration planner) {
        try {
            return LearnedPolicy.plan(task, learner, model, planner);
        } catch (SolverException e) {
            double[] best = e.bestValues();
            throw CommandFailure.data(e.getMessage()
                    + (best.length == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    " (--max-sweeps, --tolerance, --discount); best so far after %d sweeps: values"
                                            + " from %.6g to %.6g, each at most %.3g from the solution",
                                    e.sweeps(),
                                    Arrays.stream(best).min().orElseThrow(),
                                    Arrays.stream(best).max().orElseThrow(),
                                    e.residual() * task.discount() / (1 - task.discount()))));
        }
    }

    private void writeTable(LearnedPolicy policy, double[][] points, double[][] decisions) throws IOException {
        List<String> names = new ArrayList<>(policy.task().stateNames());
        names.add("value");
        names.addAll(policy.task().actionNames());
        double[] values = policy.plan().values();
        try (TableWriter writer = TableWriter.open(table, names, 0)) {
            for (int i = 0; i < points.length; i++) {
                double[] row = Arrays.copyOf(points[i], names.size());
                row[points[i].length] = values[i];
                System.arraycopy(decisions[i], 0, row, points[i].length + 1, decisions[i].length);
                writer.row(row);
            }
            writer.commit();
        }
    }

    private void print(LearnedPolicy policy, DynamicsLearner learner) {
        boolean full = learner.dictionarySize() == maxDictionary;
        if (output.json()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("transitions", policy.samples());
            result.put("dictionary", learner.dictionarySize());
            result.put("full", full);
            result.put("points", policy.points());
            if (!policy.tracks()) {
                result.put("sweeps", policy.plan().sweeps());
                result.put("residual", policy.plan().residual());
                result.put("errorBound", policy.plan().errorBound());
            }
            result.put("lambda", lambda(learner));
            result.put("cost", policy.task().cost());
            result.put("inputKernel", learner.config().input().kernel().text());
            result.put("outputKernel", learner.config().output().kernel().text());
            result.put("policy", file.toString());
            console.out().print(Json.text(result));
        } else {
            String planned = policy.tracks()
                    ? policy.points() + " inputs; every decision solves its own quadratic programs"
                    : String.format(
                            Locale.ROOT,
                            "planned in %,d sweeps, values within %.1e of the solution",
                            policy.plan().sweeps(),
                            policy.plan().errorBound());
            console.say("%,d transitions, %,d kept; %s", policy.samples(), learner.dictionarySize(), planned);
            console.say(
                    "kernels: %s, next %s; lambda %.1e%s",
                    learner.config().input().kernel().text(),
                    learner.config().output().kernel().text(),
                    lambda(learner),
                    lambda == null ? ", chosen on held-out transitions" : "");
            console.say("cost: %s", policy.task().cost());
            console.say("Policy: %s", file);
            plot.say(console);
        }
        if (full) {
            console.tell(
                    "koop: the dictionary is full at %,d; new points only replace others (--max-dictionary, --epsilon)",
                    maxDictionary);
        }
    }
}
