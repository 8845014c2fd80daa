package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;

/**
 * The limits of {@link SettingsAdvisor}.
 *
 * @param window how many pairs at most are looked at, from the first on, >= 100
 * @param maxDictionary candidates that keep more points than this within the window are dropped, >= 10
 * @param maxDelays the most earlier observations that may be proposed as parts of a state; 0 when a pair is a state as it is
 */
public record AdvisorConfig(int window, int maxDictionary, int maxDelays) {

    /** Refuses settings out of range. */
    public AdvisorConfig {
        if (window < SettingsAdvisor.MIN_PAIRS) {
            throw new InvalidConfigException(
                    "window", window, "must be >= " + SettingsAdvisor.MIN_PAIRS + " pairs; try 3000");
        }
        if (maxDictionary < 10) {
            throw new InvalidConfigException("maxDictionary", maxDictionary, "must be >= 10; try 400");
        }
        if (maxDelays < 0) {
            throw new InvalidConfigException("maxDelays", maxDelays, "must be >= 0; 0 proposes none");
        }
    }

    /** Without delays. */
    public AdvisorConfig(int window, int maxDictionary) {
        this(window, maxDictionary, 0);
    }

    /** Up to 3000 pairs, up to 400 points, no delays. */
    public static AdvisorConfig defaults() {
        return new AdvisorConfig(3000, 400, 0);
    }

    /** These limits with at most this number of kept points, where that is fewer. */
    public AdvisorConfig keepingAtMost(int points) {
        return new AdvisorConfig(window, Math.max(10, Math.min(maxDictionary, points)), maxDelays);
    }
}
