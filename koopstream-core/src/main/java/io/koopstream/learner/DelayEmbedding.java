package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Rkhs;

/**
 * Turns observations that do not show the whole state into delay vectors that do (Takens, <i>Detecting strange attractors in turbulence</i>,
 * LNM 898, 1981), and feeds a learner with them: z_t = (o_t, o_{t−s}, …, o_{t−ks}), newest first, and the pairs (z_t, z_{t+1}).
 *
 * <p>No vector reaches over the end of a trajectory, and a refused observation ends one, as in {@link TrajectoryFeeder}. One writer. O(k d) an
 * observation; memory 8 (k s + 1) d bytes.
 */
public final class DelayEmbedding {

    private final TrajectoryFeeder feeder;
    private final Rkhs space;
    private final int delays;
    private final int stride;
    private final int dimension;
    /** A ring of the last k s + 1 observations. */
    private final double[][] history;

    private long observed;

    /**
     * A feeder of a learner on delay vectors.
     *
     * @param learner its states have (delays + 1) times the dimension of an observation
     * @param delays k, how many earlier observations a vector holds, >= 0
     * @param stride s, steps between them, >= 1
     */
    public DelayEmbedding(Learner<?> learner, int delays, int stride) {
        SogdConfig.requireGiven("learner", learner);
        if (delays < 0 || delays > 100_000) {
            throw new InvalidConfigException("delays", delays, "must be from 0 to 100000; try 1 to 10");
        }
        if (stride < 1 || stride > 100_000 || (long) delays * stride > 10_000_000) {
            throw new InvalidConfigException("stride", stride, "must be >= 1 step, and delays * stride <= 10000000");
        }
        this.space = learner.input();
        if (space.dimension() % (delays + 1) != 0) {
            throw new InvalidConfigException(
                    "delays",
                    delays,
                    "the learner's dimension " + space.dimension() + " must be a multiple of delays + 1 = "
                            + (delays + 1));
        }
        this.feeder = new TrajectoryFeeder(learner);
        this.delays = delays;
        this.stride = stride;
        this.dimension = space.dimension() / (delays + 1);
        this.history = new double[delays * stride + 1][dimension];
    }

    /** The dimension of the delay vectors of observations. */
    public static int dimension(int observation, int delays) {
        return Math.multiplyExact(observation, Math.addExact(delays, 1));
    }

    /** Number of coordinates of an observation. */
    public int observationDimension() {
        return dimension;
    }

    /**
     * The next observation of the trajectory.
     *
     * @return true when it completed a pair that was learned, false while the first vectors fill
     * @throws io.koopstream.InvalidSampleException if it cannot be learned from; the trajectory is broken then
     */
    public boolean next(double[] observation) {
        try {
            new Rkhs(ANY, dimension).requireSample(observation, "observation");
            System.arraycopy(observation, 0, history[(int) (observed % history.length)], 0, dimension);
            observed++;
            return isComplete() && feeder.next(vector());
        } catch (RuntimeException e) {
            breakTrajectory();
            throw e;
        }
    }

    /** The kernel plays no part in checking an observation; its delay vector is checked against the learner's. */
    private static final io.koopstream.kernel.Kernel ANY = io.koopstream.kernel.Kernels.gaussian(1);

    private double[] vector() {
        double[] vector = new double[space.dimension()];
        for (int k = 0; k <= delays; k++) {
            double[] observation = history[(int) ((observed - 1 - (long) k * stride) % history.length)];
            System.arraycopy(observation, 0, vector, k * dimension, dimension);
        }
        return vector;
    }

    /** Whether the trajectory has enough observations for a delay vector. */
    public boolean isComplete() {
        return observed >= history.length;
    }

    /**
     * The newest delay vector, e.g. to forecast from.
     *
     * @throws io.koopstream.InvalidQueryException if the trajectory has too few observations yet
     */
    public double[] current() {
        if (!isComplete()) {
            throw new io.koopstream.InvalidQueryException(
                    observed + " observations in this trajectory: a delay vector needs " + history.length);
        }
        return vector();
    }

    /** The trajectory ends here; the next observation is the start of another. */
    public void breakTrajectory() {
        observed = 0;
        feeder.breakTrajectory();
    }
}
