package io.koopstream.io.samples;

import java.io.Serializable;
import java.util.List;

/**
 * Reads times of records that stand alone, where no other rows tell how times are written: by a given pattern, or else every date by itself. So a time is
 * a function of its text, whatever came before. One thread.
 */
public final class TimeReader implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Null where none was given. */
    private final String pattern;

    /** The style of the last date that began with the year, which the next one most likely has too. */
    private transient TimeStyle style;

    /** @param pattern of dates, see {@link TimeStyle#ofPattern}; null for dates that can be read without */
    public TimeReader(String pattern) {
        this.pattern = pattern;
        if (pattern != null) {
            style = TimeStyle.ofPattern(pattern);
        }
    }

    /** True if a pattern was given, by which numbers are read too. */
    public boolean hasPattern() {
        return pattern != null;
    }

    /** Seconds since 1970-01-01T00:00Z; NaN for a text that is no date, or of which day and month cannot be told apart. */
    public double read(String text) {
        if (style == null && pattern != null) {
            style = TimeStyle.ofPattern(pattern);
        }
        double time = style == null ? Double.NaN : style.read(text);
        if (pattern != null || !Double.isNaN(time)) {
            return time;
        }
        TimeFinder.Found found = TimeFinder.dates(List.of(text));
        if (found == null || found.style() == null) {
            return Double.NaN;
        }
        // Where day and month come first, 13/1 says which is which, and 1/2 does not: that must not depend on the
        // order.
        if (found.style().pattern().startsWith("yyyy")) {
            style = found.style();
        }
        return found.style().read(text);
    }
}
