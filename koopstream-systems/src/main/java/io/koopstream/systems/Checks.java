package io.koopstream.systems;

/** Argument checks; every message names the argument, its value, the rule and what the argument is. */
final class Checks {

    private Checks() {}

    static double positive(String name, double value, String meaning) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    name + " = " + value + ": must be " + (value > 0 ? "finite" : "> 0") + " (" + meaning + ")");
        }
        return value;
    }

    static double finite(String name, double value, String meaning) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " = " + value + ": must be finite (" + meaning + ")");
        }
        return value;
    }

    static int atLeast(String name, int value, int minimum, String meaning) {
        if (value < minimum) {
            throw new IllegalArgumentException(name + " = " + value + ": must be >= " + minimum + " (" + meaning + ")");
        }
        return value;
    }

    static int eigenvalueCount(int count) {
        return atLeast("count", count, 1, "leading eigenvalues wanted");
    }

    /** Throws before anything is written, so that a refused state stays as it was. */
    static void state(BenchmarkSystem system, double[] state) {
        if (state.length != system.dimension()) {
            throw new IllegalArgumentException("state of length " + state.length + ": must be " + system.dimension()
                    + " (dimension of " + system.id() + ")");
        }
        for (int i = 0; i < state.length; i++) {
            if (!Double.isFinite(state[i])) {
                throw new IllegalArgumentException("state[" + i + "] = " + state[i] + ": must be finite (coordinate "
                        + system.coordinateNames().get(i) + " of " + system.id() + ")");
            }
        }
    }

    /** As {@link #state}, and every coordinate in [−bound, bound]. */
    static void stateWithin(BenchmarkSystem system, double[] state, double bound, String reason) {
        state(system, state);
        for (int i = 0; i < state.length; i++) {
            if (Math.abs(state[i]) > bound) {
                throw new IllegalArgumentException(
                        "state[" + i + "] = " + state[i] + ": must be within ±" + bound + " (" + reason + ")");
            }
        }
    }
}
