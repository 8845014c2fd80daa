package io.koopstream.control.plan;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.ActionGrid;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What a planner minimises: the expected sum of discounted costs over the actions of a grid (equation (bellman) of section 7.2).
 *
 * @param cost c(x, u)
 * @param discount γ in [0, 1)
 * @param actions the actions to choose from
 * @param terminal which states end an episode
 * @param terminalCost what is paid once in a terminal state; negative for a prize
 */
public record ControlProblem(
        Cost cost,
        double discount,
        ActionGrid actions,
        Predicate<double[]> terminal,
        ToDoubleFunction<double[]> terminalCost) {

    /** Refuses a discount outside [0, 1) and missing parts. */
    public ControlProblem {
        InvalidConfigException.requireGiven("cost", cost);
        InvalidConfigException.requireGiven("actions", actions);
        InvalidConfigException.requireGiven("terminal", terminal);
        InvalidConfigException.requireGiven("terminalCost", terminalCost);
        if (!(discount >= 0 && discount < 1)) {
            throw new InvalidConfigException(
                    "discount", discount, "must be in [0, 1): at 1 the sum of costs need not be finite; try 0.98");
        }
    }

    /** A problem without terminal states. */
    public static ControlProblem continuing(Cost cost, double discount, ActionGrid actions) {
        return new ControlProblem(cost, discount, actions, state -> false, state -> 0);
    }

    /** c(x, u), refused when it is no number. */
    double costOf(double[] state, double[] action) {
        double value = cost.of(state, action);
        if (!Double.isFinite(value)) {
            throw new SolverException(
                    "the cost at state " + java.util.Arrays.toString(state) + ", action "
                            + java.util.Arrays.toString(action) + " is " + value + ": must be finite",
                    new double[0],
                    Double.POSITIVE_INFINITY,
                    0);
        }
        return value;
    }
}
