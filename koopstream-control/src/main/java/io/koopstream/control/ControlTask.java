package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.ControlProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * A control problem in words that a file can hold: names, formulas, bounds.
 *
 * @param stateNames names of the state's coordinates
 * @param actionNames names of the action's coordinates
 * @param cost formula over both: what a step costs
 * @param terminal formula over the state: above zero an episode is over; empty when none ever is
 * @param terminalCost formula over the state: what is paid once at the end
 * @param discount γ in [0, 1)
 * @param actions bounds of the actions
 * @param actionCounts points of the action grid along each coordinate
 */
public record ControlTask(
        List<String> stateNames,
        List<String> actionNames,
        String cost,
        String terminal,
        String terminalCost,
        double discount,
        Box actions,
        List<Integer> actionCounts) {

    /** Refuses names that formulas could not tell apart, and bounds for another number of actions. */
    public ControlTask {
        stateNames = List.copyOf(stateNames);
        actionNames = List.copyOf(actionNames);
        actionCounts = List.copyOf(actionCounts);
        List<String> all = new ArrayList<>(stateNames);
        all.addAll(actionNames);
        for (String name : all) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
                throw new InvalidConfigException(
                        "name", name, "a column needs a name of letters, digits, '_' and '.' to stand in a formula");
            }
        }
        if (all.stream().distinct().count() < all.size()) {
            throw new InvalidConfigException("names", all, "must differ from each other");
        }
        if (actionNames.isEmpty() || actionNames.size() != actions.dimension()) {
            throw new InvalidConfigException(
                    "actions",
                    actionNames,
                    actionNames.isEmpty()
                            ? "the action set is empty: name at least one action"
                            : "need one lower and one upper bound each, got " + actions.dimension());
        }
    }

    /** The formula of a goal: Σ w_i (x_i − g_i)² + Σ r_j u_j². */
    public static String quadratic(
            List<String> stateNames,
            List<Double> goal,
            List<Double> stateWeights,
            List<String> actionNames,
            List<Double> actionWeights) {
        requireCount("goal", goal, stateNames);
        requireCount("state weights", stateWeights, stateNames);
        requireCount("action weights", actionWeights, actionNames);
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < goal.size(); i++) {
            terms.add(stateWeights.get(i) + "*(" + stateNames.get(i) + " - (" + goal.get(i) + "))^2");
        }
        for (int j = 0; j < actionWeights.size(); j++) {
            terms.add(actionWeights.get(j) + "*" + actionNames.get(j) + "^2");
        }
        return String.join(" + ", terms);
    }

    private static void requireCount(String what, List<Double> numbers, List<String> names) {
        if (numbers.size() != names.size()) {
            throw new InvalidConfigException(what, numbers, "needs one number for each of " + String.join(", ", names));
        }
    }

    /** The problem a planner solves. */
    public ControlProblem problem() {
        List<String> all = new ArrayList<>(stateNames);
        all.addAll(actionNames);
        Formula costFormula = Formula.parse(cost, all);
        Formula end = terminal.isBlank() ? null : Formula.parse(terminal, stateNames);
        Formula endCost = Formula.parse(terminalCost, stateNames);
        int[] counts = actionCounts.stream().mapToInt(Integer::intValue).toArray();
        return new ControlProblem(
                (x, u) -> costFormula.at(Transitions.concatenate(x, u)),
                discount,
                ActionGrid.of(actions, counts),
                x -> end != null && end.at(x) > 0,
                endCost::at);
    }
}
