package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.KoopstreamException;
import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.dynamics.Knownness;
import io.koopstream.control.dynamics.ProjectedModel;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Policy;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.mpc.ModelPredictiveControl;
import io.koopstream.control.mpc.Tracking;
import io.koopstream.control.plan.ControlProblem;
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

/**
 * A task together with what was found for it from data: what a controller needs, and what a file of it holds. Either the values of a plan, or model-predictive
 * control on the learned regression. Immutable.
 */
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

    /** What {@code prediction} says of a file with a horizon in place of a plan. */
    private static final String TRACKING = "tracking";

    private final ControlTask task;
    /** The values, or null. */
    private final Plan plan;
    /** Model-predictive control, or null. */
    private final Tracking tracking;

    private final int samples;
    private final String outputKernel;
    /** Found when somebody asks: it costs more than a decision. */
    private volatile Knownness knownness;

    private LearnedPolicy(ControlTask task, Plan plan, Tracking tracking, String outputKernel, int samples) {
        this.task = task;
        this.plan = plan;
        this.tracking = tracking;
        this.outputKernel = outputKernel;
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
        return new LearnedPolicy(
                task, plan, null, learner.config().output().kernel().text(), learner.samples());
    }

    /**
     * Model-predictive control with what was learned.
     *
     * @param task names and bounds of the actions; its cost is what people read, the horizon is what counts
     * @param goal the state wanted where no reference is given
     */
    public static LearnedPolicy track(ControlTask task, DynamicsLearner learner, Horizon horizon, List<Double> goal) {
        Tracking tracking =
                new Tracking(learner.config().input(), learner.inputs(), learner.increments(), horizon, goal);
        return new LearnedPolicy(
                task, null, tracking, learner.config().output().kernel().text(), learner.samples());
    }

    /** The task. */
    public ControlTask task() {
        return task;
    }

    /** The plan; null for {@link #tracks}. */
    public Plan plan() {
        return plan;
    }

    /** Whether it is model-predictive control, which takes references and gives plans. */
    public boolean tracks() {
        return tracking != null;
    }

    /** What acts, episode by episode; one thread. */
    public Policy policy() {
        return tracks() ? tracking.control((double[][]) null) : plan.policy();
    }

    /** How many points it rests on: support points of the values, or kept inputs. */
    public int points() {
        return tracks() ? tracking.inputs().size() : plan.model().size();
    }

    /**
     * What to do in a state.
     *
     * @param action the action
     * @param value what is expected to be paid from there on, discounted; for {@link #tracks} along the horizon
     * @param known how well (state, action) is known, 0 to 1: {@link Knownness}. Where it is near 0 the action rests on nothing
     * @param plan for {@link #tracks} the actions planned for the next steps, to go on from; empty otherwise
     */
    public record Decision(List<Double> action, double value, double known, List<List<Double>> plan) {}

    /** What to do in each of these states. Any number of threads may ask. */
    public List<Decision> decide(double[]... states) {
        return decide(states, null, null);
    }

    /**
     * What to do in each of these states.
     *
     * @param reference rows: the states wanted after 1, 2, ... steps, the last one from then on; null for the goal. Only for {@link #tracks}
     * @param plans for each state the plan of the decision before, or null to search for one. Only for {@link #tracks}
     * @throws InvalidQueryException if there is a reference or a plan that this policy cannot use
     */
    public List<Decision> decide(double[][] states, double[][] reference, double[][][] plans) {
        if (!tracks() && (reference != null || plans != null)) {
            throw new InvalidQueryException(
                    "this policy was planned for its cost and takes no reference and no plan; learn one with a horizon"
                            + " (--mpc)");
        }
        if (plans != null && plans.length != states.length) {
            throw new InvalidQueryException(plans.length + " plans for " + states.length + " states");
        }
        if (knownness == null) {
            knownness = tracks()
                    ? Knownness.of(tracking.space(), tracking.inputs())
                    : Knownness.of(model().inputSpace(), model().inputs());
        }
        double[] values = new double[states.length];
        double[][] actions =
                tracks() ? new double[states.length][] : plan.policy().actions(states, values);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            List<List<Double>> planned = List.of();
            if (tracks()) {
                ModelPredictiveControl control = tracking.control(reference);
                if (plans != null) {
                    control.resume(plans[i]);
                }
                actions[i] = control.action(states[i]);
                values[i] = control.cost();
                planned = Arrays.stream(control.plan()).map(LearnedPolicy::list).toList();
            }
            decisions.add(new Decision(list(actions[i]), values[i], knownness.at(states[i], actions[i]), planned));
        }
        return decisions;
    }

    private static List<Double> list(double... numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    private ProjectedModel model() {
        return (ProjectedModel) plan.model();
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
        Rkhs inputs = tracks() ? tracking.space() : model().inputSpace();
        texts.put("input_kernel", inputs.kernel().text());
        texts.put("output_kernel", outputKernel);
        texts.put("prediction", prediction());
        texts.put("samples", Integer.toString(samples));
        texts.put("unknown", Double.toString(tracks() ? 0 : plan.unknown()));
        texts.put("residual", Double.toString(tracks() ? 0 : plan.residual()));
        texts.put("sweeps", Integer.toString(tracks() ? 0 : plan.sweeps()));
        texts.put("version", tracks() ? "2" : "1");
        return texts;
    }

    private String prediction() {
        if (tracks()) {
            return TRACKING;
        }
        return (model().innerProducts() == null ? Prediction.MEAN_STATE : Prediction.EMBEDDING)
                .name()
                .toLowerCase(Locale.ROOT);
    }

    /** The matrices by name: kept inputs and readout; then support points, values and the embedding's inner products, or the horizon. */
    public Map<String, double[][]> matrices() {
        Map<String, double[][]> matrices = new LinkedHashMap<>();
        if (tracks()) {
            Horizon horizon = tracking.horizon();
            matrices.put("inputs", tracking.inputs().toRows());
            matrices.put("readout", tracking.readout());
            matrices.put("horizon", new double[][] {{horizon.steps(), horizon.hold(), horizon.finalWeight()}});
            matrices.put("tracking", new double[][] {
                finite(horizon.stateWeights()),
                finite(tracking.goal()),
                finite(horizon.states().low()),
                finite(horizon.states().high())
            });
            matrices.put("action_weights", new double[][] {finite(horizon.actionWeights())});
            return matrices;
        }
        matrices.put("inputs", model().inputs().toRows());
        matrices.put("outputs", model().outputs().toRows());
        matrices.put("readout", model().readout());
        matrices.put(
                "values",
                Arrays.stream(plan.values()).mapToObj(v -> new double[] {v}).toArray(double[][]::new));
        if (model().innerProducts() != null) {
            matrices.put("inner_products", model().innerProducts());
        }
        return matrices;
    }

    /** Files hold finite numbers: where there is no bound, the largest one. */
    private static double[] finite(List<Double> numbers) {
        return numbers.stream()
                .mapToDouble(number -> Math.min(Math.max(number, -Double.MAX_VALUE), Double.MAX_VALUE))
                .toArray();
    }

    /** The reverse of {@link #finite}. */
    private static List<Double> bounds(double... numbers) {
        return Arrays.stream(numbers)
                .map(number -> Math.abs(number) == Double.MAX_VALUE ? Math.signum(number) / 0.0 : number)
                .boxed()
                .toList();
    }

    /**
     * A policy from texts and matrices as {@link #texts} and {@link #matrices} give them.
     *
     * @param matrices a matrix by its name, or null when there is none
     * @throws InvalidConfigException if they do not make up a policy
     */
    public static LearnedPolicy restore(Map<String, String> texts, Function<String, double[][]> matrices) {
        boolean tracks = TRACKING.equals(texts.get("prediction"));
        if (!(tracks ? "2" : "1").equals(texts.get("version"))) {
            throw new InvalidConfigException(
                    "version",
                    texts.get("version"),
                    "this release reads version 1, and version 2 of policies with a horizon");
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
            Rkhs space = new Rkhs(Kernels.parse(texts.get("input_kernel")), d + p);
            Rkhs outputSpace = new Rkhs(Kernels.parse(texts.get("output_kernel")), d);
            Points inputs = points(matrices, "inputs", d + p);
            double[][] readout = shaped(matrices, "readout", d + 1, inputs.size());
            Plan plan = tracks ? null : plan(texts, matrices, task.problem(), space, inputs, outputSpace, readout);
            Tracking tracking = tracks ? tracking(matrices, task, space, inputs, readout) : null;
            return new LearnedPolicy(
                    task, plan, tracking, outputSpace.kernel().text(), Integer.parseInt(texts.get("samples")));
        } catch (NumberFormatException e) {
            throw new KoopstreamException("not a policy: a number was expected; " + e.getMessage(), e);
        }
    }

    private static Plan plan(
            Map<String, String> texts,
            Function<String, double[][]> matrices,
            ControlProblem problem,
            Rkhs space,
            Points inputs,
            Rkhs outputSpace,
            double[][] readout) {
        Points outputs = points(matrices, "outputs", outputSpace.dimension());
        boolean embedding = texts.get("prediction").equals("embedding");
        ProjectedModel model = new ProjectedModel(
                space,
                inputs,
                outputSpace,
                outputs,
                readout,
                !embedding,
                embedding ? shaped(matrices, "inner_products", outputs.size(), inputs.size()) : null,
                ProjectedModel.TRUSTED_MASS);
        double[] values = Arrays.stream(shaped(matrices, "values", outputs.size(), 1))
                .mapToDouble(row -> row[0])
                .toArray();
        return new Plan(
                model,
                problem,
                values,
                Double.parseDouble(texts.get("unknown")),
                Double.parseDouble(texts.get("residual")),
                Integer.parseInt(texts.get("sweeps")));
    }

    private static Tracking tracking(
            Function<String, double[][]> matrices, ControlTask task, Rkhs space, Points inputs, double[][] readout) {
        double[] horizon = shaped(matrices, "horizon", 1, 3)[0];
        double[][] rows = shaped(matrices, "tracking", 4, task.stateNames().size());
        double[] actionWeights =
                shaped(matrices, "action_weights", 1, task.actionNames().size())[0];
        Horizon ahead = new Horizon(
                (int) horizon[0],
                (int) horizon[1],
                list(rows[0]),
                horizon[2],
                list(actionWeights),
                new Box(bounds(rows[2]), bounds(rows[3])),
                task.actions());
        return new Tracking(space, inputs, readout, ahead, list(rows[1]));
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
