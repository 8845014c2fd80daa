package io.koopstream.control.plan;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.SuccessorModel;

/**
 * Policy iteration on the support points of a model: the values of a policy are the solution of (I − γ P) V = c, the next policy is
 * greedy for them. Few rounds of O(m³) each, against many cheap sweeps of {@link ValueIteration}; the fixed point is the same.
 *
 * @param tolerance the residual ‖B V − V‖_∞ at which to stop, > 0
 * @param maxRounds most rounds allowed, >= 1
 */
public record PolicyIteration(double tolerance, int maxRounds) {

    /** Stops at a residual of 1e-8, after 200 rounds at the latest. */
    public static final PolicyIteration DEFAULT = new PolicyIteration(1e-8, 200);

    /** Refuses settings out of range. */
    public PolicyIteration {
        InvalidConfigException.requirePositive("tolerance", tolerance, "residual at which to stop");
        if (maxRounds < 1) {
            throw new InvalidConfigException("maxRounds", maxRounds, "must be at least 1");
        }
    }

    /**
     * Plans.
     *
     * @throws SolverException if a cost is no number, or the tolerance was not reached in the allowed rounds; it carries the best
     *     values and their residual
     */
    public Plan solve(SuccessorModel model, ControlProblem problem) {
        BellmanRows rows = new BellmanRows(model, problem);
        double[] values = rows.start();
        double[] next = new double[values.length];
        int[] greedy = new int[values.length];
        rows.sweep(values, next, greedy);
        double residual = Double.POSITIVE_INFINITY;
        for (int round = 1; round <= maxRounds; round++) {
            values = evaluate(rows, greedy);
            residual = rows.sweep(values, next, greedy);
            if (residual <= tolerance) {
                return new Plan(model, problem, values, rows.unknown(), residual, round);
            }
        }
        throw new SolverException(
                "policy iteration has a residual of " + residual + " after " + maxRounds + " rounds, wanted "
                        + tolerance + ": allow more rounds or a larger tolerance",
                values,
                residual,
                maxRounds);
    }

    /** V of a policy. The rows of I − γ P are strictly diagonally dominant, so elimination needs no pivoting. */
    private static double[] evaluate(BellmanRows rows, int[] policy) {
        int n = rows.states();
        double[][] system = new double[n][n];
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            system[i][i] = 1;
            if (rows.isTerminal(i)) {
                values[i] = rows.terminalCost(i);
                continue;
            }
            values[i] = rows.constant(i, policy[i]);
            int[] points = rows.points(i, policy[i]);
            double[] weights = rows.weights(i, policy[i]);
            for (int k = 0; k < points.length; k++) {
                system[i][points[k]] -= rows.discount() * weights[k];
            }
        }
        for (int k = 0; k < n; k++) {
            double[] pivotRow = system[k];
            for (int i = k + 1; i < n; i++) {
                if (system[i][k] != 0) {
                    double factor = system[i][k] / pivotRow[k];
                    io.koopstream.linalg.Vectors.axpy(-factor, pivotRow, system[i], k, n);
                    values[i] -= factor * values[k];
                }
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            values[i] = (values[i] - io.koopstream.linalg.Vectors.dot(system[i], values, i + 1, n)) / system[i][i];
        }
        return values;
    }
}
