package io.koopstream.change;

import io.koopstream.InvalidConfigException;

/**
 * The settings of drift detection. The defaults gave the false-alarm rates and delays in lab/records/accuracy.md.
 *
 * @param warmup errors at the start, and after every event, that are not judged, >= 0
 * @param block errors whose mean is one observation of the test, >= 1
 * @param baseline blocks that must be known before the test begins, >= 5
 * @param slack rise of the error, in standard deviations of a block, that is always tolerated, > 0
 * @param threshold accumulated rise beyond the slack at which an event is raised, > 0
 */
public record DriftConfig(int warmup, int block, int baseline, double slack, double threshold) {

    /** Refuses settings out of range. */
    public DriftConfig {
        requireAtLeast("warmup", warmup, 0, "64");
        requireAtLeast("block", block, 1, "10");
        requireAtLeast("baseline", baseline, 5, "20");
        InvalidConfigException.requirePositive("slack", slack, "standard deviations; try 0.75");
        InvalidConfigException.requirePositive("threshold", threshold, "standard deviations; try 8");
    }

    private static void requireAtLeast(String field, int value, int least, String hint) {
        if (value < least) {
            throw new InvalidConfigException(field, value, "must be >= " + least + "; try " + hint);
        }
    }

    /** Warm-up of 64 errors, blocks of 10, a baseline of 20 of them, slack 0.75, threshold 8. */
    public static DriftConfig defaults() {
        return new DriftConfig(64, 10, 20, 0.75, 8);
    }
}
