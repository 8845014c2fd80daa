package io.koopstream.tuning;

import io.koopstream.InvalidConfigException;

/**
 * The limits of {@link SettingsAdvisor}.
 *
 * @param window how many pairs at most are looked at, from the first on, >= 200
 * @param maxDictionary candidates that keep more points than this within the window are dropped, >= 10
 */
public record AdvisorConfig(int window, int maxDictionary) {

    /** Refuses settings out of range. */
    public AdvisorConfig {
        if (window < SettingsAdvisor.FEWEST_PAIRS) {
            throw new InvalidConfigException(
                    "window", window, "must be >= " + SettingsAdvisor.FEWEST_PAIRS + " pairs; try 3000");
        }
        if (maxDictionary < 10) {
            throw new InvalidConfigException("maxDictionary", maxDictionary, "must be >= 10; try 250");
        }
    }

    /** Up to 3000 pairs, up to 250 points. */
    public static AdvisorConfig defaults() {
        return new AdvisorConfig(3000, 250);
    }
}
