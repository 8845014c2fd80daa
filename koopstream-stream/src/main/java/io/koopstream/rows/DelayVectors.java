package io.koopstream.rows;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The delay vectors z_t = (o_t, o_{t−s}, …, o_{t−ks}) of one trajectory, newest observation first, which show the state where one observation
 * does not (Takens, <i>Detecting strange attractors in turbulence</i>, LNM 898, 1981). With no delays a vector is the observation itself.
 *
 * <p>Some more observations than a vector needs are remembered, for forecasts that look farther back than a state does. One writer. O(k d) per
 * observation; memory 8 d times {@link #remembered} bytes, or less while the trajectory is shorter.
 */
public final class DelayVectors {

    /** Observations that are remembered, whatever a state is made of: a year of weeks, two days of half-hours, and a little more. */
    static final int MAX_REMEMBERED = 64;

    /** Numbers in them, so that wide rows do not take more. */
    private static final int MAX_REMEMBERED_NUMBERS = 4096;

    private final int delays;
    private final int stride;
    private final int dimension;
    private final int remembered;
    /** The last observations, which are not changed: a ring once there are as many as are remembered; it grows until then. */
    private double[][] history = new double[1][];

    private long observed;

    /**
     * The vectors of a new trajectory.
     *
     * @param dimension coordinates of an observation, >= 1
     * @param delays k, how many earlier observations a vector holds, >= 0
     * @param stride s, steps between them, >= 1
     */
    public DelayVectors(int dimension, int delays, int stride) {
        requireLegal(delays, stride);
        this.delays = delays;
        this.stride = stride;
        this.dimension = dimension;
        this.remembered = Math.max(delays * stride + 1, Math.min(MAX_REMEMBERED, MAX_REMEMBERED_NUMBERS / dimension));
    }

    /** Refuses delays or a stride out of range. */
    public static void requireLegal(int delays, int stride) {
        if (delays < 0 || delays > 100_000) {
            throw new InvalidConfigException("delays", delays, "must be from 0 to 100000; try 1 to 10");
        }
        if (stride < 1 || stride > 100_000 || (long) delays * stride > 10_000_000) {
            throw new InvalidConfigException("stride", stride, "must be >= 1 step, and delays * stride <= 10000000");
        }
    }

    /** The dimension of the delay vectors of observations. */
    public static int dimension(int observation, int delays) {
        return Math.multiplyExact(observation, Math.addExact(delays, 1));
    }

    /**
     * The dimension of the observations that delay vectors are made of.
     *
     * @throws InvalidConfigException if the dimension is not a multiple of delays + 1
     */
    public static int observationDimension(int vector, int delays) {
        if (vector % (delays + 1) != 0) {
            throw new InvalidConfigException(
                    "delays",
                    delays,
                    "the model's dimension " + vector + " must be a multiple of delays + 1 = " + (delays + 1));
        }
        return vector / (delays + 1);
    }

    /** The next observation of the trajectory, which the caller has checked; copied. */
    public void add(double[] observation) {
        if (observed == history.length && history.length < remembered) {
            history = Arrays.copyOf(history, Math.min(2 * history.length, remembered));
        }
        history[at(observed++)] = observation.clone();
    }

    /** Number of newest observations that are remembered. */
    int remembered() {
        return remembered;
    }

    private int at(long t) {
        return (int) (t % history.length);
    }

    /** True if there is no observation yet. */
    boolean isEmpty() {
        return observed == 0;
    }

    /** True if the trajectory has enough observations for a vector. */
    public boolean isComplete() {
        return observed > (long) delays * stride;
    }

    /**
     * The newest vector.
     *
     * @throws InvalidQueryException if the trajectory has too few observations yet
     */
    public double[] current() {
        if (!isComplete()) {
            throw new InvalidQueryException(
                    observed + " observations in this trajectory: a delay vector needs " + (delays * stride + 1));
        }
        double[] vector = new double[dimension * (delays + 1)];
        for (int k = 0; k <= delays; k++) {
            System.arraycopy(history[at(observed - 1 - (long) k * stride)], 0, vector, k * dimension, dimension);
        }
        return vector;
    }

    /** The observations that are remembered, oldest first, not to be changed: {@linkplain #add adding} them to new vectors leads to where these are. */
    public List<double[]> recent() {
        int count = (int) Math.min(observed, history.length);
        return LongStream.range(observed - count, observed)
                .mapToObj(t -> history[at(t)])
                .toList();
    }

    /** The trajectory ends here; the next observation is the start of another. */
    public void clear() {
        observed = 0;
    }
}
