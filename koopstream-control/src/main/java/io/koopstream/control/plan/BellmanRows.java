package io.koopstream.control.plan;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;

/**
 * The Bellman operator (BV)(y_i) = min_a { c(y_i, u_a) + γ E[V | y_i, u_a] } on the support points of a model, as sparse rows.
 *
 * <p>Every row is non-negative with a sum of at most one, and the missing mass has the fixed value {@link #unknown()}, so B is monotone
 * and a contraction with factor γ in the maximum norm, whatever was learned. All arithmetic of the planners is here.
 */
final class BellmanRows {

    private final ControlProblem problem;
    private final int states;
    private final int actionCount;
    /** Row (i, a) at position i * actionCount + a. */
    private final int[][] points;

    private final double[][] weights;
    /** Cost of the row and discounted value of its missing mass. */
    private final double[] costs;

    private final boolean[] terminal;
    private final double[] terminalCosts;
    private final double unknown;

    /** @param optimistic whether what is not known counts as the best instead of the worst */
    BellmanRows(SuccessorModel model, ControlProblem problem, boolean optimistic) {
        this.problem = problem;
        this.states = model.size();
        this.actionCount = problem.actions().size();
        this.points = new int[states * actionCount][];
        this.weights = new double[states * actionCount][];
        this.costs = new double[states * actionCount];
        this.terminal = new boolean[states];
        this.terminalCosts = new double[states];
        double worst = Double.NEGATIVE_INFINITY;
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < states; i++) {
            double[] state = model.point(i);
            terminal[i] = problem.terminal().test(state);
            terminalCosts[i] = terminal[i] ? finite(problem.terminalCost().applyAsDouble(state)) : 0;
            worst = terminal[i] ? Math.max(worst, terminalCosts[i]) : worst;
            best = terminal[i] ? Math.min(best, terminalCosts[i]) : best;
            for (int a = 0; a < actionCount; a++) {
                double cost = problem.costOf(state, problem.actions().shared(a));
                costs[i * actionCount + a] = cost;
                worst = Math.max(worst, cost / (1 - problem.discount()));
                best = Math.min(best, cost / (1 - problem.discount()));
            }
        }
        unknown = optimistic ? best : worst;
        fillRows(model);
    }

    private static double finite(double value) {
        if (!Double.isFinite(value)) {
            throw new SolverException(
                    "a terminal cost is " + value + ": must be finite", new double[0], Double.POSITIVE_INFINITY, 0);
        }
        return value;
    }

    private void fillRows(SuccessorModel model) {
        SuccessorModel.Query query = model.query(problem.actions());
        SuccessorWeights row = new SuccessorWeights();
        for (int first = 0; first < states; first += SuccessorModel.Query.BLOCK) {
            double[][] block = new double[Math.min(SuccessorModel.Query.BLOCK, states - first)][];
            for (int b = 0; b < block.length; b++) {
                block[b] = model.point(first + b);
            }
            query.at(block);
            for (int b = 0; b < block.length; b++) {
                for (int a = 0; a < actionCount; a++) {
                    query.successors(b, a, row);
                    fillRow((first + b) * actionCount + a, row);
                }
            }
        }
    }

    private void fillRow(int r, SuccessorWeights row) {
        points[r] = new int[row.count()];
        weights[r] = new double[row.count()];
        double sum = 0;
        for (int k = 0; k < row.count(); k++) {
            points[r][k] = row.point(k);
            weights[r][k] = row.weight(k);
            if (!(row.weight(k) >= 0)) {
                throw notSubstochastic("a weight is " + row.weight(k));
            }
            sum += row.weight(k);
        }
        if (sum > 1 + 1e-12) {
            throw notSubstochastic("weights sum to " + sum);
        }
        costs[r] += problem.discount() * Math.max(0, 1 - sum) * unknown;
    }

    private static InvalidConfigException notSubstochastic(String what) {
        return new InvalidConfigException(
                "model", what, "the weights of a successor model must be non-negative and sum to at most one");
    }

    /** The value of what is not known: the largest, or smallest, that a discounted sum of costs can get on the support points. */
    double unknown() {
        return unknown;
    }

    /** c(y_i, u_a) + γ E[V | y_i, u_a]. */
    private double backup(int i, int a, double[] values) {
        int r = i * actionCount + a;
        int[] index = points[r];
        double[] weight = weights[r];
        double sum = 0;
        for (int k = 0; k < index.length; k++) {
            sum = Math.fma(weight[k], values[index[k]], sum);
        }
        return Math.fma(problem.discount(), sum, costs[r]);
    }

    /**
     * One sweep: next = B values.
     *
     * @return ‖B V − V‖_∞
     */
    double sweep(double[] values, double[] next) {
        double residual = 0;
        for (int i = 0; i < states; i++) {
            double best = terminal[i] ? terminalCosts[i] : Double.POSITIVE_INFINITY;
            for (int a = 0; a < actionCount && !terminal[i]; a++) {
                best = Math.min(best, backup(i, a, values));
            }
            next[i] = best;
            residual = Math.max(residual, Math.abs(best - values[i]));
        }
        return residual;
    }

    /** A start: terminal costs where they are due, zero elsewhere. */
    double[] start() {
        double[] values = new double[states];
        for (int i = 0; i < states; i++) {
            values[i] = terminal[i] ? terminalCosts[i] : 0;
        }
        return values;
    }
}
