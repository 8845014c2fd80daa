package io.koopstream.control;

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
        int best = look(observation);
        return plan.problem().actions().refine(best, actionValues);
    }

    /** The best action of the grid, without refinement. */
    public double[] gridAction(double[] observation) {
        return plan.problem().actions().action(look(observation));
    }

    /** V at any state: the smallest over the grid of c(x, u) + γ E[V(x⁺) | x, u], or the terminal cost. */
    public double value(double[] observation) {
        if (plan.problem().terminal().test(observation)) {
            return plan.problem().terminalCost().applyAsDouble(observation);
        }
        return actionValues[look(observation)];
    }

    private int look(double[] observation) {
        ControlProblem problem = plan.problem();
        query.at(observation);
        int best = 0;
        for (int a = 0; a < actionValues.length; a++) {
            query.successors(a, row);
            actionValues[a] = problem.costOf(observation, problem.actions().shared(a))
                    + problem.discount() * row.expect(plan.sharedValues(), plan.unknown());
            if (actionValues[a] < actionValues[best]) {
                best = a;
            }
        }
        return best;
    }
}
