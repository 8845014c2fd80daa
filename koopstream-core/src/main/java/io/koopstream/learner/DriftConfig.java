package io.koopstream.learner;

import io.koopstream.InvalidConfigException;

/**
 * The settings of drift detection. The defaults gave the false-alarm rates and delays in docs/trust.md.
 *
 * @param warmup samples at the start, and after every event, whose errors are not judged, >= 0
 * @param block samples whose mean error is one observation of the test, >= 1
 * @param baseline blocks that must be known before the test begins, >= 5
 * @param slack rise of the error, in standard deviations of a block, that is tolerated for ever, > 0
 * @param threshold accumulated rise beyond the slack at which an event is raised, > 0
 * @param refresh samples after which the operator that predicts is taken anew from the learner, >= 1
 */
public record DriftConfig(int warmup, int block, int baseline, double slack, double threshold, int refresh) {

    /** Refuses settings out of range. */
    public DriftConfig {
        requireAtLeast("warmup", warmup, 0, "1000");
        requireAtLeast("block", block, 1, "50");
        requireAtLeast("baseline", baseline, 5, "20");
        requireAtLeast("refresh", refresh, 1, "500");
        InvalidConfigException.requirePositive("slack", slack, "standard deviations; try 0.75");
        InvalidConfigException.requirePositive("threshold", threshold, "standard deviations; try 12");
    }

    private static void requireAtLeast(String field, int value, int least, String hint) {
        if (value < least) {
            throw new InvalidConfigException(field, value, "must be >= " + least + "; try " + hint);
        }
    }

    /** Warm-up of 1000 samples, blocks of 50, a baseline of 20 of them, slack 0.75, threshold 12, a fresh operator every 500. */
    public static DriftConfig defaults() {
        return new DriftConfig(1000, 50, 20, 0.75, 12, 500);
    }
}
