package io.koopstream.control.plan;

import io.koopstream.control.dynamics.SuccessorModel;

/** The outcome of planning: values at the model's support points, and the greedy policy they imply. Immutable. */
public final class Plan {

    private final SuccessorModel model;
    private final ControlProblem problem;
    private final double[] values;
    private final double unknown;
    private final double residual;
    private final int sweeps;

    /**
     * A plan made earlier.
     *
     * @param values V at the support points of the model
     * @param unknown the value of what the model does not know
     * @param residual ‖B V − V‖_∞
     * @param sweeps sweeps made
     */
    public Plan(
            SuccessorModel model,
            ControlProblem problem,
            double[] values,
            double unknown,
            double residual,
            int sweeps) {
        this.model = model;
        this.problem = problem;
        this.values = values;
        this.unknown = unknown;
        this.residual = residual;
        this.sweeps = sweeps;
    }

    /** The model planned with. */
    public SuccessorModel model() {
        return model;
    }

    /** The problem solved. */
    public ControlProblem problem() {
        return problem;
    }

    /** V at the support points, copied. */
    public double[] values() {
        return values.clone();
    }

    double[] sharedValues() {
        return values;
    }

    /** The value of what the model does not know: the worst possible, or the best for an optimist. */
    public double unknown() {
        return unknown;
    }

    /** ‖B V − V‖_∞ at the end. */
    public double residual() {
        return residual;
    }

    /** How far V can be from the fixed point of B, in the maximum norm: residual / (1 − γ). */
    public double errorBound() {
        return residual / (1 - problem.discount());
    }

    /** Sweeps made. */
    public int sweeps() {
        return sweeps;
    }

    /** The policy that looks one step ahead with the model and takes the best action; for one thread. */
    public GreedyPolicy policy() {
        return new GreedyPolicy(this);
    }
}
