package io.koopstream.control.env;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Points;

/** A growing list of observed transitions (x, u, x⁺). One writer. */
public final class Transitions {

    private final Points states;
    private final Points actions;
    private final Points successors;

    /** An empty list. */
    public Transitions(int stateDimension, int actionDimension) {
        this.states = new Points(stateDimension);
        this.actions = new Points(actionDimension);
        this.successors = new Points(stateDimension);
    }

    /** Number of coordinates of a state. */
    public int stateDimension() {
        return states.dimension();
    }

    /** Number of coordinates of an action. */
    public int actionDimension() {
        return actions.dimension();
    }

    /** Number of transitions. */
    public int size() {
        return successors.size();
    }

    /** Appends a copy of a transition. */
    public void add(double[] state, double[] action, double[] successor) {
        if (state.length != stateDimension()
                || successor.length != stateDimension()
                || action.length != actionDimension()) {
            throw new InvalidQueryException("a transition with " + state.length + ", " + action.length + " and "
                    + successor.length + " coordinates among transitions with " + stateDimension() + ", "
                    + actionDimension() + " and " + stateDimension());
        }
        states.add(state);
        actions.add(action);
        successors.add(successor);
    }

    /** State i, copied. */
    public double[] state(int i) {
        return states.get(i);
    }

    /** Action i, copied. */
    public double[] action(int i) {
        return actions.get(i);
    }

    /** The state after transition i, copied. */
    public double[] successor(int i) {
        return successors.get(i);
    }

    /** The standard deviation of a coordinate of the states. */
    public double spread(int coordinate) {
        double mean = 0;
        double squares = 0;
        for (int i = 0; i < size(); i++) {
            double delta = states.get(i, coordinate) - mean;
            mean += delta / (i + 1);
            squares += delta * (states.get(i, coordinate) - mean);
        }
        return Math.sqrt(squares / Math.max(1, size()));
    }

    /** The middle of the actions, and for every coordinate the least and the largest with the others in the middle. */
    public double[][] outerActions() {
        int p = actionDimension();
        double[] low = new double[p];
        double[] high = new double[p];
        double[] middle = new double[p];
        for (int c = 0; c < p; c++) {
            low[c] = Double.POSITIVE_INFINITY;
            high[c] = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < size(); i++) {
                low[c] = Math.min(low[c], actions.get(i, c));
                high[c] = Math.max(high[c], actions.get(i, c));
            }
            middle[c] = low[c] + (high[c] - low[c]) / 2;
        }
        double[][] outer = new double[2 * p + 1][];
        for (int c = 0; c < p; c++) {
            outer[2 * c] = middle.clone();
            outer[2 * c][c] = low[c];
            outer[2 * c + 1] = middle.clone();
            outer[2 * c + 1][c] = high[c];
        }
        outer[2 * p] = middle;
        return outer;
    }

    /** z = (state, action) of transition i. */
    public double[] input(int i) {
        return concatenate(state(i), action(i));
    }

    /** State and action in one array. */
    public static double[] concatenate(double[] state, double[] action) {
        double[] joined = java.util.Arrays.copyOf(state, state.length + action.length);
        System.arraycopy(action, 0, joined, state.length, action.length);
        return joined;
    }
}
