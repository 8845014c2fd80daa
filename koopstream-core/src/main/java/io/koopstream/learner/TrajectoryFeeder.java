package io.koopstream.learner;

/**
 * Turns states that arrive one by one into pairs, without ever pairing the end of one trajectory with the start of another.
 *
 * <p>One writer, as the learner it feeds. A refused state ends the trajectory: the state after it is a new start, so that no pair
 * jumps over the gap.
 */
public final class TrajectoryFeeder {

    private final Learner<?> learner;
    private double[] previous;

    /** A feeder of a learner whose input and output are states of one dimension. */
    public TrajectoryFeeder(Learner<?> learner) {
        requireOneSpace(learner);
        this.learner = learner;
    }

    private static void requireOneSpace(Learner<?> learner) {
        if (!learner.input().equals(learner.output())) {
            throw new io.koopstream.InvalidConfigException(
                    "learner",
                    learner.output(),
                    "a trajectory feeds a learner with one space, its input is " + learner.input());
        }
    }

    /**
     * The next state of the trajectory.
     *
     * @return true when it completed a pair that was learned, false when it is a start
     * @throws io.koopstream.InvalidSampleException if it cannot be learned from; the trajectory is broken then
     */
    public boolean next(double[] state) {
        double[] from = previous;
        // Until this state is accepted there is nothing to pair the one after it with.
        previous = null;
        learner.input().requireSample(state, "state");
        if (from != null) {
            learner.update(from, state);
        }
        previous = state.clone();
        return from != null;
    }

    /**
     * Learns from a stored trajectory at a lag: all pairs of states {@code lag} steps apart, (x_0, x_lag), (x_1, x_{lag+1}), …. All states are
     * checked first: either all pairs are learned or none. A trajectory of {@code lag} steps or fewer has at most one pair, maybe none.
     *
     * @param trajectory successive states, one a row
     * @param lag in steps, >= 1
     */
    public static void feed(Learner<?> learner, double[][] trajectory, int lag) {
        requireOneSpace(learner);
        if (lag < 1) {
            throw new io.koopstream.InvalidConfigException("lag", lag, "must be a number of steps >= 1");
        }
        int pairs = Math.max(0, trajectory.length - lag);
        learner.partialFit(
                java.util.Arrays.copyOfRange(trajectory, 0, pairs),
                java.util.Arrays.copyOfRange(trajectory, trajectory.length - pairs, trajectory.length));
    }

    /** The trajectory ends here; the next state is the start of another. */
    public void breakTrajectory() {
        previous = null;
    }
}
