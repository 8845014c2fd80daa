package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A Markov process to learn from, with whatever is exactly known about it.
 *
 * <p>Implementations are immutable and hold no random state, so one instance may be used by any number of threads as
 * long as each brings its own generator. What a system does for a given generator is part of its {@link #id()}: changed
 * behaviour means a new version in the id, so that published figures stay reproducible.
 */
public interface BenchmarkSystem {

    /** What a table of systems says about it. */
    DataSheet sheet();

    /** Name and version, such as {@code fourwell-v1}. Systems with equal ids behave identically, bit for bit. */
    default String id() {
        return sheet().id();
    }

    /** Number of coordinates of the state. */
    default int dimension() {
        return sheet().coordinateNames().size();
    }

    /** Sampling interval τ between two states, in the time unit named by the system's data sheet. */
    default double dt() {
        return sheet().dt();
    }

    /** One short name per coordinate, usable as column headers. */
    default List<String> coordinateNames() {
        return sheet().coordinateNames();
    }

    /** One line saying what the system is. */
    default String description() {
        return sheet().description();
    }

    /** Draws a state from the start distribution; the array belongs to the caller. */
    double[] initialState(UniformRandomProvider rng);

    /**
     * Advances {@code state} in place by one sampling interval.
     *
     * @throws IllegalArgumentException if the state has the wrong length, is not finite or lies outside the state
     *     space; it is then left as it was
     */
    void step(double[] state, UniformRandomProvider rng);

    /**
     * The trajectory with this index: {@code [steps + 1][dimension]}, first row the start. It depends on the id, the
     * seed and the index alone, and a longer one begins with the shorter.
     */
    default double[][] trajectory(int index, int steps, long seed) {
        Checks.atLeast("steps", steps, 1, "sampling intervals to simulate");
        UniformRandomProvider rng = TrajectoryStreams.of(seed, index);
        double[][] path = new double[steps + 1][];
        path[0] = initialState(rng);
        for (int t = 1; t <= steps; t++) {
            path[t] = path[t - 1].clone();
            step(path[t], rng);
        }
        return path;
    }

    /**
     * Trajectories 0, 1, …, as {@code [trajectory][steps + 1][dimension]}. Trajectory i is
     * {@link #trajectory trajectory(i, steps, seed)}, however many are asked for.
     */
    default double[][][] simulate(int trajectories, int steps, long seed) {
        Checks.atLeast("trajectories", trajectories, 1, "independent paths to simulate");
        Checks.atLeast("steps", steps, 1, "sampling intervals to simulate");
        double[][][] paths = new double[trajectories][][];
        for (int i = 0; i < trajectories; i++) {
            paths[i] = trajectory(i, steps, seed);
        }
        return paths;
    }

    /**
     * The leading eigenvalues of the Koopman operator at lag {@link #dt()}, as rows (re, im), counted with multiplicity,
     * where they are known; each data sheet names the source, the accuracy and the space of observables.
     *
     * <p>Largest modulus first; conjugate pairs are adjacent, the one with positive imaginary part first. A count that
     * cuts a pair in two is served as asked. The array belongs to the caller.
     *
     * @throws IllegalArgumentException if {@code count < 1}, or more are asked for than are known
     */
    default Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        return Optional.empty();
    }
}
