package io.koopstream.control.plan;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.SuccessorModel;

/**
 * Value iteration V ← B V on the support points of a model. B is a contraction by construction of the model, so the residual falls
 * at least by the factor γ a sweep.
 *
 * @param tolerance the residual at which to stop, > 0
 * @param maxSweeps most sweeps allowed, >= 1
 */
public record ValueIteration(double tolerance, int maxSweeps) {

    /** Stops at a residual of 1e-6, after 5,000 sweeps at the latest. */
    public static final ValueIteration DEFAULT = new ValueIteration(1e-6, 5000);

    /** Refuses settings out of range. */
    public ValueIteration {
        InvalidConfigException.requirePositive("tolerance", tolerance, "residual at which to stop");
        if (maxSweeps < 1) {
            throw new InvalidConfigException("maxSweeps", maxSweeps, "must be at least 1");
        }
    }

    /**
     * Plans.
     *
     * @throws SolverException if a cost is no number, or the tolerance was not reached in the allowed sweeps; it carries the best
     *     values and their residual
     */
    public Plan solve(SuccessorModel model, ControlProblem problem) {
        return solve(new BellmanRows(model, problem, false), model, problem);
    }

    /** The same for somebody who wants to find out: what the model does not know counts as the best that could be, not the worst. */
    public Plan solveOptimistically(SuccessorModel model, ControlProblem problem) {
        return solve(new BellmanRows(model, problem, true), model, problem);
    }

    private Plan solve(BellmanRows rows, SuccessorModel model, ControlProblem problem) {
        double[] values = rows.start();
        double[] next = new double[values.length];
        double residual = Double.POSITIVE_INFINITY;
        for (int sweep = 1; sweep <= maxSweeps; sweep++) {
            residual = rows.sweep(values, next);
            double[] swap = values;
            values = next;
            next = swap;
            if (residual <= tolerance) {
                return new Plan(model, problem, values, rows.unknown(), residual, sweep);
            }
        }
        throw new SolverException(
                "value iteration has a residual of " + residual + " after " + maxSweeps + " sweeps, wanted " + tolerance
                        + ": allow more sweeps, a larger tolerance or a smaller discount",
                values,
                residual,
                maxSweeps);
    }
}
