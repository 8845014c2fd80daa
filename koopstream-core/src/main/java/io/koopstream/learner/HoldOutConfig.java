package io.koopstream.learner;

import io.koopstream.InvalidConfigException;

/**
 * Which pairs of a stream are kept aside, and how many.
 *
 * @param every every k-th pair is kept aside instead of learned, k >= 2; 10 holds out a tenth
 * @param capacity how many held-out pairs are remembered, >= 1
 * @param keep which ones when there are more than that
 * @param seed seed of the choice, used by {@link Keep#UNIFORM} alone
 */
public record HoldOutConfig(int every, int capacity, Keep keep, long seed) {

    /** Which of the held-out pairs are remembered. */
    public enum Keep {
        /** The newest: the judgement follows a system that changes. */
        NEWEST,
        /** A uniform sample of all of them (reservoir sampling, Vitter's Algorithm R, ACM TOMS 11, 1985). */
        UNIFORM
    }

    /** Refuses settings out of range. */
    public HoldOutConfig {
        if (every < 2) {
            throw new InvalidConfigException("every", every, "must be >= 2, or nothing is left to learn from; try 10");
        }
        if (capacity < 1) {
            throw new InvalidConfigException("capacity", capacity, "must be >= 1 held-out pair; try 1000");
        }
        SogdConfig.requireGiven("keep", keep);
    }

    /** A tenth of the stream, the newest 1000 of it. */
    public static HoldOutConfig defaults() {
        return new HoldOutConfig(10, 1000, Keep.NEWEST, 0);
    }
}
