package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.KoopstreamException;
import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.dynamics.Knownness;
import io.koopstream.control.dynamics.ProjectedModel;
import io.koopstream.control.env.Box;
import io.koopstream.control.plan.Plan;
import io.koopstream.control.plan.SolverException;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A task together with the plan that was made for it from data: what a controller needs, and what a file of it holds. Immutable. */
public final class LearnedPolicy {

    /** The keys of {@link #texts()}. */
    public static final Set<String> KEYS = Set.of(
            "state_names",
            "action_names",
            "cost",
            "terminal",
            "terminal_cost",
            "discount",
            "action_low",
            "action_high",
            "action_counts",
            "input_kernel",
            "output_kernel",
            "prediction",
            "samples",
            "unknown",
            "residual",
            "sweeps",
            "version");

    private final ControlTask task;
    private final Plan plan;
    private final ProjectedModel model;
    private final int samples;
    /** Found when somebody asks: it costs more than a decision. */
    private volatile Knownness knownness;

    private LearnedPolicy(ControlTask task, Plan plan, int samples) {
        this.task = task;
        this.plan = plan;
        this.model = (ProjectedModel) plan.model();
        this.samples = samples;
    }

    /**
     * Plans for a task with what was learned.
     *
     * @throws SolverException if a cost is no number, or the planner did not converge; it carries the best values so far
     */
    public static LearnedPolicy plan(
            ControlTask task, DynamicsLearner learner, Prediction prediction, ValueIteration planner) {
        Plan plan = new ControlSettings("own", learner.config(), prediction, task.problem(), planner).plan(learner);
        return new LearnedPolicy(task, plan, learner.samples());
    }

    /** The task. */
    public ControlTask task() {
        return task;
    }

    /** The plan. */
    public Plan plan() {
        return plan;
    }

    /**
     * What to do in a state.
     *
     * @param action the action
     * @param value what is expected to be paid from there on, discounted
     * @param known how well (state, action) is known, 0 to 1: {@link Knownness}. Where it is near 0 the action rests on nothing
     */
    public record Decision(List<Double> action, double value, double known) {}

