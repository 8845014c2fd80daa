package io.koopstream.control.dynamics;

import io.koopstream.control.env.ActionGrid;

/**
 * Where an action leads, as distributions on a finite set of support points: all a planner needs to know of a system.
 *
 * <p>The weights of every distribution are non-negative and sum to at most one. That is what makes a Bellman sweep a contraction
 * for every discount below one, so implementations guarantee it by construction (docs/decisions/0020). Immutable; any number of
 * threads may ask, each through its own {@link Query}.
 */
public interface SuccessorModel {

    /** Number of coordinates of a state. */
    int stateDimension();

    /** Number of coordinates of an action. */
    int actionDimension();

    /** Number of support points. */
    int size();

    /** Support point i, copied. */
    double[] point(int i);

    /** A place to ask from, for the actions of a grid; one thread. */
    Query query(ActionGrid actions);

    /** Asks about blocks of states. An answer does not depend, in any bit, on what else was in its block. */
    interface Query {

        /** States in a block that keep the memory of a block small and its arithmetic fast. */
        int BLOCK = 64;

        /** Turns to a block of states: one, or up to {@link #BLOCK}. They are not changed and not kept. */
        void at(double[]... states);

        /** The distribution after action a of the grid in a state of the block. */
        void successors(int state, int a, SuccessorWeights out);
    }
}
