package io.koopstream.io.samples;

import io.koopstream.InvalidConfigException;
import io.koopstream.rows.Durations;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Rows at regular times instead of those of the data: at whole multiples of an interval.
 *
 * @param interval time between two, in the units of the data, seconds where they are dated
 * @param how from which rows of the data each is made
 */
public record Resampling(double interval, How how) {

    /** Rows of the data that make one of the new rows. */
    public enum How {
        /** The mean of the rows from its time on, up to the next. */
        MEAN,
        /** The last of them. */
        LAST,
        /** The straight line between the rows before and after, neither of them farther away than the interval. */
        LINEAR;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Refuses what is no interval. */
    public Resampling {
        if (!(interval > 0) || Double.isInfinite(interval) || Durations.isMonths(interval)) {
            throw new InvalidConfigException(
                    "resample",
                    interval,
                    "must be a fixed time > 0: a number in the units of the data, or e.g. 15min, 1h, 7d");
        }
    }

    /** Reads {@code 1h} or {@code 1h,linear}. */
    public static Resampling parse(String text) {
        String[] parts = text.strip().split("\\s*,\\s*", 2);
        How how = parts.length == 1
                ? How.MEAN
                : Arrays.stream(How.values())
                        .filter(one -> one.word().equals(parts[1]))
                        .findFirst()
                        .orElseThrow(() -> new InvalidConfigException(
                                "resample",
                                text,
                                "after the comma must be one of "
                                        + Arrays.stream(How.values())
                                                .map(How::word)
                                                .collect(Collectors.joining(", "))));
        return new Resampling(Durations.parse(parts[0]), how);
    }
}
