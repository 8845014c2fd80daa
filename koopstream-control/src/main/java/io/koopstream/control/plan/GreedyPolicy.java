package io.koopstream.control.plan;

import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;
import io.koopstream.control.env.Policy;
import java.util.Arrays;

/**
 * The policy of equation (greedy_policy): one step ahead with the model, argmin_u { c(x, u) + γ E[V(x⁺) | x, u] }, at any state.
 * The best action of the grid is refined between grid points. One thread; {@link Plan#policy()} gives another.
 */
public final class GreedyPolicy implements Policy {

    private final Plan plan;
    private final SuccessorModel.Query query;
    private final SuccessorWeights row = new SuccessorWeights();
    private final double[] actionValues;

    GreedyPolicy(Plan plan) {
        this.plan = plan;
        this.query = plan.model().query(plan.problem().actions());
        this.actionValues = new double[plan.problem().actions().size()];
    }

    @Override
    public double[] action(double[] observation) {
        query.at(observation);
        return plan.problem().actions().refine(look(0, observation), actionValues);
    }

    /** The same actions as one by one, bit for bit, with Gram blocks in place of Gram rows. */
    @Override
    public double[][] actions(double[][] observations) {
        return actions(observations, new double[observations.length]);
    }

    /** The actions, and what is expected to be paid from there on: {@link #value}, without looking twice. */
    public double[][] actions(double[][] observations, double[] values) {
        double[][] result = new double[observations.length][];
        for (int first = 0; first < result.length; first += SuccessorModel.Query.BLOCK) {
            int last = Math.min(first + SuccessorModel.Query.BLOCK, result.length);
            query.at(Arrays.copyOfRange(observations, first, last));
            for (int i = first; i < last; i++) {
                int best = look(i - first, observations[i]);
                result[i] = plan.problem().actions().refine(best, actionValues);
                values[i] = valueOf(best, observations[i]);
            }
        }
        return result;
    }

    @Override
    public boolean isMemoryless() {
        return true;
    }

    /** The best action of the grid, without refinement. */
    public double[] gridAction(double[] observation) {
        query.at(observation);
        return plan.problem().actions().action(look(0, observation));
    }

    /** V at any state: the smallest over the grid of c(x, u) + γ E[V(x⁺) | x, u], or the terminal cost. */
    public double value(double[] observation) {
        return values(new double[][] {observation})[0];
    }

    /** {@link #value} at many states, with Gram blocks in place of Gram rows. */
    public double[] values(double[][] observations) {
        double[] result = new double[observations.length];
        for (int first = 0; first < result.length; first += SuccessorModel.Query.BLOCK) {
            int last = Math.min(first + SuccessorModel.Query.BLOCK, result.length);
            query.at(Arrays.copyOfRange(observations, first, last));
            for (int i = first; i < last; i++) {
                result[i] = valueOf(look(i - first, observations[i]), observations[i]);
            }
        }
        return result;
    }

    private double valueOf(int best, double[] observation) {
        return plan.problem().terminal().test(observation)
                ? plan.problem().terminalCost().applyAsDouble(observation)
                : actionValues[best];
    }

    private int look(int inBlock, double[] observation) {
        ControlProblem problem = plan.problem();
        int best = 0;
        for (int a = 0; a < actionValues.length; a++) {
            query.successors(inBlock, a, row);
            actionValues[a] = problem.costOf(observation, problem.actions().shared(a))
                    + problem.discount() * row.expect(plan.sharedValues(), plan.unknown());
            if (actionValues[a] < actionValues[best]) {
                best = a;
            }
        }
        return best;
    }
}
