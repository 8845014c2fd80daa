package io.koopstream.control.plan;

import io.koopstream.KoopstreamException;

/** A planner that could not finish: no convergence in the allowed sweeps, or a cost that is no number. Carries the best so far. */
public final class SolverException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    private final double[] bestValues;
    private final double residual;
    private final int sweeps;

    SolverException(String message, double[] bestValues, double residual, int sweeps) {
        super(message);
        this.bestValues = bestValues.clone();
        this.residual = residual;
        this.sweeps = sweeps;
    }

    /** The values at the support points after the last sweep, copied; empty when no sweep was made. */
    public double[] bestValues() {
        return bestValues.clone();
    }

    /** Largest change of a value in the last sweep; infinite when no sweep was made. */
    public double residual() {
        return residual;
    }

    /** Sweeps made. */
    public int sweeps() {
        return sweeps;
    }
}
