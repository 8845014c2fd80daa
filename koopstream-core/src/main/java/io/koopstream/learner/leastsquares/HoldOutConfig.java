package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;

/**
 * The pairs of a stream that are held out instead of learned, and the number of them that is remembered. They come in runs of consecutive pairs, so that
 * the neighbours in time of a pair that judges are not learned from: the first runs have 4, 8, 16 and 32 pairs, all later ones {@value #RUN}.
 *
 * @param share of the pairs that is held out, from 0 (none) to 0.5
 * @param capacity how many pairs are remembered, >= {@value #RUN}; whole runs
 * @param keep which ones when there are more than that
 */
public record HoldOutConfig(double share, int capacity, Keep keep) {

    /** Pairs of a run, once there are enough of them. */
    public static final int RUN = 50;

    /** Every pair is learned. */
    public static final HoldOutConfig NONE = new HoldOutConfig(0, RUN, Keep.UNIFORM);

    private static final long FIRST_RUN = 4;
    /** Runs before this one are shorter. */
    private static final int FULL_FROM = 4;

    /** The usual share. */
    public static final double DEFAULT_SHARE = 0.1;

    /** Numbers in what is remembered, whatever the dimension: 8 MB. */
    private static final int MAX_NUMBERS = 1 << 20;

    private static final int MAX_CAPACITY = 2000;

    /** Rule for the held-out runs that are remembered. */
    public enum Keep {
        /** The newest: the judgement follows a system that changes. */
        NEWEST,
        /** A uniform sample of all of them (reservoir sampling, Vitter's Algorithm R, ACM TOMS 11, 1985). */
        UNIFORM
    }

    /** Refuses settings out of range. */
    public HoldOutConfig {
        InvalidConfigException.require(
                share == 0 || (share >= 1e-6 && share <= 0.5),
                "holdout",
                share,
                "must be 0 for none, or a share of the pairs up to 0.5; try 0.1");
        InvalidConfigException.require(
                capacity >= RUN, "capacity", capacity, "must be >= " + RUN + " held-out pairs; try 2000");
        InvalidConfigException.requireGiven("keep", keep);
    }

    /** A share of the stream with the usual memory for states of a dimension. */
    public static HoldOutConfig of(double share, int dimension, Keep keep) {
        int fitting = MAX_NUMBERS / (2 * dimension) / RUN * RUN;
        return new HoldOutConfig(share, Math.max(2 * RUN, Math.min(MAX_CAPACITY, fitting)), keep);
    }

    /** Number of pairs the run with a number has, from 0. */
    private static long length(long run) {
        return run < FULL_FROM ? FIRST_RUN << run : RUN;
    }

    /** Number of pairs from the end of the run before, or from the first, to the end of the run with a number, from 0. */
    private long cycle(long run) {
        return Math.round(length(run) / share);
    }

    /** Number of pairs from the first to the end of the run with a number, from 0. */
    long end(long run) {
        long end = Math.max(0, run - FULL_FROM + 1) * cycle(FULL_FROM);
        for (long r = 0; r <= Math.min(run, FULL_FROM - 1); r++) {
            end += cycle(r);
        }
        return end;
    }

    /** Number of pairs before the run with a number, from 0. */
    long begin(long run) {
        return end(run) - length(run);
    }

    /** Number of the run that is held out next, or now, after a number of pairs. */
    long runAfter(long pairs) {
        long run = 0;
        while (run < FULL_FROM && end(run) <= pairs) {
            run++;
        }
        // All later cycles are of one length: a stream may be too long to count them one by one.
        return run < FULL_FROM ? run : run + (pairs - end(run - 1)) / cycle(run);
    }

    boolean isOn() {
        return share > 0;
    }

    int slots() {
        return capacity / RUN;
    }

    /** As a line of the settings' canonical text; nothing when nothing is held out. */
    String text() {
        return isOn() ? "\nholdOut " + Decimals.text(share) + " " + capacity + " " + keep : "";
    }
}
