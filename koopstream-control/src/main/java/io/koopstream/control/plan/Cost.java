package io.koopstream.control.plan;

/** The cost c(x, u) of an action in a state; a reward with its sign turned. */
@FunctionalInterface
public interface Cost {

    /** c(x, u); must be finite. */
    double of(double[] state, double[] action);
}