    /** What to do in each of these states. Any number of threads may ask. */
    public List<Decision> decide(double[]... states) {
        if (knownness == null) {
            knownness = Knownness.of(model.inputSpace(), model.inputs());
        }
        double[] values = new double[states.length];
        double[][] actions = plan.policy().actions(states, values);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            decisions.add(new Decision(
                    Arrays.stream(actions[i]).boxed().toList(), values[i], knownness.at(states[i], actions[i])));
        }
        return decisions;
    }

    /** How many transitions it was learned from. */
    public int samples() {
        return samples;
    }

    /** Everything but the matrices, as texts by key; numbers read back to the same bits. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("state_names", String.join(",", task.stateNames()));
        texts.put("action_names", String.join(",", task.actionNames()));
        texts.put("cost", task.cost());
        texts.put("terminal", task.terminal());
        texts.put("terminal_cost", task.terminalCost());
        texts.put("discount", Double.toString(task.discount()));
        texts.put("action_low", joined(task.actions().low()));
        texts.put("action_high", joined(task.actions().high()));
        texts.put("action_counts", joined(task.actionCounts()));
        texts.put("input_kernel", model.inputSpace().kernel().text());
        texts.put("output_kernel", model.outputSpace().kernel().text());
        texts.put(
                "prediction",
                (model.innerProducts() == null ? Prediction.MEAN_STATE : Prediction.EMBEDDING)
                        .name()
                        .toLowerCase(Locale.ROOT));
        texts.put("samples", Integer.toString(samples));
        texts.put("unknown", Double.toString(plan.unknown()));
        texts.put("residual", Double.toString(plan.residual()));
        texts.put("sweeps", Integer.toString(plan.sweeps()));
        texts.put("version", "1");
        return texts;
    }

    /** The matrices by name: kept inputs, support points, readout, values, and for the embedding its inner products. */
    public Map<String, double[][]> matrices() {
        Map<String, double[][]> matrices = new LinkedHashMap<>();
        matrices.put("inputs", model.inputs().toRows());
        matrices.put("outputs", model.outputs().toRows());
        matrices.put("readout", model.readout());
        matrices.put(
                "values",
                Arrays.stream(plan.values()).mapToObj(v -> new double[] {v}).toArray(double[][]::new));
        if (model.innerProducts() != null) {
            matrices.put("inner_products", model.innerProducts());
        }
        return matrices;
    }

    /**
     * A policy from texts and matrices as {@link #texts} and {@link #matrices} give them.
     *
     * @param matrices a matrix by its name, or null when there is none
     * @throws InvalidConfigException if they do not make up a policy
     */
    public static LearnedPolicy restore(Map<String, String> texts, Function<String, double[][]> matrices) {
        if (!"1".equals(texts.get("version"))) {
            throw new InvalidConfigException("version", texts.get("version"), "this release reads version 1");
        }
        try {
            ControlTask task = new ControlTask(
                    names(texts.get("state_names")),
                    names(texts.get("action_names")),
                    texts.get("cost"),
                    texts.get("terminal"),
                    texts.get("terminal_cost"),
                    Double.parseDouble(texts.get("discount")),
                    new Box(numbers(texts.get("action_low")), numbers(texts.get("action_high"))),
                    names(texts.get("action_counts")).stream()
                            .map(Integer::valueOf)
                            .toList());
            int d = task.stateNames().size();
            int p = task.actionNames().size();
            Points inputs = points(matrices, "inputs", d + p);
            Points outputs = points(matrices, "outputs", d);
            boolean embedding = texts.get("prediction").equals("embedding");
            ProjectedModel model = new ProjectedModel(
                    new Rkhs(Kernels.parse(texts.get("input_kernel")), d + p),
                    inputs,
                    new Rkhs(Kernels.parse(texts.get("output_kernel")), d),
                    outputs,
                    shaped(matrices, "readout", d + 1, inputs.size()),
                    !embedding,
                    embedding ? shaped(matrices, "inner_products", outputs.size(), inputs.size()) : null,
                    ProjectedModel.TRUSTED_MASS);
            double[] values = Arrays.stream(shaped(matrices, "values", outputs.size(), 1))
                    .mapToDouble(row -> row[0])
                    .toArray();
            Plan plan = new Plan(
                    model,
                    task.problem(),
                    values,
                    Double.parseDouble(texts.get("unknown")),
                    Double.parseDouble(texts.get("residual")),
                    Integer.parseInt(texts.get("sweeps")));
            return new LearnedPolicy(task, plan, Integer.parseInt(texts.get("samples")));
        } catch (NumberFormatException e) {
            throw new KoopstreamException("not a policy: a number was expected; " + e.getMessage(), e);
        }
    }

    private static Points points(Function<String, double[][]> matrices, String name, int columns) {
        double[][] rows = matrices.apply(name);
        return Points.of(columns, shaped(matrices, name, rows == null ? 0 : rows.length, columns));
    }

    private static double[][] shaped(Function<String, double[][]> matrices, String name, int rows, int columns) {
        double[][] matrix = matrices.apply(name);
        if (matrix == null || matrix.length == 0 || matrix.length != rows || matrix[0].length != columns) {
            throw new InvalidConfigException(
                    name,
                    matrix == null ? null : matrix.length + " rows",
                    "must be a matrix of " + rows + " x " + columns);
        }
        return matrix;
    }

    private static List<String> names(String joined) {
        return List.of(joined.split(",", -1));
    }

    private static List<Double> numbers(String joined) {
        return names(joined).stream().map(Double::valueOf).toList();
    }

    private static String joined(List<?> values) {
        return String.join(",", values.stream().map(String::valueOf).toList());
    }
}
