package io.koopstream.learner;

import io.koopstream.InvalidConfigException;

/**
 * Turns observations that do not show the whole state into delay vectors that do (Takens, <i>Detecting strange attractors in turbulence</i>,
 * LNM 898, 1981), and feeds a learner with them: z_t = (o_t, o_{t−s}, …, o_{t−ks}), newest first, and the pairs (z_t, z_{t+1}).
 *
 * <p>No vector reaches over the end of a trajectory, and a refused observation ends one, as in {@link TrajectoryFeeder}. One writer. O(k d) an
 * observation; memory 8 (k s + 1) d bytes.
 */
public final class DelayEmbedding {

    private final TrajectoryFeeder feeder;
    private final DelayVectors vectors;

    /**
     * A feeder of a learner on delay vectors.
     *
     * @param learner its states have (delays + 1) times the dimension of an observation
     * @param delays k, how many earlier observations a vector holds, >= 0
     * @param stride s, steps between them, >= 1
     */
    public DelayEmbedding(Learner<?> learner, int delays, int stride) {
        SogdConfig.requireGiven("learner", learner);
        DelayVectors.requireLegal(delays, stride);
        this.vectors = new DelayVectors(observationDimension(learner.input().dimension(), delays), delays, stride);
        this.feeder = new TrajectoryFeeder(learner);
    }

    /** The dimension of the delay vectors of observations. */
    public static int dimension(int observation, int delays) {
        return Math.multiplyExact(observation, Math.addExact(delays, 1));
    }

    /**
     * The dimension of the observations that delay vectors are made of.
     *
     * @throws InvalidConfigException if vectors of that dimension cannot hold so many
     */
    public static int observationDimension(int vector, int delays) {
        if (vector % (delays + 1) != 0) {
            throw new InvalidConfigException(
                    "delays",
                    delays,
                    "the learner's dimension " + vector + " must be a multiple of delays + 1 = " + (delays + 1));
        }
        return vector / (delays + 1);
    }

    /** Number of coordinates of an observation. */
    public int observationDimension() {
        return vectors.observationDimension();
    }

    /**
     * The next observation of the trajectory.
     *
     * @return true when it completed a pair that was learned, false while the first vectors fill
     * @throws io.koopstream.InvalidSampleException if it cannot be learned from; the trajectory is broken then
     */
    public boolean next(double[] observation) {
        try {
            vectors.add(observation);
            return isComplete() && feeder.next(vectors.current());
        } catch (RuntimeException e) {
            breakTrajectory();
            throw e;
        }
    }

    /** Whether the trajectory has enough observations for a delay vector. */
    public boolean isComplete() {
        return vectors.isComplete();
    }

    /**
     * The newest delay vector, e.g. to forecast from.
     *
     * @throws io.koopstream.InvalidQueryException if the trajectory has too few observations yet
     */
    public double[] current() {
        return vectors.current();
    }

    /** The trajectory ends here; the next observation is the start of another. */
    public void breakTrajectory() {
        vectors.clear();
        feeder.breakTrajectory();
    }
}
