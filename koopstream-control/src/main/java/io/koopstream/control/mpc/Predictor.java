package io.koopstream.control.mpc;

import io.koopstream.internal.linalg.Matrix;

/** Where planned actions lead, and how that answers to small changes of them: all that model-predictive control asks of a model. */
public interface Predictor {

    /** Number of coordinates of a state. */
    int stateDimension();

    /** Number of coordinates of an action. */
    int actionDimension();

    /**
     * The states after each of the actions.
     *
     * @param start where it begins
     * @param actions one row a step
     * @param states receives one row a step
     */
    void roll(double[] start, double[][] actions, double[][] states);

    /**
     * The derivatives of the states of {@link #roll} in the actions.
     *
     * @param hold for how many steps in a row an action is the same unknown, so that the unknowns are every hold-th row of the actions
     * @return rows: coordinates of the states, step after step; columns: coordinates of the unknowns, one after another
     */
    Matrix response(double[] start, double[][] actions, double[][] states, int hold);
}
